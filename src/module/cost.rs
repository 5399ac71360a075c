//! What a decision takes, in instructions: whatever it runs is counted, so that no shape of rules takes long before it is
//! stopped. Each round of a loop counts its instructions when it begins, and so does each function, each stretch of the
//! course and each long arm of a condition; a short arm counts with what stands around it, as if it were always taken.

use wasm_encoder::{BlockType, Function, Instruction as I};

use super::func::{Func, Item, Label, Spot};
use crate::base::SaturatingFrom;

/// How many instructions a decision may take.
pub(super) const FUEL: i64 = 6_000_000_000;

/// The global that holds how many are left.
pub(super) const LEFT: u32 = 0;

/// An arm of fewer instructions is counted with what stands around it.
const SHORT: u32 = 256;

/// A function that calls no other and has no more instructions is counted by those that call it, as so many.
const CALL: u32 = 128;

/// A loop of few rounds, each of no more instructions, counts for so many rounds with what stands around it.
const ROUND: u32 = 24;
const ROUNDS: u32 = 16;

/// How many instructions a division takes as long as.
const DIVISION: u32 = 16;

/// What an open structure does with what it encloses; a block does it once, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structure {
    Loop,
    /// A loop of few rounds.
    Few,
    Arms,
}

/// An open loop or condition: where it counts what it encloses, what had not been counted before it began, and the longest
/// of its arms so far that was not counted by itself.
#[derive(Debug)]
struct Open {
    structure: Structure,
    at: Spot,
    before: u32,
    most: u32,
    /// Whether it is found out in each round of a loop whether something is left.
    stops: bool,
}

/// What of a function is not counted yet.
#[derive(Debug, Default)]
pub(super) struct Cost {
    pending: u32,
    open: Vec<Option<Open>>,
    /// How often others are called.
    pub(super) calls: u32,
    /// Whether the host calls it, so that what was taken before does not matter.
    pub(super) begins: bool,
}

/// How many instructions an item counts for.
pub(super) fn weight(item: &Item) -> u32 {
    match item {
        Item::Is(I::I64DivS | I::I64DivU | I::I64RemS | I::I64RemU) => DIVISION,
        Item::Is(I::Call(_)) => CALL,
        Item::Is(_) | Item::Goto(..) | Item::PlaceOf(_) | Item::Note(_) | Item::Forget(_) => 1,
        Item::Cost(_) | Item::Stop(_) => 0,
    }
}

impl Func {
    pub(super) fn depth(&self) -> u32 {
        u32::saturating_from(self.cost.open.len())
    }

    /// What has been written takes as long as so many instructions. They are counted where the structure begins in which they
    /// stand: behind them, a branch may lead elsewhere.
    pub(super) fn weigh(&mut self, instructions: u32) {
        self.cost.pending = self.cost.pending.saturating_add(instructions);
    }

    /// A structure has been opened: a block, or another one.
    pub(super) fn opened(&mut self, structure: Option<Structure>) -> Label {
        let open = structure.map(|structure| {
            let before = std::mem::take(&mut self.cost.pending);
            Open { structure, at: self.counted_here(), before, most: 0, stops: false }
        });
        self.cost.open.push(open);
        Label(self.depth())
    }

    /// The other arm of a condition begins.
    pub(super) fn other_arm(&mut self) {
        if let Some(Some(open)) = self.cost.open.pop() {
            let most = self.arm_ends(&open);
            let at = self.counted_here();
            self.cost.open.push(Some(Open { at, most, ..open }));
        }
    }

    /// The innermost structure ends.
    pub(super) fn closed(&mut self) {
        if let Some(Some(open)) = self.cost.open.pop() {
            self.cost.pending = open.before.saturating_add(self.arm_ends(&open));
        }
    }

    /// Counts what an arm or a round of a loop takes where it begins; what is left to count of it, or of a longer arm, outside.
    fn arm_ends(&mut self, open: &Open) -> u32 {
        let pending = std::mem::take(&mut self.cost.pending);
        match open.structure {
            Structure::Arms if pending <= SHORT => return open.most.max(pending),
            Structure::Few if pending <= ROUND && !open.stops => return pending * ROUNDS,
            Structure::Arms | Structure::Loop | Structure::Few => {}
        }
        self.count(open.at, pending);
        open.most
    }

    /// Stops with a trap where a decision has taken all it may; what a round of a loop takes is counted there as well.
    pub(super) fn stop_if_spent(&mut self) {
        let at = self.here();
        self.add(Item::Stop(0));
        if let Some(Some(open)) = self.cost.open.last_mut()
            && open.structure != Structure::Arms
            && !open.stops
        {
            (open.at, open.stops) = (at, true);
        }
    }

    /// What the last stretch takes is counted where it begins.
    pub(super) fn stretch_ends(&mut self) {
        let pending = std::mem::take(&mut self.cost.pending);
        self.count(self.beginning(), pending);
    }

    /// Counts what a function takes that is not counted yet, unless those that call it do.
    pub(super) fn function_ends(&mut self) {
        // Locals are set to 0 when it begins.
        self.weigh(u32::saturating_from(self.locals.len() / 4));
        if self.cost.calls > 0 || self.len() > CALL as usize {
            self.stretch_ends();
        }
    }

    /// A place at which something is counted that is known later.
    fn counted_here(&mut self) -> Spot {
        let at = self.here();
        self.add(Item::Cost(0));
        at
    }

    fn count(&mut self, at: Spot, instructions: u32) {
        if let Some(Item::Cost(counted) | Item::Stop(counted)) = self.item_at(at) {
            *counted = counted.saturating_add(instructions);
        }
    }
}

/// What stands before all else in a function: what the host calls may take as much as a decision; in others it is found out
/// whether there is something left of that, unless they only do what those that call them count.
pub(super) fn begin(function: &mut Function, cost: &Cost) {
    if cost.begins {
        function.instruction(&I::I64Const(FUEL)).instruction(&I::GlobalSet(LEFT));
    } else if cost.calls > 1 {
        stop(function, 0);
    }
}

/// Counts so many instructions.
pub(super) fn count(function: &mut Function, instructions: u32) {
    if instructions > 0 {
        function.instruction(&I::GlobalGet(LEFT)).instruction(&I::I64Const(instructions.into()));
        function.instruction(&I::I64Sub).instruction(&I::GlobalSet(LEFT));
    }
}

/// Counts so many instructions, and stops with a trap where a decision has taken all it may.
pub(super) fn stop(function: &mut Function, instructions: u32) {
    count(function, instructions);
    function.instruction(&I::GlobalGet(LEFT)).instruction(&I::I64Const(0)).instruction(&I::I64LtS);
    function.instruction(&I::If(BlockType::Empty)).instruction(&I::Unreachable).instruction(&I::End);
}
