//! Who may know a value: worked out for every name and definition when a game is checked, part of the typed rules.
//!
//! What is known of a value is the set of [`Secret`]s that it is worked out from; a seat may know the value if it sees
//! every one of them. The sets are a lattice: the union of two is what is worked out from both, and the empty set is what
//! everybody knows.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{ActionRef, BlockId, Expr, ExprKind, KindId, RuleId, SeatId, Slot, StmtKind, VarId, ZoneId};

/// A seat as far as the rules alone tell which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    /// The seat that acts.
    Me,
    /// The seat whose turn it is.
    Mover,
    /// Some seat other than the one that acts.
    NotMe,
    /// This seat.
    Seat(SeatId),
    /// The seat that a local name stands for.
    Name(Slot),
}

/// Who sees something that not everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Viewers {
    /// Nobody.
    Nobody,
    /// Whoever they are, it is not known before play: it is taken to be hidden from everybody.
    Undecided,
    /// These seats.
    These(BTreeSet<Who>),
    /// All seats but this one.
    Others(Who),
}

/// What is not seen by everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A variable.
    Var(VarId),
    /// The pieces of a zone.
    Zone(ZoneId),
    /// How many pieces a zone holds.
    Count(ZoneId),
    /// In which order the pieces of a zone lie, where they are listed.
    Order(ZoneId),
    /// Which piece of a zone lies where in that order.
    Place(ZoneId),
    /// Which pieces stand on the boards: those of this kind are not seen by all.
    Kind(KindId),
    /// What was chosen or rolled.
    Choice(Slot),
    /// Earlier positions, and positions that a move would lead to.
    Elsewhere,
    /// The value of a parameter of a definition, to be replaced where the definition is used.
    Value(Slot),
    /// The number of members of such a parameter.
    Number(Slot),
}

/// Something that not everybody sees, and who does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Secret {
    /// What it is.
    pub source: Source,
    /// Who sees it.
    pub viewers: Viewers,
}

/// Who may know a value: whoever sees each of these, in order. Everybody, if there are none.
///
/// Every name and place has such a set in every scope, and most of them are the same: so they are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Knowledge(Option<Arc<[Secret]>>);

impl Knowledge {
    /// What everybody may know.
    #[must_use]
    pub fn public() -> Self {
        Self::default()
    }

    /// What only those may know who see this.
    #[must_use]
    pub fn of(source: Source, viewers: Viewers) -> Self {
        std::iter::once(Secret { source, viewers }).collect()
    }

    fn list(&self) -> &[Secret] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether everybody may know it.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.list().is_empty()
    }

    /// What is worked out from both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// The same, in place.
    pub fn add(&mut self, other: &Self) {
        if other.is_within(self) {
            return;
        }
        if self.is_within(other) {
            self.clone_from(other);
            return;
        }
        *self = self.list().iter().chain(other.list()).cloned().collect();
    }

    fn is_within(&self, other: &Self) -> bool {
        let all = other.list();
        std::ptr::eq(self.list(), all) || self.list().iter().all(|secret| all.binary_search(secret).is_ok())
    }

    /// The same of something that is worked out from a list in its order, and is no such list itself.
    #[must_use]
    pub fn placed(self) -> Self {
        let placed = |secret: &Secret| {
            let source = if let Source::Order(zone) = secret.source { Source::Place(zone) } else { secret.source };
            Secret { source, viewers: secret.viewers.clone() }
        };
        if self.has_order() { self.list().iter().map(placed).collect() } else { self }
    }

    /// The same of each piece of a list, whichever comes first.
    #[must_use]
    pub fn unordered(self) -> Self {
        let lasting = |secret: &&Secret| !matches!(secret.source, Source::Order(_));
        if self.has_order() { self.list().iter().filter(lasting).cloned().collect() } else { self }
    }

    fn has_order(&self) -> bool {
        self.list().iter().any(|secret| matches!(secret.source, Source::Order(_)))
    }

    /// What it is worked out from.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.list().iter()
    }
}

impl FromIterator<Secret> for Knowledge {
    fn from_iter<T: IntoIterator<Item = Secret>>(secrets: T) -> Self {
        let mut all: Vec<Secret> = secrets.into_iter().collect();
        all.sort();
        all.dedup();
        Self((!all.is_empty()).then(|| all.into()))
    }
}

/// What the rules let somebody find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// What can be chosen.
    Choice,
    /// A condition that decides what is legal.
    Guard,
    /// What is rolled from.
    Roll,
    /// That a question is asked, and of whom.
    Question,
    /// How the game goes on.
    Course,
    /// That the game ends.
    End,
    /// The result.
    Result,
    /// The value of a variable.
    Var(VarId),
    /// Where pieces and tokens are, and how many.
    Places,
    /// Which pieces they are.
    Pieces,
    /// Who sees something.
    Sight,
}

/// Whom it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Audience {
    /// The seat that is asked.
    Asked,
    /// Whoever sees what is changed.
    Viewers,
    /// Everybody.
    Everybody,
}

/// A place where the rules tell a seat what it does not see.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Disclosure {
    /// The rule that tells.
    pub rule: RuleId,
    /// By what.
    pub channel: Channel,
    /// Whom.
    pub audience: Audience,
    /// What it tells.
    pub source: Source,
}

/// Who may know what, in one game.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeTable {
    /// For each local name, what its value is worked out from, wherever statements and actions bind it. Here, for blocks and for
    /// pieces nothing counts as `told`: that marks what everybody may know, and shows it to nobody.
    pub names: Vec<Option<Knowledge>>,
    /// For each block, what decides whether and how often it runs.
    pub blocks: Vec<Knowledge>,
    /// Where the rules tell what is hidden, by place.
    pub disclosures: Vec<Disclosure>,
    /// Whether all seats see everything that the cues depend on, so that the position tells each of them the same.
    pub cues_are_seen: bool,
    /// Whether it took too much work to find out, so that the rest means nothing.
    pub unfinished: bool,
    /// What statements put or set of pieces that not everybody knows: the block and the number of the statement, and the
    /// number of the field, or none for the kind or the owner.
    pub veiled: BTreeSet<(BlockId, usize, Option<usize>)>,
    /// What may let somebody find something out by being run.
    pub revealing: Revealing,
}

/// What may let somebody find something out, whatever lies hidden: it is worked out from the rules alone, so that nothing
/// can be told from it about the position. All lists are empty for games of perfect information.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revealing {
    /// For each definition, whether `told` stands in it or in one that it uses.
    pub functions: Vec<bool>,
    /// The same of each path.
    pub paths: Vec<bool>,
    /// For each local name, whether `told` stands in what it is bound to: everybody may know that, but nothing shows it.
    pub names: Vec<bool>,
    /// For each block, whether it or a block in it tells something, moves or shows pieces, or asks.
    pub blocks: Vec<bool>,
    /// For each block, whether it or a block in it tells something.
    pub telling: Vec<bool>,
    /// For each action, whether what can be chosen or what must hold tells something.
    pub heads: Vec<bool>,
    /// For each action, whether not everybody knows if it can be played.
    pub guarded: Vec<bool>,
    /// Whether an end tells something, or who sees a thing.
    pub always: bool,
}

impl KnowledgeTable {
    /// Whether not everybody may know the value of a local name. So it is if nothing is known of the name.
    #[must_use]
    pub fn is_private(&self, name: Slot) -> bool {
        !matches!(self.names.get(usize::from(name)), Some(Some(known)) if known.is_public())
    }

    /// Whether everybody may know that a block runs, and how often.
    #[must_use]
    pub fn runs_openly(&self, block: BlockId) -> bool {
        self.blocks.get(usize::from(block)).is_some_and(Knowledge::is_public)
    }
}

impl Revealing {
    /// Whether an action is in one of the lists; one that is not among the actions of the game counts.
    #[must_use]
    pub fn asks_for(&self, list: &[bool], action: &ActionRef) -> bool {
        match action {
            ActionRef::Action(action) | ActionRef::Race(action) => {
                list.get(usize::from(*action)).is_none_or(|found| *found)
            }
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => false,
        }
    }

    /// Whether one of the expressions of a statement tells something.
    #[must_use]
    pub fn says(&self, kind: &StmtKind) -> bool {
        let mut tells = false;
        kind.exprs(&mut |expr| tells |= self.tells(expr));
        tells
    }

    /// Whether an expression may tell something.
    #[must_use]
    pub fn tells(&self, expr: &Expr) -> bool {
        let of = |list: &[bool], at: usize| list.get(at).is_some_and(|tells| *tells);
        let mut tells = false;
        if let ExprKind::Call(function, _) = &expr.kind {
            tells = of(&self.functions, usize::from(*function));
        }
        if let ExprKind::Path(path, ..) = &expr.kind {
            tells |= of(&self.paths, usize::from(*path));
        }
        if let ExprKind::Slot(slot) = &expr.kind {
            tells |= of(&self.names, usize::from(*slot));
        }
        if let ExprKind::CanPlay(_, actions) = &expr.kind {
            tells |= actions.iter().any(|action| self.asks_for(&self.heads, action));
        }
        expr.children(&mut |part, _| tells |= self.tells(part));
        tells
    }
}
