//! Tokens: moving and sowing them.

use super::eval::{SITES_A_STEP, count};
use super::machine::Flow;
use super::run::Run;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Number, Pools, Set, Sow};

impl<'a, W: Word> Run<'a, W> {
    #[inline(never)]
    pub(super) fn move_tokens(
        &mut self,
        pools: &'a Pools<W>,
        number: Option<&'a Number<W>>,
        from: &'a Set<W>,
        to: &'a Set<W>,
    ) -> Flow {
        let number = number.map(|number| u32::saturating_from(self.number(number)));
        let (from, to) = (self.set(from), self.set(to));
        let Some(to) = to.first() else { return Flow::Next };
        let pools = self.pools(pools);
        self.went_from((pools.count() * from.count()) as u64 / 2);
        for pool in pools.iter() {
            for site in from.iter() {
                let there = self.state.tokens_at(self.program, pool, site);
                let taken = number.map_or(there, |number| there.min(number));
                self.state.set_tokens(self.program, pool, site, there - taken);
                self.add_tokens(pool, to, taken);
            }
        }
        Flow::Next
    }

    #[inline(never)]
    pub(super) fn sown(&mut self, sow: &'a Sow<W>, keep: bool) -> Flow {
        self.sow(sow);
        if keep {
            self.mark(sow.last.0);
        }
        Flow::Next
    }

    pub(super) fn add_tokens(&mut self, pool: usize, site: usize, more: u32) {
        let there = self.state.tokens_at(self.program, pool, site);
        self.state.set_tokens(self.program, pool, site, there.saturating_add(more));
    }

    /// Sows the tokens of a site one by one. Where the track ends, the remaining tokens stay on its last site.
    fn sow(&mut self, sow: &'a Sow<W>) {
        let Some(start) = self.set(&sow.from).first() else { return };
        let program = self.program;
        let way = self.set(&sow.along).first().and_then(|way| program.onward.get(way));
        let skip = sow.skip.as_ref().map(|skip| self.set(skip)).unwrap_or_default();
        let mut site = start;
        for pool in self.pools(&sow.pools).iter() {
            let mut left = self.state.tokens_at(program, pool, start);
            self.state.set_tokens(program, pool, start, 0);
            while left > 0 {
                let (next, skipped) = way.map_or((None, 0), |way| next_site(way, site, |site| skip.contains(site)));
                self.steps = self.steps.saturating_sub(skipped / SITES_A_STEP);
                let on = self.tick();
                match next {
                    Some(next) if on => {
                        site = next;
                        self.add_tokens(pool, site, 1);
                        left -= 1;
                    }
                    _ => {
                        self.add_tokens(pool, site, left);
                        left = 0;
                    }
                }
            }
        }
        self.set_local(sow.last.1, count(site));
    }
}

/// The next site in a direction that is not skipped, and how many were.
fn next_site(way: &[u16], from: usize, skips: impl Fn(usize) -> bool) -> (Option<usize>, u64) {
    let (mut site, most) = (from, way.len() as u64);
    for skipped in 0..most {
        let next = way[site];
        if next == u16::MAX {
            return (None, skipped);
        }
        site = usize::from(next);
        if !skips(site) {
            return (Some(site), skipped);
        }
    }
    (None, most)
}
