//! Names, calls, attributes, and sets of pieces.

use crate::base::Span;
use crate::ir::{Expr, ExprKind, Function, KindId, Lookup, Owner, Ty, Value, ZoneRef};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr as Tree, ExprKind as TreeKind, Whose};

use super::builtin::signature;
use super::checker::{Checker, Defined, Form};
use super::scope::Symbol;

impl Checker<'_> {
    pub(super) fn name(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Expr> {
        if let Some(local) = self.local_at(name, span) {
            return Some(Expr::new(ExprKind::Slot(local.slot), local.ty));
        }
        if let Some(symbol) = self.lookup(name, span, want) {
            return self.symbol(name, span, symbol, want);
        }
        let (kind, ty) = match name {
            "mover" => (ExprKind::Mover, Ty::Seat),
            "me" => (ExprKind::Me, Ty::Seat),
            "ply" => (ExprKind::Ply, Ty::Int),
            "turn" => (ExprKind::Turn, Ty::Int),
            "now" => (ExprKind::Now, Ty::Int),
            "playing" => (ExprKind::Playing, Ty::Seat.set()),
            "occurrences" => {
                self.game.remembers = true;
                self.uses.whole = true;
                (ExprKind::Occurrences, Ty::Int)
            }
            "empty" => (ExprKind::Empty, Ty::Site.set()),
            "occupied" => (ExprKind::Occupied, Ty::Site.set()),
            _ => {
                self.unknown(name, span, "name");
                return None;
            }
        };
        Some(Expr::new(kind, ty))
    }

    fn symbol(&mut self, name: &str, span: Span, symbol: Symbol, want: Option<&Ty>) -> Option<Expr> {
        let needs_arguments = |checker: &mut Self, what: &str| {
            let message = format!("`{name}` is {what}: it needs arguments");
            checker.report(Report::new(Code::WrongCount, span, message).help(format!("write `{name}(…)`")));
            None
        };
        if self.absent(&symbol, name, span) {
            return None;
        }
        match symbol {
            // A kind alone stands for the sites where it stands, if sites are wanted.
            Symbol::Const(Ty::Kind, value) if want == Some(&Ty::Site.set()) => {
                Some(anybodys(Expr::constant(value, Ty::Kind).singleton()))
            }
            Symbol::Const(ty, value) => Some(Expr::constant(value, ty)),
            Symbol::Absent => None,
            Symbol::Enum(number) => {
                let size = self.game.enums[number].members.len();
                Some(Expr::constant(Value::Set(crate::base::Bits::all(size)), Ty::Enum(number).set()))
            }
            // A class, `piece` among them, stands for the sites where such a piece
            // stands, or for its kinds where kinds are wanted.
            Symbol::Class(kinds) => {
                let kinds = class(&kinds);
                let wanted = want.is_some_and(|want| *want.element() == Ty::Kind);
                Some(if wanted { kinds } else { anybodys(kinds) })
            }
            Symbol::Tokens(number) => Some(Expr::sites(ExprKind::TokenSites(number, Owner::Anyone))),
            Symbol::Group(number) => {
                let mut all = crate::base::Bits::new();
                for value in self.game.lookups[number].values.kinds() {
                    all.unite(&value.clone().into_set());
                }
                Some(Expr::sites(ExprKind::Const(Value::Set(all))))
            }
            Symbol::Var(number) => {
                let info = &self.game.vars[number];
                if info.indices.is_empty() {
                    return Some(Expr::new(ExprKind::Var(number, Vec::new()), info.ty.clone()));
                }
                needs_arguments(self, "an indexed variable")
            }
            Symbol::Zone(number) => {
                if self.game.zones[number].indices.is_empty() {
                    return Some(zone(ZoneRef { zone: number, at: Vec::new() }));
                }
                needs_arguments(self, "an indexed zone")
            }
            Symbol::Function(item) => {
                let defined = self.defined(item)?;
                if let Form::Path(_) = defined.form {
                    return needs_arguments(self, "a path");
                }
                if !defined.params.is_empty() {
                    return needs_arguments(self, "a definition with parameters");
                }
                apply(defined, Vec::new())
            }
            Symbol::Table(_) => needs_arguments(self, "a table"),
            Symbol::Action(_) | Symbol::Procedure(_) | Symbol::Phase(_) => {
                let message = format!("`{name}` is not a value");
                let help = "an action is played (`mover plays …`), a procedure is called as a statement, a phase is tested with `phase(…)`";
                self.report(Report::new(Code::WrongType, span, message).help(help));
                None
            }
        }
    }

    pub(super) fn call(&mut self, name: &Ident, args: &[Tree], want: Option<&Ty>) -> Option<Expr> {
        if let Some(local) = self.scope.local(&name.node) {
            let message = format!("`{}` is {} and takes no arguments", name.node, self.type_text(&local.ty));
            self.report(
                Report::new(Code::WrongType, name.span, message)
                    .help("remove the parentheses, or rename the local name"),
            );
            return None;
        }
        match self.lookup(&name.node, name.span, want) {
            Some(Symbol::Function(item)) => self.call_defined(name, item, args),
            Some(Symbol::Zone(number)) => Some(zone(self.zone_ref(number, name, args)?)),
            Some(Symbol::Var(number)) => {
                let info = self.game.vars[number].clone();
                let types: Vec<Ty> = info.indices.into_iter().map(|(ty, _)| ty).collect();
                let args = self.arguments(name, args, &types)?;
                Some(Expr::new(ExprKind::Var(number, args), info.ty))
            }
            Some(Symbol::Group(number)) => {
                let args = self.arguments(name, args, &[Ty::Seat])?;
                Some(Expr::sites(ExprKind::Lookup(number, args)))
            }
            Some(Symbol::Table(table)) => {
                let args = self.arguments(name, args, std::slice::from_ref(&table.key))?;
                let [(_, ty, column)] = table.columns.as_slice() else {
                    let message = format!("the table `{}` has several columns", name.node);
                    self.report(
                        Report::new(Code::WrongType, name.span, message)
                            .help(format!("say which one: `{}(…).column`", name.node)),
                    );
                    return None;
                };
                let key = args.into_iter().next()?;
                Some(self.look_up(&name.node, &table, key, *column, ty))
            }
            Some(symbol) => {
                if !self.absent(&symbol, &name.node, name.span) {
                    let message = format!("`{}` takes no arguments", name.node);
                    self.report(Report::new(Code::WrongCount, name.span, message).help("remove the parentheses"));
                }
                None
            }
            None => self.call_builtin(name, args, want),
        }
    }

    fn call_defined(&mut self, name: &Ident, item: usize, args: &[Tree]) -> Option<Expr> {
        let defined = self.defined(item)?;
        let mut types = defined.params.clone();
        if let Form::Path(_) = defined.form {
            types.insert(0, Ty::Site.set());
        }
        let args = self.arguments(name, args, &types)?;
        apply(defined, args)
    }

    fn call_builtin(&mut self, name: &Ident, args: &[Tree], want: Option<&Ty>) -> Option<Expr> {
        if let Some((function, mut params, result)) = signature(&name.node) {
            if function == Function::Repeats {
                self.game.remembers = true;
                self.uses.whole = true;
            }
            // Which way neighbours lie may be said last; else every way counts.
            let by_direction =
                matches!(function, Function::Around | Function::Group | Function::Connected | Function::Distance);
            if by_direction && args.len() == params.len() + 1 {
                params.push(Ty::Dir.set());
            }
            let args = self.arguments(name, args, &params)?;
            return Some(Expr::new(ExprKind::Builtin(function, args), result));
        }
        match name.node.as_str() {
            "count" => {
                let [set] = args else {
                    return self.wrong_count(name, args.len(), 1, "count the members of one set: `count(own stone)`");
                };
                let set = self.set(set, Some(&Ty::Site.set()))?;
                Some(Expr::new(ExprKind::Builtin(Function::Count, vec![set]), Ty::Int))
            }
            "opponent" => {
                if self.game.seats.len() != 2 {
                    let message = format!("with {} players there is no unique opponent", self.game.seats.len());
                    self.report(
                        Report::new(Code::OutOfRange, name.span, message).help("use `opponents(p)` or `following(p)`"),
                    );
                    return None;
                }
                let args = self.arguments(name, args, &[Ty::Seat])?;
                // The other seat, even when one of the two no longer plays.
                let others = vec![Value::Atom(1), Value::Atom(0)];
                let number =
                    self.game.lookups.push(Lookup { sizes: vec![2], values: others.into(), ..Lookup::default() });
                Some(Expr::new(ExprKind::Lookup(number, args), Ty::Seat))
            }
            "kinds" => {
                let [Tree { kind: TreeKind::Name(class), span }] = args else {
                    return self.wrong_count(name, args.len(), 1, "name one class or kind of piece");
                };
                self.kind_set(&Ident::new(class.clone(), *span))
            }
            "moves" => self.moves(name, args),
            "told" => self.told(name, args, want),
            "phase" => {
                let [Tree { kind: TreeKind::Name(phase), span }] = args else {
                    return self.wrong_count(name, args.len(), 1, "name one phase");
                };
                if let Some(Symbol::Phase(number)) = self.lookup(phase, *span, None) {
                    Some(Expr::bool(ExprKind::InPhase(number)))
                } else {
                    self.unknown(phase, *span, "phase");
                    None
                }
            }
            _ => {
                self.unknown(&name.node, name.span, "function");
                None
            }
        }
    }

    pub(super) fn wrong_count<T>(&mut self, name: &Ident, found: usize, wanted: usize, help: &str) -> Option<T> {
        let count = |n: usize| match n {
            0 => "nothing".to_owned(),
            1 => "1 value".to_owned(),
            n => format!("{n} values"),
        };
        let message = format!("`{}` takes {}, found {}", name.node, count(wanted), count(found));
        self.report(Report::new(Code::WrongCount, name.span, message).help(help));
        None
    }

    /// Arguments of given types.
    pub(super) fn arguments(&mut self, name: &Ident, args: &[Tree], types: &[Ty]) -> Option<Vec<Expr>> {
        if args.len() != types.len() {
            let wanted: Vec<String> = types.iter().map(|ty| self.type_text(ty)).collect();
            let help = match wanted.as_slice() {
                [] => "leave the parentheses empty".to_owned(),
                wanted => format!("the parameters of `{}`: {}", name.node, wanted.join(", then ")),
            };
            return self.wrong_count(name, args.len(), types.len(), &help);
        }
        let checked: Vec<Option<Expr>> = args.iter().zip(types).map(|(arg, ty)| self.typed(arg, ty)).collect();
        checked.into_iter().collect()
    }

    /// Whose pieces or tokens.
    pub(super) fn owner(&mut self, whose: &Whose) -> Option<Owner> {
        Some(match whose {
            Whose::Own => Owner::Me,
            Whose::Enemy => Owner::Others,
            Whose::Anyone => Owner::Anyone,
            // A single seat needs no union over seats.
            Whose::Of(seat) => Owner::Seat(Box::new(self.typed(seat, &Ty::Seat.set())?.lone())),
        })
    }

    /// The same where exactly one seat must be meant.
    pub(super) fn sole_owner(&mut self, whose: &Whose) -> Option<Owner> {
        let owner = self.owner(whose)?;
        if let (Owner::Seat(seat), Whose::Of(tree)) = (&owner, whose)
            && matches!(seat.ty, Ty::Set(_))
        {
            let message = "this is a set of seats, and one owner is needed";
            let help = "name one seat, such as `following(me)`, or take one after the other: `for p in … { … of p … }`";
            self.report(Report::new(Code::WrongType, tree.span, message).help(help));
            return None;
        }
        Some(owner)
    }

    /// `own stone`, `stone of p`: sites with pieces or tokens.
    pub(super) fn pieces_of(&mut self, whose: &Whose, name: &Ident) -> Option<Expr> {
        if name.node == "occurrences" {
            return self.occurrences_of(name, whose);
        }
        let owner = self.owner(whose)?;
        if self.scope.local(&name.node).is_none()
            && let Some(Symbol::Tokens(number)) = self.lookup(&name.node, name.span, None)
        {
            if !self.game.tokens[number].owned {
                let message = format!("`{}` have no owner", name.node);
                self.report(
                    Report::new(Code::WrongType, name.span, message)
                        .help("declare the tokens `owned`, or write their name alone"),
                );
                return None;
            }
            return Some(Expr::sites(ExprKind::TokenSites(number, owner)));
        }
        let kinds = self.kind_set(name)?;
        Some(Expr::sites(ExprKind::Pieces(owner, Box::new(kinds))))
    }

    /// The kinds a name stands for: a kind, a class, or a local name that holds one.
    pub(super) fn kind_set(&mut self, name: &Ident) -> Option<Expr> {
        if let Some(local) = self.local_at(&name.node, name.span) {
            let expr = Expr::new(ExprKind::Slot(local.slot), local.ty);
            return self.fit(expr, &Ty::Kind.set(), name.span);
        }
        match self.lookup(&name.node, name.span, Some(&Ty::Kind)) {
            Some(Symbol::Class(kinds)) => Some(class(&kinds)),
            Some(Symbol::Const(Ty::Kind, value)) => Some(Expr::constant(value, Ty::Kind).singleton()),
            Some(Symbol::Function(_) | Symbol::Var(_)) => {
                let expr = self.name(&name.node, name.span, Some(&Ty::Kind))?;
                self.fit(expr, &Ty::Kind.set(), name.span)
            }
            _ => {
                self.unknown(&name.node, name.span, "piece");
                None
            }
        }
    }

    /// `seed at S`: how many tokens lie there.
    pub(super) fn tokens_at(&mut self, whose: &Whose, name: &Ident, at: &Tree) -> Option<Expr> {
        let Some(Symbol::Tokens(number)) = self.lookup(&name.node, name.span, None) else {
            self.unknown(&name.node, name.span, "kind of tokens");
            return None;
        };
        let owner = self.owner(whose)?;
        let at = self.typed(at, &Ty::Site.set())?;
        Some(Expr::new(ExprKind::TokensAt(number, owner, Box::new(at)), Ty::Int))
    }

    /// A kind of piece as a value.
    pub(super) fn kind_value(&mut self, name: &Ident) -> Option<Expr> {
        let expr = self.expr(&Tree { kind: TreeKind::Name(name.node.clone()), span: name.span }, Some(&Ty::Kind))?;
        if expr.ty == Ty::Kind {
            return Some(expr);
        }
        let message = format!("`{}` is not a single kind of piece", name.node);
        let help = if expr.ty == Ty::Site {
            "name a kind for a new piece; the piece on a site is moved: `move f to …`"
        } else if expr.ty == Ty::Piece {
            "a piece of a zone is moved: `move c from ZONE to …`; a new one is put by its kind: `let k = c.kind` and \
             `put k on …`"
        } else {
            "name one kind"
        };
        self.report(Report::new(Code::WrongType, name.span, message).help(help));
        None
    }
}

/// A use of a definition; that of a path begins with the sites it starts from.
fn apply(defined: Defined, args: Vec<Expr>) -> Option<Expr> {
    let kind = match defined.form {
        Form::Lookup(number) => ExprKind::Lookup(number, args),
        Form::Function(number) => ExprKind::Call(number, args),
        Form::Path(number) => {
            let mut args = args.into_iter();
            ExprKind::Path(number, Box::new(args.next()?), args.collect())
        }
    };
    Some(Expr::new(kind, defined.result))
}

/// The kinds of a class.
fn class(kinds: &[KindId]) -> Expr {
    let kinds = kinds.iter().map(|&kind| usize::from(kind)).collect();
    Expr::constant(Value::Set(kinds), Ty::Kind.set())
}

/// The sites where pieces of some kinds stand, whoever owns them.
fn anybodys(kinds: Expr) -> Expr {
    Expr::sites(ExprKind::Pieces(Owner::Anyone, Box::new(kinds)))
}

fn zone(zone: ZoneRef) -> Expr {
    Expr::new(ExprKind::Zone(zone), Ty::Piece.set())
}
