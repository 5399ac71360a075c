//! What other programs call: beginning a game, its questions and answers, results, playouts.

use wasm_encoder::Instruction as I;
use xxhash_rust::xxh3::xxh3_64;

use super::cost::{FUEL, LEFT};
use super::emit::{Emit, Export, Help, Key, Wide};
use super::func::Func;
use super::place::{CHOOSE, PICKED};
use super::race::Races;
use super::random::BLOCKS;
use crate::base::{SaturatingFrom, Word};

/// What `apply`, `draw` and `undo` return.
const DONE: i32 = 0;
pub(super) const REFUSED: i32 = 1;

impl Emit<'_> {
    pub(super) fn export(&mut self, export: Export) {
        let layout = self.layout.clone();
        self.f = Func::new(Self::export_params(export));
        self.f.cost.begins = true;
        match export {
            Export::Seed => self.seed(),
            Export::Start => self.start(),
            Export::Count => {
                self.f.read_int(layout.count);
            }
            Export::Ask => {
                self.f.read_int(layout.asked);
            }
            Export::Seat => {
                self.f.read_int(layout.seat).int(-1);
                self.f.read_int(layout.asked).int(CHOOSE).op(I::I32Eq);
                self.f.read_int(layout.asked).int(PICKED).op(I::I32Eq).op(I::I32Or).op(I::Select);
            }
            Export::Action => {
                self.f.get(0);
                self.call(Key::Locate);
                self.f.op(I::Drop).read_int(layout.action);
            }
            Export::Argument => {
                self.f.get(0);
                self.call(Key::Locate);
                self.f.op(I::Drop).get(1).op(I::I64ExtendI32U);
                self.entry(layout.chosen, layout.params as usize, 3);
                self.f.load(0);
            }
            Export::Apply => self.apply(),
            Export::Undo => self.undo(),
            Export::Draw => self.draw(),
            Export::Playout => self.playout(),
            Export::Ply => {
                self.f.read_int(layout.ply);
            }
            Export::Turn => {
                self.f.read_int(layout.turn);
            }
            Export::Mover => {
                self.f.read_int(layout.mover);
            }
            Export::Verdict => self.verdict(),
            Export::Rank => self.rank(),
            Export::Score => {
                self.f.get(0).op(I::I64ExtendI32U);
                self.entry(layout.scores, self.game.seats.len(), 3);
                self.f.load(0);
            }
            Export::Piece => {
                self.f.get(0).op(I::I64ExtendI32U);
                self.entry(layout.sites, self.program.sites, 1);
                self.f.load_short(0);
            }
            Export::Held => {
                self.f.get(0).op(I::I64ExtendI32U);
                let list = self.zone_numbered();
                self.f.get(list).load_int(0);
            }
            Export::Lying => self.lying(),
            Export::Tokens => {
                self.f.get(0).op(I::I64ExtendI32U);
                let pool = self.f.keep();
                self.f.get(1).op(I::I64ExtendI32U);
                let site = self.f.keep();
                self.tokens_at(pool, site);
            }
            Export::Variable => {
                self.f.get(0).op(I::I64ExtendI32U);
                self.entry(layout.vars, self.program.cells[0], 3);
                self.f.load(0);
            }
            Export::Race => self.race_at(),
            Export::Who | Export::When => self.act(export),
            Export::Decisions => {
                self.f.read(layout.decisions);
            }
            Export::Answers => {
                self.f.read(layout.decisions + 8);
            }
        }
    }

    pub(super) fn export_params(export: Export) -> u32 {
        match export {
            Export::Seed => 3,
            Export::Argument | Export::Tokens | Export::Lying => 2,
            Export::Action
            | Export::Apply
            | Export::Playout
            | Export::Verdict
            | Export::Rank
            | Export::Score
            | Export::Piece
            | Export::Held
            | Export::Race
            | Export::Who
            | Export::When
            | Export::Variable => 1,
            Export::Start
            | Export::Count
            | Export::Ask
            | Export::Seat
            | Export::Undo
            | Export::Draw
            | Export::Ply
            | Export::Turn
            | Export::Mover
            | Export::Decisions
            | Export::Answers => 0,
        }
    }

    /// Takes a seed, lower and upper half, and the number of a game: the random numbers of that game follow.
    fn seed(&mut self) {
        let (key, used) = (self.layout.key, self.layout.used);
        self.f.int(0).get(0).store(key);
        self.f.int(0).long(xxh3_64(b"game").cast_signed()).store(key + 8);
        self.f.int(0).get(1).store(key + 16);
        self.f.int(0).long(0).store(key + 24);
        self.f.int(0).long(0).store(key + 32);
        self.f.int(0).get(2).store(key + 40);
        self.f.write_int(used, |f| {
            f.int(BLOCKS.cast_signed());
        });
    }

    pub(super) fn refill(&mut self) {
        if self.races != Races::None {
            let racer = self.layout.racer;
            self.f.write_int(racer, |f| {
                f.int(-1);
            });
        }
        self.f.long(FUEL).op(I::GlobalSet(LEFT));
        // A decision that was stopped may have left a move that was being tried out.
        let journal = self.layout.journal;
        self.f.write_int(journal, |f| {
            f.int(0);
        });
        let top = self.layout.walkers_top;
        self.f.write_int(top, |f| {
            f.int(0);
        });
    }

    /// Begins a game: runs the setup and play to the first question.
    fn start(&mut self) {
        let layout = self.layout.clone();
        if self.program.remembers {
            self.f.int(0);
            self.help(Help::Forget);
        }
        self.forget_all_outcomes();
        self.no_draws();
        self.f.at(layout.position).int(0).at(layout.size).op(I::MemoryFill(0));
        for at in [layout.actor, layout.next_mover, layout.phase, layout.end] {
            self.f.write_int(at, |f| {
                f.int(-1);
            });
        }
        let first = usize::from(self.game.first);
        for at in [layout.mover, layout.me] {
            self.f.write_int(at, |f| {
                f.int(i32::saturating_from(first));
            });
        }
        self.write_set(layout.playing, &self.known(Wide::all(self.game.seats.len())));
        for at in [layout.count, layout.groups] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        self.set_out_lists();
        let super::emit::First { numbers, sets, .. } = self.first.clone();
        for (place, value) in numbers {
            self.f.int(0).long(value).store(layout.vars + 8 * u32::saturating_from(place));
        }
        for (place, set) in sets {
            self.write_set(layout.var_sets + self.bytes * u32::saturating_from(place), &self.known(set));
        }
        // Nothing can be taken back.
        self.f.op(I::GlobalGet(2)).op(I::GlobalSet(1));
        self.refill();
        self.first_list();
        self.call(Key::Course);
    }

    /// Notes the position with its legal answers, so that it can be taken up again, and plays.
    fn apply(&mut self) {
        let layout = self.layout.clone();
        self.no_draws();
        let (size, first) = (layout.size, layout.first_group);
        self.f.get(0);
        self.call(Key::Locate);
        self.f.op(I::I32Eqz);
        self.f.when();
        self.f.int(REFUSED).op(I::Return);
        self.f.end();
        self.f.read_int(layout.groups).int(layout.group_size.cast_signed()).op(I::I32Mul);
        let listed = self.f.keep_small();
        self.f.op(I::GlobalGet(1));
        let at = self.f.keep_small();
        self.f.get(at).get(listed).op(I::I32Add).at(size + 16).op(I::I32Add);
        let end = self.f.keep_small();
        // What says where it begins stands behind it all.
        self.f.get(end).int(8).op(I::I32Add);
        let past = self.f.keep_small();
        // Memory grows as the game does.
        self.f.get(past).op(I::MemorySize(0)).int(16).op(I::I32Shl).op(I::I32GtU);
        self.f.when();
        self.f.get(past).op(I::MemorySize(0)).int(16).op(I::I32Shl).op(I::I32Sub).int(16).op(I::I32ShrU);
        self.f.int(16).op(I::I32Add).op(I::MemoryGrow(0)).int(-1).op(I::I32Eq);
        self.f.when();
        self.f.int(2).op(I::Return);
        self.f.end();
        self.f.end();
        let copy = I::MemoryCopy { src_mem: 0, dst_mem: 0 };
        self.f.get(at).at(layout.position).at(size).op(copy.clone());
        self.f.get(at).at(size + 16).op(I::I32Add).at(first).get(listed).op(copy);
        // Behind the position: the number of moves, and of groups.
        self.f.get(at).read_int(layout.count).store_int(size);
        self.f.get(at).read_int(layout.groups).store_int(size + 4);
        self.f.get(end).get(at).store_int(0);
        self.f.get(past).op(I::GlobalSet(1));
        self.f.get(0);
        self.call(Key::Play);
        self.f.op(I::Drop).int(DONE);
    }

    /// Takes the last answer back.
    fn undo(&mut self) {
        let layout = self.layout.clone();
        let size = layout.size;
        self.f.op(I::GlobalGet(1)).op(I::GlobalGet(2)).op(I::I32Eq);
        self.f.when();
        self.f.int(REFUSED).op(I::Return);
        self.f.end();
        self.f.op(I::GlobalGet(1)).int(8).op(I::I32Sub).load_int(0);
        let at = self.f.keep_small();
        if self.program.remembers {
            self.f.get(at).load_int(layout.remembered - layout.position);
            self.help(Help::Forget);
        }
        self.forget_all_outcomes();
        let copy = I::MemoryCopy { src_mem: 0, dst_mem: 0 };
        self.f.at(layout.position).get(at).at(size).op(copy.clone());
        self.f.write_int(layout.count, |f| {
            f.get(at).load_int(size);
        });
        self.f.write_int(layout.groups, |f| {
            f.get(at).load_int(size + 4);
        });
        self.f.at(layout.first_group).get(at).at(size + 16).op(I::I32Add);
        self.f.get(at).load_int(size + 4).int(layout.group_size.cast_signed()).op(I::I32Mul).op(copy);
        self.f.get(at).op(I::GlobalSet(1)).int(DONE);
    }
}
