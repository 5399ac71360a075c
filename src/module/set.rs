//! Expressions whose value is a set: each yields the set's words.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::Parts;
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Local, Number, Set, Test, WalkerPath};
use crate::ir::SetOp;

impl<'a> Emit<'a> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind of set")]
    pub(super) fn set(&mut self, set: &'a Set<Wide>) -> Out<Parts> {
        let layout = &self.layout;
        Ok(match set {
            Set::Const(set) => self.known(*set),
            Set::Local(at) => match self.sets.iter().rev().find(|(name, _)| name == at) {
                Some((_, parts)) => parts.clone(),
                None => self.read_set(layout.local_sets + self.bytes * u32::from(*at)),
            },
            Set::Var(cell) => {
                self.place(cell)?;
                self.entry_of_sets(self.layout.var_sets, self.program.cells[1]);
                self.load_set(0)
            }
            Set::Empty => {
                let occupied = self.occupied();
                let all = self.known(Wide::all(self.program.sites));
                self.minus(&all, &occupied)
            }
            Set::Occupied => self.occupied(),
            Set::Index(index) => self.read_set(layout.indexes + self.bytes * u32::from(*index)),
            Set::IndexByMe(map) => {
                self.me();
                self.index_in(map)
            }
            Set::IndexBy(both) => {
                self.number(&both.0)?;
                self.index_in(&both.1)
            }
            Set::TokenSites(pools) => {
                let pools = self.pools(pools)?;
                let all = self.variable(&self.known(Wide::NONE));
                self.each_pool(&pools, &mut |emit, pool| {
                    emit.f.get(pool);
                    emit.entry_of_sets(emit.layout.token_sites, emit.program.pools);
                    let sites = emit.load_set(0);
                    emit.unite(&all, &sites);
                    Ok(())
                })?;
                Self::now(&all)
            }
            Set::Playing => self.playing(),
            Set::One(number) => {
                if let Some(n) = self.constant(number) {
                    return Ok(self.known([n].into_iter().collect()));
                }
                self.number(number)?;
                self.one()
            }
            Set::Some(numbers) => {
                let mut all = self.known(Wide::NONE);
                for number in numbers {
                    self.number(number)?;
                    let one = self.one();
                    all = self.or(&all, &one);
                }
                all
            }
            Set::Op(op, both) => {
                let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                match op {
                    SetOp::Union => self.or(&a, &b),
                    SetOp::Intersect => self.and(&a, &b),
                    SetOp::Minus => self.minus(&a, &b),
                }
            }
            Set::If(parts) => self.set_if(&parts.0, &parts.1, &parts.2)?,
            Set::Filter(at, both) => self.once(|emit| emit.filtered(*at, &both.0, &both.1))?,
            Set::Top(at, both) => self.once(|emit| emit.foremost(*at, &both.0, &both.1))?,
            Set::Fold(both) => {
                let all = self.variable(&self.known(Wide::NONE));
                self.once(|emit| {
                    emit.each(&both.0, 0, &mut |emit| {
                        let more = emit.set(&both.1)?;
                        emit.unite(&all, &more);
                        Ok(())
                    })
                })?;
                Self::now(&all)
            }
            Set::ByMe(values) => {
                self.me();
                self.set_in(values)
            }
            Set::ByLocal(at, values) => {
                self.local(*at);
                self.set_in(values)
            }
            Set::ByMeAnd(at, size, values) => {
                self.me_and(*at, *size);
                self.set_in(values)
            }
            Set::ByPiece(site, values) => {
                self.piece_at(site)?;
                self.f.op(I::I64ExtendI32U);
                self.set_in(values)
            }
            Set::Table(table) => {
                self.table_index(&table.by)?;
                self.set_in(&table.values)
            }
            Set::Path(route) => self.route(route)?,
            Set::Reach(reach) => self.reach(reach)?,
            Set::Takes(route) if matches!(route.walker_path, WalkerPath::Flank(_)) => self.flanked(route)?,
            Set::Takes(route) => self.all_of_ways(route, false)?,
            Set::Ends(route) => self.all_of_ways(route, true)?,
            Set::WayTaken(way) => self.way_taken(way)?,
            Set::Toward(both) => {
                let (sites, ways) = (self.set(&both.0)?, self.set(&both.1)?);
                self.toward(&sites, &ways)?
            }
            Set::Around(both) => {
                let (sites, ways) = (self.set(&both.0)?, self.set(&both.1)?);
                let around = self.toward(&sites, &ways)?;
                self.minus(&around, &sites)
            }
            Set::Ray(both) => {
                let (sites, ways) = (self.set(&both.0)?, self.set(&both.1)?);
                self.straight_on(&sites, &ways)?
            }
            Set::Between(both) => {
                let topology = &self.game.topology;
                self.pairs(&both.0, &both.1, |a, b| topology.between(a, b).0.iter().collect())?
            }
            Set::Rectangle(both) => {
                let topology = &self.game.topology;
                self.pairs(&both.0, &both.1, |a, b| topology.rectangle(a, b).collect())?
            }
            Set::Group(sets) => {
                let (from, inside, ways) = (self.set(&sets[0])?, self.set(&sets[1])?, self.set(&sets[2])?);
                self.flood(&from, &inside, &ways)?
            }
            Set::Rows(_) => return Err(Gap("rows of a length that changes")),
            Set::InRows(both) => self.in_rows(&both.0, &both.1)?,
            Set::Memo(memo, args) => {
                let values = self.defined(*memo, args)?;
                Self::now(&values)
            }
            Set::Inspected(inner) => {
                let members = self.set(inner)?;
                self.look(&members);
                members
            }
            Set::Compared(both) => {
                let members = self.set(&both.0)?;
                self.compare(&members, &both.1)?;
                members
            }
            Set::With(both) => self.with_lists(|emit| {
                let scope = emit.scope();
                emit.bind_all(&both.0)?;
                let set = emit.set(&both.1)?;
                emit.leave_scope(scope);
                Ok(set)
            })?,
        })
    }

    /// The members with which a test holds.
    fn filtered(&mut self, at: Local, all: &'a Set<Wide>, test: &'a Test<Wide>) -> Out<Parts> {
        let all = self.set(all)?;
        let kept = self.variable(&self.known(Wide::NONE));
        self.members(&all, &mut |emit, member, _| {
            let scope = emit.scope();
            emit.numbers.push((at, member));
            emit.test(test)?;
            emit.leave_scope(scope);
            emit.f.when();
            emit.insert(&kept, member);
            emit.f.end();
            Ok(())
        })?;
        Ok(Self::now(&kept))
    }

    /// The members with the greatest value.
    fn foremost(&mut self, at: Local, all: &'a Set<Wide>, value: &'a Number<Wide>) -> Out<Parts> {
        let all = self.set(all)?;
        let kept = self.variable(&self.known(Wide::NONE));
        self.f.long(i64::MIN);
        let best = self.f.keep();
        self.members(&all, &mut |emit, member, _| {
            let scope = emit.scope();
            emit.numbers.push((at, member));
            emit.number(value)?;
            emit.leave_scope(scope);
            let worth = emit.f.keep();
            emit.f.get(worth).get(best).op(I::I64GtS);
            emit.f.when();
            emit.f.get(worth).set(best);
            emit.become_set(&kept, &emit.known(Wide::NONE));
            emit.f.end();
            emit.f.get(worth).get(best).op(I::I64Eq);
            emit.f.when();
            emit.insert(&kept, member);
            emit.f.end();
            Ok(())
        })?;
        Ok(Self::now(&kept))
    }

    fn set_if(&mut self, test: &'a Test<Wide>, yes: &'a Set<Wide>, no: &'a Set<Wide>) -> Out<Parts> {
        let chosen = self.variable(&self.known(Wide::NONE));
        self.test(test)?;
        self.f.when();
        let set = self.set(yes)?;
        self.become_set(&chosen, &set);
        self.f.otherwise();
        let set = self.set(no)?;
        self.become_set(&chosen, &set);
        self.f.end();
        Ok(Self::now(&chosen))
    }

    /// The sites with a piece or tokens.
    pub(super) fn occupied(&mut self) -> Parts {
        let mut all = self.read_set(self.layout.taken);
        for pool in 0..self.program.pools {
            let sites = self.read_set(self.layout.token_sites + self.bytes * u32::saturating_from(pool));
            all = self.or(&all, &sites);
        }
        all
    }

    /// Adds the number in a local to a changing set.
    pub(super) fn insert(&mut self, words: &[u32], member: u32) {
        self.f.get(member);
        let one = self.one();
        self.unite(words, &one);
    }

    /// The entry of a table of sets, by the index on the stack.
    fn set_in(&mut self, values: &[Wide]) -> Parts {
        let base = self.table_of_sets(values);
        self.entry_of_sets(base, values.len());
        self.load_set(0)
    }

    /// The maintained index that a table of indexes has at the index on the stack.
    fn index_in(&mut self, map: &[u16]) -> Parts {
        let address = |&index: &u16| self.layout.indexes + self.bytes * u32::from(index);
        let addresses: Vec<u32> = map.iter().map(address).collect();
        let base = self.table_of_ints(addresses);
        // Beyond the end there is the address of nothing.
        self.entry(base, map.len(), 2);
        self.f.load_int(0);
        self.load_set(0)
    }

    /// A set that is known for each pair of sites.
    fn pairs(&mut self, a: &'a Number<Wide>, b: &'a Number<Wide>, of: impl Fn(usize, usize) -> Wide) -> Out<Parts> {
        let sites = self.program.sites;
        if sites > 128 {
            return Err(Gap("what lies between two sites of a large board"));
        }
        let all: Vec<Wide> = (0..sites * sites).map(|pair| of(pair / sites, pair % sites)).collect();
        let base = self.table_of_sets(&all);
        self.number(a)?;
        let a = self.f.keep();
        self.number(b)?;
        let b = self.f.keep();
        let count = i64::saturating_from(sites);
        // A pair of which one is no site is beyond the table.
        self.f.get(a).long(count).op(I::I64Mul).get(b).op(I::I64Add).long(-1);
        self.f.get(a).long(count).op(I::I64LtU).get(b).long(count).op(I::I64LtU).op(I::I32And).op(I::Select);
        self.entry_of_sets(base, all.len());
        Ok(self.load_set(0))
    }
}
