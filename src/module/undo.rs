//! How a move that was tried out is taken back: pieces by a note of those that were replaced, what else it changes by copies
//! of just that; by a copy of the whole position only where that is not known, or much.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Address, Part, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Cell, OpKind, PieceLocation};
use crate::ir::BlockId;

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

/// The most bytes that are worth being kept one by one.
const FEW: u32 = 96;

/// What effects change, apart from pieces on sites: where it lies, and how many bytes.
type Changes = Vec<(Address, u32)>;

/// What is needed to take effects back.
pub(super) enum Undo {
    /// A copy of everything.
    Copy(Address),
    /// The locals with what was there, 64 bits each, and the journal around: its address and its sites.
    Notes(Vec<(Address, u32)>, Address, u32, Vec<u32>),
}

impl Emit<'_> {
    /// Notes that a piece is replaced: with the locals of its offset among the sites, what was there, and the site as a
    /// word's offset and bit of sets. Outside of trials, what was found of the site no longer holds.
    pub(super) fn note_put(&mut self, at: u32, before: u32, word: u32, bit: u32) {
        let (journal, replaced) = (self.layout.journal, self.layout.replaced);
        self.f.read_int(journal);
        let notes = self.f.keep_small();
        self.f.get(notes);
        self.f.when();
        self.f.get(word).load(replaced).get(bit).op(I::I64And).op(I::I64Eqz);
        self.f.when();
        self.f.get(word).get(word).load(replaced).get(bit).op(I::I64Or).store(replaced);
        self.f.get(notes).get(at).op(I::I32Add).get(before).store_short(0);
        self.f.end();
        let kept: Vec<Address> = self.lasting.iter().flat_map(super::lasting::Kept::changed).collect();
        if !kept.is_empty() {
            self.f.otherwise();
            for changed in kept {
                self.f.get(word).get(word).load(changed).get(bit).op(I::I64Or).store(changed);
            }
        }
        self.f.end();
    }

    /// Prepares to take back what a block does.
    pub(super) fn begin_trial(&mut self, body: BlockId) -> Undo {
        let layout = &self.layout;
        let mut changes = vec![(layout.over, 4), (layout.actor, 4), (layout.me, 4)];
        let known = self.changes(body, &mut changes, 0).is_some();
        changes.sort_unstable();
        changes.dedup();
        if !known || changes.iter().map(|(_, bytes)| bytes).sum::<u32>() > FEW {
            let (position, size) = (self.layout.position, self.layout.table);
            let copy = self.room(size);
            self.f.at(copy).at(position).at(size).op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
            self.f.weigh(size / 8);
            return Undo::Copy(copy);
        }
        let mut kept = Vec::new();
        for (address, bytes) in changes {
            for at in (address..address + bytes).step_by(8) {
                self.f.read(at);
                kept.push((at, self.f.keep()));
            }
        }
        let (journal, replaced) = (self.layout.journal, self.layout.replaced);
        let notes = self.room(2 * u32::saturating_from(self.program.sites));
        self.f.read_int(journal);
        let outer = self.f.keep_small();
        let sites = self.read_set(replaced);
        let sites = self.variable(&sites);
        self.f.write_int(journal, |f| {
            f.at(notes);
        });
        self.write_set(replaced, &self.known(Wide::NONE));
        Undo::Notes(kept, notes, outer, sites)
    }

    /// Takes back what was done since.
    pub(super) fn end_trial(&mut self, undo: &Undo) -> Out {
        match undo {
            Undo::Copy(copy) => {
                let (position, size) = (self.layout.position, self.layout.table);
                self.f.at(position).at(*copy).at(size).op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
                self.f.weigh(size / 8);
            }
            Undo::Notes(kept, notes, outer, sites) => {
                let (journal, replaced) = (self.layout.journal, self.layout.replaced);
                let changed = self.read_set(replaced);
                let notes = *notes;
                self.members(&changed, &mut |emit, site, _| {
                    emit.f.get(site).get(site).op(I::I32WrapI64).int(1).op(I::I32Shl).load_short(notes);
                    emit.help(Help::PutBack);
                    Ok(())
                })?;
                self.f.write_int(journal, |f| {
                    f.get(*outer);
                });
                let outer: Parts = sites.iter().map(|&word| Part::Local(word)).collect();
                self.write_set(replaced, &outer);
                for &(at, value) in kept {
                    self.f.int(0).get(value).store(at);
                }
            }
        }
        Ok(())
    }

    /// Adds what a block changes; none if that is not known.
    fn changes(&self, block: BlockId, into: &mut Changes, depth: usize) -> Option<()> {
        let code = self.program.code.get(usize::from(block)).filter(|code| depth < DEPTH && !code.asks)?;
        let layout = &self.layout;
        for op in &code.ops {
            match &op.kind {
                OpKind::Nothing
                | OpKind::Let(..)
                | OpKind::Put(..)
                | OpKind::MoveSite(..)
                | OpKind::Move(..)
                | OpKind::Remove(_)
                | OpKind::Swap(..)
                | OpKind::Change(PieceLocation::Sites(_), _) => {}
                OpKind::AssignNumber(cell, _) => into.push(self.written(0, layout.vars, 8, cell)),
                OpKind::AssignSet(cell, _) => into.push(self.written(1, layout.var_sets, self.bytes, cell)),
                OpKind::Decide(..) | OpKind::Draw => {
                    into.extend([(layout.over_end, 4), (layout.over_rule, 4), (layout.named, self.bytes)]);
                }
                OpKind::Do(body)
                | OpKind::While(_, body)
                | OpKind::Repeat(_, body)
                | OpKind::For(_, _, _, _, body)
                | OpKind::Call(_, body) => self.changes(*body, into, depth + 1)?,
                OpKind::If(_, yes, no) => {
                    self.changes(*yes, into, depth + 1)?;
                    if let Some(no) = no {
                        self.changes(*no, into, depth + 1)?;
                    }
                }
                OpKind::PutTokens(..)
                | OpKind::MoveTokens(..)
                | OpKind::Sow(_)
                | OpKind::Pick(..)
                | OpKind::Roll(_)
                | OpKind::Shuffle(_)
                | OpKind::PutIn(..)
                | OpKind::MovePieces(..)
                | OpKind::Rotate(..)
                | OpKind::Change(PieceLocation::Zone(_), _)
                | OpKind::AssignList(..)
                | OpKind::Turns(..)
                | OpKind::Phase(..)
                | OpKind::Give(_)
                | OpKind::Rank(..)
                | OpKind::Place(..)
                | OpKind::Stop
                | OpKind::Plays { .. }
                | OpKind::Together(..)
                | OpKind::Race(_) => return None,
            }
        }
        Some(())
    }

    /// Where values lie that a statement may set, of which each has so many bytes: indices that are out of range may lead
    /// anywhere behind the first.
    fn written(&self, sort: usize, first: Address, bytes: u32, cell: &Cell<Wide>) -> (Address, u32) {
        let all = u32::saturating_from(self.program.cells[sort]);
        let last = if cell.at.is_empty() { cell.first.saturating_add(1).min(all) } else { all };
        (first + bytes * cell.first.min(all), bytes * last.saturating_sub(cell.first))
    }
}
