//! Options: constants that players may change before play.

use crate::base::Span;
use crate::ir::{Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::Expr as Tree;
use crate::syntax::ast::{Ident, TypeName};

use super::item::Declarations;

/// How many values of an option a message lists.
const LISTED: usize = 40;

impl Declarations<'_, '_> {
    /// Type, chosen value, default, and the values offered.
    pub(super) fn option(
        &mut self,
        name: &Ident,
        ty: Option<&TypeName>,
        value: &Tree,
        from: Option<&Tree>,
    ) -> Option<(Ty, Value, Value, Vec<Value>)> {
        let want = match ty {
            Some(ty) => Some(self.check.type_of(ty)?),
            None => None,
        };
        if let (Some(want), Some(ty)) = (&want, ty)
            && !self.may_be_option(want, ty.span())
        {
            return None;
        }
        let expr = match &want {
            Some(want) => self.check.typed(value, want)?,
            None => self.check.expr(value, None)?,
        };
        if want.is_none() && !self.may_be_option(&expr.ty, value.span) {
            return None;
        }
        let default = self.check.constant(&expr, value.span)?;
        let ty = expr.ty;
        let wanted = self.setup.options.iter().find(|(option, _)| *option == name.node);
        let mut values = Vec::new();
        if let Some(from) = from {
            values = self.check.offered(from, &ty)?;
            // What is offered may depend on other options; a default that is not played does no harm then.
            if wanted.is_none() && !values.contains(&default) {
                let message = format!("the default of `{}` is not one of the values offered", name.node);
                // The default of an option stands before them, that of a `set` elsewhere.
                let set = value.span.file != from.span.file || value.span.start > from.span.end;
                let help =
                    if set { "to offer it, write `replace option …` instead of `set`" } else { "offer it too" };
                self.check
                    .report(Report::new(Code::OutOfRange, value.span, message).also(from.span, "offered").help(help));
            }
        } else if ty == Ty::Bool {
            values = vec![Value::Bool(false), Value::Bool(true)];
        } else if let Some(size) = self.check.size_of(&ty) {
            values = (0..size).map(Value::atom_of).collect();
        }
        let mut chosen = default.clone();
        if let Some((_, wanted)) = wanted {
            let parsed = self.parse_value(&ty, wanted).filter(|value| values.is_empty() || values.contains(value));
            if let Some(value) = parsed {
                chosen = value;
            } else {
                let mut listed: Vec<String> =
                    values.iter().take(LISTED).map(|value| self.check.value_text(&ty, value)).collect();
                if values.len() > LISTED {
                    listed.push("…".to_owned());
                    listed.extend(values.last().map(|value| self.check.value_text(&ty, value)));
                }
                let help = if listed.is_empty() {
                    "its value is a number".to_owned()
                } else {
                    format!("its values are {}", listed.join(", "))
                };
                let message = format!("the option `{}` cannot be `{wanted}`", name.node);
                self.check.report(Report::new(Code::OutOfRange, name.span, message).help(help));
            }
        }
        Some((ty, chosen, default, values))
    }

    /// Whether an option may have values of that type: known before the board, and written as one word. If not, that is reported.
    fn may_be_option(&mut self, ty: &Ty, span: Span) -> bool {
        let why = match ty {
            Ty::Int | Ty::Bool | Ty::Seat | Ty::Enum(_) => return true,
            Ty::Set(_) => "whoever chooses it names one value",
            Ty::Site | Ty::Dir | Ty::Kind | Ty::Piece | Ty::Way | Ty::Move => "options are settled before the board",
        };
        let message = format!("an option cannot be {}: {why}", self.check.type_text(ty));
        let help = "offer numbers or the values of an enum, and say with `define` what each of them stands for";
        self.check.report(Report::new(Code::WrongType, span, message).help(help));
        false
    }

    fn parse_value(&mut self, ty: &Ty, text: &str) -> Option<Value> {
        if *ty == Ty::Int {
            return text.parse().ok().map(Value::Int);
        }
        if *ty == Ty::Bool {
            return text.parse().ok().map(Value::Bool);
        }
        self.check.lookup(text, Span::default(), Some(ty))?.constant(ty)
    }
}
