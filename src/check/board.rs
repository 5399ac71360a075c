//! Laying out boards: sites with names and coordinates, and adjacency.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use smallvec::SmallVec;

use crate::base::{Bits, SaturatingFrom, Span, Spanned};
use crate::ir::{Board, BoardForm, Direction, Lookup, RuleKind, SeatId, Site, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::Expr as Tree;
use crate::syntax::ast::item::{GraphLine, HexShape, Item, ItemKind, SeatGroup, Shape};

use super::item::Declarations;
use super::scope::Symbol;

/// How many sites a game may have.
const SITES: usize = 4096;

/// How many bytes the name of a site may have: as many as a word.
const NAME: usize = 100;

/// How many steps a site counts for that is linked to those beside it.
const STEPS_A_SITE: u64 = 60;

const SQUARE: [(&str, (i32, i32)); 8] = [
    ("n", (0, 1)),
    ("ne", (1, 1)),
    ("e", (1, 0)),
    ("se", (1, -1)),
    ("s", (0, -1)),
    ("sw", (-1, -1)),
    ("w", (-1, 0)),
    ("nw", (-1, 1)),
];

const HEX: [(&str, (i32, i32)); 6] =
    [("ne", (1, -1)), ("e", (1, 0)), ("se", (0, 1)), ("sw", (-1, 1)), ("w", (-1, 0)), ("nw", (0, -1))];

const LINE: [&str; 2] = ["ahead", "back"];

/// A board before its sites are numbered.
struct Draft {
    form: BoardForm,
    /// How many sites it has with those that are left out.
    whole: usize,
    sites: Vec<Site>,
    /// Named one-way edges, for graphs.
    edges: Vec<(String, usize, usize)>,
    /// The regions each seat has, by group: site numbers per seat.
    groups: Vec<(String, Vec<Vec<usize>>)>,
}

impl Declarations<'_, '_> {
    pub(super) fn boards(&mut self, items: &[Arc<Item>]) {
        let (mut drafts, mut names): (Vec<(String, Draft)>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
        let mut sites = 0;
        for item in items {
            let ItemKind::Board { name, shape, named, keep } = &item.kind else {
                continue;
            };
            if self.check.steps == 0 {
                let message = "the boards take too many steps to lay out";
                self.check
                    .report(Report::new(Code::OutOfRange, item.span, message).help("use fewer or smaller boards"));
                break;
            }
            let title = name.as_ref().map_or_else(|| "board".to_owned(), |name| name.node.clone());
            self.check.rule(RuleKind::Fact, &title, item.span, &item.cites);
            let Some(mut draft) = self.draft(shape, named.as_ref(), item.span) else {
                continue;
            };
            // Not only what is worked out takes time: a check goes through many setups.
            self.check.steps = self.check.steps.saturating_sub(STEPS_A_SITE * draft.sites.len() as u64);
            if let Some(keep) = keep {
                let Some(kept) = self.kept(&draft, keep) else {
                    continue;
                };
                draft.keep(&kept);
            }
            if draft.sites.is_empty() || draft.sites.len() > SITES {
                let message = format!("the board has {} sites; it must have between 1 and {SITES}", draft.sites.len());
                self.check.report(Report::new(Code::OutOfRange, item.span, message).help("choose another size"));
                continue;
            }
            sites += draft.sites.len();
            if sites > SITES {
                let message = format!("with this board the game has more than {SITES} sites");
                self.check.report(Report::new(Code::OutOfRange, item.span, message).help("choose smaller boards"));
                break;
            }
            if let Some(name) = name {
                let first: usize = drafts.iter().map(|(_, draft)| draft.sites.len()).sum();
                let sites = (first..first + draft.sites.len()).collect();
                self.check.declare(name, Symbol::Const(Ty::Site.set(), Value::Set(sites)));
            }
            for site in &draft.sites {
                if names.contains(&site.name) {
                    let message = format!("two boards have a site named `{}`", site.name);
                    self.check.report(
                        Report::new(Code::Duplicate, item.span, message)
                            .help("name the sites of one of them with `named`, such as `named \"x{n}\"`"),
                    );
                    break;
                }
            }
            names.extend(draft.sites.iter().map(|site| site.name.clone()));
            drafts.push((title, draft));
        }
        self.settle(drafts);
        self.board_names();
    }

    /// Numbers the sites of all boards and links them.
    fn settle(&mut self, drafts: Vec<(String, Draft)>) {
        let mut directions: IndexMap<String, Vec<(usize, usize)>> = IndexMap::new();
        let topology = &mut self.check.game.topology;
        *topology = crate::ir::Topology::default();
        let mut groups = Vec::new();
        for (number, (name, draft)) in drafts.into_iter().enumerate() {
            let first = topology.sites.len();
            // A board has the directions of its form, however narrow it is.
            for direction in draft.headings() {
                directions.entry(direction.to_owned()).or_default();
            }
            for (direction, links) in draft.links() {
                let links = links.into_iter().map(|(from, to)| (first + from, first + to));
                directions.entry(direction).or_default().extend(links);
            }
            for (group, seats) in &draft.groups {
                let seats: Vec<Bits> =
                    seats.iter().map(|sites| sites.iter().map(|site| first + site).collect()).collect();
                groups.push((group.clone(), seats));
            }
            let count = u16::saturating_from(draft.sites.len());
            topology.boards.push(Board { name, form: draft.form, first: u16::saturating_from(first), count });
            let board = u16::saturating_from(number);
            topology.sites.extend(draft.sites.into_iter().map(|site| Site { board, ..site }));
        }
        let sites = topology.sites.len();
        for (name, links) in directions {
            let mut step: Vec<SmallVec<[u16; 1]>> = vec![SmallVec::new(); sites];
            for (from, to) in links {
                let to = u16::saturating_from(to);
                if !step[from].contains(&to) {
                    step[from].push(to);
                }
            }
            topology.directions.push(Direction { name, step });
        }
        for (name, seats) in groups {
            let values: Vec<Value> = seats.into_iter().map(Value::Set).collect();
            let (sizes, values) = (vec![values.len()], values.into());
            let number = self.check.game.lookups.push(Lookup { sizes, values, ..Lookup::default() });
            self.check.scope.declare_builtin(&name, Symbol::Group(number));
        }
    }

    /// The names that boards bring: sites, directions, sets of directions.
    fn board_names(&mut self) {
        // Lent, not copied: it is large, and a check goes through many setups.
        let topology = std::mem::take(&mut self.check.game.topology);
        self.check.scope.reserve(topology.sites.len());
        for (number, site) in topology.sites.iter().enumerate() {
            self.check.scope.declare_builtin(&site.name, Symbol::Const(Ty::Site, Value::atom_of(number)));
        }
        for (number, direction) in topology.directions.iter().enumerate() {
            self.check.scope.declare_builtin(&direction.name, Symbol::Const(Ty::Dir, Value::atom_of(number)));
        }
        let all = Bits::all(topology.directions.len());
        self.check.scope.declare_builtin("directions", Symbol::Const(Ty::Dir.set(), Value::Set(all)));
        if topology.boards.iter().any(|board| board.form == BoardForm::Square) {
            for (name, members) in [("orthogonal", ["n", "e", "s", "w"]), ("diagonal", ["ne", "se", "sw", "nw"])] {
                let set = members.iter().filter_map(|member| topology.direction(member)).collect();
                self.check.scope.declare_builtin(name, Symbol::Const(Ty::Dir.set(), Value::Set(set)));
            }
        }
        let sites = Value::Set(Bits::all(topology.sites.len()));
        self.check.scope.declare_builtin("sites", Symbol::Const(Ty::Site.set(), sites));
        let seats = Value::Set(Bits::all(self.check.game.seats.len()));
        self.check.scope.declare_builtin("seats", Symbol::Const(Ty::Seat.set(), seats));
        self.check.game.topology = topology;
    }

    /// The sites a `keep` keeps, by number in the draft.
    fn kept(&mut self, draft: &Draft, keep: &Tree) -> Option<Bits> {
        let (scope, topology) = (self.check.scope.clone(), self.check.game.topology.clone());
        let copy = Draft { edges: draft.edges.clone(), ..Draft::plain(draft.form, draft.sites.clone()) };
        self.settle(vec![("board".to_owned(), copy)]);
        self.board_names();
        let kept = self.check.constant_of(keep, &Ty::Site.set());
        self.check.scope = scope;
        self.check.game.topology = topology;
        kept.map(Value::into_set)
    }

    fn draft(&mut self, shape: &Shape, named: Option<&Spanned<String>>, span: Span) -> Option<Draft> {
        let draft = match shape {
            Shape::Square(columns, rows) => {
                let (columns, rows) = (self.check.constant_int(columns, 1, 64)?, self.check.constant_int(rows, 1, 64)?);
                let cells = (1..=rows).flat_map(|row| (1..=columns).map(move |column| (column, row)));
                let sites =
                    cells.map(|(column, row)| site(format!("{}{row}", letters(column)), small(column), small(row)));
                Draft::plain(BoardForm::Square, sites.collect())
            }
            Shape::Hex(shape) => Draft::plain(BoardForm::Hex, hex_sites(&self.hex_cells(shape)?)),
            Shape::Line { closed, count } => {
                let count = self.check.constant_int(count, 1, 4096)?;
                let sites = (1..=count).map(|n| site(format!("s{n}"), small(n), 0));
                Draft::plain(BoardForm::Line { closed: *closed }, sites.collect())
            }
            Shape::PerSeat { closed, groups } => self.per_seat(*closed, groups)?,
            Shape::Graph(lines) => self.graph(lines, span)?,
        };
        self.rename(draft, named)
    }

    fn rename(&mut self, mut draft: Draft, named: Option<&Spanned<String>>) -> Option<Draft> {
        for (index, site) in draft.sites.iter_mut().enumerate() {
            site.number = if site.number == 0 { i32::saturating_from(index + 1) } else { site.number };
        }
        if let Some(pattern) = named {
            self.pattern(pattern);
            if !pattern.node.contains("{n}") {
                let message = format!("the pattern `{}` gives every site the same name", pattern.node);
                self.check.report(
                    Report::new(Code::OutOfRange, pattern.span, message).help("write `{n}` where the number goes"),
                );
            }
            for site in &mut draft.sites {
                let name = pattern.node.replace("{n}", &site.number.to_string());
                site.name = self.fitting(name, pattern.span)?;
            }
        }
        Some(draft)
    }

    /// A name that is put together, unless it is too long.
    fn fitting(&mut self, name: String, place: Span) -> Option<String> {
        if name.len() <= NAME {
            return Some(name);
        }
        let message = format!("this gives sites names of {} bytes, and the name of a site may have {NAME}", name.len());
        self.check
            .report(Report::new(Code::OutOfRange, place, message).help("write a shorter pattern or shorter names"));
        None
    }

    /// Names of sites are written in moves and positions, so they must be names.
    fn pattern(&mut self, pattern: &Spanned<String>) {
        let name = pattern.node.replace("{seat}", "a").replace("{n}", "1");
        let sound = name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !sound {
            let message = format!("`{}` does not produce valid names", pattern.node);
            let help = "begin with a letter; use letters, digits, `_`, `{seat}` and `{n}`";
            self.check.report(Report::new(Code::OutOfRange, pattern.span, message).help(help));
        }
    }

    fn hex_cells(&mut self, shape: &HexShape) -> Option<Vec<(i32, i32)>> {
        let reach = |n: i32| (-2 * n..=2 * n).flat_map(move |r| (-2 * n..=2 * n).map(move |q| (q, r)));
        Some(match shape {
            HexShape::Star(n) => {
                let n = small(self.check.constant_int(n, 1, 24)?);
                // Two triangles: all three coordinates at least -n, or all at most n.
                let fits = |&(q, r): &(i32, i32)| {
                    let s = -q - r;
                    (q >= -n && r >= -n && s >= -n) || (q <= n && r <= n && s <= n)
                };
                reach(n).filter(fits).collect()
            }
            HexShape::Hexagon(n) => {
                let n = small(self.check.constant_int(n, 1, 32)?) - 1;
                reach(n.max(1)).filter(|&(q, r)| q.abs() <= n && r.abs() <= n && (q + r).abs() <= n).collect()
            }
            HexShape::Triangle(n) => {
                let n = small(self.check.constant_int(n, 1, 64)?);
                (0..n).flat_map(|r| (0..=r).map(move |i| (i - r, r))).collect()
            }
            HexShape::Rhombus(a, b) => {
                let (a, b) = (small(self.check.constant_int(a, 1, 64)?), small(self.check.constant_int(b, 1, 64)?));
                (0..b).flat_map(|r| (0..a).map(move |q| (q, r))).collect()
            }
        })
    }

    fn per_seat(&mut self, closed: bool, declared: &[SeatGroup]) -> Option<Draft> {
        let mut sites: Vec<Site> = Vec::new();
        let mut groups: Vec<(String, Vec<Vec<usize>>)> =
            declared.iter().map(|group| (group.name.node.clone(), Vec::new())).collect();
        for group in declared {
            self.check.notes.origin(&group.name, "a set of sites");
        }
        let seats = self.check.game.seats.clone();
        for pattern in declared.iter().filter_map(|group| group.named.as_ref()) {
            self.pattern(pattern);
        }
        for (seat, info) in seats.iter().enumerate() {
            for (group, (_, members)) in declared.iter().zip(&mut groups) {
                let count = match &group.count {
                    Some(count) => self.check.constant_int(count, 1, 1024)?,
                    None => 1,
                };
                let mut mine = Vec::new();
                for n in 1..=count {
                    let single = group.count.is_none();
                    let name = match &group.named {
                        Some(pattern) => pattern.node.replace("{seat}", &info.name).replace("{n}", &n.to_string()),
                        None if single => format!("{}_{}", info.name, group.name.node),
                        None => format!("{}{n}", info.name),
                    };
                    let place = group.named.as_ref().map_or(group.name.span, |pattern| pattern.span);
                    let name = self.fitting(name, place)?;
                    if sites.iter().any(|site| site.name == name) {
                        let message = format!("two sites are named `{name}`");
                        let help = "give each group its own pattern containing `{seat}` and `{n}`";
                        self.check.report(Report::new(Code::Duplicate, place, message).help(help));
                        return None;
                    }
                    mine.push(sites.len());
                    let at = small(i64::saturating_from(sites.len()) + 1);
                    sites.push(Site { seat: Some(SeatId::new(seat)), number: small(n), ..site(name, at, 0) });
                }
                members.push(mine);
            }
        }
        Some(Draft { groups, ..Draft::plain(BoardForm::Line { closed }, sites) })
    }

    fn graph(&mut self, lines: &[GraphLine], span: Span) -> Option<Draft> {
        let mut names: Vec<&Ident> = Vec::new();
        let mut edges = Vec::new();
        for line in lines {
            if let Some(direction) = &line.direction {
                self.check.notes.origin(direction, "a direction");
            }
            let direction = line.direction.as_ref().map_or("link", |d| d.node.as_str());
            let mut numbers = Vec::new();
            for name in &line.sites {
                self.check.notes.origin(name, "a site");
                let known = names.iter().position(|other| other.node == name.node);
                numbers.push(known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                }));
            }
            for (pair, one_way) in numbers.windows(2).zip(&line.one_way) {
                if let [from, to] = pair {
                    edges.push((direction.to_owned(), *from, *to));
                    if !one_way {
                        edges.push((direction.to_owned(), *to, *from));
                    }
                }
            }
        }
        if names.is_empty() {
            self.check.report(
                Report::new(Code::MissingItem, span, "the graph has no sites").help("write edges, such as `a - b - c`"),
            );
            return None;
        }
        let sites = names.iter().map(|name| site(name.node.clone(), 0, 0)).collect();
        Some(Draft { edges, ..Draft::plain(BoardForm::Graph, sites) })
    }
}

impl Draft {
    fn plain(form: BoardForm, sites: Vec<Site>) -> Self {
        Self { form, whole: sites.len(), sites, edges: Vec::new(), groups: Vec::new() }
    }

    /// Keeps some sites only.
    fn keep(&mut self, kept: &Bits) {
        let renumber = |old: usize| kept.iter().position(|site| site == old);
        self.edges = self
            .edges
            .iter()
            .filter_map(|(name, from, to)| Some((name.clone(), renumber(*from)?, renumber(*to)?)))
            .collect();
        for (_, seats) in &mut self.groups {
            for sites in seats {
                *sites = sites.iter().filter_map(|&site| renumber(site)).collect();
            }
        }
        let mut number = 0;
        self.sites.retain(|_| {
            number += 1;
            kept.contains(number - 1)
        });
    }

    /// The directions that every board of its form has.
    fn headings(&self) -> Vec<&'static str> {
        match self.form {
            BoardForm::Square => SQUARE.iter().map(|(name, _)| *name).collect(),
            BoardForm::Hex => HEX.iter().map(|(name, _)| *name).collect(),
            BoardForm::Line { .. } => LINE.to_vec(),
            BoardForm::Graph => Vec::new(),
        }
    }

    /// All steps of each direction, from and to.
    fn links(&self) -> Vec<(String, Vec<(usize, usize)>)> {
        let by_coordinates = |headings: &[(&str, (i32, i32))]| {
            let at: IndexMap<(i32, i32), usize> = self.sites.iter().enumerate().map(|(n, site)| (site.at, n)).collect();
            let steps = |(dx, dy): (i32, i32)| {
                let beside = |site: &Site| at.get(&(site.at.0 + dx, site.at.1 + dy));
                let sites = self.sites.iter().enumerate();
                sites.filter_map(|(from, site)| beside(site).map(|&to| (from, to))).collect()
            };
            headings.iter().map(|(name, step)| ((*name).to_owned(), steps(*step))).collect()
        };
        match self.form {
            BoardForm::Square => by_coordinates(&SQUARE),
            BoardForm::Hex => by_coordinates(&HEX),
            BoardForm::Line { closed } => {
                // The first has the place 1. What is left out leaves a gap.
                let at: IndexMap<i32, usize> = self.sites.iter().enumerate().map(|(n, site)| (site.at.0, n)).collect();
                let last = i32::saturating_from(self.whole);
                let next = |site: &Site| if site.at.0 < last { Some(site.at.0 + 1) } else { closed.then_some(1) };
                let step = |(from, site): (usize, &Site)| Some((from, *at.get(&next(site)?)?));
                let ahead: Vec<(usize, usize)> = self.sites.iter().enumerate().filter_map(step).collect();
                let back = ahead.iter().map(|&(from, to)| (to, from)).collect();
                vec![(LINE[0].to_owned(), ahead), (LINE[1].to_owned(), back)]
            }
            BoardForm::Graph => {
                let mut links: IndexMap<&String, Vec<(usize, usize)>> = IndexMap::new();
                for (direction, from, to) in &self.edges {
                    links.entry(direction).or_default().push((*from, *to));
                }
                links.into_iter().map(|(direction, links)| (direction.clone(), links)).collect()
            }
        }
    }
}

/// Hex sites named by row, from the top, and place in the row, from the left.
fn hex_sites(cells: &[(i32, i32)]) -> Vec<Site> {
    let mut sites = Vec::with_capacity(cells.len());
    let (mut row, mut place, mut last) = (0, 0, None);
    for &(q, r) in cells {
        if last != Some(r) {
            row += 1;
            place = 0;
            last = Some(r);
        }
        place += 1;
        sites.push(site(format!("{}{place}", letters(row)), q, r));
    }
    sites
}

fn site(name: String, x: i32, y: i32) -> Site {
    Site { name, board: 0, at: (x, y), seat: None, number: 0 }
}

/// 1 is a, 26 is z, 27 is aa.
fn letters(n: i64) -> String {
    let (mut n, mut text) = (n, String::new());
    while n > 0 {
        n -= 1;
        let letter = b'a' + u8::saturating_from(n % 26);
        text.insert(0, char::from(letter));
        n /= 26;
    }
    text
}

fn small(n: i64) -> i32 {
    i32::saturating_from(n)
}
