//! One function of the module while it is written: its code, its locals, and the structures that are open.

use smallvec::SmallVec;
use wasm_encoder::{BlockType, Instruction as I, MemArg, MemArgTarget, ValType};

use super::cost::{Cost, Structure, weight};
use crate::base::SaturatingFrom;

/// One machine word of a set: kept in a local, or known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Local(u32),
    Known(u64),
}

/// A set as machine words, the lowest first.
pub(super) type Parts = SmallVec<[Part; 2]>;

/// An open block or loop, by its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(pub(super) u32);

/// The address of something in memory.
pub(super) type Address = u32;

/// A stretch of the course between two questions, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch(pub(super) u32);

/// An instruction, or a jump whose depth is known once all stretches are written.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Is(I<'static>),
    /// To a stretch, from inside so many structures.
    Goto(Stretch, u32),
    /// The place of a stretch, as a constant.
    PlaceOf(Stretch),
    /// Where the lists made so far end is noted in a local, if that turns out to matter.
    Note(Option<u32>),
    /// Locals are set to 0, those that turn out to be needed.
    Forget(Vec<u32>),
    /// So many instructions are counted against what a decision may take (`cost.rs`).
    Cost(u32),
    /// So many instructions are counted, and the decision ends with a trap if it has taken all it may.
    Stop(u32),
}

/// A place in the code where locals are set to 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    stretch: usize,
    item: usize,
}

/// A place in the code where it is noted where the lists made so far end, and how many had been made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    at: Spot,
    made: usize,
}

/// A function being written.
#[derive(Debug)]
pub(super) struct Func {
    params: u32,
    pub(super) locals: Vec<ValType>,
    /// The stretches in the order in which they were begun; a plain function has one.
    pub(super) code: Vec<(Stretch, Vec<Item>)>,
    pub(super) stretches: u32,
    pub(super) cost: Cost,
    /// How many instructions have been written.
    written: usize,
    /// Whether a loop was closed or a function called since this was last cleared.
    pub(super) busy: bool,
    /// How many instructions have added to a list.
    pub(super) made: usize,
}

/// The global that holds where the lists made so far end.
pub(super) const TOP: u32 = 3;

impl Func {
    pub(super) fn new(params: u32) -> Self {
        Self {
            params,
            locals: Vec::new(),
            code: vec![(Stretch(0), vec![Item::Cost(0)])],
            stretches: 1,
            cost: Cost::default(),
            written: 0,
            busy: false,
            made: 0,
        }
    }

    /// How many instructions have been written.
    pub(super) fn len(&self) -> usize {
        self.written
    }

    fn push(&mut self, item: Item) {
        let weight = weight(&item);
        self.add(item);
        self.written += 1;
        self.weigh(weight);
    }

    /// Appends an item that is not counted.
    pub(super) fn add(&mut self, item: Item) {
        if let Some((_, items)) = self.code.last_mut() {
            items.push(item);
        }
    }

    /// A place where locals can be set to 0 later on.
    pub(super) fn spot(&mut self) -> Spot {
        let at = self.here();
        self.push(Item::Forget(Vec::new()));
        at
    }

    /// Where the last stretch begins.
    pub(super) fn beginning(&self) -> Spot {
        Spot { stretch: self.code.len() - 1, item: 0 }
    }

    /// The place where the next item will stand.
    pub(super) fn here(&self) -> Spot {
        let item = self.code.last().into_iter().map(|(_, items)| items.len()).sum();
        Spot { stretch: self.code.len() - 1, item }
    }

    pub(super) fn item_at(&mut self, at: Spot) -> Option<&mut Item> {
        self.code.get_mut(at.stretch)?.1.get_mut(at.item)
    }

    /// Sets a local, 32 bits, to 0 at a place before this one.
    pub(super) fn forgotten(&mut self, at: Spot, local: u32) {
        if let Some(Item::Forget(locals)) = self.item_at(at) {
            locals.push(local);
        }
    }

    /// Notes where the lists made so far end.
    pub(super) fn mark(&mut self) -> Mark {
        let mark = Mark { at: self.here(), made: self.made };
        self.push(Item::Note(None));
        mark
    }

    /// The local with what was noted; none if no list has been made since.
    pub(super) fn noted(&mut self, mark: Mark) -> Option<u32> {
        if self.made == mark.made {
            return None;
        }
        let fresh = self.small();
        let Item::Note(local) = self.item_at(mark.at)? else { return None };
        Some(*local.get_or_insert(fresh))
    }

    /// Gives up the lists that have been made since.
    pub(super) fn release(&mut self, mark: Mark) {
        if let Some(top) = self.noted(mark) {
            self.get(top).op(I::GlobalSet(TOP));
        }
    }

    /// Appends an instruction that opens and closes nothing.
    pub(super) fn op(&mut self, instruction: I<'static>) -> &mut Self {
        self.push(Item::Is(instruction));
        self
    }

    /// A local that nothing else uses.
    pub(super) fn fresh(&mut self, of: ValType) -> u32 {
        self.locals.push(of);
        self.params + u32::saturating_from(self.locals.len() - 1)
    }

    /// A fresh 64-bit local.
    pub(super) fn word(&mut self) -> u32 {
        self.fresh(ValType::I64)
    }

    /// A fresh 32-bit local.
    pub(super) fn small(&mut self) -> u32 {
        self.fresh(ValType::I32)
    }

    /// A fresh local for a vector.
    pub(super) fn vector(&mut self) -> u32 {
        self.fresh(ValType::V128)
    }

    /// Takes the 64-bit value on the stack into a fresh local.
    pub(super) fn keep(&mut self) -> u32 {
        let at = self.word();
        self.set(at);
        at
    }

    /// Takes the 32-bit value on the stack into a fresh local.
    pub(super) fn keep_small(&mut self) -> u32 {
        let at = self.small();
        self.set(at);
        at
    }

    pub(super) fn get(&mut self, local: u32) -> &mut Self {
        self.op(I::LocalGet(local))
    }

    pub(super) fn set(&mut self, local: u32) -> &mut Self {
        self.op(I::LocalSet(local))
    }

    /// A 64-bit constant.
    pub(super) fn long(&mut self, n: i64) -> &mut Self {
        self.op(I::I64Const(n))
    }

    /// A 32-bit constant.
    pub(super) fn int(&mut self, n: i32) -> &mut Self {
        self.op(I::I32Const(n))
    }

    /// An address as a constant.
    pub(super) fn at(&mut self, address: Address) -> &mut Self {
        self.int(address.cast_signed())
    }

    pub(super) fn memory(offset: Address, align: u32) -> MemArg {
        MemArg { offset: offset.into(), align, target: MemArgTarget::Memory(0), ordering: None }
    }

    /// Replaces the address on the stack by the 64-bit value so many bytes behind it.
    pub(super) fn load(&mut self, offset: Address) -> &mut Self {
        self.op(I::I64Load(Self::memory(offset, 3)))
    }

    pub(super) fn load_int(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Load(Self::memory(offset, 2)))
    }

    pub(super) fn load_short(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Load16U(Self::memory(offset, 1)))
    }

    pub(super) fn load_byte(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Load8U(Self::memory(offset, 0)))
    }

    /// Stores the 64-bit value on the stack so many bytes behind the address below it.
    pub(super) fn store(&mut self, offset: Address) -> &mut Self {
        self.op(I::I64Store(Self::memory(offset, 3)))
    }

    pub(super) fn store_int(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Store(Self::memory(offset, 2)))
    }

    pub(super) fn store_byte(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Store8(Self::memory(offset, 0)))
    }

    pub(super) fn store_short(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Store16(Self::memory(offset, 1)))
    }

    pub(super) fn load_vector(&mut self, offset: Address) -> &mut Self {
        self.op(I::V128Load(Self::memory(offset, 3)))
    }

    pub(super) fn store_vector(&mut self, offset: Address) -> &mut Self {
        self.op(I::V128Store(Self::memory(offset, 3)))
    }

    /// The 64-bit value at an address.
    pub(super) fn read(&mut self, address: Address) -> &mut Self {
        self.int(0).load(address)
    }

    pub(super) fn read_int(&mut self, address: Address) -> &mut Self {
        self.int(0).load_int(address)
    }

    /// Writes what `value` leaves on the stack to an address.
    pub(super) fn write_int(&mut self, address: Address, value: impl FnOnce(&mut Self)) -> &mut Self {
        self.int(0);
        value(self);
        self.store_int(address)
    }

    /// Opens a block: a branch to it goes on behind it.
    pub(super) fn block(&mut self) -> Label {
        self.op(I::Block(BlockType::Empty));
        self.opened(None)
    }

    /// Opens a loop: a branch to it begins it again.
    pub(super) fn again(&mut self) -> Label {
        self.op(I::Loop(BlockType::Empty));
        self.opened(Some(Structure::Loop))
    }

    /// The same, for one that goes through the members of a set that has at most 64.
    pub(super) fn again_for_few(&mut self) -> Label {
        self.op(I::Loop(BlockType::Empty));
        self.opened(Some(Structure::Few))
    }

    /// Opens what is done if the number on the stack is not 0.
    pub(super) fn when(&mut self) -> Label {
        self.op(I::If(BlockType::Empty));
        self.opened(Some(Structure::Arms))
    }

    /// The same, leaving a value on the stack.
    pub(super) fn choice(&mut self, of: ValType) -> Label {
        self.op(I::If(BlockType::Result(of)));
        self.opened(Some(Structure::Arms))
    }

    pub(super) fn otherwise(&mut self) -> &mut Self {
        self.op(I::Else);
        self.other_arm();
        self
    }

    /// Closes the innermost structure.
    pub(super) fn end(&mut self) -> &mut Self {
        self.closed();
        self.op(I::End)
    }

    /// Closes a loop.
    pub(super) fn end_loop(&mut self) -> &mut Self {
        self.busy = true;
        self.end()
    }

    pub(super) fn br(&mut self, to: Label) -> &mut Self {
        self.op(I::Br(self.depth() - to.0))
    }

    pub(super) fn br_if(&mut self, to: Label) -> &mut Self {
        self.op(I::BrIf(self.depth() - to.0))
    }

    pub(super) fn call(&mut self, function: u32) -> &mut Self {
        self.busy = true;
        self.cost.calls += 1;
        self.op(I::Call(function))
    }

    /// Puts a word of a set on the stack.
    pub(super) fn part(&mut self, part: Part) -> &mut Self {
        match part {
            Part::Local(local) => self.get(local),
            Part::Known(word) => self.long(word.cast_signed()),
        }
    }

    /// A stretch that begins later.
    pub(super) fn later(&mut self) -> Stretch {
        let stretch = Stretch(self.stretches);
        self.stretches += 1;
        stretch
    }

    /// Begins a stretch; the one before must have gone somewhere.
    pub(super) fn begin(&mut self, stretch: Stretch) {
        debug_assert_eq!(self.depth(), 0, "a stretch begins outside of all structures");
        self.stretch_ends();
        self.code.push((stretch, vec![Item::Cost(0)]));
    }

    /// Goes to a stretch.
    pub(super) fn goto(&mut self, stretch: Stretch) {
        self.push(Item::Goto(stretch, self.depth()));
    }

    /// The place of a stretch, which [`Func::finish_course`] begins from.
    pub(super) fn place_of(&mut self, stretch: Stretch) -> &mut Self {
        self.push(Item::PlaceOf(stretch));
        self
    }
}
