//! Zones, who sees what, and the statements that move pieces between places.

use std::sync::Arc;

use crate::base::{Bits, Span, Spanned};
use crate::ir::{Cue, PieceLocation, RuleKind, Sight, Slot, Ty, Value, Zone, ZoneForm, ZoneId, ZoneRef};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Expr as Tree, ExprKind as TreeKind};
use crate::syntax::ast::item::{Item, ItemKind, Sight as SightTree, Sights, ZoneForm as FormTree, ZoneSights};
use crate::syntax::ast::{Ident, Param};

use super::checker::Checker;
use super::item::Declarations;
use super::scope::Symbol;

/// How many values all variables and zones and the numbers of tokens may have together, a set counting for as many words as
/// its members may need.
pub(super) const TOGETHER: usize = 300_000;

/// How many lists all zones together may have: whoever looks on is told of each.
const LISTS: usize = 10_000;

fn cells(indices: &[(Ty, usize)]) -> usize {
    indices.iter().fold(1, |cells: usize, (_, size)| cells.saturating_mul(*size))
}

impl Declarations<'_, '_> {
    /// How many values the variables and zones declared so far have at the beginning.
    pub(super) fn held(&self) -> usize {
        let game = &self.check.game;
        let vars = game.vars.iter().map(|var| {
            let words = match &var.init {
                Value::Ints(numbers) => numbers.len() + 1,
                Value::Set(_) => match self.check.size_of(var.ty.element()) {
                    Some(size) => size.div_ceil(64) + 1,
                    None => 2,
                },
                Value::Unset
                | Value::Int(_)
                | Value::Bool(_)
                | Value::Atom(_)
                | Value::Piece(_)
                | Value::Pieces(_)
                | Value::Way(_)
                | Value::Ways(_)
                | Value::Move(_)
                | Value::Moves(_) => 1,
            };
            cells(&var.indices).saturating_mul(words)
        });
        let zones = game.zones.iter().map(|zone| cells(&zone.indices));
        vars.chain(zones).fold(self.counters(), usize::saturating_add)
    }

    /// How many numbers of tokens a position holds: one for each kind, owner and site.
    fn counters(&self) -> usize {
        let game = &self.check.game;
        let owners = game.tokens.iter().map(|tokens| if tokens.owned { game.seats.len() } else { 1 });
        owners.sum::<usize>().saturating_mul(game.topology.sites.len())
    }

    /// Reports tokens of which a position cannot hold the numbers.
    pub(super) fn counts_fit(&mut self, item: &Item) -> bool {
        if self.counters() <= TOGETHER {
            return true;
        }
        let message = format!("the tokens have more than {TOGETHER} numbers together");
        let help =
            "use fewer kinds of tokens, seats or sites: each position holds a number for each kind, owner and site";
        self.check.report(Report::new(Code::OutOfRange, item.span, message).help(help));
        false
    }

    /// Declares a zone. Who sees it is checked when all definitions are known.
    pub(super) fn zone_item(&mut self, item: &Item) -> Option<()> {
        let ItemKind::Zone { name, params, form, of, title, limit, .. } = &item.kind else {
            return None;
        };
        let rule = self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
        let indices = self.indices(params)?;
        let others = self.check.game.zones.iter().map(|zone| cells(&zone.indices)).fold(0, usize::saturating_add);
        if cells(&indices).saturating_add(others) > LISTS {
            let message = format!("with `{}` the zones have more than {LISTS} lists together", name.node);
            let help = "use fewer indices: whoever looks on is told of every list";
            self.check.report(Report::new(Code::OutOfRange, name.span, message).help(help));
            return None;
        }
        let mut kinds = Bits::new();
        for kind in of {
            let set = self.check.kind_set(kind)?;
            kinds.unite(&self.check.constant(&set, kind.span)?.into_set());
        }
        let limit = match limit {
            Some(limit) => usize::try_from(self.check.constant_int(limit, 0, 1_000_000)?).ok(),
            None => None,
        };
        let form = match form {
            FormTree::Pile => ZoneForm::Pile,
            FormTree::Row => ZoneForm::Row,
            FormTree::Set => ZoneForm::Set,
        };
        let zone = Zone {
            name: name.node.clone(),
            title: title.clone().unwrap_or_default(),
            indices,
            params: Vec::new(),
            form,
            kinds,
            limit,
            beside: Vec::new(),
            sight: Sight::All,
            number_sight: Sight::All,
            order_sight: Sight::All,
            rule,
        };
        let number = self.check.game.zones.push(zone);
        self.check.declare(name, Symbol::Zone(number));
        Some(())
    }
}

impl Checker<'_> {
    /// Who sees kinds of piece, variables and zones.
    pub(super) fn sights<'i>(&mut self, items: &'i [Arc<Item>]) {
        let mut kind = 0;
        for item in items {
            let count = super::kind::declared(item);
            if let ItemKind::Piece { sights, owned, .. } | ItemKind::Kinds { sights, owned, .. } = &item.kind {
                if let Some(sight) = sights.owner.as_ref().filter(|_| !owned) {
                    let report = Report::new(Code::NoEffect, sight.span, "these pieces belong to nobody");
                    self.report(report.help("write `owned` after their name, or leave this out"));
                }
                self.piece_sights(sights, kind, count);
            } else if let ItemKind::Var { name, params, sight, .. } = &item.kind
                && let Some((slots, [sight])) = self.indexed_sights(params, [sight.as_ref()])
                && let Some(info) = self.game.vars.iter_mut().find(|info| info.name == name.node)
            {
                (info.params, info.sight) = (slots, sight);
            } else if let ItemKind::Zone { name, params, form, beside, sights, .. } = &item.kind {
                self.idle_sights(*form, sights);
                let order = sights.order.as_ref().filter(|_| *form == FormTree::Row);
                let said = |sight: Option<&'i Spanned<SightTree>>| sight.map(|sight| &sight.node);
                let all = [sights.pieces.as_ref(), said(sights.number.as_ref()), said(order)];
                if let Some((slots, [pieces, number, order])) = self.indexed_sights(params, all)
                    && let Some(info) = self.game.zones.iter_mut().find(|info| info.name == name.node)
                {
                    (info.params, info.sight, info.number_sight, info.order_sight) = (slots, pieces, number, order);
                }
                if let Some(beside) = beside
                    && let Some(sites) = self.beside(params, beside)
                    && let Some(info) = self.game.zones.iter_mut().find(|info| info.name == name.node)
                {
                    info.beside = sites;
                }
            }
            kind += count;
        }
    }

    fn piece_sights(&mut self, sights: &Sights, first: usize, count: usize) {
        let cut = self.scope.mark();
        let it = self.bind("it", Ty::Piece);
        let sight = self.sight(sights.piece.as_ref());
        let owner = self.sight(sights.owner.as_ref().map(|sight| &sight.node));
        self.scope.cut(cut);
        for kind in self.game.kinds.iter_mut().skip(first).take(count) {
            kind.it = it;
            kind.sight = sight.clone().unwrap_or_default();
            kind.owner_sight = owner.clone().unwrap_or_default();
        }
    }

    /// Of a zone, what cannot be hidden by itself since it is seen with the pieces, or is not there.
    fn idle_sights(&mut self, form: FormTree, sights: &ZoneSights) {
        let all = matches!(sights.pieces, None | Some(SightTree::All));
        let number = sights.number.as_ref().filter(|_| all && form != FormTree::Pile);
        let order = sights.order.as_ref().filter(|_| form != FormTree::Row);
        let counted = "everybody sees the pieces, and so how many there are";
        let unordered =
            if form == FormTree::Set { "a set has no order" } else { "of a pile the top alone is seen, and no order" };
        for (sight, message) in [(number, counted), (order, unordered)] {
            if let Some(sight) = sight {
                let help =
                    "leave this out, or say with `seen by` who sees the pieces, and with `row` that they have an order";
                self.report(Report::new(Code::NoEffect, sight.span, message).help(help));
            }
        }
    }

    /// The sites that each list of a zone lies beside.
    fn beside(&mut self, params: &[Param], tree: &Tree) -> Option<Vec<Bits>> {
        let cut = self.scope.mark();
        let (mut slots, mut types) = (Vec::new(), Vec::new());
        for param in params {
            let ty = self.type_of(&param.ty)?;
            slots.push(self.bind_ident(&param.name, ty.clone()));
            types.push(ty);
        }
        let sites = self.typed(tree, &Ty::Site.set());
        self.scope.cut(cut);
        let sites = sites?;
        if !self.is_constant(&sites) {
            let message = "where a zone lies must be known before play begins";
            let help = "use regions, tables, seats and the indices of the zone";
            self.report(Report::new(Code::NotConstant, tree.span, message).help(help));
            return None;
        }
        let combinations = self.combinations(&types, tree.span)?;
        let values = self.fold_each(&sites, &slots, combinations, tree.span)?;
        Some(values.into_iter().map(Value::into_set).collect())
    }

    fn indexed_sights<const N: usize>(
        &mut self,
        params: &[Param],
        sights: [Option<&SightTree>; N],
    ) -> Option<(Vec<Slot>, [Sight; N])> {
        let cut = self.scope.mark();
        let mut slots = Vec::new();
        for param in params {
            let ty = self.type_of(&param.ty)?;
            slots.push(self.bind_ident(&param.name, ty));
        }
        let seen = sights.map(|sight| self.sight(sight));
        self.scope.cut(cut);
        let mut found = [const { Sight::All }; N];
        for (place, sight) in found.iter_mut().zip(seen) {
            *place = sight?;
        }
        Some((slots, found))
    }

    pub(super) fn sight(&mut self, sight: Option<&SightTree>) -> Option<Sight> {
        Some(match sight {
            None | Some(SightTree::All) => Sight::All,
            Some(SightTree::No) => Sight::Nobody,
            Some(SightTree::Seats(seats)) => Sight::Seats(self.typed(seats, &Ty::Seat.set())?),
        })
    }

    /// `cue action after N: C`.
    pub(super) fn cue(&mut self, name: &Ident, wait: Option<&Tree>, when: &Tree, item: &Item) -> Option<()> {
        self.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
        let Some(Symbol::Action(action)) = self.lookup(&name.node, name.span, None) else {
            self.unknown(&name.node, name.span, "action");
            return None;
        };
        let wait = match wait {
            Some(wait) => self.constant_int(wait, 0, 1_000_000)?,
            None => 0,
        };
        let when = self.boolean(when)?;
        self.game.cues.push(Cue { action, wait, when });
        Some(())
    }

    /// The zone an expression names, if it names one.
    pub(super) fn zone_named(&mut self, tree: &Tree) -> Option<Option<ZoneRef>> {
        let (name, args, span): (&str, &[Tree], Span) = if let TreeKind::Name(name) = &tree.kind {
            (name, &[], tree.span)
        } else if let TreeKind::Call(name, args) = &tree.kind {
            (&name.node, args, name.span)
        } else {
            return Some(None);
        };
        if self.scope.local(name).is_some() {
            return Some(None);
        }
        match self.lookup(name, span, None) {
            Some(Symbol::Zone(number)) => self.zone_ref(number, &Ident::new(name.to_owned(), span), args).map(Some),
            _ => Some(None),
        }
    }

    pub(super) fn zone_ref(&mut self, zone: ZoneId, name: &Ident, args: &[Tree]) -> Option<ZoneRef> {
        let types: Vec<Ty> = self.game.zones[zone].indices.iter().map(|(ty, _)| ty.clone()).collect();
        let at = self.arguments(name, args, &types)?;
        Some(ZoneRef { zone, at })
    }

    /// A zone where one is needed.
    pub(super) fn zone_needed(&mut self, tree: &Tree) -> Option<ZoneRef> {
        if let Some(zone) = self.zone_named(tree)? {
            return Some(zone);
        }
        let message = "expected a zone";
        self.report(Report::new(Code::WrongType, tree.span, message).help("name a zone: `deck`, `hand(me)`"));
        None
    }

    /// A zone or a set of sites.
    pub(super) fn location(&mut self, tree: &Tree) -> Option<PieceLocation> {
        match self.zone_named(tree)? {
            Some(zone) => Some(PieceLocation::Zone(zone)),
            None => self.typed(tree, &Ty::Site.set()).map(PieceLocation::Sites),
        }
    }
}
