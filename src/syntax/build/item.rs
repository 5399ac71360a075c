//! Items of every kind but boards, which stand in `board`.
//!
//! **Invariant:** an item is built whole or not at all.

use super::{Builder, Kids, has};
use crate::base::Spanned;
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::Expr;
use crate::syntax::ast::item::{FieldDecl, Item, ItemKind, Moment, Player, RegionBody, Sight, ZoneForm};
use crate::syntax::ast::stmt::Block;
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

/// A number of players, or the first and last of several.
type Count = (Spanned<u32>, Option<Spanned<u32>>);

impl Builder {
    /// An item.
    pub(in crate::syntax) fn item(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        let span = self.span(&pair);
        self.deeper(span, |builder| {
            let inner = builder.only(pair)?;
            let mut cites = Vec::new();
            for child in inner.clone().into_inner().filter(|child| child.as_rule() == Rule::cites) {
                cites.extend(builder.kids(child).all(Rule::clause).iter().map(|clause| builder.clause(clause)));
            }
            let kind = match inner.as_rule() {
                Rule::board_item => builder.board(inner),
                Rule::kinds_item | Rule::piece_item | Rule::tokens_item | Rule::table_item => builder.pieces(inner),
                Rule::region_item | Rule::define_item | Rule::path_item | Rule::var_item | Rule::zone_item => {
                    builder.named(inner)
                }
                Rule::setup_item
                | Rule::action_item
                | Rule::claim_item
                | Rule::offer_item
                | Rule::procedure_item
                | Rule::play_item
                | Rule::end_item => builder.acted(inner),
                Rule::variant_item | Rule::replace_item | Rule::remove_item | Rule::row_item | Rule::set_item => {
                    builder.override_(inner)
                }
                _ => builder.head_item(inner),
            }?;
            Some(Item { kind, cites, span })
        })
    }

    /// What stands at the head of a file: title, seats, constants.
    fn head_item(&mut self, pair: Pair<'_, Rule>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::game_item => {
                let name = self.need(kids, Rule::game_name)?;
                let (name, title) = (self.ident(&name), self.title(kids));
                ItemKind::Game { name, title, extends: self.text_after(kids, Rule::kw_extends) }
            }
            Rule::document_item => {
                let title = self.title(kids);
                let title = self.presume(kids, "a title", title)?;
                let clauses = self.text_after(kids, Rule::kw_clauses);
                ItemKind::Document { title, clauses, ledger: self.text_after(kids, Rule::kw_ledger) }
            }
            Rule::clause_item => {
                let cite = self.need(kids, Rule::clause)?;
                let (cite, text) = (self.clause(&cite), self.title(kids));
                ItemKind::Clause(cite, self.presume(kids, "a text", text)?)
            }
            Rule::players_item => {
                let players = kids.all(Rule::player).into_iter();
                let players = players.map(|player| self.player(player)).collect::<Option<_>>()?;
                ItemKind::Players { players, counts: self.counts(kids)? }
            }
            Rule::seating_item => ItemKind::Seating(self.counting(kids)?, self.names(kids)),
            Rule::first_item => ItemKind::First(self.expr(kids)?),
            Rule::option_item => {
                let name = self.name(kids)?;
                let ty = kids.opt(Rule::type_name).map(|ty| self.type_name(ty));
                let ty = ty.map_or(Some(None), |ty| ty.map(Some))?;
                let value = self.expr(kids)?;
                let from = self.expr_after(kids, Rule::kw_from)?;
                ItemKind::Option { name, ty, value, from, text: self.title(kids) }
            }
            Rule::reading_item => ItemKind::Reading(self.name(kids)?, self.names(kids), self.title(kids)),
            Rule::enum_item => {
                let name = self.name(kids)?;
                let members = kids.all(Rule::enum_member).into_iter().map(|member| {
                    let mut kids = self.kids(member);
                    Some((self.name(&mut kids)?, self.title(&mut kids)))
                });
                ItemKind::Enum(name, members.collect::<Option<_>>()?)
            }
            Rule::cue_item => ItemKind::Cue(self.name(kids)?, self.maybe(kids, Rule::operand)?, self.expr(kids)?),
            Rule::invariant_item => ItemKind::Invariant(self.name(kids)?, self.expr(kids)?),
            _ => return self.presume(kids, "a known item", None),
        })
    }

    fn player(&mut self, pair: Pair<'_, Rule>) -> Option<Player> {
        let mut kids = self.kids(pair);
        let (name, title) = (self.name(&mut kids)?, self.title(&mut kids));
        Some(Player { name, title, symbol: self.text_after(&mut kids, Rule::kw_symbol) })
    }

    fn counts(&mut self, kids: &mut Kids<'_>) -> Option<Vec<Count>> {
        let Some(pair) = kids.opt(Rule::counts) else {
            return Some(Vec::new());
        };
        let counts = self.kids(pair).all(Rule::count).into_iter();
        let counts = counts.map(|count| {
            let mut kids = self.kids(count);
            Some((self.counting(&mut kids)?, self.maybe_counting(&mut kids)?))
        });
        counts.collect()
    }

    /// Pieces, tokens and tables.
    fn pieces(&mut self, pair: Pair<'_, Rule>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        let name = self.name(kids)?;
        Some(match rule {
            Rule::kinds_item => {
                let owned = kids.opt(Rule::owned).is_some();
                let fields = self.fields(kids)?;
                let sight = self.sight(kids)?;
                let _ = self.cites(kids);
                ItemKind::Kinds { name, owned, fields, sight, rows: self.rows(kids)? }
            }
            Rule::piece_item => {
                let title = self.title(kids);
                let owned = kids.opt(Rule::owned).is_some();
                let symbol = self.text_after(kids, Rule::kw_symbol);
                let fields = self.fields(kids)?;
                ItemKind::Piece { name, title, owned, symbol, fields, sight: self.sight(kids)? }
            }
            Rule::tokens_item => {
                let title = self.title(kids);
                ItemKind::Tokens { name, title, owned: kids.opt(Rule::owned).is_some() }
            }
            Rule::table_item => {
                let _ = self.cites(kids);
                ItemKind::Table(name, self.rows(kids)?)
            }
            _ => return self.presume(kids, "a known item", None),
        })
    }

    fn fields(&mut self, kids: &mut Kids<'_>) -> Option<Vec<FieldDecl>> {
        let Some(pair) = kids.opt(Rule::fields) else {
            return Some(Vec::new());
        };
        let fields = self.kids(pair).all(Rule::field_decl).into_iter();
        let fields = fields.map(|field| {
            let mut kids = self.kids(field);
            let (name, ty) = (self.name(&mut kids)?, self.needed_type(&mut kids)?);
            let of = match kids.opt(Rule::field_of) {
                Some(kinds) => {
                    let mut kids = self.kids(kinds);
                    self.names(&mut kids)
                }
                None => Vec::new(),
            };
            let default = self.maybe(&mut kids, Rule::expr)?;
            Some(FieldDecl { name, ty, of, default, symbol: self.text_after(&mut kids, Rule::kw_symbol) })
        });
        fields.collect()
    }

    /// Named formulas and places.
    fn named(&mut self, pair: Pair<'_, Rule>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let record = has(&pair, Rule::kw_record);
        let form = form(&pair);
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        let name = self.name(kids)?;
        Some(match rule {
            Rule::region_item => {
                let cases = kids.all(Rule::seat_case).into_iter().map(|case| {
                    let mut kids = self.kids(case);
                    Some((self.name(&mut kids)?, self.expr(&mut kids)?))
                });
                let cases: Vec<_> = cases.collect::<Option<_>>()?;
                let body = if cases.is_empty() {
                    RegionBody::Formula(self.params(kids)?, self.expr(kids)?)
                } else {
                    RegionBody::Cases(cases)
                };
                ItemKind::Region(name, body)
            }
            Rule::define_item => ItemKind::Define(name, self.params(kids)?, self.expr(kids)?),
            Rule::path_item => {
                let params = self.params(kids)?;
                let path = self.need(kids, Rule::path)?;
                ItemKind::Path(name, params, self.path(path)?)
            }
            Rule::var_item => {
                let (params, ty) = (self.params(kids)?, self.needed_type(kids)?);
                let init = self.maybe(kids, Rule::expr)?;
                let title = self.title(kids);
                ItemKind::Var { name, params, ty, init, title, record, sight: self.sight(kids)? }
            }
            Rule::zone_item => {
                let (params, of) = (self.params(kids)?, self.names(kids));
                let (limit, sight) = self.zone_rules(kids)?;
                ItemKind::Zone { name, params, form, of, limit, sight }
            }
            _ => return self.presume(kids, "a known item", None),
        })
    }

    /// `at most N` and `seen by S`, each at most once.
    fn zone_rules(&mut self, kids: &mut Kids<'_>) -> Option<(Option<Expr>, Option<Sight>)> {
        let (mut limit, mut sight) = (None, None);
        while let Some(pair) = kids.opt(Rule::zone_limit).or_else(|| kids.opt(Rule::sight)) {
            let (span, limits) = (self.span(&pair), pair.as_rule() == Rule::zone_limit);
            if limits && limit.is_some() || !limits && sight.is_some() {
                let message = "this is given twice for the same zone";
                return self.refuse(Report::new(Code::Unexpected, span, message).help("remove one of them"));
            }
            if limits {
                let mut inner = self.kids(pair);
                limit = Some(self.needed(&mut inner, Rule::operand)?);
            } else {
                sight = Some(self.seen_by(pair)?);
            }
        }
        Some((limit, sight))
    }

    /// `seen by S`, if it comes next.
    pub(super) fn sight(&mut self, kids: &mut Kids<'_>) -> Option<Option<Sight>> {
        match kids.opt(Rule::sight) {
            Some(pair) => self.seen_by(pair).map(Some),
            None => Some(None),
        }
    }

    fn seen_by(&mut self, pair: Pair<'_, Rule>) -> Option<Sight> {
        match (has(&pair, Rule::kw_all), has(&pair, Rule::kw_no)) {
            (true, _) => Some(Sight::All),
            (false, true) => Some(Sight::No),
            (false, false) => {
                let mut inner = self.kids(pair);
                Some(Sight::Seats(self.needed(&mut inner, Rule::operand)?))
            }
        }
    }

    /// Items with a block.
    fn acted(&mut self, pair: Pair<'_, Rule>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::setup_item => ItemKind::Setup(self.body_of(kids)?),
            Rule::play_item => ItemKind::Play(self.body_of(kids)?),
            Rule::action_item => ItemKind::Action(self.name(kids)?, self.title(kids), self.body_of(kids)?),
            Rule::offer_item => ItemKind::Offer(self.name(kids)?, self.title(kids), self.body_of(kids)?),
            Rule::procedure_item => ItemKind::Procedure(self.name(kids)?, self.params(kids)?, self.body_of(kids)?),
            Rule::claim_item => {
                let (name, title) = (self.name(kids)?, self.title(kids));
                let by_any = kids.opt(Rule::claim_by).is_some();
                ItemKind::Claim { name, title, by_any, body: self.body_of(kids)? }
            }
            Rule::end_item => {
                let (name, title) = (self.name(kids)?, self.title(kids));
                let moment = self.need(kids, Rule::moment)?;
                let moment = match (has(&moment, Rule::kw_before), has(&moment, Rule::kw_move)) {
                    (true, _) => Moment::BeforeTurn,
                    (false, true) => Moment::AfterMove,
                    (false, false) => Moment::AfterTurn,
                };
                ItemKind::End { name, title, moment, when: self.expr(kids)?, body: self.body_of(kids)? }
            }
            _ => return self.presume(kids, "a known item", None),
        })
    }

    fn body_of(&mut self, kids: &mut Kids<'_>) -> Option<Block> {
        let _ = self.cites(kids);
        self.block(kids)
    }

    /// Variants and what stands in them.
    fn override_(&mut self, pair: Pair<'_, Rule>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::variant_item => {
                let (name, title) = (self.name(kids)?, self.title(kids));
                let excludes: Vec<Ident> = self.names(kids);
                let _ = self.cites(kids);
                let items = kids.all(Rule::item).into_iter().map(|item| self.item(item));
                ItemKind::Variant { name, title, excludes, items: items.collect::<Option<_>>()? }
            }
            Rule::replace_item => {
                let item = self.need(kids, Rule::item)?;
                ItemKind::Replace(Box::new(self.item(item)?))
            }
            Rule::remove_item => {
                let name = self.name(kids)?;
                match kids.opt(Rule::row_key) {
                    Some(key) => ItemKind::RemoveRow(name, self.row_key(&key)),
                    None => ItemKind::Remove(name, self.name(kids)?),
                }
            }
            Rule::row_item => {
                let name = self.name(kids)?;
                let line = self.need(kids, Rule::table_row)?;
                ItemKind::Row(name, self.row(line).0)
            }
            Rule::set_item => {
                let mut path = vec![self.name(kids)?];
                if let Some(key) = kids.opt(Rule::row_key) {
                    path.extend([self.row_key(&key), self.name(kids)?]);
                }
                ItemKind::Set(path, self.expr(kids)?)
            }
            _ => return self.presume(kids, "a known item", None),
        })
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
