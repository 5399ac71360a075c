//! Definitions that are worked out at most once while nothing changes: in a loop, or while moves are listed.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Key, Out, Wide};
use super::func::Spot;
use crate::compile::program::{Body, Number};

/// The values that are kept, and the place in the code from which on they are.
#[derive(Debug)]
pub(super) struct Known {
    from: Spot,
    values: Vec<Value>,
}

/// A definition with its arguments, the local that says whether its value is known, and those that hold it.
#[derive(Debug)]
struct Value {
    key: (u16, Vec<i64>),
    flag: u32,
    values: Vec<u32>,
}

/// An argument that stays the same; the acting seat is as good as a number.
fn fixed(number: &Number<Wide>) -> Option<i64> {
    if let Number::Const(n) = number { Some(*n) } else { matches!(number, Number::Me).then_some(i64::MIN) }
}

impl<'a> Emit<'a> {
    /// Translates something in the course of which no position changes and no other seat acts: definitions that are used in it
    /// again and again are worked out once.
    pub(super) fn once<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> T {
        if self.known.is_some() {
            return of(self);
        }
        self.known = Some(Known { from: self.f.spot(), values: Vec::new() });
        let found = of(self);
        self.known = None;
        found
    }

    /// Works out a definition; returns the locals with its value.
    pub(super) fn defined(&mut self, memo: u16, args: &'a [Number<Wide>]) -> Out<Vec<u32>> {
        let of: Vec<ValType> = match &self.memo(memo)?.body {
            Body::Number(_) => vec![ValType::I64],
            Body::Test(_) | Body::Trial => vec![ValType::I32],
            Body::Set(_) => self.set_types(),
        };
        let key = (memo, args.iter().map_while(fixed).collect::<Vec<_>>());
        // What is looked at is noted anew each time, and another position may be meant.
        let plain = !self.notes && self.changed.is_none() && key.1.len() == args.len();
        let known = self.known.as_ref().filter(|_| plain);
        let Some(known) = known else {
            let values: Vec<u32> = of.into_iter().map(|of| self.f.fresh(of)).collect();
            self.work_out(memo, args, &values)?;
            return Ok(values);
        };
        let (flag, values) = if let Some(value) = known.values.iter().find(|value| value.key == key) {
            (value.flag, value.values.clone())
        } else {
            let from = known.from;
            let (flag, values) = (self.f.small(), of.into_iter().map(|of| self.f.fresh(of)).collect::<Vec<_>>());
            self.f.forgotten(from, flag);
            if let Some(known) = &mut self.known {
                known.values.push(Value { key, flag, values: values.clone() });
            }
            (flag, values)
        };
        self.f.get(flag).op(I::I32Eqz);
        self.f.when();
        self.work_out(memo, args, &values)?;
        self.f.int(1).set(flag);
        self.f.end();
        Ok(values)
    }

    fn work_out(&mut self, memo: u16, args: &'a [Number<Wide>], values: &[u32]) -> Out {
        self.arguments(memo, args)?;
        self.call(Key::Memo(memo, self.notes));
        for &value in values.iter().rev() {
            self.f.set(value);
        }
        Ok(())
    }
}
