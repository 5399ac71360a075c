//! The identity of a position, as bytes.
//!
//! The encoding is prefix-free: a list begins with its length, an enum with its tag. So different states never give
//! the same bytes.

use super::run::Run;
use super::state::{AskAt, AskKind, Frame, Play};
use super::ways::spoken_of;
use crate::base::{Word, optional};
use crate::compile::program::{Counter, Home};
use crate::ir::ActionRef;
use crate::model::{EndMoment, Standing, StmtRef, TurnStage};

/// Variable-length integers: seven bits per byte.
struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn put(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n.to_le_bytes()[0] | 0x80);
            n >>= 7;
        }
        self.0.push(n.to_le_bytes()[0]);
    }

    /// Zigzag encoding: small numbers of either sign take one byte.
    fn signed(&mut self, n: i64) {
        self.put((n << 1 ^ n >> 63).cast_unsigned());
    }

    fn count(&mut self, n: usize) {
        self.put(n as u64);
    }

    fn maybe(&mut self, n: Option<impl Into<u64>>) {
        self.put(optional(n));
    }

    fn set<W: Word>(&mut self, set: W) {
        self.count(set.count());
        for member in set.iter() {
            self.count(member);
        }
    }

    fn numbers(&mut self, list: &[i64]) {
        self.count(list.len());
        for &n in list {
            self.signed(n);
        }
    }

    fn at(&mut self, (block, number): StmtRef) {
        self.put(u64::from(block));
        self.put(u64::from(number));
    }

    fn ask(&mut self, (kind, at, seat): AskAt) {
        self.put(match kind {
            AskKind::Choose => 0,
            AskKind::Pick => 1,
            AskKind::Race => 2,
            AskKind::Chance => 3,
            AskKind::Over => 4,
        });
        self.at(at);
        self.put(u64::from(seat));
    }

    fn play(&mut self, play: &Play) {
        let (kind, number) = match play.action {
            ActionRef::Action(number) => (0, u64::from(number)),
            ActionRef::Race(number) => (1, u64::from(number)),
            ActionRef::Wait => (2, 0),
            ActionRef::Pass => (3, 0),
            ActionRef::Decline => (4, 0),
            ActionRef::Pick => (5, 0),
        };
        self.put(kind);
        self.put(number);
        self.numbers(&play.args);
    }

    fn frame(&mut self, frame: Frame) {
        match frame {
            Frame::Block(block, next) => {
                self.put(0);
                self.at((block, next));
            }
            Frame::While(at) => {
                self.put(1);
                self.at(at);
            }
            Frame::Repeat(at, left) => {
                self.put(2);
                self.at(at);
                self.put(u64::from(left));
            }
            Frame::Each(at, left) => {
                self.put(3);
                self.at(at);
                self.put(u64::from(left));
            }
            Frame::Turns(at, stage) => {
                self.put(4);
                self.at(at);
                self.put(match stage {
                    TurnStage::Begin => 0,
                    TurnStage::Body => 1,
                    TurnStage::End => 2,
                    TurnStage::Pass => 3,
                });
            }
            Frame::Phase(before) => {
                self.put(5);
                self.maybe(before);
            }
            Frame::Played(before) => {
                self.put(6);
                self.maybe(before);
            }
            Frame::Actor(before) => {
                self.put(7);
                self.maybe(before);
            }
            Frame::Ends(moment, number) => {
                self.put(8);
                self.put(match moment {
                    EndMoment::BeforeTurn => 0,
                    EndMoment::AfterMove => 1,
                    EndMoment::AfterTurn => 2,
                });
                self.put(u64::from(number));
            }
            Frame::Shuffle(at, left) => {
                self.put(9);
                self.at(at);
                self.put(u64::from(left));
            }
            Frame::Together(at, left, chosen) => {
                self.put(10);
                self.at(at);
                self.put(left);
                self.put(u64::from(chosen));
            }
            Frame::Ask(ask) => {
                self.put(11);
                self.ask(ask);
            }
        }
    }
}

impl<W: Word> Run<'_, W> {
    /// Everything that the rest of the game can depend on. The lengths of fixed-length lists are known from the
    /// program and not written.
    pub(super) fn write_identity(&self, into: &mut Vec<u8>) {
        let state = &self.state;
        let counts = |counter| self.program.counters.contains(&counter);
        let mut out = Writer(into);
        for &piece in &state.sites {
            out.put(u64::from(piece));
        }
        for &count in &state.tokens {
            out.put(u64::from(count));
        }
        for list in &state.lists {
            out.count(list.len());
            for &piece in list {
                out.put(u64::from(piece));
            }
        }
        for &n in &state.vars {
            out.signed(n);
        }
        for &set in &state.var_sets {
            out.set(set);
        }
        for list in &state.var_lists {
            out.numbers(list);
        }
        for flags in state.bound.chunks(8) {
            out.put(flags.iter().fold(0, |bits, &bound| bits << 1 | u64::from(bound)));
        }
        // Stale values of unbound names are never read.
        for (_, home) in state.bound.iter().zip(&self.program.homes).filter(|(bound, _)| **bound) {
            match home {
                Home::Number(at) => out.signed(state.locals[usize::from(*at)]),
                Home::Set(at) => out.set(state.local_sets[usize::from(*at)]),
                Home::List(at) => out.numbers(&state.local_lists[usize::from(*at)]),
                Home::Nowhere => {}
            }
        }
        out.put(u64::from(state.mover));
        out.maybe(state.actor);
        out.put(u64::from(state.me));
        out.maybe(state.next_mover);
        out.maybe(state.phase);
        for standing in &state.standing {
            out.maybe(match standing {
                Standing::Playing => None,
                Standing::Ranked(rank) => Some(*rank),
            });
        }
        for agreed in &state.offers {
            out.count(agreed.iter().count());
            for seat in agreed.iter() {
                out.count(seat);
            }
        }
        out.count(state.control.len());
        for &frame in &state.control {
            out.frame(frame);
        }
        out.numbers(&state.members);
        out.count(state.secrets.len());
        for (seat, play) in &state.secrets {
            out.put(u64::from(*seat));
            out.play(play);
        }
        // A way's number is its index among the ways found so far, so its contents are written instead.
        for way in spoken_of(self.program, state) {
            let (to, taken) = self.ways.borrow().ends(way);
            out.put(u64::from(to));
            out.set(taken);
        }
        out.ask(state.ask);
        if counts(Counter::Ply) {
            out.put(u64::from(state.ply));
        }
        if counts(Counter::Turn) {
            out.put(u64::from(state.turn));
        }
        if counts(Counter::Now) {
            out.signed(state.now);
        }
        if counts(Counter::History) {
            out.count(state.history.len());
            for (ply, key, parts) in state.history.iter() {
                out.put(u64::from(ply));
                out.put(key);
                for &part in parts {
                    out.put(part);
                }
            }
        }
    }
}
