//! Bots at the seats of many games.

use std::sync::Arc;

use super::{Evaluation, Spec};
use crate::measure::Seating;
use crate::model::Engine;
use crate::play::{Bot, Stream};

/// Bots by seat; seats without one, and those of `random`, are played at random.
#[derive(Clone, Debug)]
pub struct Seated {
    specs: Vec<Spec>,
    evaluation: Arc<Evaluation>,
}

impl Seated {
    /// Bots in turn order. `evaluation` is that of the game, if any of them uses it.
    #[must_use]
    pub fn new(specs: Vec<Spec>, evaluation: Arc<Evaluation>) -> Self {
        Self { specs, evaluation }
    }

    /// Bots for an engine, with its evaluation.
    #[must_use]
    pub fn on(engine: &dyn Engine, specs: Vec<Spec>) -> Self {
        let looks = specs.iter().any(|spec| spec.evaluates());
        Self::new(specs, Arc::new(if looks { Evaluation::new(engine) } else { Evaluation::blind(engine) }))
    }
}

impl Seating for Seated {
    fn bot<'a>(&'a self, engine: &'a dyn Engine, seat: usize, dice: Stream) -> Option<Box<dyn Bot + 'a>> {
        let spec = self.specs.get(seat).copied().filter(|spec| *spec != Spec::Random)?;
        Some(spec.bot(engine, &self.evaluation, dice))
    }
}
