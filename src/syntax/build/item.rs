//! Items of every kind except boards, which are in `board`.
//!
//! **Invariant:** an item is built completely or not at all.

use super::{Builder, Children, has};
use crate::base::Spanned;
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::Expr;
use crate::syntax::ast::item::{
    FieldDecl, Given, Item, ItemKind, Moment, OF, Player, Sight, Sights, ZoneForm, ZoneSights,
};
use crate::syntax::ast::stmt::Block;
use crate::syntax::grammar::{ItemRule, Rule};
use pest::iterators::Pair;
use std::iter;

/// A number of players, or the first and last of a range.
type Count = (Spanned<u32>, Option<Spanned<u32>>);

impl Builder {
    /// An item.
    pub(in crate::syntax) fn item(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        let span = self.span(&pair);
        self.deeper(span, |builder| {
            let inner = builder.only(pair)?;
            let mut cites = Vec::new();
            for child in inner.clone().into_inner().filter(|child| child.as_rule() == Rule::cites) {
                cites.extend(builder.children(child).all(Rule::clause).iter().map(|clause| builder.clause(clause)));
            }
            Some(Item { kind: builder.item_kind(&inner)?, cites, span })
        })
    }

    fn item_kind(&mut self, pair: &Pair<'_, Rule>) -> Option<ItemKind> {
        let mut children = self.children(pair.clone());
        let known = ItemRule::of(children.rule);
        let rule = self.presume(&children, "a known item", known)?;
        let children = &mut children;
        Some(match rule {
            ItemRule::Game => {
                let name = self.need(children, Rule::game_name)?;
                let (name, title) = (self.ident(&name), self.title(children));
                ItemKind::Game { name, title, extends: self.text_after(children, Rule::kw_extends) }
            }
            ItemRule::Document => {
                let title = self.needed_title(children)?;
                let clauses = self.text_after(children, Rule::kw_clauses);
                let ledger = self.text_after(children, Rule::kw_ledger);
                let translations = iter::from_fn(|| self.text_after(children, Rule::kw_translation)).collect();
                ItemKind::Document { title, clauses, ledger, translations }
            }
            ItemRule::Clause => {
                let cite = self.need(children, Rule::clause)?;
                ItemKind::Clause(self.clause(&cite), self.needed_title(children)?)
            }
            ItemRule::Players => {
                let players = children.all(Rule::player).into_iter();
                let players = players.map(|player| self.player(player)).collect::<Option<_>>()?;
                ItemKind::Players { players, counts: self.counts(children)? }
            }
            ItemRule::Seating => ItemKind::Seating(self.counting(children)?, self.names(children)),
            ItemRule::First => ItemKind::First(self.expr(children)?),
            ItemRule::Option => self.option(children)?,
            ItemRule::Reading => ItemKind::Reading(self.name(children)?, self.names(children), self.title(children)),
            ItemRule::Enum => ItemKind::Enum(self.name(children)?, self.members(children)?),
            ItemRule::Kinds => self.kinds(children)?,
            ItemRule::Piece => self.piece_kind(children)?,
            ItemRule::Tokens => {
                let (name, title) = (self.name(children)?, self.title(children));
                ItemKind::Tokens { name, title, owned: children.opt(Rule::owned).is_some() }
            }
            ItemRule::Table => {
                let name = self.name(children)?;
                let _ = self.cites(children);
                ItemKind::Table(name, self.rows(children)?)
            }
            ItemRule::Board => self.board(children)?,
            ItemRule::Region => ItemKind::Region(self.name(children)?, self.given(children)?),
            ItemRule::Define => ItemKind::Define(self.name_of_kind(children)?, self.given(children)?),
            ItemRule::Path => {
                let (name, params) = (self.name(children)?, self.params(children)?);
                let path = self.need(children, Rule::path)?;
                ItemKind::Path(name, params, self.path(path)?)
            }
            ItemRule::Var => self.variable(children, has(pair, Rule::kw_record))?,
            ItemRule::Zone => self.zone(children, form(pair))?,
            ItemRule::Setup => ItemKind::Setup(self.body_of(children)?),
            ItemRule::Action => ItemKind::Action(self.name(children)?, self.title(children), self.body_of(children)?),
            ItemRule::Cue => {
                ItemKind::Cue(self.name(children)?, self.maybe(children, Rule::operand)?, self.expr(children)?)
            }
            ItemRule::Claim => {
                let (name, title) = (self.name(children)?, self.title(children));
                let by_any = children.opt(Rule::claim_by).is_some();
                ItemKind::Claim { name, title, by_any, body: self.body_of(children)? }
            }
            ItemRule::Offer => ItemKind::Offer(self.name(children)?, self.title(children), self.body_of(children)?),
            ItemRule::Procedure => {
                ItemKind::Procedure(self.name_of_kind(children)?, self.params(children)?, self.body_of(children)?)
            }
            ItemRule::Play => ItemKind::Play(self.body_of(children)?),
            ItemRule::End => self.end(children)?,
            ItemRule::Invariant => ItemKind::Invariant(self.name(children)?, self.expr(children)?),
            ItemRule::Variant => self.variant(children)?,
            ItemRule::With => self.overlay(children)?,
            ItemRule::Change => self.parts(children)?,
            ItemRule::Replace => {
                let item = self.need(children, Rule::item)?;
                ItemKind::Replace(Box::new(self.item(item)?))
            }
            ItemRule::Remove => {
                let name = self.name(children)?;
                match children.opt(Rule::row_key) {
                    Some(key) => ItemKind::RemoveRow(name, self.row_key(&key)),
                    None => ItemKind::Remove(name, self.name_of_kind(children)?),
                }
            }
            ItemRule::Row => {
                let name = self.name(children)?;
                let line = self.need(children, Rule::table_row)?;
                ItemKind::Row(name, self.row(line).0)
            }
            ItemRule::Set => {
                let mut path = vec![self.name(children)?];
                if let Some(key) = children.opt(Rule::row_key) {
                    path.extend([self.row_key(&key), self.name(children)?]);
                }
                ItemKind::Set(path, self.expr(children)?)
            }
        })
    }

    /// A text that the grammar requires.
    fn needed_title(&mut self, children: &mut Children<'_>) -> Option<String> {
        let title = self.title(children);
        self.presume(children, "a text", title)
    }

    fn option(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let name = self.name(children)?;
        let ty = children.opt(Rule::type_name).map(|ty| self.type_name(ty));
        let ty = ty.map_or(Some(None), |ty| ty.map(Some))?;
        let value = self.expr(children)?;
        let from = self.expr_after(children, Rule::kw_from)?;
        Some(ItemKind::Option { name, ty, value, from, text: self.title(children) })
    }

    fn members(&mut self, children: &mut Children<'_>) -> Option<Vec<(Ident, Option<String>)>> {
        let members = children.all(Rule::enum_member).into_iter().map(|member| {
            let mut children = self.children(member);
            Some((self.name(&mut children)?, self.title(&mut children)))
        });
        members.collect()
    }

    fn player(&mut self, pair: Pair<'_, Rule>) -> Option<Player> {
        let mut children = self.children(pair);
        let (name, title) = (self.name(&mut children)?, self.title(&mut children));
        Some(Player { name, title, symbol: self.text_after(&mut children, Rule::kw_symbol) })
    }

    fn counts(&mut self, children: &mut Children<'_>) -> Option<Vec<Count>> {
        let Some(pair) = children.opt(Rule::counts) else {
            return Some(Vec::new());
        };
        let counts = self.children(pair).all(Rule::count).into_iter();
        let counts = counts.map(|count| {
            let mut children = self.children(count);
            Some((self.counting(&mut children)?, self.maybe_counting(&mut children)?))
        });
        counts.collect()
    }

    fn kinds(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let name = self.name(children)?;
        let owned = children.opt(Rule::owned).is_some();
        let fields = self.fields(children)?;
        let sights = self.sights(children)?;
        let _ = self.cites(children);
        Some(ItemKind::Kinds { name, owned, fields, sights, rows: self.rows(children)? })
    }

    fn piece_kind(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let (name, title) = (self.name(children)?, self.title(children));
        let owned = children.opt(Rule::owned).is_some();
        let symbol = self.text_after(children, Rule::kw_symbol);
        let fields = self.fields(children)?;
        Some(ItemKind::Piece { name, title, owned, symbol, fields, sights: self.sights(children)? })
    }

    /// `seen by S, owner seen by T`, both or either.
    fn sights(&mut self, children: &mut Children<'_>) -> Option<Sights> {
        let Some(pair) = children.opt(Rule::sights) else { return Some(Sights::default()) };
        let mut inner = self.children(pair);
        let piece = self.sight(&mut inner)?;
        let owner = match inner.opt(Rule::owner_sight) {
            Some(pair) => {
                let span = self.span(&pair);
                let mut inner = self.children(pair);
                self.sight(&mut inner)?.map(|sight| Spanned { node: sight, span })
            }
            None => None,
        };
        Some(Sights { piece, owner })
    }

    fn fields(&mut self, children: &mut Children<'_>) -> Option<Vec<FieldDecl>> {
        let Some(pair) = children.opt(Rule::fields) else {
            return Some(Vec::new());
        };
        let fields = self.children(pair).all(Rule::field_decl).into_iter();
        let fields = fields.map(|field| {
            let mut children = self.children(field);
            let (name, ty) = (self.name(&mut children)?, self.needed_type(&mut children)?);
            let of = match children.opt(Rule::field_of) {
                Some(kinds) => {
                    let mut children = self.children(kinds);
                    self.names(&mut children)
                }
                None => Vec::new(),
            };
            let default = self.maybe(&mut children, Rule::expr)?;
            Some(FieldDecl { name, ty, of, default, symbol: self.text_after(&mut children, Rule::kw_symbol) })
        });
        fields.collect()
    }

    /// A name with the kind whose rule it is: `goals of knight` names one of several rules.
    fn name_of_kind(&mut self, children: &mut Children<'_>) -> Option<Ident> {
        let name = self.name(children)?;
        self.of_a_kind(name, children)
    }

    /// The same for a name that has been read.
    pub(super) fn of_a_kind(&mut self, name: Ident, children: &mut Children<'_>) -> Option<Ident> {
        let Some(pair) = children.opt(Rule::of_kind) else { return Some(name) };
        let kind = self.name(&mut self.children(pair))?;
        Some(Ident::new(format!("{}{OF}{}", name.node, kind.node), name.span.to(kind.span)))
    }

    fn given(&mut self, children: &mut Children<'_>) -> Option<Given> {
        let cases = children.all(Rule::seat_case).into_iter().map(|case| {
            let mut children = self.children(case);
            Some((self.name(&mut children)?, self.expr(&mut children)?))
        });
        let cases: Vec<_> = cases.collect::<Option<_>>()?;
        Some(if cases.is_empty() {
            Given::Formula(self.params(children)?, self.expr(children)?)
        } else {
            Given::Cases(cases)
        })
    }

    fn variable(&mut self, children: &mut Children<'_>, record: bool) -> Option<ItemKind> {
        let (name, params, ty) = (self.name(children)?, self.params(children)?, self.needed_type(children)?);
        let init = self.maybe(children, Rule::expr)?;
        let title = self.title(children);
        Some(ItemKind::Var { name, params, ty, init, title, record, sight: self.sight(children)? })
    }

    fn zone(&mut self, children: &mut Children<'_>, form: ZoneForm) -> Option<ItemKind> {
        let (name, params, of) = (self.name(children)?, self.params(children)?, self.names(children));
        let title = self.title(children);
        let (limit, beside, sights) = self.zone_rules(children)?;
        Some(ItemKind::Zone { name, params, form, of, title, limit, beside, sights })
    }

    /// `at most N`, `beside S`, `seen by S`, `number seen by S` and `order seen by S`, each at most once.
    fn zone_rules(&mut self, children: &mut Children<'_>) -> Option<(Option<Expr>, Option<Expr>, ZoneSights)> {
        let (mut limit, mut beside, mut sights) = (None, None, ZoneSights::default());
        let rules = [Rule::zone_limit, Rule::zone_beside, Rule::sight, Rule::number_sight, Rule::order_sight];
        while let Some(pair) = rules.iter().find_map(|rule| children.opt(*rule)) {
            let (span, rule) = (self.span(&pair), pair.as_rule());
            let twice = if rule == Rule::zone_limit || rule == Rule::zone_beside {
                let place = if rule == Rule::zone_limit { &mut limit } else { &mut beside };
                let mut inner = self.children(pair);
                place.replace(self.needed(&mut inner, Rule::operand)?).is_some()
            } else if rule == Rule::sight {
                sights.pieces.replace(self.seen_by(pair)?).is_some()
            } else {
                let place = if rule == Rule::number_sight { &mut sights.number } else { &mut sights.order };
                let mut inner = self.children(pair);
                let sight = self.sight(&mut inner)?;
                std::mem::replace(place, sight.map(|node| Spanned { node, span })).is_some()
            };
            if twice {
                let message = "this is given twice for the same zone";
                return self.refuse(Report::new(Code::Unexpected, span, message).help("remove one of them"));
            }
        }
        Some((limit, beside, sights))
    }

    /// `seen by S`, if it comes next.
    pub(super) fn sight(&mut self, children: &mut Children<'_>) -> Option<Option<Sight>> {
        match children.opt(Rule::sight) {
            Some(pair) => self.seen_by(pair).map(Some),
            None => Some(None),
        }
    }

    fn seen_by(&mut self, pair: Pair<'_, Rule>) -> Option<Sight> {
        match (has(&pair, Rule::kw_all), has(&pair, Rule::kw_no)) {
            (true, _) => Some(Sight::All),
            (false, true) => Some(Sight::No),
            (false, false) => {
                let mut inner = self.children(pair);
                Some(Sight::Seats(self.needed(&mut inner, Rule::operand)?))
            }
        }
    }

    fn end(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let (name, title) = (self.name(children)?, self.title(children));
        let moment = self.need(children, Rule::moment)?;
        let moment = match (has(&moment, Rule::kw_before), has(&moment, Rule::kw_move)) {
            (true, _) => Moment::BeforeTurn,
            (false, true) => Moment::AfterMove,
            (false, false) => Moment::AfterTurn,
        };
        Some(ItemKind::End { name, title, moment, when: self.expr(children)?, body: self.body_of(children)? })
    }

    fn body_of(&mut self, children: &mut Children<'_>) -> Option<Block> {
        let _ = self.cites(children);
        self.block(children)
    }

    fn variant(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let (name, title) = (self.name(children)?, self.title(children));
        let excludes: Vec<Ident> = self.names(children);
        let _ = self.cites(children);
        let items = children.all(Rule::item).into_iter().map(|item| self.item(item));
        Some(ItemKind::Variant { name, title, excludes, items: items.collect::<Option<_>>()? })
    }
}

fn form(pair: &Pair<'_, Rule>) -> ZoneForm {
    if has(pair, Rule::kw_pile) {
        ZoneForm::Pile
    } else if has(pair, Rule::kw_row) {
        ZoneForm::Row
    } else {
        ZoneForm::Set
    }
}
