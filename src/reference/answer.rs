//! Answers other than moves: claims and offers.

use super::machine::Machine;
use crate::base::Bits;
use crate::ir::SeatId;
use crate::model::{Answer, Ask, Frame};

impl Machine<'_> {
    /// Plays a claim or offer; unless the game ends, the same question is asked again.
    pub(super) fn apply_answer(&mut self, answer: &Answer) {
        let walker = self.walker;
        match answer {
            Answer::Claim { claim, seat, args } => {
                if let Some(claim) = walker.game.claims.get(*claim) {
                    self.end = Some(claim.action.rule);
                    self.interject(*seat);
                    self.enter(&claim.action, args);
                    self.run();
                }
            }
            Answer::Offer { offer, seat } => {
                let playing = self.pos.playing();
                let Some(agreed) = self.pos.offers.get_mut(usize::from(*offer)) else {
                    return;
                };
                agreed.insert(usize::from(*seat));
                if playing.within(agreed) {
                    *agreed = Bits::new();
                    if let Some(offer) = walker.game.offers.get(*offer) {
                        self.end = Some(offer.rule);
                        self.interject(*seat);
                        self.pos.control.push(Frame::Block(offer.body, 0));
                        self.run();
                    }
                }
            }
        }
    }

    fn interject(&mut self, seat: SeatId) {
        let ask = std::mem::replace(&mut self.pos.ask, Ask::Over);
        self.pos.control.push(Frame::Ask(ask));
        self.pos.control.push(Frame::Actor(self.pos.actor));
        self.pos.actor = Some(seat);
    }
}
