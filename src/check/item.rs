//! Declarations, in order of dependency.

use std::{collections::HashSet, sync::Arc};

use super::setup::{Choice, Offer, Setup};
use crate::base::{Bits, FileId, Span, nearest};
use crate::ir::{ActionId, EnumId, EnumInfo, Id, RuleKind, SeatId, Sight, Tokens, Ty, Value, VarInfo};
use crate::report::{Code, Report};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident, Param};

use super::checker::{Checker, TYPES};
use super::scope::Symbol;
use super::zone::TOGETHER;

/// How many values an indexed variable may have.
const VALUES: usize = 100_000;

/// What is declared for all of the file, while it is checked.
pub(super) struct Declarations<'c, 'r> {
    /// For the expressions in declarations.
    pub(super) check: &'c mut Checker<'r>,
    pub(super) setup: &'c Setup,
    pub(super) offer: &'c mut Offer,
}

impl Declarations<'_, '_> {
    /// Everything that is declared, in order of dependency.
    pub(super) fn all(&mut self, items: &[Arc<Item>]) {
        self.head(items);
        self.players(items);
        if self.check.game.seats.is_empty() {
            self.check.anybody();
        }
        if self.check.game.seats.is_empty() {
            // Without seats every later name would be reported as well.
            return;
        }
        self.settings(items);
        self.boards(items);
        self.pieces(items);
        self.functions_declared(items);
        self.tables(items);
        self.variables(items);
        self.first(items);
    }

    fn head(&mut self, items: &[Arc<Item>]) {
        let whole = Span::new(FileId::default(), 0, 0);
        for item in items {
            if let ItemKind::Game { name, title, .. } = &item.kind {
                self.check.game.name.clone_from(&name.node);
                self.check.game.title = title.clone().unwrap_or_else(|| name.node.clone());
            } else if let ItemKind::Document { title, .. } = &item.kind {
                self.check.game.documents.push(title.clone());
            }
        }
        for (word, example) in [
            ("game", "game draughts \"Draughts\""),
            ("players", "players white, black"),
            ("play", "play { turns { mover plays move } }"),
        ] {
            let found: Vec<&Arc<Item>> = items.iter().filter(|item| item.has_key(word)).collect();
            match found.as_slice() {
                [] => {
                    let message = format!("the file has no `{word}`");
                    self.check.report(
                        Report::new(Code::MissingItem, whole, message).help(format!("add one, such as `{example}`")),
                    );
                }
                [_] => {}
                [first, more @ ..] => {
                    for item in more {
                        let message = format!("`{word}` may appear only once");
                        let report = Report::new(Code::Repeated, item.span, message);
                        self.check.report(report.also(first.span, "first here").help("merge them into one"));
                    }
                }
            }
        }
        for (word, help) in [("setup", "merge them into one"), ("first", "keep one of them")] {
            let mut found = items.iter().filter(|item| item.has_key(word));
            if let (Some(first), Some(second)) = (found.next(), found.next()) {
                let report = Report::new(Code::Repeated, second.span, format!("`{word}` may appear only once"));
                self.check.report(report.also(first.span, "first here").help(help));
            }
        }
        self.check.rule(RuleKind::Fact, "game", items.first().map_or(whole, |item| item.span), &[]);
        for (name, cites) in self.check.variants.iter().chain(self.check.overrides) {
            self.check.rule(RuleKind::Fact, &name.node, name.span, cites);
        }
    }

    /// Enums, readings and options, in the order of the file.
    fn settings(&mut self, items: &[Arc<Item>]) {
        for item in items {
            if let ItemKind::Enum(name, members) = &item.kind {
                self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                self.enumeration(name, members);
            } else if let ItemKind::Reading(name, alternatives, text) = &item.kind {
                self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                self.reading(name, alternatives, text.as_deref(), &item.cites);
            } else if let ItemKind::Option { name, ty, value, from, text } = &item.kind {
                self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                if let Some((ty, value, default, values)) = self.option(name, ty.as_ref(), value, from.as_ref()) {
                    self.check.game.settings.push((name.node.clone(), self.check.value_text(&ty, &value)));
                    self.offer.options.push(Choice {
                        name: name.node.clone(),
                        text: text.clone().unwrap_or_default(),
                        default: self.check.value_text(&ty, &default),
                        values: values.iter().map(|value| self.check.value_text(&ty, value)).collect(),
                        clauses: item.cites.iter().map(|cite| cite.node.clone()).collect(),
                    });
                    self.check.declare(name, Symbol::Const(ty, value));
                } else {
                    self.check.scope.poison(name);
                }
            }
        }
        let start = Span::new(FileId::default(), 0, 0);
        for (kind, wanted, offered) in [
            ("reading", &self.setup.readings, &self.offer.readings),
            ("option", &self.setup.options, &self.offer.options),
        ] {
            for (name, _) in wanted {
                if offered.iter().all(|choice| choice.name != *name) {
                    let names: Vec<&str> = offered.iter().map(|choice| choice.name.as_str()).collect();
                    let help = match nearest(name, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if names.is_empty() => format!("this game has no {kind}s"),
                        None => format!("the {kind}s are {}", names.join(", ")),
                    };
                    let message = format!("there is no {kind} `{name}`");
                    self.check.report(Report::new(Code::UnknownName, start, message).help(help));
                }
            }
        }
    }

    fn enumeration(&mut self, name: &Ident, members: &[(Ident, Option<String>)]) -> EnumId {
        let titled = |(name, title): &(Ident, Option<String>)| {
            (name.node.clone(), title.clone().unwrap_or_else(|| name.node.clone()))
        };
        if TYPES.contains(&name.node.as_str()) {
            let message = format!("`{}` is a type of the language", name.node);
            let help = format!("use another name, such as `the_{}`", name.node);
            self.check.report(Report::new(Code::Duplicate, name.span, message).help(help));
        }
        let members_titled = members.iter().map(titled).collect();
        let number = self.check.game.enums.push(EnumInfo { name: name.node.clone(), members: members_titled });
        self.check.declare(name, Symbol::Enum(number));
        let members: Vec<&Ident> = members.iter().map(|(member, _)| member).collect();
        self.members(name, &members, number);
        number
    }

    /// Declares the values of an enum, or the alternatives of a reading.
    fn members(&mut self, name: &Ident, members: &[&Ident], number: EnumId) {
        let mut listed = HashSet::new();
        for (index, member) in members.iter().enumerate() {
            if !listed.insert(member.node.as_str()) {
                let message = format!("`{}` occurs twice in `{}`", member.node, name.node);
                self.check.report(Report::new(Code::Duplicate, member.span, message).help("list each value once"));
            }
            self.check.declare(member, Symbol::Const(Ty::Enum(number), Value::atom_of(index)));
        }
    }

    fn reading(&mut self, name: &Ident, alternatives: &[Ident], text: Option<&str>, cites: &[Cite]) {
        let members = alternatives.iter().map(|a| (a.node.clone(), a.node.clone())).collect();
        let number = self.check.game.enums.push(EnumInfo { name: name.node.clone(), members });
        self.members(name, &alternatives.iter().collect::<Vec<_>>(), number);
        let names: Vec<String> = alternatives.iter().map(|a| a.node.clone()).collect();
        let mut chosen = 0;
        if let Some((_, wanted)) = self.setup.readings.iter().find(|(reading, _)| *reading == name.node) {
            if let Some(index) = names.iter().position(|alternative| alternative == wanted) {
                chosen = index;
            } else {
                let message = format!("the reading `{}` has no alternative `{wanted}`", name.node);
                self.check.report(
                    Report::new(Code::OutOfRange, name.span, message)
                        .help(format!("the alternatives are {}", names.join(" or "))),
                );
            }
        }
        self.check.game.settings.push((name.node.clone(), names[chosen].clone()));
        self.offer.readings.push(Choice {
            name: name.node.clone(),
            text: text.unwrap_or_default().to_owned(),
            default: names[0].clone(),
            values: names,
            clauses: cites.iter().map(|cite| cite.node.clone()).collect(),
        });
        self.check.declare(name, Symbol::Const(Ty::Enum(number), Value::atom_of(chosen)));
    }

    fn pieces(&mut self, items: &[Arc<Item>]) {
        for item in items {
            if let ItemKind::Tokens { name, title, owned } = &item.kind {
                self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                let title = title.clone().unwrap_or_else(|| name.node.clone());
                let number = self.check.game.tokens.push(Tokens { name: name.node.clone(), title, owned: *owned });
                self.check.declare(name, Symbol::Tokens(number));
                if !self.counts_fit(item) {
                    return;
                }
            }
        }
        self.kinds(items);
        self.check.scope.declare_builtin("piece", Symbol::Class(self.check.game.kinds.ids().collect()));
    }

    fn functions_declared(&mut self, items: &[Arc<Item>]) {
        let mut actions = (0..).map_while(ActionId::at);
        for (number, item) in items.iter().enumerate() {
            if let ItemKind::Region(name, _) | ItemKind::Define(name, ..) | ItemKind::Path(name, ..) = &item.kind {
                self.check.declare(name, Symbol::Function(number));
            } else if let ItemKind::Procedure(name, ..) = &item.kind {
                self.check.declare(name, Symbol::Procedure(number));
            } else if let ItemKind::Action(name, ..) = &item.kind {
                self.check.check_action_name(name);
                self.check.declare(name, Symbol::Action(actions.next().unwrap_or(ActionId::NOTHING)));
            }
        }
    }

    fn variables(&mut self, items: &[Arc<Item>]) {
        for item in items {
            if self.held() > TOGETHER {
                let message = format!("variables, zones and tokens have more than {TOGETHER} values together");
                let help = "use fewer indices or smaller sets: each position holds all of them";
                self.check.report(Report::new(Code::OutOfRange, item.span, message).help(help));
                return;
            }
            let ItemKind::Var { name, params, ty, init, title, record, .. } = &item.kind else {
                self.zone_item(item);
                continue;
            };
            self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
            let Some(indices) = self.indices(params) else {
                continue;
            };
            let total = indices.iter().try_fold(1usize, |total, (_, size)| total.checked_mul(*size));
            if total.is_none_or(|total| total > VALUES) {
                let message = format!("`{}` has more than {VALUES} values", name.node);
                self.check.report(Report::new(Code::OutOfRange, name.span, message).help("use fewer indices"));
                continue;
            }
            let Some(ty) = self.check.type_of(ty) else { continue };
            if matches!(&ty, Ty::Piece | Ty::Way | Ty::Move)
                || matches!(&ty, Ty::Set(inner) if !inner.is_atom() && **inner != Ty::Int)
            {
                let message = format!("a variable cannot hold {}", self.check.type_text(&ty));
                let nested = matches!(&ty, Ty::Set(inner) if matches!(**inner, Ty::Set(_)));
                let help = if nested {
                    "keep one set for each: `var name(p: seat): set of site`"
                } else if *ty.element() == Ty::Piece {
                    "keep pieces in a zone (`zone held: set of …, at most 1, seen by all`), or only their site, kind or owner"
                } else {
                    "keep its site, kind or owner instead"
                };
                self.check.report(Report::new(Code::WrongType, name.span, message).help(help));
                continue;
            }
            let init = match init {
                Some(tree) => {
                    let Some(value) = self.check.constant_of(tree, &ty) else { continue };
                    value
                }
                None => match &ty {
                    Ty::Int => Value::Int(0),
                    Ty::Bool => Value::Bool(false),
                    Ty::Set(inner) if **inner == Ty::Int => Value::Ints(Vec::new()),
                    Ty::Set(_) => Value::Set(Bits::new()),
                    Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move => {
                        let message = format!("`{}` needs an initial value", name.node);
                        let help = "write `= …` after the type; if it may have no value, make it a set, which is initially empty";
                        self.check.report(Report::new(Code::MissingItem, name.span, message).help(help));
                        continue;
                    }
                },
            };
            let number = self.check.game.vars.push(VarInfo {
                name: name.node.clone(),
                indices,
                ty,
                title: title.clone().unwrap_or_default(),
                init,
                record: *record,
                sight: Sight::All,
                params: Vec::new(),
            });
            self.check.declare(name, Symbol::Var(number));
        }
    }

    /// The types and sizes of indices.
    pub(super) fn indices(&mut self, params: &[Param]) -> Option<Vec<(Ty, usize)>> {
        let mut indices = Vec::new();
        for param in params {
            let ty = self.check.type_of(&param.ty)?;
            let Some(size) = self.check.size_of(&ty) else {
                let message = format!("an index cannot be {}", self.check.type_text(&ty));
                let help = "index by seat, site, direction, kind or an enum";
                self.check.report(Report::new(Code::WrongType, param.ty.span(), message).help(help));
                return None;
            };
            indices.push((ty, size));
        }
        Some(indices)
    }

    fn first(&mut self, items: &[Arc<Item>]) {
        for item in items {
            if let ItemKind::First(tree) = &item.kind {
                self.check.rule(RuleKind::Fact, "first", item.span, &item.cites);
                if let Some(seat) = self.check.constant_of(tree, &Ty::Seat) {
                    self.check.game.first = SeatId::new(seat.atom());
                }
            }
        }
    }
}
