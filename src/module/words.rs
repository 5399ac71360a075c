//! Sets as machine words: what is done with them word by word.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Wide};
use super::func::{Address, Part, Parts};
use crate::base::{SaturatingFrom, Word};

impl Emit<'_> {
    /// The words of a set, lowest first.
    pub(super) fn words_of(&self, set: Wide) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for member in set.iter().take_while(|member| *member < 64 * self.words) {
            words[member / 64] |= 1 << (member % 64);
        }
        words
    }

    /// A known set.
    pub(super) fn known(&self, set: Wide) -> Parts {
        self.words_of(set).into_iter().map(Part::Known).collect()
    }

    /// The set at the address on the stack, so many bytes behind it.
    pub(super) fn load_set(&mut self, offset: Address) -> Parts {
        let base = self.f.keep_small();
        (0..self.words)
            .map(|word| {
                self.f.get(base).load(offset + 8 * u32::saturating_from(word));
                Part::Local(self.f.keep())
            })
            .collect()
    }

    /// The set at an address.
    pub(super) fn read_set(&mut self, address: Address) -> Parts {
        (0..self.words)
            .map(|word| {
                self.f.read(address + 8 * u32::saturating_from(word));
                Part::Local(self.f.keep())
            })
            .collect()
    }

    /// Writes a set to an address.
    pub(super) fn write_set(&mut self, address: Address, set: &Parts) {
        for (at, &part) in (address..).step_by(8).zip(set) {
            self.f.int(0).part(part).store(at);
        }
    }

    /// Writes a set to the address in a local.
    pub(super) fn write_set_at(&mut self, base: u32, offset: Address, set: &Parts) {
        for (at, &part) in (offset..).step_by(8).zip(set) {
            self.f.get(base).part(part).store(at);
        }
    }

    /// Combines two sets word by word.
    pub(super) fn combined(&mut self, a: &Parts, b: &Parts, of: impl Fn(u64, u64) -> u64, op: &[I<'static>]) -> Parts {
        let both = a.iter().zip(b);
        both.map(|(&a, &b)| {
            if let (Part::Known(a), Part::Known(b)) = (a, b) {
                return Part::Known(of(a, b));
            }
            self.f.part(a).part(b);
            for instruction in op {
                self.f.op(instruction.clone());
            }
            Part::Local(self.f.keep())
        })
        .collect()
    }

    pub(super) fn or(&mut self, a: &Parts, b: &Parts) -> Parts {
        self.combined(a, b, |a, b| a | b, &[I::I64Or])
    }

    pub(super) fn and(&mut self, a: &Parts, b: &Parts) -> Parts {
        self.combined(a, b, |a, b| a & b, &[I::I64And])
    }

    pub(super) fn minus(&mut self, a: &Parts, b: &Parts) -> Parts {
        self.combined(a, b, |a, b| a & !b, &[I::I64Const(-1), I::I64Xor, I::I64And])
    }

    /// Leaves on the stack whether a set has members.
    pub(super) fn any(&mut self, set: &Parts) {
        self.all_words(set);
        self.f.long(0).op(I::I64Ne);
    }

    /// Leaves on the stack whether a set is empty.
    pub(super) fn none(&mut self, set: &Parts) {
        self.all_words(set);
        self.f.op(I::I64Eqz);
    }

    pub(super) fn all_words(&mut self, set: &Parts) {
        for (at, &part) in set.iter().enumerate() {
            self.f.part(part);
            if at > 0 {
                self.f.op(I::I64Or);
            }
        }
    }

    /// A set that can change: its words in locals of its own.
    pub(super) fn variable(&mut self, set: &Parts) -> Vec<u32> {
        set.iter()
            .map(|&part| {
                self.f.part(part);
                self.f.keep()
            })
            .collect()
    }

    /// A changing set as it is now.
    pub(super) fn now(words: &[u32]) -> Parts {
        words.iter().map(|&word| Part::Local(word)).collect()
    }

    /// Sets a changing set.
    pub(super) fn become_set(&mut self, words: &[u32], set: &Parts) {
        for &part in set {
            self.f.part(part);
        }
        for &word in words.iter().rev() {
            self.f.set(word);
        }
    }

    /// Adds the members of a set to a changing set.
    pub(super) fn unite(&mut self, words: &[u32], set: &Parts) {
        for (&word, &part) in words.iter().zip(set) {
            if part != Part::Known(0) {
                self.f.get(word).part(part).op(I::I64Or).set(word);
            }
        }
    }

    /// A singleton of the 64-bit number on the stack; empty if it does not fit.
    pub(super) fn one(&mut self) -> Parts {
        let n = self.f.keep();
        (0..self.words)
            .map(|word| {
                // Shifts take the number modulo 64, so the word is masked where the number is another's.
                self.f.long(1).get(n).op(I::I64Shl).long(0).get(n).long(6).op(I::I64ShrU);
                self.f.long(i64::saturating_from(word)).op(I::I64Eq).op(I::Select);
                Part::Local(self.f.keep())
            })
            .collect()
    }

    /// Leaves on the stack whether the number in a local is in a set.
    pub(super) fn contains(&mut self, set: &Parts, n: u32) {
        if let [Part::Known(first), others @ ..] = set.as_slice()
            && first & first.wrapping_add(1) == 0
            && others.iter().all(|part| *part == Part::Known(0))
        {
            // The numbers below one.
            self.f.get(n).long(first.trailing_ones().into()).op(I::I64LtU);
            return;
        }
        for (at, &part) in set.iter().enumerate() {
            self.f.part(part).get(n).op(I::I64ShrU).long(1).op(I::I64And).op(I::I32WrapI64);
            self.f.get(n).long(6).op(I::I64ShrU).long(i64::saturating_from(at)).op(I::I64Eq).op(I::I32And);
            if at > 0 {
                self.f.op(I::I32Or);
            }
        }
    }

    /// Leaves the size of a set on the stack.
    pub(super) fn size(&mut self, set: &Parts) {
        for (at, &part) in set.iter().enumerate() {
            self.f.part(part).op(I::I64Popcnt);
            if at > 0 {
                self.f.op(I::I64Add);
            }
        }
    }

    /// Leaves the smallest member of a set that is not empty on the stack.
    pub(super) fn least(&mut self, set: &Parts) {
        if let Some((&last, others)) = set.split_last() {
            self.f.part(last).op(I::I64Ctz);
            if !others.is_empty() {
                self.f.long(i64::saturating_from(64 * others.len())).op(I::I64Add);
            }
            for (at, &part) in others.iter().enumerate().rev() {
                // What is further on counts only if this word is empty.
                let further = self.f.keep();
                self.f.part(part).op(I::I64Ctz);
                self.f.long(i64::saturating_from(64 * at)).op(I::I64Add);
                self.f.get(further).part(part).long(0).op(I::I64Ne).op(I::Select);
            }
        }
    }

    /// Takes the smallest member out of a changing set that is not empty; leaves it on the stack.
    pub(super) fn pop(&mut self, words: &[u32]) -> u32 {
        self.least(&Self::now(words));
        let member = self.f.keep();
        // A word loses its lowest member if all before it are empty.
        for (at, &word) in words.iter().enumerate().rev() {
            self.f.get(word).get(word).long(1).op(I::I64Sub).op(I::I64And);
            if at > 0 {
                self.f.get(word);
                self.all_words(&Self::now(&words[..at]));
                self.f.op(I::I64Eqz).op(I::Select);
            }
            self.f.set(word);
        }
        member
    }
}
