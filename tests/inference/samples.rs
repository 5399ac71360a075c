//! What bots and refusals know, worked out by playing every game that a seat has been told the same of: the samples of its
//! information set must be the same in all of them, and so must be what it is told of why it may do something.

use std::collections::BTreeMap;

use regelwerk::model::{Ask, Engine, Viewer};
use regelwerk::play::{InformationSet, Match, Step, Stream, Who};

use super::{Sight, Watch};

/// At most so many courses of a game are followed at once.
const COURSES: usize = 24;

/// At most so many questions of a game are gone through.
const QUESTIONS: usize = 60;

/// How many samples are compared.
const SAMPLES: usize = 4;

impl Watch<'_> {
    /// All courses that follow, by what the viewer is told of the step.
    fn continued<'e>(&self, courses: &[Match<'e>], dice: &mut Stream) -> BTreeMap<String, Vec<Match<'e>>> {
        let mut found: BTreeMap<String, Vec<Match<'e>>> = BTreeMap::new();
        for course in courses {
            let mut legal = course.engine().legal(course.position());
            legal.dedup();
            // Of very many outcomes any few will do.
            while legal.len() > COURSES {
                legal.swap_remove(dice.below(legal.len()));
            }
            let own = course.asked().map(Viewer::Seat) == Some(self.viewer);
            for mv in legal {
                let known = own.then(|| mv.clone());
                let mut next = course.clone();
                next.play_unchecked(mv);
                let told = next.door(Who::Viewer(self.viewer)).events(course.steps().len(), next.steps().len());
                let all = found.entry(format!("{told:?} {known:?}")).or_default();
                if all.len() < COURSES {
                    all.push(next);
                }
            }
        }
        found
    }

    /// What bots of the seat that is asked would start from, and what it would be told of why it may do what it may.
    fn known(&self, game: &Match<'_>) -> Vec<String> {
        let Viewer::Seat(seat) = self.viewer else { return Vec::new() };
        let known = InformationSet::remembering(game, seat);
        let mut dice = Stream::new(1, "samples", 0);
        let mut found: Vec<String> = (0..SAMPLES).map(|_| format!("{:?}", known.determinize(&mut dice))).collect();
        let door = game.door(Who::Viewer(self.viewer));
        let legal = door.legal().open();
        found.extend(legal.into_iter().take(SAMPLES).map(|mv| format!("{:?}", door.grounds(&Step::Move(mv)).open())));
        found
    }

    /// Plays one game on at random and compares what is known in the courses that are the same to the viewer.
    pub(super) fn sampled(&self, dice: &mut Stream) -> Result<usize, String> {
        let mut courses = vec![Match::new(self.engine, self.engine.start())];
        let mut compared = 0;
        for _ in 0..QUESTIONS {
            if courses[0].is_over() {
                break;
            }
            let steps = self.continued(&courses, dice);
            if steps.is_empty() {
                break;
            }
            let at = dice.below(steps.len());
            let Some((_, next)) = steps.into_iter().nth(at) else { break };
            let chosen = dice.below(next.len());
            let sights: Vec<Sight> = next.iter().map(|game| self.sight(game.position())).collect();
            let looks = !matches!(next[chosen].ask(), Ask::Chance { .. });
            let same = |at: usize| {
                if looks { sights[at] == sights[chosen] } else { next[at].ask() == next[chosen].ask() }
            };
            let kept: Vec<bool> = (0..next.len()).map(same).collect();
            courses = next.into_iter().zip(kept).filter_map(|(game, kept)| kept.then_some(game)).collect();
            if courses[0].asked().map(Viewer::Seat) != Some(self.viewer) {
                continue;
            }
            let first = self.known(&courses[0]);
            for other in &courses[1..] {
                compared += 1;
                let found = self.known(other);
                if let Some((one, two)) = first.iter().zip(&found).find(|(one, two)| one != two) {
                    let texts = [&courses[0], other].map(Match::texts);
                    return Err(format!("{:?}: {texts:?}\n{one}\n{two}", self.viewer));
                }
            }
        }
        Ok(compared)
    }
}
