//! What an evaluation looks at, noted in memory: sites; and sites that were only looked for in some indexes. What was found
//! holds until a piece on one of these changes (as in the interpreter; which sets count is marked in the program).

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::{Address, Func, Part, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Memo, Set};

impl<'a> Emit<'a> {
    /// Adds the members of a set to the one at an address.
    pub(super) fn add_at(&mut self, address: Address, set: &Parts) {
        for (at, &part) in (address..).step_by(8).zip(set) {
            if part != Part::Known(0) {
                self.f.int(0).read(at).part(part).op(I::I64Or).store(at);
            }
        }
    }

    /// Sites are looked at.
    pub(super) fn look(&mut self, sites: &Parts) {
        if self.notes {
            self.add_at(self.layout.looked, sites);
        }
    }

    /// The site in a local is looked at.
    pub(super) fn look_at(&mut self, site: u32) {
        if self.notes {
            self.f.get(site);
            let one = self.one();
            self.look(&one);
        }
    }

    /// Sites are looked for in the indexes that a set is made of.
    pub(super) fn compare(&mut self, sites: &Parts, of: &'a Set<Wide>) -> Out {
        if self.notes {
            self.add_at(self.layout.compared, sites);
            let at = self.layout.indexes_compared;
            self.f.int(0).read(at);
            self.index_bits(of)?;
            self.f.op(I::I64Or).store(at);
        }
        Ok(())
    }

    /// Leaves on the stack the indexes that a set is made of, one bit each.
    fn index_bits(&mut self, set: &'a Set<Wide>) -> Out {
        let bit = |index: &u16| if *index < 64 { 1_i64 << index } else { 0 };
        if let Set::Index(index) = set {
            self.f.long(bit(index));
        } else if let Set::IndexByMe(indexes) = set {
            self.me();
            self.looked_up(&indexes.iter().map(bit).collect::<Vec<_>>());
        } else if let Set::IndexBy(both) = set {
            self.number(&both.0)?;
            self.looked_up(&both.1.iter().map(bit).collect::<Vec<_>>());
        } else if let Set::Op(_, both) = set {
            self.index_bits(&both.0)?;
            self.index_bits(&both.1)?;
            self.f.op(I::I64Or);
        } else {
            self.f.long(0);
        }
        Ok(())
    }

    /// Leaves on the stack whether a path that leads straight on through empty sites leads to one of some pieces. If not, a
    /// site passed on the way matters only if such a piece comes to stand there: any other would just end the way.
    pub(super) fn sees(&mut self, compared: &'a (Set<Wide>, Set<Wide>), sites: &'a Set<Wide>) -> Out {
        let sites = self.set(sites)?;
        if !self.notes {
            let reached = self.set(&compared.0)?;
            let shared = self.and(&reached, &sites);
            self.any(&shared);
            return Ok(());
        }
        let looked = self.layout.looked;
        let outer = self.read_set(looked);
        self.write_set(looked, &self.known(Wide::NONE));
        let reached = self.set(&compared.0)?;
        let shared = self.and(&reached, &sites);
        self.any(&shared);
        let found = self.f.keep_small();
        self.f.get(found).op(I::I32Eqz);
        self.f.when();
        let (all, occupied) = (self.read_set(looked), self.occupied());
        let passed = self.minus(&all, &occupied);
        let others = self.and(&all, &occupied);
        self.write_set(looked, &others);
        self.compare(&passed, &compared.1)?;
        self.f.end();
        self.add_at(looked, &outer);
        self.f.get(found);
        Ok(())
    }

    /// Nothing has been looked at.
    pub(super) fn look_afresh(&mut self) {
        let none = self.known(Wide::NONE);
        self.write_set(self.layout.looked, &none);
        self.write_set(self.layout.compared, &none);
        self.f.int(0).long(0).store(self.layout.indexes_compared);
    }

    /// Begins a function whose parameters are those of a definition.
    pub(super) fn enter_memo(&mut self, memo: &'a Memo<Wide>) {
        self.f = Func::new(u32::saturating_from(memo.params.len()));
        for (at, (name, _)) in (0..).zip(&memo.params) {
            self.numbers.push((*name, at));
            if memo.inspects.as_ref().is_some_and(|inspects| inspects.sites.contains(name)) {
                self.look_at(at);
            }
        }
    }

    /// The sites in any of some indexes, one bit each in a local.
    pub(super) fn indexed(&mut self, bits: u32) -> Parts {
        let all = self.variable(&self.known(Wide::NONE));
        let left = self.f.word();
        self.f.get(bits).set(left);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(left).op(I::I64Eqz).br_if(done);
        self.f.get(left).op(I::I64Ctz);
        self.entry_of_sets(self.layout.indexes, self.program.indexes);
        let members = self.load_set(0);
        self.unite(&all, &members);
        self.f.get(left).get(left).long(1).op(I::I64Sub).op(I::I64And).set(left).br(again);
        self.f.end_loop();
        self.f.end();
        Self::now(&all)
    }

    /// How a definition depends on pieces.
    pub(super) fn whole_indexes(&self, memo: u16) -> Out<u64> {
        self.memo(memo)?.inspects.as_ref().map(|inspects| inspects.whole).ok_or(Gap("what a definition looks at"))
    }
}
