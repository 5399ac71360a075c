//! What a move lays open: whether anybody may find out by it what it did not see.
//!
//! Rules tell what is hidden only where they say `told`, where `check` reports them, by moving and turning pieces, or by who
//! can play; so it is enough to watch for these while the move is carried out. That the answer is yes must tell nothing: what
//! runs under a condition on hidden things counts whether it runs or not, and `told` wherever it stands.

use super::Walker;
use super::eval::Eval;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{
    Action, ActionRef, BlockId, Expr, ExprKind, Game, Header, Move, Piece, PieceLocation, PieceSelection, Sight,
    StmtKind, Value, ZoneForm,
};
use crate::model::{Position, StmtRef};

/// Who sees of pieces at one end of their way which they are, and how many.
struct Seen {
    pieces: Bits,
    number: Bits,
}

impl Eval<'_> {
    /// Who sees the pieces of a zone's list, and who can count them.
    fn list_seen(&mut self, (zone, index): (usize, usize)) -> Seen {
        let pieces = self.zone_witnesses(zone, index);
        let [mut number, _] = self.list_witnesses(zone, index);
        if !self.is_pile(zone) {
            number.unite(&pieces);
        }
        Seen { pieces, number }
    }

    /// The same of a list or, without one, of pieces on a board: who sees any of them, or all of them.
    fn seen_there(&mut self, list: Option<(usize, usize)>, pieces: &[Piece], any: bool) -> Seen {
        if let Some(list) = list {
            return self.list_seen(list);
        }
        let everybody = self.everybody();
        let mut seen = if any { Bits::new() } else { everybody.clone() };
        for piece in pieces {
            let one = self.piece_seen(piece);
            if any { seen.unite(&one) } else { seen.intersect(&one) }
        }
        Seen { pieces: seen, number: everybody }
    }

    pub(super) fn is_pile(&self, zone: usize) -> bool {
        self.game.zones.nth(zone).is_some_and(|zone| zone.form == ZoneForm::Pile)
    }

    /// Who sees everything about a piece on a board.
    pub(super) fn piece_seen(&mut self, piece: &Piece) -> Bits {
        let mut seen = self.piece_witnesses(piece);
        seen.intersect(&self.owner_witnesses(piece));
        seen
    }

    /// Who sees each thing of a position, in an order of their own: lists, their numbers and orders, variables, and pieces
    /// such as those that stand on the boards of another position.
    fn sights(&mut self, standing: &[Piece]) -> Vec<Bits> {
        let mut all = Vec::new();
        let pos = self.pos;
        for (zone, lists) in pos.zones.iter().enumerate() {
            for index in 0..lists.len() {
                all.push(self.zone_witnesses(zone, index));
                all.extend(self.list_witnesses(zone, index));
            }
        }
        for (var, values) in pos.vars.iter().enumerate() {
            all.extend((0..values.len()).map(|index| self.var_witnesses(var, index)));
        }
        all.extend(standing.iter().map(|piece| self.piece_seen(piece)));
        all
    }
}

impl Machine<'_> {
    /// Notes that something is laid open, if that is watched for.
    pub(super) fn lay_open(&mut self, opened: bool) {
        if let Some(found) = &mut self.opened {
            *found |= opened;
        }
    }

    /// Pieces are taken from one place to another.
    pub(super) fn watch_pieces(
        &mut self,
        selection: &PieceSelection,
        (from, pieces): (Option<(usize, usize)>, &[Piece]),
        to: Option<(usize, usize)>,
    ) {
        if self.opened.is_none() {
            return;
        }
        let opened = self.with_eval(|eval| {
            // What lies beneath is seen next.
            if from.is_some_and(|(zone, index)| eval.is_pile(zone) && !eval.zone_witnesses(zone, index).is_empty()) {
                return true;
            }
            let (source, target) = (eval.seen_there(from, pieces, false), eval.seen_there(to, pieces, true));
            let counted = target.number.within(&source.number);
            // Where everybody can count them, it is known that there was nothing to take.
            if pieces.is_empty() && eval.everybody().within(&source.number) {
                return false;
            }
            let mut known = source.pieces;
            let picked = matches!(selection, PieceSelection::These(_));
            if let Some((zone, index)) = from.filter(|_| !picked && !matches!(selection, PieceSelection::All)) {
                // Which one it was is known to those who see the order.
                let [_, order] = eval.list_witnesses(zone, index);
                known.intersect(&order);
            }
            !target.pieces.within(&known) || !counted && !picked && !is_one(selection)
        });
        self.lay_open(opened);
    }

    /// A statement is about to run: what it may tell, and what it may do if a condition holds that not everybody knows.
    pub(super) fn watch(&mut self, kind: &StmtKind) {
        if self.opened.is_none() {
            return;
        }
        let table = &self.walker.game.knowledge;
        let stirs = |block: BlockId| table.revealing.blocks.get(usize::from(block)).is_none_or(|stirs| *stirs);
        let secret = kind.blocks().any(|block| !table.runs_openly(block) && stirs(block));
        let opened = secret || table.revealing.says(kind);
        self.lay_open(opened);
    }

    /// The same of a loop that goes on, or ends: for whom it went on so far may have been told in it.
    pub(super) fn watch_again(&mut self, kind: &StmtKind) {
        self.watch(kind);
        let telling = &self.walker.game.knowledge.revealing.telling;
        let told = kind.blocks().any(|block| telling.get(usize::from(block)).is_none_or(|tells| *tells));
        self.lay_open(told);
    }

    /// A seat is about to be asked, if it can play any of these: whether that is known, and what can be played.
    pub(super) fn watch_offer(&mut self, groups: &[Vec<ActionRef>], may: bool) {
        if self.opened.is_none() {
            return;
        }
        let (tells, guarded, open) = self.offered(groups.iter().flatten());
        // Where everybody knows that it can play one of them, it is asked whatever else it can play.
        let asked = may || !guarded || self.with_eval(|eval| eval.can_move(&[open]));
        self.lay_open(tells || !asked);
    }

    /// The same of those who may act in a race.
    pub(super) fn watch_race(&mut self, at: StmtRef) {
        if self.opened.is_none() {
            return;
        }
        let Some(StmtKind::Race { group, until, .. }) = self.walker.stmt(at).map(|stmt| &stmt.kind) else { return };
        let (tells, guarded, open) = self.offered(group.iter());
        let asked = until.is_some() || !guarded || self.with_eval(|eval| eval.could_act(at, &open));
        self.lay_open(tells || !asked);
    }

    /// Of actions, whether what can be chosen tells something, whether not everybody knows of some if they can be played, and the
    /// others.
    fn offered<'r>(&self, actions: impl Iterator<Item = &'r ActionRef> + Clone) -> (bool, bool, Vec<ActionRef>) {
        let revealing = &self.walker.game.knowledge.revealing;
        let tells = actions.clone().any(|action| revealing.asks_for(&revealing.heads, action));
        let (guarded, open): (Vec<ActionRef>, Vec<ActionRef>) =
            actions.copied().partition(|action| revealing.asks_for(&revealing.guarded, action));
        (tells, !guarded.is_empty(), open)
    }

    /// An action is about to be carried out: what names in its head are bound to may be told.
    pub(super) fn watch_head(&mut self, action: &Action) {
        if self.opened.is_none() {
            return;
        }
        let revealing = &self.walker.game.knowledge.revealing;
        let told = action.head.iter().any(|line| match line {
            Header::Let(_, value, _) | Header::Late(_, value, _) => revealing.tells(value),
            Header::Choose(_) | Header::Require(..) | Header::Prefer(..) => false,
        });
        self.lay_open(told);
    }

    /// Lists whose seat not everybody knows: who sees them would tell it.
    pub(super) fn watch_places(&mut self, places: [&PieceLocation; 2]) {
        if self.opened.is_none() {
            return;
        }
        let game = &self.walker.game;
        let known = |place: &PieceLocation| match place {
            PieceLocation::Sites(_) => true,
            PieceLocation::Zone(zone) => zone.at.iter().all(|index| is_known(game, index)),
        };
        let opened = !places.into_iter().all(known);
        self.lay_open(opened);
    }

    /// Whether what is laid under the pieces of a list is covered by them.
    pub(super) fn covers(&self, (zone, index): (usize, usize)) -> bool {
        let pile = self.walker.game.zones.nth(zone).is_some_and(|info| info.form == ZoneForm::Pile);
        pile && self.pos.zones.get(zone).and_then(|lists| lists.get(index)).is_some_and(|list| !list.is_empty())
    }

    /// Fields of a piece on a board are set: it may be turned up by it.
    pub(super) fn watch_change(&mut self, before: &Piece, after: &Piece) {
        if self.opened.is_some() {
            let opened = self.with_eval(|eval| !eval.piece_seen(after).within(&eval.piece_seen(before)));
            self.lay_open(opened);
        }
    }
}

/// Whether everybody knows the value of an index.
fn is_known(game: &Game, expr: &Expr) -> bool {
    if let ExprKind::Slot(slot) = &expr.kind {
        return !game.knowledge.is_private(*slot);
    }
    if let ExprKind::Lookup(_, args) | ExprKind::Builtin(_, args) = &expr.kind {
        return args.iter().all(|arg| is_known(game, arg));
    }
    if let ExprKind::Var(var, at) = &expr.kind {
        let open = game.vars.get(*var).is_some_and(|var| matches!(var.sight, Sight::All));
        return open && at.iter().all(|index| is_known(game, index));
    }
    matches!(expr.kind, ExprKind::Const(_) | ExprKind::Me | ExprKind::Mover)
}

/// Whether exactly one piece is taken.
fn is_one(selection: &PieceSelection) -> bool {
    match selection {
        PieceSelection::Top(count) | PieceSelection::Bottom(count) => {
            matches!(count.kind, ExprKind::Const(Value::Int(1)))
        }
        PieceSelection::All | PieceSelection::These(_) => false,
    }
}

impl Walker {
    /// Whether anybody may find something out by a legal move, up to the next question and by what can be answered to it.
    pub(super) fn lays_open(&self, position: &Position, mv: &Move) -> bool {
        // What is told unawares may be told anywhere, and what decides on a claim is told by refusing it.
        let table = &self.game.knowledge;
        if !table.disclosures.is_empty() || table.revealing.always || self.claims_tell() {
            return true;
        }
        self.look_ahead(position, |machine| {
            machine.opened = Some(false);
            machine.answered(mv);
            if machine.opened != Some(false) || machine.steps == 0 {
                return true;
            }
            // Who sees a place may depend on the position.
            let standing: Vec<Piece> = machine.pos.sites.iter().flatten().cloned().collect();
            let after = machine.with_eval(|eval| eval.sights(&standing));
            let mut eval = Eval::new(self, position, machine.steps);
            let before = eval.sights(&standing);
            let spent = eval.spent();
            spent || !after.iter().zip(&before).all(|(after, before)| after.within(before))
        })
    }

    /// Whether what can be claimed may tell anything.
    fn claims_tell(&self) -> bool {
        !self.game.claims.is_empty() && self.game.functions.iter().any(|def| def.told)
    }
}
