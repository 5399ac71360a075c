//! The game as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::arena::Arena;
use super::board::{Site, Topology};
use super::clause::ClauseTable;
use super::expr::{Expr, FnDef, Lookup};
use super::head::Header;
use super::history_use::Part;
use super::id::{
    ActionId, BlockId, ClaimId, EnumId, FnId, KindId, OfferId, PartId, PathId, PhaseId, RuleId, SeatId, Slot, TableId,
    TokenId, VarId, ZoneId,
};
use super::knowledge::KnowledgeTable;
use super::later::Later;
use super::lexicon::Lexicon;
use super::liveness::Liveness;
use super::path::PathDef;
use super::piece::{Kind, Piece, Tokens};
use super::stmt::Block;
use super::value::{Ty, Value};
use super::zone::{Cue, Sight, Zone};
use crate::base::{Bits, Span};

/// A seat that takes part.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Its name in the rules.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// How its pieces are drawn.
    pub symbol: String,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumInfo {
    /// Its name.
    pub name: String,
    /// Its members: name and title.
    pub members: Vec<(String, String)>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// Its name.
    pub name: String,
    /// Its indices: their types and how many values each has.
    pub indices: Vec<(Ty, usize)>,
    /// Its type.
    pub ty: Ty,
    /// Its name for people; empty if it is not shown.
    pub title: String,
    /// Its first value.
    pub init: Value,
    /// Whether it is ignored when positions are compared for repetition.
    pub record: bool,
    /// Who sees it.
    pub sight: Sight,
    /// The local names of its indices, used by its sight.
    pub params: Vec<Slot>,
}

/// A local name.
#[derive(Clone, Debug)]
pub struct SlotInfo {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// The kind of construct a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// A line that states a fact: players, board, option, piece.
    Fact,
    /// A value that is worked out where it is asked for: a definition, a region, a row of a table.
    Definition,
    /// Statements that run where they are called: a procedure, the setup.
    Procedure,
    /// A path or a part of one.
    Path,
    /// An action or claim.
    Action,
    /// The values of a parameter.
    Choose,
    /// A guard.
    Guard,
    /// A statement.
    Statement,
    /// An end condition.
    End,
    /// An invariant.
    Invariant,
}

/// A rule that a verdict can name.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name, or the name of the item it belongs to.
    pub name: String,
    /// The title of the result it brings about, if it states one.
    pub title: Option<String>,
    /// Its place in the source.
    pub span: Span,
    /// The ids of the clauses it implements.
    pub clauses: Vec<String>,
}

/// An action of a seat.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Parameters and guards in order.
    pub head: Vec<Header>,
    /// The effects.
    pub body: BlockId,
    /// Guards on the position after the effects.
    pub ensure: Vec<(Expr, RuleId)>,
    /// Whether another action has parameters of the same types, so that a move's text must include the action's name.
    pub named: bool,
    /// The rule.
    pub rule: RuleId,
}

/// A claim: an answer other than a move, not a ply.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Guards and effects.
    pub action: Action,
    /// Whether seats that are not to act may make it.
    pub by_any: bool,
}

/// An offer: something all seats can agree on.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The effects once all seats agree.
    pub body: BlockId,
    /// The rule.
    pub rule: RuleId,
}

/// When an end condition is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before a seat's turn.
    BeforeTurn,
    /// After a move.
    AfterMove,
    /// After a turn.
    AfterTurn,
}

/// An end condition.
#[derive(Clone, Debug)]
pub struct EndRule {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// When it is tested.
    pub moment: Moment,
    /// The condition.
    pub when: Expr,
    /// The effects.
    pub body: BlockId,
    /// The rule.
    pub rule: RuleId,
}

/// A condition that holds in every position.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// The condition.
    pub holds: Expr,
    /// The rule.
    pub rule: RuleId,
}

/// A figure that is asked of games and is no part of the rules: the value of an expression.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The expression as written.
    pub text: String,
    /// Whether it is read at the beginning of each turn instead of at the end of the game.
    pub by_turn: bool,
    /// A number or a condition.
    pub value: Expr,
}

/// A named set of sites, for drawing.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// The seat it belongs to.
    pub seat: Option<SeatId>,
    /// Its sites.
    pub sites: Bits,
}

/// A game, checked and fixed to one set of players, options, readings and variants.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The titles of its documents.
    pub documents: Vec<String>,
    /// The clauses a rule can cite.
    pub clauses: ClauseTable,
    /// The options and readings chosen: name and value.
    pub settings: Vec<(String, String)>,
    /// The variants chosen.
    pub variants: Vec<String>,
    /// The seats in turn order.
    pub seats: Arena<SeatId, Seat>,
    /// The seat that moves first.
    pub first: SeatId,
    /// The enumerations.
    pub enums: Arena<EnumId, EnumInfo>,
    /// The kinds of piece.
    pub kinds: Arena<KindId, Kind>,
    /// The counted tokens.
    pub tokens: Arena<TokenId, Tokens>,
    /// The boards.
    pub topology: Topology,
    /// The named regions.
    pub regions: Vec<Region>,
    /// The tables.
    pub lookups: Arena<TableId, Lookup>,
    /// The zones.
    pub zones: Arena<ZoneId, Zone>,
    /// When attentive seats intend to act.
    pub cues: Vec<Cue>,
    /// The variables.
    pub vars: Arena<VarId, VarInfo>,
    /// The local names.
    pub slots: Arena<Slot, SlotInfo>,
    /// The defined functions.
    pub functions: Arena<FnId, FnDef>,
    /// The paths.
    pub paths: Arena<PathId, PathDef>,
    /// The blocks.
    pub blocks: Arena<BlockId, Block>,
    /// The actions.
    pub actions: Arena<ActionId, Action>,
    /// The claims.
    pub claims: Arena<ClaimId, Claim>,
    /// The offers.
    pub offers: Arena<OfferId, Offer>,
    /// The end conditions in the order they are tested.
    pub ends: Vec<EndRule>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// What is asked of games besides the figures that every game has.
    pub measures: Vec<Measure>,
    /// The names of the phases.
    pub phases: Arena<PhaseId, String>,
    /// The setup.
    pub setup: BlockId,
    /// The course of play.
    pub play: BlockId,
    /// The rules that a verdict can name; number 0 is the game itself.
    pub rules: Arena<RuleId, Rule>,
    /// Whether rules look at earlier positions, so that a history must be kept.
    pub remembers: bool,
    /// The definitions and regions that cite clauses and were evaluated for facts: for a board, an option, a table.
    pub evaluated: BTreeSet<RuleId>,
    /// The same for each region: what its sites were worked out from.
    pub beneath: BTreeMap<RuleId, BTreeSet<RuleId>>,
    /// The parts of positions whose occurrences are counted.
    pub parts: Arena<PartId, Part>,
    /// How many of them the rules count; cases and measures ask for the others.
    pub own_parts: usize,
    /// Which local names are live where.
    pub liveness: Liveness,
    /// Who may know what.
    pub knowledge: KnowledgeTable,
    /// Where names are looked up.
    pub lexicon: Lexicon,
    /// Which acts of races may become legal by the passing of time alone.
    pub later: Later,
    /// A digest of the rules as resolved, to which records are pinned.
    pub digest: u64,
}

impl Game {
    /// The clauses that rules implement, each once; not those about other numbers of players or other variants.
    #[must_use]
    pub fn clauses_of(&self, rules: &[RuleId]) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for clause in rules.iter().filter_map(|rule| self.rules.get(*rule)).flat_map(|rule| &rule.clauses) {
            let only = self.clauses.clauses.get(clause).map(|clause| &clause.only);
            let applies = only.is_none_or(|only| only.includes(self.seats.len(), &self.variants));
            if applies && !found.contains(&clause.as_str()) {
                found.push(clause);
            }
        }
        found
    }

    /// Those of them that can forbid a move.
    #[must_use]
    pub fn forbidding(&self, rules: &[RuleId]) -> Vec<&str> {
        let mut found = self.clauses_of(rules);
        found.retain(|clause| self.clauses.forbids(clause));
        found
    }

    /// What the rules declare too many of to number, if anything.
    #[must_use]
    pub(crate) fn overfull(&self) -> Option<&'static str> {
        let tables = [
            (self.kinds.is_overfull(), "kinds of piece"),
            (self.lookups.is_overfull(), "tables"),
            (self.slots.is_overfull(), "local names"),
            (self.functions.is_overfull(), "definitions"),
            (self.paths.is_overfull(), "paths"),
            (self.blocks.is_overfull(), "blocks of statements"),
            (self.actions.is_overfull(), "actions"),
            (self.rules.is_overfull(), "rules"),
            (self.enums.is_overfull(), "enums"),
            (self.tokens.is_overfull(), "tokens"),
            (self.zones.is_overfull(), "zones"),
            (self.vars.is_overfull(), "variables"),
            (self.claims.is_overfull(), "claims"),
            (self.offers.is_overfull(), "offers"),
            (self.phases.is_overfull(), "phases"),
            (self.seats.is_overfull(), "seats"),
        ];
        tables.into_iter().find(|(overfull, _)| *overfull).map(|(_, what)| what)
    }

    /// The value of a piece's field; none if its kind has no such field.
    #[must_use]
    pub fn field_of(&self, piece: &Piece, name: &str) -> Option<i32> {
        let kind = self.kinds.get(piece.kind)?;
        let at = kind.fields.iter().position(|field| field.name == name)?;
        piece.fields.get(at).copied()
    }

    /// About how many bytes its tables and boards take in memory: what grows faster than the text that declares it. Tables
    /// are lowered as well.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let tables: usize = self.lookups.iter().map(|table| table.values.bytes(self.topology.sites.len())).sum();
        let steps: usize = self.topology.directions.iter().map(|direction| size_of_val(&*direction.step)).sum();
        tables + steps + self.topology.sites.len() * 2 * size_of::<Site>()
    }

    /// What records are pinned to: the digest of the resolved rules, as text. It is the same on every machine;
    /// comments, clauses and layout do not change it, but players, variants, readings, options and rules do.
    #[must_use]
    pub fn pin(&self) -> String {
        format!("{:016x}", self.digest)
    }
}
