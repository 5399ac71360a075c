//! Zones, who sees what, and the statements that move pieces between places.

use std::sync::Arc;

use crate::base::{Bits, Span};
use crate::ir::{
    ActionRef, Cue, Expr, ExprKind, Packet, PieceExpr, RuleKind, Sight, Slot, Spot, StmtKind, Ty, Zone, ZoneForm,
    ZoneId, ZoneRef,
};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Expr as Tree, ExprKind as TreeKind, Whose};
use crate::syntax::ast::item::{Item, ItemKind, Sight as SightTree, ZoneForm as FormTree};
use crate::syntax::ast::stmt::{Block as BlockTree, Packet as PacketTree, PieceSpec, TokenSpec};
use crate::syntax::ast::{Ident, Param};

use super::scope::{Checker, Symbol};
use super::stmt::Context;

/// How many lists an indexed zone may have.
const LISTS: usize = 10_000;

impl Checker<'_> {
    /// Declares a zone. Who sees it is checked when all definitions are known.
    pub(super) fn zone_item(&mut self, item: &Item) -> Option<()> {
        let ItemKind::Zone { name, params, form, of, limit, .. } = &item.kind else {
            return None;
        };
        let rule = self.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
        let indices = self.indices(params)?;
        let total = indices.iter().try_fold(1usize, |total, (_, size)| total.checked_mul(*size));
        if total.is_none_or(|total| total > LISTS) {
            let message = format!("`{}` has more than {LISTS} lists", name.node);
            self.report(Report::new(Code::OutOfRange, name.span, message).help("use fewer indices"));
            return None;
        }
        let mut kinds = Bits::new();
        for kind in of {
            let set = self.kind_set(kind)?;
            kinds.unite(&self.constant(&set, kind.span)?.into_set());
        }
        let limit = match limit {
            Some(limit) => usize::try_from(self.constant_int(limit, 0, 1_000_000)?).ok(),
            None => None,
        };
        let form = match form {
            FormTree::Pile => ZoneForm::Pile,
            FormTree::Row => ZoneForm::Row,
            FormTree::Set => ZoneForm::Set,
        };
        let (name_text, sight) = (name.node.clone(), Sight::All);
        let zone = Zone { name: name_text, indices, params: Vec::new(), form, kinds, limit, sight, rule };
        let number = self.game.zones.push(zone);
        self.declare(name, Symbol::Zone(number));
        Some(())
    }

    /// Who sees kinds of piece, variables and zones.
    pub(super) fn sights(&mut self, items: &[Arc<Item>]) {
        let mut kind = 0;
        for item in items {
            let count = super::kind::declared(item);
            if let ItemKind::Piece { sight, .. } | ItemKind::Kinds { sight, .. } = &item.kind {
                self.piece_sight(sight.as_ref(), kind, count);
            } else if let ItemKind::Var { name, params, sight, .. } = &item.kind
                && let Some((slots, sight)) = self.indexed_sight(params, sight.as_ref())
                && let Some(info) = self.game.vars.iter_mut().find(|info| info.name == name.node)
            {
                (info.params, info.sight) = (slots, sight);
            } else if let ItemKind::Zone { name, params, sight, .. } = &item.kind
                && let Some((slots, sight)) = self.indexed_sight(params, sight.as_ref())
                && let Some(info) = self.game.zones.iter_mut().find(|info| info.name == name.node)
            {
                (info.params, info.sight) = (slots, sight);
            }
            kind += count;
        }
    }

    fn piece_sight(&mut self, sight: Option<&SightTree>, first: usize, count: usize) {
        let cut = self.locals.len();
        let it = self.bind("it", Ty::Piece);
        let sight = self.sight(sight);
        self.locals.truncate(cut);
        for kind in self.game.kinds.iter_mut().skip(first).take(count) {
            kind.it = it;
            kind.sight = sight.clone().unwrap_or_default();
        }
    }

    fn indexed_sight(&mut self, params: &[Param], sight: Option<&SightTree>) -> Option<(Vec<Slot>, Sight)> {
        let cut = self.locals.len();
        let mut slots = Vec::new();
        for param in params {
            let ty = self.type_of(&param.ty)?;
            slots.push(self.bind_ident(&param.name, ty));
        }
        let sight = self.sight(sight);
        self.locals.truncate(cut);
        Some((slots, sight?))
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
        if self.local(name).is_some() {
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
    fn zone_needed(&mut self, tree: &Tree) -> Option<ZoneRef> {
        if let Some(zone) = self.zone_named(tree)? {
            return Some(zone);
        }
        let message = "expected a zone";
        self.report(Report::new(Code::WrongType, tree.span, message).help("name a zone: `deck`, `hand(me)`"));
        None
    }

    /// A zone or a set of sites.
    pub(super) fn spot(&mut self, tree: &Tree) -> Option<Spot> {
        match self.zone_named(tree)? {
            Some(zone) => Some(Spot::Zone(zone)),
            None => self.typed(tree, &Ty::Site.set()).map(Spot::Sites),
        }
    }

    /// `move top N of Z to …`
    pub(super) fn move_packet(&mut self, packet: &PacketTree, from: &Tree, to: &Tree, under: bool) -> Option<StmtKind> {
        let count = |checker: &mut Self, n: &Option<Tree>| match n {
            Some(n) => checker.typed(n, &Ty::Int),
            None => Some(Expr::int(1)),
        };
        let packet = match packet {
            PacketTree::Top(n) => Packet::Top(count(self, n)?),
            PacketTree::Bottom(n) => Packet::Bottom(count(self, n)?),
            PacketTree::All => Packet::All,
        };
        let from = Spot::Zone(self.zone_needed(from)?);
        Some(StmtKind::MovePieces { packet, from, to: self.spot(to)?, under })
    }

    /// `move A to B`, `move c from Z to B`
    pub(super) fn move_any(&mut self, what: &Tree, from: Option<&Tree>, to: &Tree, under: bool) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        if let Some(from) = from {
            let pieces = self.expr(what, None)?;
            let pieces = self.fit(pieces, &Ty::Piece.set(), what.span)?;
            let from = Spot::Zone(self.zone_needed(from)?);
            return Some(StmtKind::MovePieces { packet: Packet::These(pieces), from, to: self.spot(to)?, under });
        }
        if self.zone_named(what)?.is_some() {
            let message = "it is not clear which pieces of the zone move";
            let help = "write `move top of …`, `move top 3 of …`, `move all of …` or `move c from …`";
            self.report(Report::new(Code::WrongType, what.span, message).help(help));
            return None;
        }
        let from = self.typed(what, &sites)?;
        match self.spot(to)? {
            Spot::Sites(_) if under => {
                let message = "a site holds one piece, so nothing can be put under it";
                self.report(Report::new(Code::WrongType, to.span, message).help("write `to`, or name a zone"));
                None
            }
            Spot::Sites(to) => Some(StmtKind::Move(from, to)),
            to @ Spot::Zone(_) => {
                Some(StmtKind::MovePieces { packet: Packet::All, from: Spot::Sites(from), to, under })
            }
        }
    }

    /// `shuffle Z`
    pub(super) fn shuffle(&mut self, tree: &Tree) -> Option<StmtKind> {
        let zone = self.zone_needed(tree)?;
        if self.game.zones[zone.zone].form == ZoneForm::Set {
            let message = "an unordered zone cannot be shuffled";
            self.report(Report::new(Code::WrongType, tree.span, message).help("declare it as a `pile` or a `row`"));
            return None;
        }
        Some(StmtKind::Shuffle(zone))
    }

    /// `together S play a | b`
    pub(super) fn together(&mut self, seats: &Tree, groups: &[Vec<Ident>]) -> Option<StmtKind> {
        let seats = self.typed(seats, &Ty::Seat.set())?;
        let groups: Option<Vec<Vec<ActionRef>>> =
            groups.iter().map(|group| group.iter().map(|name| self.action_ref(name)).collect()).collect();
        Some(StmtKind::Together { seats, groups: groups? })
    }

    /// `race S play a | b until E else { }`
    pub(super) fn race(
        &mut self,
        seats: &Tree,
        group: &[Ident],
        until: Option<&Tree>,
        otherwise: Option<&BlockTree>,
        place: Context,
        owner: &str,
    ) -> Option<StmtKind> {
        let seats = self.typed(seats, &Ty::Seat.set())?;
        let mut actions = Vec::new();
        for name in group {
            let action = self.action_ref(name)?;
            if action == ActionRef::Pass {
                let message = "`pass` is not allowed in a race";
                self.report(
                    Report::new(Code::Misplaced, name.span, message)
                        .help("a seat passes by not acting; list actions only"),
                );
                return None;
            }
            actions.push(action);
        }
        let until = match until {
            Some(until) => Some(self.typed(until, &Ty::Int)?),
            None => None,
        };
        let otherwise = match otherwise {
            Some(block) => Some(self.block(block, place, owner)?),
            None => None,
        };
        Some(StmtKind::Race { seats, group: actions, until, otherwise })
    }

    /// `put N own stone on …`
    pub(super) fn put(&mut self, amount: Option<&Tree>, spec: &PieceSpec, on: &Tree) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        if self.local(&spec.name.node).is_none()
            && let Some(Symbol::Tokens(_)) = self.lookup(&spec.name.node, spec.name.span, None)
        {
            let place = self.token_place(&TokenSpec { whose: spec.whose.clone(), name: spec.name.clone() })?;
            let amount = match amount {
                Some(amount) => self.typed(amount, &Ty::Int)?,
                None => Expr::int(1),
            };
            return Some(StmtKind::PutTokens(place, amount, self.typed(on, &sites)?));
        }
        let zone = self.zone_named(on)?;
        if let (Some(amount), None) = (amount, &zone) {
            let message = "a site holds one piece; only tokens and zones take a number";
            self.report(
                Report::new(Code::WrongType, amount.span, message).help("remove the number, or declare `tokens`"),
            );
            return None;
        }
        if let Some(arg) = spec.args.first() {
            let message = format!("`{}` takes no arguments here", spec.name.node);
            self.report(
                Report::new(Code::WrongCount, arg.span, message)
                    .help("name the kind, or a local name that holds one; set fields with `with field = …`"),
            );
            return None;
        }
        let kind = self.kind_value(&spec.name);
        if kind.is_none() && zone.is_none() {
            // The place may be wrong as well.
            self.typed(on, &sites);
        }
        let kind = kind?;
        let owner = self.owner(&spec.whose)?;
        if let ExprKind::Const(value) = &kind.kind
            && let Some(info) = self.game.kinds.nth(value.atom())
        {
            let needs = info.owned;
            let has = !matches!(spec.whose, Whose::Anyone);
            if needs != has {
                let (message, help) = if needs {
                    (format!("it is not clear whose `{}` this is", info.name), "write `own …` or `… of SEAT`")
                } else {
                    (format!("`{}` has no owner", info.name), "remove the owner, or declare the piece `owned`")
                };
                self.report(Report::new(Code::WrongType, spec.name.span, message).help(help));
                return None;
            }
        }
        if matches!(spec.whose, Whose::Enemy) {
            let message = "`enemy` does not say whose piece this is";
            self.report(Report::new(Code::WrongType, spec.name.span, message).help("write `… of SEAT`"));
            return None;
        }
        let fields = self.field_values(&spec.fields, Some(&kind))?;
        let piece = PieceExpr { kind, owner, fields };
        let Some(zone) = zone else {
            return Some(StmtKind::Put(piece, self.typed(on, &sites)?));
        };
        let amount = match amount {
            Some(amount) => self.typed(amount, &Ty::Int)?,
            None => Expr::int(1),
        };
        Some(StmtKind::PutIn(piece, amount, zone))
    }
}
