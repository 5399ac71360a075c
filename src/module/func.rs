//! One function of the module while it is written: its code, its locals, and the structures that are open.

use smallvec::SmallVec;
use wasm_encoder::{BlockType, Function, Instruction as I, MemArg, MemArgTarget, ValType};

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
pub(super) struct Label(u32);

/// The address of something in memory.
pub(super) type Address = u32;

/// A stretch of the course between two questions, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch(u32);

/// An instruction, or a jump whose depth is known once all stretches are written.
#[derive(Clone, Debug)]
enum Item {
    Is(I<'static>),
    /// To a stretch, from inside so many structures.
    Goto(Stretch, u32),
    /// The place of a stretch, as a constant.
    PlaceOf(Stretch),
}

/// A function being written.
#[derive(Debug)]
pub(super) struct Func {
    params: u32,
    locals: Vec<ValType>,
    /// The stretches in the order in which they were begun; a plain function has one.
    code: Vec<(Stretch, Vec<Item>)>,
    stretches: u32,
    depth: u32,
    /// Whether a loop was closed or a function called since this was last cleared.
    pub(super) busy: bool,
}

impl Func {
    pub(super) fn new(params: u32) -> Self {
        Self { params, locals: Vec::new(), code: vec![(Stretch(0), Vec::new())], stretches: 1, depth: 0, busy: false }
    }

    /// How many instructions have been written.
    pub(super) fn len(&self) -> usize {
        self.code.iter().map(|(_, items)| items.len()).sum()
    }

    fn push(&mut self, item: Item) {
        if let Some((_, items)) = self.code.last_mut() {
            items.push(item);
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

    fn memory(offset: Address, align: u32) -> MemArg {
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

    pub(super) fn store_short(&mut self, offset: Address) -> &mut Self {
        self.op(I::I32Store16(Self::memory(offset, 1)))
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

    fn open(&mut self, instruction: I<'static>) -> Label {
        self.op(instruction);
        self.depth += 1;
        Label(self.depth)
    }

    /// Opens a block: a branch to it goes on behind it.
    pub(super) fn block(&mut self) -> Label {
        self.open(I::Block(BlockType::Empty))
    }

    /// Opens a loop: a branch to it begins it again.
    pub(super) fn again(&mut self) -> Label {
        self.open(I::Loop(BlockType::Empty))
    }

    /// Opens what is done if the number on the stack is not 0.
    pub(super) fn when(&mut self) -> Label {
        self.open(I::If(BlockType::Empty))
    }

    /// The same, leaving a value on the stack.
    pub(super) fn choice(&mut self, of: ValType) -> Label {
        self.open(I::If(BlockType::Result(of)))
    }

    pub(super) fn otherwise(&mut self) -> &mut Self {
        self.op(I::Else)
    }

    /// Closes the innermost structure.
    pub(super) fn end(&mut self) -> &mut Self {
        self.depth = self.depth.saturating_sub(1);
        self.op(I::End)
    }

    /// Closes a loop.
    pub(super) fn end_loop(&mut self) -> &mut Self {
        self.busy = true;
        self.end()
    }

    pub(super) fn br(&mut self, to: Label) -> &mut Self {
        self.op(I::Br(self.depth - to.0))
    }

    pub(super) fn br_if(&mut self, to: Label) -> &mut Self {
        self.op(I::BrIf(self.depth - to.0))
    }

    pub(super) fn call(&mut self, function: u32) -> &mut Self {
        self.busy = true;
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
        debug_assert_eq!(self.depth, 0, "a stretch begins outside of all structures");
        self.code.push((stretch, Vec::new()));
    }

    /// Goes to a stretch.
    pub(super) fn goto(&mut self, stretch: Stretch) {
        self.push(Item::Goto(stretch, self.depth));
    }

    /// The place of a stretch, which [`Func::finish_course`] begins from.
    pub(super) fn place_of(&mut self, stretch: Stretch) -> &mut Self {
        self.push(Item::PlaceOf(stretch));
        self
    }

    /// The finished function, which has one stretch.
    pub(super) fn finish(mut self) -> Function {
        let mut function = Function::new_with_locals_types(std::mem::take(&mut self.locals));
        for item in self.code.iter().flat_map(|(_, items)| items) {
            if let Item::Is(instruction) = item {
                function.instruction(instruction);
            }
        }
        function.instruction(&I::End);
        function
    }

    /// The finished function, which begins at the stretch whose place stands at an address. Stretches nest: the end of the
    /// block around the first is the beginning of the second, and so on, so that going forward is a plain branch.
    pub(super) fn finish_course(mut self, place: u32, address: Address) -> Function {
        let mut function = Function::new_with_locals_types(std::mem::take(&mut self.locals));
        let count = u32::saturating_from(self.code.len());
        let place_of = |stretch: Stretch| {
            let found = self.code.iter().position(|(begun, _)| *begun == stretch);
            found.and_then(|place| u32::try_from(place).ok()).unwrap_or(count)
        };
        let places: Vec<u32> = (0..self.stretches).map(|stretch| place_of(Stretch(stretch))).collect();
        let place_of = |stretch: &Stretch| places[stretch.0 as usize];
        function.instruction(&I::I32Const(0));
        function.instruction(&I::I32Load(Self::memory(address, 2)));
        function.instruction(&I::LocalSet(place));
        function.instruction(&I::Loop(BlockType::Empty));
        for _ in 0..=count {
            function.instruction(&I::Block(BlockType::Empty));
        }
        function.instruction(&I::LocalGet(place));
        function.instruction(&I::BrTable((0..count).collect::<Vec<_>>().into(), count));
        for (at, (_, items)) in (0..).zip(&self.code) {
            function.instruction(&I::End);
            for item in items {
                match item {
                    Item::Is(instruction) => function.instruction(instruction),
                    Item::PlaceOf(stretch) => function.instruction(&I::I32Const(place_of(stretch).cast_signed())),
                    Item::Goto(stretch, depth) if place_of(stretch) > at => {
                        function.instruction(&I::Br(place_of(stretch) - at - 1 + depth))
                    }
                    Item::Goto(stretch, depth) => {
                        function.instruction(&I::I32Const(place_of(stretch).cast_signed()));
                        function.instruction(&I::LocalSet(place));
                        function.instruction(&I::Br(count - at + depth))
                    }
                };
            }
        }
        // No place is beyond the last stretch.
        function.instruction(&I::End);
        function.instruction(&I::Unreachable);
        function.instruction(&I::End);
        function.instruction(&I::Unreachable);
        function.instruction(&I::End);
        function
    }
}
