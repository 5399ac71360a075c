//! Regions, definitions and paths: checked when first used, so that their order
//! in the file does not matter. None may need itself.

use std::sync::Arc;

use crate::base::Span;
use crate::ir::{
    Dependencies, Expr, ExprKind, FnDef, Lookup, Path, PathDef, Region, RuleId, RuleKind, SeatId, Slot, Ty, Value,
};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::Expr as Tree;
use crate::syntax::ast::item::{Given, Item, ItemKind};
use crate::syntax::ast::{Ident, Param};

use super::checker::{Checker, Defined, Form, Progress};
use super::path::Walk;

/// How many values a region with parameters may have.
const VALUES: usize = 100_000;

impl Checker<'_> {
    /// A definition by its item's number, checked if it is not yet.
    pub(super) fn defined(&mut self, item: usize) -> Option<Defined> {
        self.function(self.items, item)
    }

    pub(super) fn function(&mut self, items: &[Arc<Item>], number: usize) -> Option<Defined> {
        let item = items.get(number)?;
        match self.progress.get(number)? {
            Progress::Done(defined) => return Some(defined.clone()),
            Progress::Failed => return None,
            Progress::Running => {
                self.report(Report::new(Code::Circular, item.span, "this definition depends on itself").help(
                    "definitions, regions and paths may not be recursive; express repetition with a path or a loop",
                ));
                return None;
            }
            Progress::Untouched => {}
        }
        self.progress[number] = Progress::Running;
        // A definition sees no local names of where it is used.
        let outer = self.scope.hide();
        let claim = std::mem::take(&mut self.in_claim);
        let defined = self.deeper(4, item.span, |checker| checker.define_item(item));
        self.in_claim = claim;
        self.scope.show(outer);
        self.progress[number] = defined.clone().map_or(Progress::Failed, Progress::Done);
        defined
    }

    fn define_item(&mut self, item: &Item) -> Option<Defined> {
        if let ItemKind::Region(name, body) = &item.kind {
            let rule = self.rule(RuleKind::Definition, &name.node, item.span, &item.cites);
            return self.region(name, body, item.span, rule);
        }
        if let ItemKind::Define(name, given) = &item.kind {
            let rule = self.rule(RuleKind::Definition, &name.node, item.span, &item.cites);
            return match given {
                Given::Formula(params, body) => self.define(name, params, body, rule),
                Given::Cases(cases) => self.define_cases(name, cases, rule),
                Given::ByKind(members) => self.define_by_kind(name, members, rule),
            };
        }
        let ItemKind::Path(name, params, body) = &item.kind else { return None };
        let rule = self.rule(RuleKind::Path, &name.node, item.span, &item.cites);
        self.path_item(name, params, body, rule)
    }

    fn define(&mut self, name: &Ident, params: &[Param], body: &Tree, rule: RuleId) -> Option<Defined> {
        let (params, types) = self.params(params)?;
        let body = self.expr(body, None)?;
        Some(self.add_function(name, params, types, body, rule))
    }

    /// A function with its parameters and their types.
    pub(super) fn add_function(
        &mut self,
        name: &Ident,
        params: Vec<Slot>,
        types: Vec<Ty>,
        body: Expr,
        rule: RuleId,
    ) -> Defined {
        let result = body.ty.clone();
        let needs = Dependencies::within(&self.game.functions, &self.game.paths, &body, &params);
        let number =
            self.game.functions.push(FnDef { name: name.node.clone(), params, body, needs, told: false, rule });
        Defined { params: types, result, form: Form::Function(number) }
    }

    /// A value as the parameter of a definition that the rules do not write: what the body says of it.
    pub(super) fn applied(
        &mut self,
        name: &str,
        told: bool,
        value: Expr,
        body: impl FnOnce(&Self, Expr) -> Expr,
    ) -> Expr {
        let mark = self.scope.mark();
        let param = self.bind(name, value.ty.clone());
        self.scope.cut(mark);
        let body = body(self, Expr::new(ExprKind::Slot(param), value.ty.clone()));
        let ty = body.ty.clone();
        let needs = Dependencies::within(&self.game.functions, &self.game.paths, &body, &[param]);
        let (name, rule) = (name.to_owned(), RuleId::default());
        let number = self.game.functions.push(FnDef { name, params: vec![param], body, needs, told, rule });
        Expr::new(ExprKind::Call(number, vec![value]), ty)
    }

    /// Parameters bound as local names.
    pub(super) fn params(&mut self, params: &[Param]) -> Option<(Vec<Slot>, Vec<Ty>)> {
        let (mut slots, mut types) = (Vec::new(), Vec::new());
        self.apart(params.iter().map(|param| param.name.clone()));
        for param in params {
            let ty = self.type_of(&param.ty)?;
            slots.push(self.bind_ident(&param.name, ty.clone()));
            types.push(ty);
        }
        Some((slots, types))
    }

    /// A region is computed here and now: for each value of its parameters.
    fn region(&mut self, name: &Ident, body: &Given, span: Span, rule: RuleId) -> Option<Defined> {
        let want = Ty::Site.set();
        let (types, values, result) = match body {
            Given::Cases(cases) => {
                let (values, result) = self.region_cases(name, cases, rule)?;
                (vec![Ty::Seat], values, result)
            }
            // Only definitions have rules of kinds.
            Given::ByKind(_) => return None,
            Given::Formula(params, tree) => {
                let (slots, types) = self.params(params)?;
                let body = self.typed(tree, &want)?;
                if !self.is_constant(&body) {
                    let message = format!("the region `{}` would change during play", name.node);
                    let help =
                        "the sites of a region must be known before play begins; for a set that changes use `define`";
                    self.report(Report::new(Code::NotConstant, tree.span, message).help(help));
                    return None;
                }
                let combinations = self.combinations(&types, span)?;
                let fold = |check: &mut Self| check.fold_each(&body, &slots, combinations, tree.span);
                (types, self.beneath(rule, fold)?, want)
            }
        };
        let sizes = types.iter().filter_map(|ty| self.size_of(ty)).collect();
        let values = values.into();
        let number = self.game.lookups.push(Lookup { sizes, values, rule: Some(rule), ..Lookup::default() });
        Some(Defined { params: types, result, form: Form::Lookup(number) })
    }

    /// All combinations of values of numbered types.
    pub(super) fn combinations(&mut self, types: &[Ty], span: Span) -> Option<Vec<Vec<Value>>> {
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for ty in types {
            let Some(size) = self.size_of(ty) else {
                let message = format!("a region cannot have {} as a parameter", self.type_text(ty));
                self.report(
                    Report::new(Code::NotFinite, span, message)
                        .help("use a seat, site, direction, kind or enum, or use `define` instead"),
                );
                return None;
            };
            if all.len().saturating_mul(size) > VALUES {
                let message = format!("the region has more than {VALUES} values");
                self.report(
                    Report::new(Code::OutOfRange, span, message)
                        .help("give it fewer parameters, or use `define` instead"),
                );
                return None;
            }
            // Where none of them can be kept, none is made.
            if all.len().saturating_mul(size) as u64 > self.steps {
                self.steps = 0;
                return self.folded(None, span);
            }
            all = all
                .into_iter()
                .flat_map(|left| {
                    (0..size).map(move |value| {
                        let mut next = left.clone();
                        next.push(Value::atom_of(value));
                        next
                    })
                })
                .collect();
        }
        Some(all)
    }

    fn path_item(
        &mut self,
        name: &Ident,
        params: &[Param],
        body: &crate::syntax::ast::expr::Path,
        rule: RuleId,
    ) -> Option<Defined> {
        let (slots, types) = self.params(params)?;
        let here = self.bind("here", Ty::Site);
        let start = self.bind("start", Ty::Site);
        let taken = self.bind("taken", Ty::Site.set());
        let body = self.path(body, Walk { name: &name.node, stand: [here, taken] })?;
        let takes = self.takes(&body);
        let bound: Vec<Slot> = slots.iter().copied().chain([here, start, taken]).collect();
        let needs = Dependencies::of_path(&self.game.functions, &self.game.paths, &body, &bound);
        let number = self.game.paths.push(PathDef {
            name: name.node.clone(),
            params: slots,
            here,
            taken,
            start,
            takes,
            body,
            needs,
            rule,
        });
        let result = if takes { Ty::Way.set() } else { Ty::Site.set() };
        Some(Defined { params: types, result, form: Form::Path(number) })
    }

    /// Whether a path takes sites.
    fn takes(&self, path: &Path) -> bool {
        match path {
            Path::Take => true,
            Path::Hop { taking, .. } => taking.is_some(),
            Path::Step { .. } | Path::Slide { .. } | Path::If(..) => false,
            Path::Along(..) | Path::Each(_) | Path::Repeat { .. } | Path::Cited(..) | Path::Then(_) | Path::Or(_) => {
                path.parts().iter().any(|part| self.takes(part))
            }
            Path::Call(number, _) => self.game.paths.get(*number).is_some_and(|path| path.takes),
        }
    }

    /// The constant regions, for drawing.
    pub(super) fn regions(&mut self, items: &[Arc<Item>]) {
        for (number, item) in items.iter().enumerate() {
            let ItemKind::Region(name, body) = &item.kind else {
                continue;
            };
            let Some(Progress::Done(defined)) = self.progress.get(number).cloned() else {
                continue;
            };
            let by_seat = matches!(body, Given::Cases(_)) || defined.params == [Ty::Seat];
            let Form::Lookup(table) = defined.form else { continue };
            if !(by_seat || defined.params.is_empty()) {
                continue;
            }
            let values = self.game.lookups[table].values.clone();
            for (index, value) in values.iter().cloned().enumerate() {
                let seat = by_seat.then(|| SeatId::new(index));
                self.game.regions.push(Region { name: name.node.clone(), seat, sites: value.atoms() });
            }
        }
    }
}
