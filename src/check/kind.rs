//! Kinds of piece, and tables.

use std::sync::Arc;

use crate::base::{Span, integer};
use crate::ir::{Field, Kind, KindId, RuleId, RuleKind, Sight, Slot, Ty, Value};
use crate::report::{Code, Fix, Report};
use crate::syntax::ast::item::{FieldDecl, Item, ItemKind, Rows};
use crate::syntax::ast::{Ident, TypeName, head};
use crate::syntax::is_name;

use super::builtin::SHOWN;
use super::item::Declarations;
use super::player::first_letter;
use super::scope::{Entry, Symbol};

/// What `any` in a column of numbers means: more than any board has.
const ANY: i64 = 1_000_000;

/// How many fields a piece may have.
const FIELDS: usize = 64;

/// How many kinds of piece an item declares.
pub(super) fn declared(item: &Item) -> usize {
    if let ItemKind::Kinds { rows, .. } = &item.kind {
        return rows.body.len();
    }
    usize::from(matches!(item.kind, ItemKind::Piece { .. }))
}

impl Declarations<'_, '_> {
    pub(super) fn kinds(&mut self, items: &[Arc<Item>]) {
        // All kinds and classes first: fields and attributes may name them.
        for item in items {
            if let ItemKind::Piece { name, title, owned, symbol, .. } = &item.kind {
                let rule = self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                let symbol = symbol.as_ref().map(|symbol| symbol.node.clone());
                self.kind(name, title.clone(), symbol, None, *owned, rule);
            } else if let ItemKind::Kinds { name, owned, rows, .. } = &item.kind {
                self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
                self.class(name, *owned, rows, item.span);
            }
        }
        let mut next = 0;
        for item in items {
            let count = declared(item);
            if let ItemKind::Piece { fields, .. } | ItemKind::Kinds { fields, .. } = &item.kind {
                self.fields(fields, next, count);
                let rows = if let ItemKind::Kinds { rows, .. } = &item.kind { &rows.header.cells[..] } else { &[] };
                let columns = rows.iter().skip(1).map(head).filter(|head| !SHOWN.contains(&head.node.as_str()));
                self.check.apart(fields.iter().map(|field| field.name.clone()).chain(columns));
            }
            next += count;
        }
        let mut next = 0;
        for item in items {
            if let ItemKind::Kinds { rows, .. } = &item.kind {
                self.attributes(rows, next);
            }
            next += declared(item);
        }
    }

    /// The kinds of a table.
    fn class(&mut self, name: &Ident, owned: bool, rows: &Rows, span: Span) {
        let mut class = Vec::new();
        for row in &rows.body {
            let place = row.cells.first().map_or(span, |cell| cell.span);
            let rule = self.check.rule(RuleKind::Fact, &name.node, place, &row.cites);
            let shown = |column: &str| {
                let at = rows.header.cells.iter().position(|cell| cell.node == column)?;
                row.cells.get(at).map(|cell| cell.node.clone())
            };
            let Some(cell) = row.cells.first() else { continue };
            if matches!(cell.node.as_str(), "" | "-") {
                let message = format!("the first cell of a row of `{}` is not a name", name.node);
                let place = row.cells.iter().map(|cell| cell.span).reduce(Span::to).unwrap_or(cell.span);
                let report = Report::new(Code::MissingItem, place, message);
                self.check.report(report.help("write the name of the kind there"));
                continue;
            }
            let (title, symbol) = (shown("title"), shown("symbol"));
            if !is_name(&cell.node) {
                let message = format!("`{}` is not a name, so no move could name such a piece", cell.node);
                let help = "names consist of letters, digits and `_`, begin with no digit and are not reserved words; \
                            what is displayed can be stated in the columns `title` and `symbol`";
                self.check.report(Report::new(Code::MissingItem, cell.span, message).help(help));
                continue;
            }
            class.push(self.kind(cell, title, symbol, Some(name.node.clone()), owned, rule));
        }
        self.check.declare(name, Symbol::Class(class));
    }

    fn kind(
        &mut self,
        name: &Ident,
        title: Option<String>,
        symbol: Option<String>,
        class: Option<String>,
        owned: bool,
        rule: RuleId,
    ) -> KindId {
        let title = title.unwrap_or_else(|| name.node.clone());
        let symbol = symbol.unwrap_or_else(|| first_letter(&name.node));
        let number = self.check.game.kinds.push(Kind {
            name: name.node.clone(),
            title,
            symbol,
            class,
            owned,
            fields: Vec::new(),
            attributes: Vec::new(),
            rule,
            sight: Sight::All,
            owner_sight: Sight::All,
            it: Slot::default(),
        });
        self.check.declare(name, Symbol::Const(Ty::Kind, Value::Atom(u32::from(number))));
        number
    }

    /// Gives a row of kinds their fields.
    fn fields(&mut self, declared: &[FieldDecl], first: usize, count: usize) {
        if let Some(beyond) = declared.get(FIELDS) {
            let message = format!("a piece with {} fields; at most {FIELDS} are allowed", declared.len());
            let help = "write what is the same for all pieces of a kind into its table, and what many pieces share into variables";
            self.check.report(Report::new(Code::OutOfRange, beyond.name.span, message).help(help));
        }
        for field in declared {
            self.legible(&field.name.node, field.name.span);
            let Some(ty) = self.check.type_of(&field.ty) else {
                continue;
            };
            if !(ty.is_atom() || ty == Ty::Int || ty == Ty::Bool) {
                let message = format!("a field cannot be {}", self.check.type_text(&ty));
                self.check.report(
                    Report::new(Code::WrongType, field.ty.span(), message).help(
                        "a field is a number, a truth value, a seat, site, direction, kind or a value of an enum",
                    ),
                );
                continue;
            }
            let mut default = 0;
            if let Some(tree) = &field.default {
                let Some(value) = self.check.constant_of(tree, &ty) else { continue };
                default = value.field();
            }
            self.check.note_column("", &field.name.node, field.name.span, &ty);
            for kind in &field.of {
                self.check.lookup(&kind.node, kind.span, Some(&Ty::Kind));
                let names = || self.check.game.kinds.iter().skip(first).take(count).map(|kind| kind.name.as_str());
                if !names().any(|name| name == kind.node) {
                    let near = crate::base::nearest(&kind.node, names()).map(str::to_owned);
                    let message = format!("`{}` is not a kind of this class", kind.node);
                    self.check.report(
                        Report::new(Code::UnknownName, kind.span, message)
                            .help("use kinds from the table below")
                            .suggest(near.as_deref()),
                    );
                }
            }
            for kind in self.check.game.kinds.iter_mut().skip(first).take(count) {
                if field.of.is_empty() || field.of.iter().any(|name| name.node == kind.name) {
                    let symbol = field.symbol.as_ref().map_or_else(String::new, |symbol| symbol.node.clone());
                    kind.fields.push(Field { name: field.name.node.clone(), ty: ty.clone(), default, symbol });
                }
            }
        }
    }

    fn attributes(&mut self, rows: &Rows, first: usize) {
        for (at, cell) in rows.header.cells.iter().enumerate().skip(1) {
            let Some((name, Some(ty))) = self.read_column(cell) else {
                continue;
            };
            if self.untyped(cell, rows, at) {
                continue;
            }
            self.legible(&name, head(cell).span);
            self.check.note_column("", &name, head(cell).span, &ty);
            for (index, row) in rows.body.iter().enumerate() {
                let Some(cell) = row.cells.get(at) else {
                    continue;
                };
                let value = self.cell(cell, &ty).unwrap_or_default();
                if let Some(kind) = self.check.game.kinds.iter_mut().skip(first).nth(index) {
                    kind.attributes.push((name.clone(), value));
                }
            }
            self.check.scope.declare_column(&name, ty);
        }
    }

    /// Reports a field or attribute that could never be read, since every piece has one of this name.
    fn legible(&mut self, name: &str, span: Span) {
        let said = match name {
            "kind" => "its kind",
            "owner" => "whose it is",
            _ => return,
        };
        let message = format!("`{name}` of a piece says {said}, so that nothing else of this name can be read");
        self.check.report(Report::new(Code::Duplicate, span, message).help("choose another name"));
    }

    /// Reports a column whose type was forgotten: none is written, and no cell is a number.
    pub(super) fn untyped(&mut self, head: &Ident, rows: &Rows, at: usize) -> bool {
        let cells = || {
            rows.body.iter().filter_map(|row| row.cells.get(at)).filter(|cell| !matches!(cell.node.as_str(), "" | "-"))
        };
        let number = |cell: &Ident| cell.node == "any" || integer(&cell.node).is_some();
        if head.node.contains(':') || cells().count() < 2 || cells().any(number) {
            return false;
        }
        let message = format!("the column `{}` has no type, but its cells are not numbers", head.node);
        let help = "write the type after its name, such as `takes: set of kind`";
        let first = cells().next().map_or(head.span, |cell| cell.span);
        self.check.report(Report::new(Code::WrongType, head.span, message).help(help).also(first, "not a number"));
        true
    }

    /// Name and type of a column that rules may read by its name.
    pub(super) fn read_column(&mut self, cell: &Ident) -> Option<(String, Option<Ty>)> {
        let title = head(cell);
        if is_name(&title.node) {
            return self.column(cell);
        }
        let message = format!("`{}` is not a name, so that nothing can read this column", title.node);
        let help = "a column is called by a name, which is one word, and its type: `worth`, `takes: set of kind`";
        self.check.report(Report::new(Code::Unexpected, cell.span, message).help(help));
        None
    }

    /// Name and type of a column; no type for one that is only shown.
    pub(super) fn column(&mut self, cell: &Ident) -> Option<(String, Option<Ty>)> {
        let Some((name, _)) = cell.node.split_once(':') else {
            let ty = (!SHOWN.contains(&cell.node.as_str())).then_some(Ty::Int);
            return Some((cell.node.clone(), ty));
        };
        let words = words(cell, name.len() + 1);
        let mut words = words.as_slice();
        let mut sets = 0;
        while let [set, of, rest @ ..] = words
            && set.node == "set"
            && of.node == "of"
        {
            sets += 1;
            words = rest;
        }
        let text: Vec<&str> = words.iter().map(|word| word.node.as_str()).collect();
        let place = words.iter().map(|word| word.span).reduce(Span::to).unwrap_or(cell.span);
        let inner = TypeName::Named(Ident::new(text.join(" "), place));
        let mut ty = self.check.type_of(&inner)?;
        for _ in 0..sets {
            ty = ty.set();
        }
        Some((name.trim().to_owned(), Some(ty)))
    }

    /// The value of a cell.
    pub(super) fn cell(&mut self, cell: &Ident, ty: &Ty) -> Option<Value> {
        let text = cell.node.as_str();
        let found = match ty {
            Ty::Int => match text {
                "-" => Some(Value::Int(0)),
                "any" => Some(Value::Int(ANY)),
                _ => integer(text).map(Value::Int),
            },
            Ty::Bool => match text {
                "yes" | "true" => Some(Value::Bool(true)),
                "no" | "false" | "-" => Some(Value::Bool(false)),
                _ => None,
            },
            Ty::Set(inner) => {
                let words = words(cell, 0).into_iter().filter(|word| word.node != "-");
                let values: Option<Vec<usize>> = words.map(|word| self.cell_name(&word, inner)).collect();
                values.map(|values| Value::Set(values.into_iter().collect()))
            }
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => self.cell_name(cell, ty).map(Value::atom_of),
            Ty::Piece | Ty::Way | Ty::Move => None,
        };
        if found.is_none() {
            let message = match text {
                "" => format!("an empty cell is not {}", self.check.type_text(ty)),
                _ => match self.stranger(cell, ty) {
                    Some(word) => {
                        format!("the cell names `{word}`, which is not {}", self.check.type_text(ty.element()))
                    }
                    None => format!("the cell `{text}` is not {}", self.check.type_text(ty)),
                },
            };
            let help = match ty {
                Ty::Int => "write a number, `any` for no limit, or `-` for none",
                Ty::Bool => "write `yes` or `no`",
                Ty::Set(_) => "write declared names separated by spaces, or `-` for none",
                Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move => {
                    "write a declared name"
                }
            };
            let mut report = Report::new(Code::WrongType, cell.span, message).help(help);
            if let Some((place, name)) = self.titled_in_cell(cell, ty) {
                report = report.help(format!("write the name as it is declared: `{name}`"));
                report.fix = Some(Fix::replace(place, name));
            } else if let Some((place, near)) = self.misspelt_in_cell(cell, ty) {
                report = report.help(format!("did you mean `{near}`?"));
                report.fix = Some(Fix::replace(place, near));
            }
            self.check.report(report);
        }
        found
    }

    /// Of a set of several the word that is not a member.
    fn stranger(&mut self, cell: &Ident, ty: &Ty) -> Option<String> {
        let Ty::Set(inner) = ty else { return None };
        let words = words(cell, 0);
        let stranger = words.iter().find(|word| word.node != "-" && self.cell_name(word, inner).is_none())?;
        (words.len() > 1).then(|| stranger.node.clone())
    }

    /// The name of what a cell calls by its title.
    fn titled_in_cell(&self, cell: &Ident, ty: &Ty) -> Option<(Span, String)> {
        let titles: Vec<(&str, &str)> = match ty {
            Ty::Enum(number) => {
                let members = &self.check.game.enums.get(*number)?.members;
                members.iter().map(|(name, title)| (name.as_str(), title.as_str())).collect()
            }
            Ty::Kind => self.check.game.kinds.iter().map(|kind| (kind.name.as_str(), kind.title.as_str())).collect(),
            Ty::Seat => self.check.game.seats.iter().map(|seat| (seat.name.as_str(), seat.title.as_str())).collect(),
            Ty::Set(inner) => return words(cell, 0).iter().find_map(|word| self.titled_in_cell(word, inner)),
            Ty::Int | Ty::Bool | Ty::Site | Ty::Dir | Ty::Piece | Ty::Way | Ty::Move => return None,
        };
        let word = cell.node.trim_end_matches(',').to_lowercase();
        let alike = |title: &str| title.to_lowercase() == word;
        let (name, _) = titles.into_iter().find(|(name, title)| alike(title) || alike(name))?;
        (name != cell.node).then(|| (cell.span, name.to_owned()))
    }

    /// The first name in a cell that means nothing there, and the nearest that does.
    fn misspelt_in_cell(&mut self, cell: &Ident, ty: &Ty) -> Option<(Span, String)> {
        let inner = ty.element().clone();
        for word in words(cell, 0) {
            if inner == Ty::Int || word.node == "-" || self.cell_name(&word, &inner).is_some() {
                continue;
            }
            let fits = |entry: &Entry| matches!(&entry.symbol, Symbol::Const(found, _) if *found == inner);
            let names = self.check.scope.globals().filter(|(_, entries)| entries.iter().any(fits));
            let near = crate::base::nearest(&word.node, names.map(|(name, _)| name))?.to_owned();
            return Some((word.span, near));
        }
        None
    }

    fn cell_name(&mut self, name: &Ident, ty: &Ty) -> Option<usize> {
        self.check.lookup(&name.node, name.span, Some(ty))?.constant(ty).map(|value| value.atom())
    }
}

/// The words of a cell behind its first bytes.
fn words(cell: &Ident, from: usize) -> Vec<Ident> {
    let mut start = cell.span.start as usize + from;
    let mut words = Vec::new();
    for part in cell.node.get(from..).unwrap_or("").split_inclusive(char::is_whitespace) {
        let word = part.trim();
        if !word.is_empty() {
            let place = Span::new(cell.span.file, start, start + word.len());
            words.push(Ident::new(word.to_owned(), place));
        }
        start += part.len();
    }
    words
}
