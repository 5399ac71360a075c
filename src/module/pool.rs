//! Pools of tokens that no rule adds to: how many tokens there can be is known, so that a number of them takes few bytes, and
//! a few tokens are sown along a track at once, by a table of how many each site gets.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Wide};
use super::fixed::Fixed;
use super::func::Address;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Number, OpKind, Pools, Program, Set, Source, Sow};
use crate::ir::{BlockId, Game, SetOp};

/// So many tokens, less one, are sown at once.
const FEW: usize = 16;

/// The longest row, and the largest table, in bytes.
const ROW: usize = 64;
const TABLE: usize = 1 << 16;

/// The most members of any set.
const MEMBERS: usize = size_of::<Wide>() * 8;

/// How deep blocks are nested in which tokens are put.
const DEPTH: usize = 16;

/// How many bytes the number of tokens on a site takes: few if nothing but the setup puts tokens, and not too many.
pub(super) fn bytes_of_tokens(program: &Program<Wide>, game: &Game) -> u32 {
    let puts = program.code.iter().flat_map(|code| &code.ops).filter(|op| matches!(op.kind, OpKind::PutTokens(..)));
    match put_by(program, game, game.setup, DEPTH).filter(|(_, statements)| *statements == puts.count()) {
        Some((tokens, _)) if u8::try_from(tokens).is_ok() => 1,
        Some((tokens, _)) if u16::try_from(tokens).is_ok() => 2,
        Some(_) | None => 4,
    }
}

/// How many tokens a block puts, and by how many statements; none if it is not known.
fn put_by(program: &Program<Wide>, game: &Game, block: BlockId, depth: usize) -> Option<(u64, usize)> {
    let code = program.code.get(usize::from(block)).filter(|_| depth > 0)?;
    let (mut tokens, mut statements) = (0_u64, 0);
    let mut add = |(more, by): (u64, usize), times: usize| {
        tokens = tokens.saturating_add(more.saturating_mul(u64::saturating_from(times)));
        statements += by;
    };
    let size = |set: &Set<Wide>| most_members(set).unwrap_or(MEMBERS);
    for op in &code.ops {
        if let OpKind::PutTokens(pools, Number::Const(number), sites) = &op.kind {
            let pools = if matches!(pools, Pools::All(..)) { game.seats.len() } else { 1 };
            add(((*number).max(0).unsigned_abs(), 1), size(sites).saturating_mul(pools));
        } else if let OpKind::Do(inner) = &op.kind {
            add(put_by(program, game, *inner, depth - 1)?, 1);
        } else if let OpKind::If(_, yes, no) = &op.kind {
            add(put_by(program, game, *yes, depth - 1)?, 1);
            if let Some(no) = no {
                add(put_by(program, game, *no, depth - 1)?, 1);
            }
        } else if let OpKind::For(_, _, source, _, body) = &op.kind {
            let times = if let Source::Set(set) = source.as_ref() { size(set) } else { return None };
            add(put_by(program, game, *body, depth - 1)?, times);
        }
    }
    Some((tokens, statements))
}

/// The most members that a set can have, where that is plain.
fn most_members(set: &Set<Wide>) -> Option<usize> {
    let largest = |values: &[Wide]| values.iter().map(|set| set.iter().count()).max();
    if let Set::Const(set) = set {
        Some(set.iter().count())
    } else if let Set::One(_) = set {
        Some(1)
    } else if let Set::ByMe(values) | Set::ByLocal(_, values) | Set::ByMeAnd(_, _, values) = set {
        largest(values)
    } else if let Set::Op(SetOp::Intersect | SetOp::Minus, both) = set {
        most_members(&both.0)
    } else {
        None
    }
}

/// A table of sowing: for each acting seat, site and number of tokens how many more there are of them on all sites, which sites
/// got some, and the last of these.
pub(super) struct Rows {
    table: Address,
    /// The length of the first part, and of a row.
    more: u32,
    row: u32,
}

impl<'a> Emit<'a> {
    /// The table of sowing from a site, if the track and what is skipped are known, and numbers of tokens are small.
    pub(super) fn rows_of(&mut self, sow: &'a Sow<Wide>) -> Option<Rows> {
        let (seats, sites, width) =
            (self.game.seats.len().max(1), self.program.sites, self.layout.token_bytes as usize);
        let Set::Const(along) = sow.along else { return None };
        let way = self.program.onward.get(along.iter().next()?)?;
        let from = if let Set::One(number) = &sow.from { number.as_ref() } else { &Number::Me };
        let from = if let Number::Local(at) = from { *at } else { u16::MAX };
        let skip = match &sow.skip {
            Some(skip) => Some(Fixed::of(skip, from, (seats, sites))?),
            None => None,
        };
        let more = (width * sites).next_multiple_of(8);
        let row = (more + 8 * self.words + 8).next_power_of_two();
        if width == 4 || self.program.remembers || more > ROW || seats * sites * FEW * row > TABLE {
            return None;
        }
        let mut bytes = Vec::new();
        for seat in 0..seats {
            for start in 0..sites {
                let skipped = skip.as_ref().map_or(Wide::NONE, |skip| skip.at(seat, start));
                for tokens in 0..FEW {
                    let (mut counts, mut sown, mut last) = (vec![0_usize; more / width], Wide::NONE, start);
                    for nth in 0..tokens {
                        let onward = |site: &usize| way.get(*site).map(|&next| usize::from(next));
                        let mut ahead = std::iter::successors(onward(&last), onward).take(sites);
                        let next = ahead.find(|&site| site >= sites || !skipped.contains(site));
                        let Some(next) = next.filter(|site| *site < sites) else {
                            // Where the track ends the others stay.
                            counts[last] += tokens - nth;
                            sown.insert(last);
                            break;
                        };
                        last = next;
                        counts[last] += 1;
                        sown.insert(last);
                    }
                    // The site's own tokens are taken away by the same sum: it holds as many.
                    let mut lanes = Vec::new();
                    for count in counts {
                        lanes.extend(u64::saturating_from(count).to_le_bytes().into_iter().take(width));
                    }
                    for (nth, lane) in lanes.as_chunks::<8>().0.iter().enumerate() {
                        let own = (start * width).checked_sub(8 * nth).filter(|byte| *byte < 8);
                        let taken = own.map(|byte| u64::saturating_from(tokens) << (8 * byte)).unwrap_or_default();
                        bytes.extend(u64::from_le_bytes(*lane).wrapping_sub(taken).to_le_bytes());
                    }
                    bytes.extend(self.words_of(sown).into_iter().flat_map(u64::to_le_bytes));
                    bytes.extend(u64::saturating_from(last).to_le_bytes());
                    bytes.resize(bytes.len().next_multiple_of(row), 0);
                }
            }
        }
        let table = self.table(bytes);
        Some(Rows { table, more: u32::saturating_from(more), row: u32::saturating_from(row) })
    }

    /// Opens what is done where a table of sowing tells what becomes of so many tokens of a pool on a site, and sows them; what
    /// follows is done otherwise. The last site is left in a local.
    pub(super) fn sown_at_once(&mut self, rows: &Rows, pool: u32, start: u32, (left, last): (u32, u32)) {
        let (seats, sites) = (i64::saturating_from(self.game.seats.len().max(1)), self.program.sites);
        let (tokens, width) = (self.layout.tokens, self.layout.token_bytes);
        self.me();
        let me = self.f.keep();
        let sites = i64::saturating_from(sites);
        self.f.get(left).long(i64::saturating_from(FEW)).op(I::I64LtU);
        for (number, size) in [(start, sites), (me, seats), (pool, i64::saturating_from(self.program.pools))] {
            self.f.get(number).long(size).op(I::I64LtU).op(I::I32And);
        }
        self.f.when();
        let (shift, few) = (rows.row.trailing_zeros(), FEW.trailing_zeros());
        self.f.get(start).op(I::I32WrapI64).int((shift + few).cast_signed()).op(I::I32Shl);
        self.f.get(left).op(I::I32WrapI64).int(shift.cast_signed()).op(I::I32Shl).op(I::I32Add);
        self.f.get(me).op(I::I32WrapI64).int(i32::saturating_from(self.program.sites)).op(I::I32Mul);
        self.f.int((shift + few).cast_signed()).op(I::I32Shl).op(I::I32Add);
        let row = self.f.keep_small();
        self.f.get(pool).op(I::I32WrapI64).int(i32::saturating_from(self.program.sites)).op(I::I32Mul);
        if width > 1 {
            self.f.int(1).op(I::I32Shl);
        }
        let held = self.f.keep_small();
        // No number of tokens runs over into the next.
        for offset in (0..rows.more).step_by(8) {
            self.f.get(held).get(held).load(tokens + offset).get(row).load(rows.table + offset).op(I::I64Add);
            self.f.store(tokens + offset);
        }
        self.f.get(pool).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul);
        let of_pool = self.f.keep_small();
        self.f.get(start);
        let emptied = self.one();
        for (offset, &part) in (0..self.bytes).step_by(8).zip(&emptied) {
            let place = self.layout.token_sites + offset;
            self.f.get(of_pool).get(of_pool).load(place).part(part).long(-1).op(I::I64Xor).op(I::I64And);
            self.f.get(row).load(rows.table + rows.more + offset).op(I::I64Or).store(place);
        }
        self.f.get(row).load(rows.table + rows.more + self.bytes).set(last);
        self.f.otherwise();
    }

    /// Stores the number of tokens on the stack behind the address below it.
    pub(super) fn store_tokens(&mut self, offset: Address) {
        match self.layout.token_bytes {
            1 => self.f.store_byte(offset),
            2 => self.f.store_short(offset),
            _ => self.f.store_int(offset),
        };
    }

    /// Replaces the address on the stack by the number of tokens behind it, 32 bits.
    pub(super) fn load_tokens(&mut self, offset: Address) {
        match self.layout.token_bytes {
            1 => self.f.load_byte(offset),
            2 => self.f.load_short(offset),
            _ => self.f.load_int(offset),
        };
    }
}
