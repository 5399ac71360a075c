//! Games that are moved on in place, each with what it draws from.

use std::sync::Arc;

use regelwerk::ir::{Asked, Game, SeatId, StmtKind};
use regelwerk::model::{Ask, Engine, Outcome, Run, Verdict, Viewer};
use regelwerk::play::Stream;
use self_cell::self_cell;

use super::numbering::Overflow;
use super::rules::Tables;

/// The most consecutive questions without one to a learner; rules that exceed it never ask.
const QUESTIONS: usize = 1_000_000;

/// Who may be asked in a game, as words.
pub(crate) fn asks(game: &Game) -> Vec<&'static str> {
    let stmts = || game.blocks.iter().flat_map(|block| &block.stmts).map(|stmt| &stmt.kind);
    let any = |wanted: fn(&StmtKind) -> bool| stmts().any(wanted);
    let words = [
        ("choose", any(|kind| matches!(kind, StmtKind::Plays { .. }))),
        ("pick", any(|kind| matches!(kind, StmtKind::Pick(..)))),
        ("together", any(|kind| matches!(kind, StmtKind::Together { .. }))),
        ("race", any(|kind| matches!(kind, StmtKind::Race { .. }))),
        ("chance", any(|kind| kind.asks() == Some(Asked::Chance))),
    ];
    words.into_iter().filter(|(_, is)| *is).map(|(word, _)| word).collect()
}

/// What an outcome is worth to each seat, from -1 to 1.
pub(crate) fn returns(outcome: &Outcome) -> Vec<f32> {
    let worth = |verdict: &Verdict| match verdict {
        Verdict::Win => 1.0,
        Verdict::Loss => -1.0,
        Verdict::Draw | Verdict::Open => 0.0,
    };
    let verdicts = &outcome.verdicts;
    // All win or lose together, or play alone.
    if !outcome.decided() || verdicts.windows(2).all(|pair| pair[0] == pair[1]) {
        return verdicts.iter().map(worth).collect();
    }
    let place = |rank: &u8| if *rank == 0 { u8::MAX } else { *rank };
    let others = f32::from(u8::try_from(verdicts.len() - 1).unwrap_or(u8::MAX));
    let each = outcome.ranks.iter().map(|rank| {
        let signs = outcome.ranks.iter().map(|other| match place(other).cmp(&place(rank)) {
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 1.0,
        });
        signs.sum::<f32>() / others
    });
    each.collect()
}

/// What seats get at the end of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Worth {
    Outcome,
    Scores,
}

impl Worth {
    fn of(self, outcome: &Outcome) -> Vec<f32> {
        #[expect(clippy::cast_precision_loss, reason = "rewards are single-precision numbers")]
        let number = |score: &i64| *score as f32;
        match self {
            Self::Scores if !outcome.scores.is_empty() => outcome.scores.iter().map(number).collect(),
            Self::Outcome | Self::Scores => returns(outcome),
        }
    }
}

/// One of the games.
pub(crate) struct One<'a> {
    pub(crate) run: Box<dyn Run + 'a>,
    pub(crate) dice: Stream,
    /// Draws for `sample`.
    pub(crate) sampling: Stream,
    /// The numbers of the legal actions.
    pub(crate) legal: Vec<usize>,
    pub(crate) questions: u64,
}

pub(crate) type Many<'a> = Vec<One<'a>>;

self_cell!(
    /// Games together with what runs them.
    pub(crate) struct Games {
        owner: Arc<dyn Engine>,
        #[not_covariant]
        dependent: Many,
    }
);

/// What games have in common.
pub(crate) struct Common {
    pub(crate) rules: regelwerk::Rules,
    pub(crate) tables: Tables,
    pub(crate) cap: u32,
    /// The seat that learns, if the others are played at random.
    pub(crate) learner: Option<SeatId>,
    pub(crate) worth: Worth,
    pub(crate) seats: usize,
}

/// Where a game is written.
pub(crate) struct Row<'r> {
    pub(crate) observation: &'r mut [f32],
    pub(crate) last: &'r mut [f32],
    pub(crate) mask: &'r mut [bool],
    pub(crate) rewards: &'r mut [f32],
    pub(crate) to_move: &'r mut i64,
    pub(crate) terminated: &'r mut bool,
    pub(crate) truncated: &'r mut bool,
}

impl One<'_> {
    /// Plays chance, and the seats that do not learn, up to the next question to one that does.
    fn advance(&mut self, common: &Common) {
        for _ in 0..QUESTIONS {
            match (self.run.ask(), common.learner) {
                (Ask::Over, _) | (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }, None) => return,
                (Ask::Choose { seat, .. } | Ask::Pick { seat, .. }, Some(learner)) if seat == learner => return,
                (Ask::Chance { .. } | Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }, _) => {
                    let count = self.run.count();
                    if count == 0 || self.run.ply() >= common.cap {
                        return;
                    }
                    let chosen = self.dice.below(count);
                    self.run.play_nth(chosen);
                }
            }
        }
    }

    pub(crate) fn restart(&mut self, common: &Common) {
        self.run.restore();
        self.questions = 0;
        self.advance(common);
    }

    /// Whether it is to be stopped undecided.
    fn is_stopped(&mut self, common: &Common) -> bool {
        self.run.ply() >= common.cap || self.questions >= u64::from(common.cap) * 64 || self.run.count() == 0
    }

    /// Plays an action and writes what it led to. A game that ends is followed by the next at once.
    pub(crate) fn step(&mut self, common: &Common, action: usize, row: &mut Row<'_>) -> Result<(), Overflow> {
        if let Some(n) = self.legal.iter().position(|number| *number == action) {
            self.run.play_nth(n);
            self.questions += 1;
            self.advance(common);
        }
        row.rewards.fill(0.0);
        let over = self.run.outcome().map(|outcome| common.worth.of(outcome));
        *row.terminated = over.is_some();
        *row.truncated = over.is_none() && self.is_stopped(common);
        if let Some(worth) = over {
            row.rewards.iter_mut().zip(worth).for_each(|(place, worth)| *place = worth);
        }
        for _ in 0..QUESTIONS {
            if self.run.outcome().is_none() && !self.is_stopped(common) {
                break;
            }
            if *row.terminated || *row.truncated {
                let me = common
                    .learner
                    .or_else(|| SeatId::all(common.seats).nth(usize::try_from(*row.to_move).unwrap_or_default()));
                self.see(common, me.unwrap_or(SeatId::FIRST), row.last);
            }
            self.restart(common);
        }
        self.write(common, row)
    }

    /// Writes what a seat sees.
    fn see(&self, common: &Common, me: SeatId, into: &mut [f32]) {
        let engine = common.rules.engine();
        into.fill(0.0);
        let features = &common.tables.features;
        if engine.game().has_perfect_information() {
            features.write(&self.run.visible(), usize::from(me), into);
        } else {
            // Who sees what may depend on anything.
            let seen = engine.explain().observation(&self.run.position(), Viewer::Seat(me));
            features.write(&seen, usize::from(me), into);
        }
    }

    /// Writes what the seat to move sees and may do.
    pub(crate) fn write(&mut self, common: &Common, row: &mut Row<'_>) -> Result<(), Overflow> {
        for number in self.legal.drain(..) {
            if let Some(place) = row.mask.get_mut(number) {
                *place = false;
            }
        }
        let ask = self.run.ask();
        let seat = match ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => None,
        };
        *row.to_move = seat.map_or(-1, i64::from);
        let mut used = Vec::new();
        let (legal, mut numbered) = (&mut self.legal, Ok(()));
        self.run.each_legal(&mut |mv| match common.tables.numbering.number(&ask, mv, &mut used) {
            Ok(number) => {
                legal.push(number);
                if let Some(place) = row.mask.get_mut(number) {
                    *place = true;
                }
            }
            Err(overflow) => numbered = Err(overflow),
        });
        numbered?;
        self.see(common, seat.unwrap_or(SeatId::FIRST), row.observation);
        Ok(())
    }
}
