//! Who may know what: an analysis of information flow over the typed rules.
//!
//! For every name and definition it works out what the value is worked out from that not everybody sees
//! ([`Knowledge`]): what is computed from hidden things is as hidden as they are, and what happens under a condition on
//! hidden things is as hidden as the condition. Where the rules let a seat find out such a thing all the same, a
//! [`Disclosure`](crate::ir::Disclosure) says so, unless it is marked as `told`.
//!
//! Seats are known by the names that the rules give them ([`Who`]): the seat that acts, a local name. Whatever cannot
//! be decided so counts as hidden. Public by convention, unless the rules hide it, are where pieces are and how many, in
//! which order, and whose; in any case, how many there are in all, and that a seat has no legal move.
//!
//! **Invariant:** every match names all constructs; nothing is public for want of an answer.

mod action;
mod asking;
mod between;
mod course;
mod fresh;
mod naming;
mod once;
mod passing;
mod pieces;
mod revealing;
mod scope;
mod sight;
mod sorted;
mod statement;
mod stock;
mod taint;
mod value;
mod whereabouts;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    ActionId, BlockId, Channel, Expr, FnId, Game, HistoryUse, Kind, KindId, Knowledge, KnowledgeTable, Revealing,
    RuleId, Secret, Sight, Slot, Source, Ty, Viewers, Who, ZoneId,
};

use asking::Unasked;
use between::Between;
use course::Course;
use fresh::Fresh;
use naming::Standing;
use scope::{Name, Scope};
use stock::Stock;
use taint::Taint;

/// What is known of a definition, in terms of its parameters.
#[derive(Clone, Debug, Default)]
struct Summary {
    value: Knowledge,
    number: Knowledge,
}

type Zones = BTreeSet<ZoneId>;

/// A definition, which men stand on the sites that it is used for, and what lies somewhere unseen.
type Use = (FnId, Vec<Standing>, Fresh);

/// What was found in a scope, before or in play.
type Ranged = (Scope, (bool, bool), Knowledge);

/// How many statements the analysis looks at, each with the names in scope: rules that people write take some hundreds.
const WORK: u64 = 40_000;

/// In so many ways a procedure may be called before it is looked at for all of them at once.
const WAYS: usize = 16;

/// The ways in which a procedure was called: how many, and all beyond the first at once.
#[derive(Clone, Debug, Default)]
struct Ways {
    count: usize,
    all: Option<Scope>,
}

/// A definition, what its parameters stand for, and the acting seat.
type Asked = (FnId, Vec<Option<Who>>, Option<Who>);

/// The analysis of a game.
struct Analysis<'g> {
    game: &'g Game,
    /// What is known of the value of each definition while this lies somewhere unseen; they use earlier ones alone.
    functions: RefCell<BTreeMap<Fresh, Vec<Summary>>>,
    /// The same of those that are used for sites on which certain men stand.
    standing: RefCell<BTreeMap<Use, Summary>>,
    /// What is known of each path, worked out on first use.
    paths: Vec<OnceCell<Knowledge>>,
    /// The seat that each definition stands for, by what its parameters and the acting seat are.
    seats: RefCell<BTreeMap<Asked, Option<Who>>>,
    /// What was found last of the value and the number of members of an expression that runs over a set, by where it stands
    /// in the game: sets in sets are asked for more than once on each level.
    ranging: RefCell<BTreeMap<(usize, bool), Ranged>>,
    /// What decides whether an action can be played, before and in play, in terms of its own seat.
    legal: RefCell<BTreeMap<(ActionId, bool, bool), Knowledge>>,
    /// Whether a block asks anything, or may, worked out on first use.
    asking: Vec<OnceCell<bool>>,
    /// Whether the turn may pass within a block, worked out on first use.
    turning: Vec<OnceCell<bool>>,
    /// The zones that a block may take pieces from, but for those of a name, worked out on first use.
    disturbing: RefCell<BTreeMap<(BlockId, Option<Slot>), Zones>>,
    course: Course,
    /// The same, where pieces that come among others hide which are which; worked out on first use.
    mingling: OnceCell<Course>,
    /// What may lie where.
    stock: Stock,
    table: KnowledgeTable,
    /// Where the rules say that they tell something.
    telling: Revealing,
    /// The kinds of piece that are not seen by all.
    hidden: Vec<(KindId, &'g Kind)>,
    /// The kinds of piece of which not all see whose they are.
    unowned: Vec<(KindId, &'g Kind)>,
    /// What is not yet seen after procedures, by what is known where they are called, and after actions, by who plays them.
    called: BTreeMap<(BlockId, Scope), Fresh>,
    ways: BTreeMap<BlockId, Ways>,
    /// How much work is left.
    work: u64,
    played: BTreeMap<(ActionId, Option<Who>, Fresh, Between), Fresh>,
    taint: Taint,
    /// What is not yet seen when the ends are tested.
    ending: Fresh,
    unasked: Unasked,
    /// Whether seats may go out of the game before it is over.
    eliminates: bool,
    /// Whether play has begun, and whether a number of pieces was moved before that not everybody knows.
    playing: bool,
    unaccounted: bool,
}

/// As many steps is the work with each name in scope at a statement.
const A_NAME: u64 = 120;

/// Works out who may know what in a game that is checked, and in how many steps.
#[must_use]
pub fn knowledge(game: &Game) -> (KnowledgeTable, u64) {
    let mut analysis = Analysis::new(game);
    analysis.run();
    let revealing = analysis.revealing();
    let lasts = analysis.told_lasts(&revealing);
    let (mut table, mut left) = (analysis.table, analysis.work);
    // What is told is known, but nothing shows it by that: a seat that looks at the position does not see it.
    if lasts {
        let plain = untold(game);
        let mut shown = Analysis::new(&plain);
        let whole = shown.work;
        shown.work = left.min(whole);
        shown.run();
        left = shown.work;
        (table.names, table.blocks, table.veiled) = (shown.table.names, shown.table.blocks, shown.table.veiled);
    }
    let steps = (WORK - left) * A_NAME;
    table.unfinished = left == 0;
    table.revealing = revealing;
    table.disclosures.sort();
    table.disclosures.dedup();
    table.cues_are_seen = cues_are_seen(game);
    (table, steps)
}

/// The same game, in which nothing is marked as told.
fn untold(game: &Game) -> Game {
    let mut plain = game.clone();
    plain.functions.iter_mut().for_each(|def| def.told = false);
    plain
}

/// Whether everybody sees all that the cues of a game depend on, also where the rules say that they tell it.
fn cues_are_seen(game: &Game) -> bool {
    if game.cues.is_empty() {
        return true;
    }
    let past = HistoryUse::of(game);
    let plain = untold(game);
    let analysis = Analysis::new(&plain);
    let seen = |when: &Expr| analysis.value(when, &Scope::default()).is_public() && !past.looks(when);
    plain.cues.iter().all(|cue| seen(&cue.when))
}

impl<'g> Analysis<'g> {
    fn new(game: &'g Game) -> Self {
        let (course, stock) = (Course::of(game, false), Stock::of(game));
        // What was not worked out to its end leaves nothing.
        let whole = course.steps < course::STEPS && stock.steps < stock::STEPS;
        let work = WORK.saturating_sub(course.steps / 4).saturating_sub(stock.steps / 25);
        Self {
            game,
            functions: RefCell::default(),
            standing: RefCell::default(),
            paths: vec![OnceCell::new(); game.paths.len()],
            seats: RefCell::default(),
            ranging: RefCell::default(),
            legal: RefCell::default(),
            asking: vec![OnceCell::new(); game.blocks.len()],
            turning: vec![OnceCell::new(); game.blocks.len()],
            disturbing: RefCell::default(),
            stock,
            table: KnowledgeTable {
                names: vec![None; game.slots.len()],
                blocks: vec![Knowledge::public(); game.blocks.len()],
                disclosures: Vec::new(),
                cues_are_seen: false,
                veiled: BTreeSet::new(),
                unfinished: false,
                revealing: Revealing::default(),
            },
            telling: Revealing::of(game),
            hidden: game.kinds.numbered().filter(|(_, kind)| !matches!(kind.sight, Sight::All)).collect(),
            unowned: game.kinds.numbered().filter(|(_, kind)| !matches!(kind.owner_sight, Sight::All)).collect(),
            called: BTreeMap::new(),
            ways: BTreeMap::new(),
            work: if whole { work } else { 0 },
            course,
            mingling: OnceCell::new(),
            played: BTreeMap::new(),
            taint: Taint::default(),
            ending: Fresh::default(),
            unasked: Unasked::default(),
            eliminates: asking::eliminates(game),
            playing: false,
            unaccounted: false,
        }
    }
}

impl Analysis<'_> {
    fn run(&mut self) {
        let game = self.game;
        self.sights();
        let mut scope = Scope::mover();
        scope.fresh = self.block(game.setup, &scope).left();
        self.playing = true;
        // What the setup called may run again.
        self.called.clear();
        self.ways.clear();
        self.play(&scope);
        for cue in &game.cues {
            let known = self.value(&cue.when, &Scope::default());
            let rule = game.actions.get(cue.action).map(|action| action.rule).unwrap_or_default();
            self.asked(rule, Channel::Guard, &known, None, &Scope::default());
        }
        self.traced();
    }

    /// What is known of a definition, in terms of its parameters.
    fn summary(&self, function: FnId, fresh: &Fresh) -> Option<Summary> {
        if !self.functions.borrow().contains_key(fresh) {
            self.functions.borrow_mut().insert(fresh.clone(), Vec::new());
            for def in &self.game.functions {
                let summary = if def.told {
                    Summary::default()
                } else {
                    self.summarized(self.parameters(&def.params), &def.body, fresh)
                };
                self.functions.borrow_mut().entry(fresh.clone()).or_default().push(summary);
            }
        }
        self.functions.borrow().get(fresh)?.get(usize::from(function)).cloned()
    }

    /// The same where it is used for these: of sites on which men stand that are named outright, more is known.
    fn summary_of(&self, function: FnId, args: &[Expr], scope: &Scope) -> Option<Summary> {
        let site = |arg: &Expr| *arg.ty.element() == Ty::Site;
        let stand = |arg: &Expr| if site(arg) { self.restricted(arg, scope) } else { Standing::default() };
        let stands: Vec<Standing> = args.iter().map(stand).collect();
        let def = self.game.functions.get(function).filter(|def| !def.told);
        let Some(def) = def.filter(|_| stands.iter().any(|stands| *stands != Standing::default())) else {
            return self.summary(function, &scope.fresh);
        };
        let key = (function, stands, scope.fresh.clone());
        if let Some(known) = self.standing.borrow().get(&key) {
            return Some(known.clone());
        }
        let mut inner = self.parameters(&def.params);
        for (param, stands) in def.params.iter().zip(&key.1) {
            inner.stand(*param, stands.clone());
        }
        let known = self.summarized(inner, &def.body, &scope.fresh);
        self.standing.borrow_mut().insert(key, known.clone());
        Some(known)
    }

    fn summarized(&self, mut scope: Scope, body: &Expr, fresh: &Fresh) -> Summary {
        scope.fresh = fresh.clone();
        Summary { value: self.value(body, &scope), number: self.number(body, &scope) }
    }

    /// Parameters that stand for themselves.
    fn parameters(&self, params: &[Slot]) -> Scope {
        let mut scope = Scope::default();
        for &param in params {
            let placeholder = |source| Knowledge::of(source, Viewers::Undecided);
            scope.bind(
                param,
                Name {
                    value: placeholder(Source::Value(param)),
                    number: placeholder(Source::Number(param)),
                    who: self.named(param),
                    ..Name::default()
                },
            );
        }
        scope
    }

    /// Who sees a thing must not depend on what is hidden.
    fn sights(&mut self) {
        let game = self.game;
        let seen = |params: &[Slot], sight: &Sight, analysis: &Self| {
            let mut scope = Scope::default();
            for &param in params {
                scope.bind(param, Name::public(analysis.named(param)));
            }
            if let Sight::Seats(seats) = sight { analysis.value(seats, &scope) } else { Knowledge::public() }
        };
        let zones = game.zones.iter().flat_map(|zone| zone.sights().map(move |sight| (zone, sight)));
        let zones = zones.map(|(zone, sight)| (zone.rule, seen(&zone.params, sight, self)));
        let kinds = game.kinds.iter().map(|kind| (kind.rule, seen(&[kind.it], &kind.sight, self)));
        let owners = game.kinds.iter().map(|kind| (kind.rule, seen(&[kind.it], &kind.owner_sight, self)));
        let vars = game.vars.iter().map(|var| (RuleId::default(), seen(&var.params, &var.sight, self)));
        let all: Vec<(RuleId, Knowledge)> = zones.chain(kinds).chain(owners).chain(vars).collect();
        for (rule, known) in all {
            self.everybody(rule, Channel::Sight, &known);
        }
    }

    /// What is not known of the pieces on boards: those of the hidden kinds among these.
    fn unseen(&self, among: impl Fn(usize) -> bool, owner: Option<Who>) -> Knowledge {
        let secret = |(kind, info): &(KindId, &Kind)| {
            let viewers = self.sure_viewers(&info.sight, owner);
            viewers.map(|viewers| Secret { source: Source::Kind(*kind), viewers })
        };
        self.hidden.iter().filter(|(kind, _)| among((*kind).into())).filter_map(secret).collect()
    }

    /// What is not known of whose the pieces of these kinds are.
    fn unowned(&self, among: impl Fn(usize) -> bool, owner: Option<Who>) -> Knowledge {
        let secret = |(kind, info): &(KindId, &Kind)| {
            let viewers = self.sure_viewers(&info.owner_sight, owner);
            viewers.map(|viewers| Secret { source: Source::Kind(*kind), viewers })
        };
        self.unowned.iter().filter(|(kind, _)| among((*kind).into())).filter_map(secret).collect()
    }

    /// Whether a field of pieces on boards shows itself: what can be seen of a piece is decided by it.
    fn shows_itself(&self, field: &str) -> bool {
        let has = |kind: &Kind| kind.fields.iter().any(|other| other.name == field);
        self.hidden.iter().all(|(_, kind)| !has(kind) || sight::decides(&kind.sight, kind.it, field))
    }
}
