//! Functions as they are written into the module, once all of their code is known.

use wasm_encoder::{BlockType, Function, Instruction as I};

use super::cost;
use super::func::{Address, Func, Item, Stretch, TOP};
use crate::base::SaturatingFrom;

impl Func {
    /// The finished function, which has one stretch.
    pub(super) fn finish(mut self) -> Function {
        self.function_ends();
        let mut function = Function::new_with_locals_types(std::mem::take(&mut self.locals));
        cost::begin(&mut function, &self.cost);
        for item in self.code.iter().flat_map(|(_, items)| items) {
            match item {
                Item::Is(instruction) => {
                    function.instruction(instruction);
                }
                Item::Note(Some(local)) => note(&mut function, *local),
                Item::Forget(locals) => forget(&mut function, locals),
                Item::Cost(instructions) => cost::count(&mut function, *instructions),
                Item::Stop(instructions) => cost::stop(&mut function, *instructions),
                Item::Note(None) | Item::Goto(..) | Item::PlaceOf(_) => {}
            }
        }
        function.instruction(&I::End);
        function
    }

    /// The finished function, which begins at the stretch whose place stands at an address. Stretches nest: the end of the
    /// block around the first is the beginning of the second, and so on, so that going forward is a plain branch.
    pub(super) fn finish_course(mut self, place: u32, address: Address) -> Function {
        self.stretch_ends();
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
                    Item::Is(instruction) => {
                        function.instruction(instruction);
                    }
                    Item::PlaceOf(stretch) => {
                        function.instruction(&I::I32Const(place_of(stretch).cast_signed()));
                    }
                    Item::Goto(stretch, depth) if place_of(stretch) > at => {
                        function.instruction(&I::Br(place_of(stretch) - at - 1 + depth));
                    }
                    Item::Goto(stretch, depth) => {
                        function.instruction(&I::I32Const(place_of(stretch).cast_signed()));
                        function.instruction(&I::LocalSet(place));
                        function.instruction(&I::Br(count - at + depth));
                    }
                    Item::Note(Some(local)) => note(&mut function, *local),
                    Item::Note(None) => {}
                    Item::Forget(locals) => forget(&mut function, locals),
                    Item::Cost(instructions) => cost::count(&mut function, *instructions),
                    Item::Stop(instructions) => cost::stop(&mut function, *instructions),
                }
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

fn note(function: &mut Function, local: u32) {
    function.instruction(&I::GlobalGet(TOP));
    function.instruction(&I::LocalSet(local));
}

fn forget(function: &mut Function, locals: &[u32]) {
    for &local in locals {
        function.instruction(&I::I32Const(0));
        function.instruction(&I::LocalSet(local));
    }
}
