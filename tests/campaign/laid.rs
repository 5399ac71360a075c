//! Overlays that meet, and how a joint one says that they join, against a model that knows statements by their names alone:
//! every setting is the game that a person would write out by hand, or is refused.
//!
//! Three readings change a rule of nested statements, a table and an option, alone and together. What is carried out is
//! worked out on a tree of names, by the words of the language's page on overlays, and compared with what the rules do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::Stream;

use super::targets::Found;
use crate::support::{print_position, reports};

/// A statement: a call that is logged, or a loop of one round around others.
#[derive(Clone, Debug)]
struct Stmt {
    id: usize,
    inner: Option<Vec<Stmt>>,
}

/// A part of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Whole,
    Stmt(usize),
    /// Beside a statement or all, after it or before.
    Beside(Option<usize>, bool),
    /// A row of the table, and a column of it.
    Row(usize, Option<usize>),
    /// The default of an option.
    Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Rule,
    Table,
    Option,
}

#[derive(Clone, Debug)]
struct Change {
    item: Item,
    at: At,
    /// What stands there then.
    stmts: Vec<Stmt>,
    values: Vec<usize>,
}

/// An overlay: the readings it depends on, as bits, and its changes.
#[derive(Clone, Debug)]
struct Layer {
    needs: usize,
    changes: Vec<Change>,
}

/// What the rules are in some setting.
#[derive(Clone, Debug)]
struct State {
    rule: Vec<Stmt>,
    table: Vec<Vec<usize>>,
    option: usize,
}

fn find(stmts: &[Stmt], id: usize) -> Option<&Stmt> {
    stmts.iter().find_map(|stmt| if stmt.id == id { Some(stmt) } else { find(stmt.inner.as_deref()?, id) })
}

fn ids(stmts: &[Stmt]) -> Vec<usize> {
    let inner = |stmt: &Stmt| stmt.inner.as_deref().map(ids).unwrap_or_default();
    stmts.iter().flat_map(|stmt| std::iter::once(stmt.id).chain(inner(stmt))).collect()
}

/// The game with the rule, the table and the option of the file, and the overlays.
struct Case {
    base: State,
    layers: Vec<Layer>,
}

/// Makes the parts of a case.
struct Maker {
    dice: Stream,
    next: usize,
}

impl Maker {
    fn one_in(&mut self, of: usize) -> bool {
        self.dice.below(of) == 0
    }

    fn stmts(&mut self, most: usize, depth: usize) -> Vec<Stmt> {
        (0..=self.dice.below(most))
            .map(|_| {
                self.next += 1;
                let id = self.next;
                let inner = (depth > 0 && self.one_in(2)).then(|| self.stmts(3, depth - 1));
                Stmt { id, inner }
            })
            .collect()
    }

    /// A change of what is there, or of what those below change or bring.
    fn change(&mut self, base: &State, below: &[Change]) -> Change {
        if !below.is_empty() && !self.one_in(4) {
            let same = below[self.dice.below(below.len())].clone();
            let brought = ids(&same.stmts);
            let at = if !brought.is_empty() && self.one_in(4) {
                At::Stmt(brought[self.dice.below(brought.len())])
            } else {
                same.at
            };
            return self.filled(same.item, at);
        }
        match self.dice.below(6) {
            0 => {
                let column = (!self.one_in(3)).then(|| self.dice.below(2));
                let at = At::Row(self.dice.below(2), column);
                self.filled(Item::Table, at)
            }
            1 => {
                let at = if self.one_in(2) { At::Value } else { At::Whole };
                self.filled(Item::Option, at)
            }
            _ => {
                let all = ids(&base.rule);
                let one = all[self.dice.below(all.len())];
                let at = match self.dice.below(8) {
                    0 => At::Whole,
                    1 => At::Beside(None, self.one_in(2)),
                    2 | 3 => At::Beside(Some(one), self.one_in(2)),
                    _ => At::Stmt(one),
                };
                self.filled(Item::Rule, at)
            }
        }
    }

    fn filled(&mut self, item: Item, at: At) -> Change {
        let stmts = if item != Item::Rule || (matches!(at, At::Stmt(_)) && self.one_in(4)) {
            Vec::new()
        } else {
            self.stmts(2, 1)
        };
        let values = (0..2).map(|_| 10 + self.dice.below(80)).collect();
        Change { item, at, stmts, values }
    }

    fn case(&mut self) -> Case {
        let base = State { rule: self.stmts(4, 2), table: vec![vec![1, 2], vec![3, 4]], option: 5 };
        let mut layers: Vec<Layer> = Vec::new();
        for needs in [1, 2, 4, 3, 5, 6, 7] {
            let joint = usize::count_ones(needs) > 1;
            if (joint && needs != 3 && !self.one_in(3)) || (needs == 4 && self.one_in(3)) {
                continue;
            }
            let below: Vec<Change> = layers
                .iter()
                .filter(|layer| joint && layer.needs & needs == layer.needs)
                .flat_map(|layer| layer.changes.clone())
                .collect();
            let mut changes: Vec<Change> = Vec::new();
            for _ in 0..=self.dice.below(if joint { 4 } else { 2 }) {
                let new = self.change(&base, &below);
                changes.push(new);
            }
            layers.push(Layer { needs, changes });
        }
        Case { base, layers }
    }
}

/// The statements around each, as far as it is known from where they were written.
fn parents(case: &Case) -> BTreeMap<usize, Option<usize>> {
    fn walk(stmts: &[Stmt], parent: Option<usize>, into: &mut BTreeMap<usize, Option<usize>>) {
        for stmt in stmts {
            into.insert(stmt.id, parent);
            walk(stmt.inner.as_deref().unwrap_or_default(), Some(stmt.id), into);
        }
    }
    let mut all = BTreeMap::new();
    walk(&case.base.rule, None, &mut all);
    // Those above others were made before them.
    for change in case.layers.iter().flat_map(|layer| &layer.changes) {
        let parent = match change.at {
            At::Stmt(id) | At::Beside(Some(id), _) => all.get(&id).copied().flatten(),
            At::Whole | At::Beside(None, _) | At::Row(..) | At::Value => None,
        };
        walk(&change.stmts, parent, &mut all);
    }
    all
}

/// How a setting comes out.
struct Model<'c> {
    case: &'c Case,
    parents: BTreeMap<usize, Option<usize>>,
}

/// A change: the numbers of its layer and of itself.
type Key = (usize, usize);

impl Model<'_> {
    fn change(&self, key: Key) -> &Change {
        &self.case.layers[key.0].changes[key.1]
    }

    /// Whether a statement is another, or stands around it.
    fn around(&self, outer: usize, inner: usize) -> bool {
        let mut at = Some(inner);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.parents.get(&id).copied().flatten();
        }
        false
    }

    /// Whether one change is of the same thing as the other, or of what encloses it.
    fn covers(&self, one: &Change, two: &Change) -> bool {
        one.item == two.item
            && match (one.at, two.at) {
                (At::Whole, _) => true,
                (At::Stmt(one), At::Stmt(two) | At::Beside(Some(two), _)) => self.around(one, two),
                (At::Row(one, None), At::Row(two, _)) => one == two,
                (one, two) => one == two,
            }
    }

    fn meet(&self, one: &Change, two: &Change) -> bool {
        let adds = |at: At| matches!(at, At::Beside(..));
        // Several may add at one place, and next to what another replaces.
        if adds(one.at) && adds(two.at) {
            return false;
        }
        if let (At::Stmt(stmt), At::Beside(Some(beside), _)) | (At::Beside(Some(beside), _), At::Stmt(stmt)) =
            (one.at, two.at)
            && stmt == beside
        {
            return false;
        }
        self.covers(one, two) || self.covers(two, one)
    }

    /// The rules with these readings chosen; none if that is refused.
    fn setting(&self, chosen: usize) -> Option<State> {
        let mut dropped = BTreeSet::new();
        loop {
            let before = dropped.clone();
            let state = self.attempt(chosen, &mut dropped)?;
            if before == dropped {
                return Some(state);
            }
        }
    }

    fn attempt(&self, chosen: usize, dropped: &mut BTreeSet<Key>) -> Option<State> {
        let layers = &self.case.layers;
        let active: Vec<usize> =
            (0..layers.len()).filter(|at| layers[*at].needs & chosen == layers[*at].needs).collect();
        let over = |one: usize, two: usize| one != two && layers[two].needs & layers[one].needs == layers[two].needs;
        let mut levels: BTreeMap<usize, usize> = BTreeMap::new();
        for &one in &active {
            let level = active.iter().filter(|two| over(one, **two)).filter_map(|two| levels.get(two)).max();
            levels.insert(one, level.map_or(1, |level| level + 1));
        }
        let (mut state, mut done) = (self.case.base.clone(), Vec::<Key>::new());
        for level in 1..=3 {
            let all: Vec<Key> = active
                .iter()
                .filter(|one| levels[*one] == level)
                .flat_map(|one| (0..layers[*one].changes.len()).map(move |change| (*one, change)))
                .collect();
            for (number, &mine) in all.iter().enumerate() {
                let change = self.change(mine);
                if !exists(&state, change.at) {
                    return None;
                }
                // Nothing is changed twice by one.
                if all[..number].iter().any(|other| other.0 == mine.0 && self.meet(self.change(*other), change)) {
                    return None;
                }
                for &other in done.iter().chain(&all[..number]) {
                    if other.0 == mine.0 || over(mine.0, other.0) {
                        continue;
                    }
                    let with = self.change(other);
                    let brought =
                        matches!(change.at, At::Stmt(id) | At::Beside(Some(id), _) if ids(&with.stmts).contains(&id));
                    if !self.meet(with, change) && !brought {
                        continue;
                    }
                    let joint = active.iter().filter(|at| over(**at, mine.0) && over(**at, other.0));
                    let joint: Vec<&Change> =
                        joint.flat_map(|at| &layers[*at].changes).filter(|one| exists(&state, one.at)).collect();
                    let joined: Vec<Key> = [other, mine]
                        .into_iter()
                        .filter(|key| joint.iter().any(|one| self.covers(one, self.change(*key))))
                        .collect();
                    if joined.is_empty() {
                        return None;
                    }
                    dropped.extend(joined);
                }
            }
            let made: Vec<&Change> =
                all.iter().filter(|key| !dropped.contains(key)).map(|key| self.change(*key)).collect();
            state = apply(&state, &made);
            done.extend(all);
        }
        Some(state)
    }
}

fn exists(state: &State, at: At) -> bool {
    match at {
        At::Stmt(id) | At::Beside(Some(id), _) => find(&state.rule, id).is_some(),
        At::Whole | At::Beside(None, _) | At::Row(..) | At::Value => true,
    }
}

/// Makes changes that do not meet, or of which one is laid over the other by a joint one.
fn apply(state: &State, made: &[&Change]) -> State {
    let mut state = state.clone();
    for change in made.iter().filter(|change| change.item != Item::Rule) {
        match change.at {
            At::Row(row, None) => state.table[row].clone_from(&change.values),
            At::Row(row, Some(column)) => state.table[row][column] = change.values[0],
            At::Whole | At::Value | At::Stmt(_) | At::Beside(..) => state.option = change.values[0],
        }
    }
    let rule: Vec<&Change> = made.iter().copied().filter(|change| change.item == Item::Rule).collect();
    let added = |beside: Option<usize>, after: bool| {
        let here = rule.iter().filter(move |change| change.at == At::Beside(beside, after));
        here.flat_map(|change| change.stmts.clone()).collect::<Vec<Stmt>>()
    };
    if let Some(whole) = rule.iter().find(|change| change.at == At::Whole) {
        state.rule.clone_from(&whole.stmts);
    }
    let mut new = added(None, false);
    new.extend(rebuilt(&state.rule, &rule, &added));
    new.extend(added(None, true));
    state.rule = new;
    state
}

fn rebuilt(stmts: &[Stmt], rule: &[&Change], added: &dyn Fn(Option<usize>, bool) -> Vec<Stmt>) -> Vec<Stmt> {
    let mut new = Vec::new();
    for stmt in stmts {
        new.extend(added(Some(stmt.id), false));
        if let Some(change) = rule.iter().find(|change| change.at == At::Stmt(stmt.id)) {
            new.extend(change.stmts.clone());
        } else {
            let inner = stmt.inner.as_ref().map(|inner| rebuilt(inner, rule, added));
            new.push(Stmt { id: stmt.id, inner });
        }
        new.extend(added(Some(stmt.id), true));
    }
    new
}

fn written(stmts: &[Stmt]) -> String {
    let one = |stmt: &Stmt| match &stmt.inner {
        Some(inner) => {
            format!("for b{0} in 1..1 {{ log := (log * 31 + {0}) mod 1000003 {1} }}", stmt.id, written(inner))
        }
        None => format!("s{}()", stmt.id),
    };
    stmts.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The value that the rules work out.
fn logged(state: &State) -> usize {
    let log = ids(&state.rule).into_iter().fold(0, |log, id| (log * 31 + id) % 1_000_003);
    let table = state.table.iter().flatten().fold(0, |sum, value| sum * 100 + value);
    log * 100 + state.option + table * 1_000_000_000
}

const READINGS: [&str; 3] = ["q", "r", "s"];

impl Case {
    fn text(&self) -> String {
        let called = |id: usize, stmts: &[Stmt]| match find(stmts, id).map(|stmt| stmt.inner.is_some()) {
            Some(true) => Some(format!("for b{id}")),
            Some(false) => Some(format!("s{id}")),
            None => None,
        };
        let everything: Vec<Stmt> = self
            .base
            .rule
            .iter()
            .cloned()
            .chain(self.layers.iter().flat_map(|layer| &layer.changes).flat_map(|change| change.stmts.clone()))
            .collect();
        let name = |id: usize| called(id, &everything).unwrap_or_default();
        let mut text = "game laid\nplayers a, b\nvar log: int\nvar told: int\n".to_owned();
        text += "table tab\n  | k: int | x | y |\n  | 0 | 1 | 2 |\n  | 1 | 3 | 4 |\noption o = 5 from 0..99\n";
        for id in ids(&everything) {
            let _ = writeln!(text, "procedure s{id}() {{ log := (log * 31 + {id}) mod 1000003 }}");
        }
        let _ = writeln!(text, "procedure rule() {{ {} }}", written(&self.base.rule));
        text += "setup { rule() told := (((tab(0).x * 100 + tab(0).y) * 100 + tab(1).x) * 100 + tab(1).y) * 1000000000 + log * 100 + o }\n\
            action go { choose n in 1..2 }\nplay { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";
        for reading in READINGS {
            let _ = writeln!(text, "reading {reading} = {reading}_0 | {reading}_1");
        }
        for layer in &self.layers {
            let needs: Vec<String> = (0..3)
                .filter(|at| layer.needs >> at & 1 == 1)
                .map(|at| format!("{0} == {0}_1", READINGS[at]))
                .collect();
            let _ = writeln!(text, "with {} {{", needs.join(" and "));
            for change in &layer.changes {
                let new = written(&change.stmts);
                let values = &change.values;
                let line = match (change.item, change.at) {
                    (Item::Option, At::Whole) => format!("replace option o = {} from 0..99", values[0]),
                    (Item::Option, _) => format!("set o = {}", values[0]),
                    (Item::Table, At::Row(row, Some(column))) => {
                        format!("set tab.{row}.{} = {}", ["x", "y"][column], values[0])
                    }
                    (Item::Table, At::Row(row, None)) => {
                        format!("replace row tab | {row} | {} | {} |", values[0], values[1])
                    }
                    (_, At::Stmt(id)) if change.stmts.is_empty() => {
                        format!("change procedure rule {{ remove {} }}", name(id))
                    }
                    (_, At::Stmt(id)) => format!("change procedure rule {{ replace {} {{ {new} }} }}", name(id)),
                    (_, At::Beside(at, after)) => {
                        let at = at.map_or_else(|| "all".to_owned(), name);
                        format!(
                            "change procedure rule {{ {} {at} {{ {new} }} }}",
                            if after { "after" } else { "before" }
                        )
                    }
                    (Item::Rule | Item::Table, _) => format!("replace procedure rule() {{ {new} }}"),
                };
                let _ = writeln!(text, "  {line}");
            }
            text += "}\n";
        }
        text
    }
}

/// What several overlays make of a game is what their page says.
pub(super) fn laid(seed: u64, from: u64, to: u64) -> Found {
    let mut found = Found::default();
    for number in from..to {
        let case = Maker { dice: Stream::new(seed, "laid", number), next: 0 }.case();
        let model = Model { case: &case, parents: parents(&case) };
        let text = case.text();
        for chosen in 0..8_usize {
            let readings = (0..3).map(|at| {
                let name = READINGS[at];
                (name.to_owned(), format!("{name}_{}", chosen >> at & 1))
            });
            let setup = Setup { readings: readings.collect(), ..Setup::default() };
            let loaded = load("laid.rules", &text, &NoFiles, &setup);
            let said = reports(&loaded);
            let shown = |game| {
                let engine = Fast::new(game);
                let text = print_position(&engine, &engine.start());
                text.split(" | ").find_map(|part| part.strip_prefix("told=").map(str::to_owned)).unwrap_or_default()
            };
            let got = loaded.game.map(shown);
            let wanted = model.setting(chosen).map(|state| logged(&state).to_string());
            found.inputs += 1;
            found.accepted += u64::from(wanted.is_some());
            assert_eq!(got, wanted, "seed {seed}, number {number}, readings {chosen:03b} (s r q)\n{text}\n{said}");
        }
    }
    found
}
