//! Lowering of paths that are followed one walker at a time: those that take sites, and those along directions that
//! fork.

use super::Gap;
use super::lower::{Lower, is_plain};
use super::path::{is_name, is_ready, plain};
use super::program::{Bind, Local, Number, Set, Stand, WalkerPath, WayRoute};
use crate::base::Word;
use crate::ir::{Dependencies, Expr, Path, PathDef, PathId, Slot};

/// A path with its parameters bound: the arguments to bind, the starting sites, the local name of the start, and the
/// path.
pub(super) struct BoundPath<W: Word, T> {
    pub binds: Box<[Bind<W>]>,
    pub from: Set<W>,
    pub start: Local,
    pub path: T,
}

impl<W: Word> Lower<'_, W> {
    /// Lowers a path with its parameters bound.
    pub(super) fn bound_path<T>(
        &mut self,
        path: PathId,
        from: &Expr,
        args: &[Expr],
        lower: impl FnOnce(&mut Self, &PathDef) -> Result<T, Gap>,
    ) -> Result<BoundPath<W, T>, Gap> {
        let game = self.game;
        let def = game.paths.get(path).ok_or(Gap("a path that is not there"))?;
        let from = self.set(from)?;
        let start = self.number_home(def.start)?;
        let given: Vec<Bind<W>> =
            def.params.iter().zip(args).map(|(&slot, arg)| self.bind(slot, arg)).collect::<Result<_, _>>()?;
        let (mut binds, mut before) = (Vec::new(), Vec::new());
        for (&slot, bind) in def.params.iter().zip(given) {
            // What is looked up at once stands wherever its name does.
            match bind {
                Bind::Number(_, number) if is_plain(&number) => before.push((slot, self.known.insert(slot, number))),
                Bind::Set(_, set) if is_ready(&set) => {
                    self.known_sets.insert(slot, set);
                }
                bind @ (Bind::Number(..) | Bind::Set(..) | Bind::List(..)) => binds.push(bind),
            }
        }
        self.lifted.push(start);
        let path = lower(self, def);
        self.lifted.pop();
        for (slot, old) in before {
            match old {
                Some(number) => self.known.insert(slot, number),
                None => self.known.remove(&slot),
            };
        }
        def.params.iter().for_each(|slot| drop(self.known_sets.remove(slot)));
        Ok(BoundPath { binds: binds.into(), from, start, path: path? })
    }

    /// Lowers a path that is followed one walker at a time.
    pub(super) fn track(&mut self, path: PathId, from: &Expr, args: &[Expr]) -> Result<WayRoute<W>, Gap> {
        let bound = self
            .bound_path(path, from, args, |lower, def| Ok((lower.stand(def)?, lower.walker_path(&def.body, def)?)))?;
        let BoundPath { binds, from, start, path: (stand, walker_path) } = bound;
        let mut track = WayRoute { binds, from, start, stand, walker_path, outlook: None };
        track.outlook = self.outlook_of_track(&track);
        Ok(track)
    }

    fn stand(&self, def: &PathDef) -> Result<Stand, Gap> {
        // What is taken before the path was called counts, even if it takes nothing itself.
        let looks = def.body.mentions(&[def.taken]);
        let taken = if looks { Some(self.set_home(def.taken)?) } else { None };
        Ok(Stand { here: self.number_home(def.here)?, taken })
    }

    fn walker_path(&mut self, path: &Path, def: &PathDef) -> Result<WalkerPath<W>, Gap> {
        self.node()?;
        Ok(match path {
            Path::Step { heading, to } => WalkerPath::Step(self.directions(heading.as_ref())?, self.set(&to.set)?),
            Path::Slide { heading, limit, through } => {
                let limit = limit.as_ref().map(|limit| self.number(limit)).transpose()?;
                WalkerPath::Slide(self.directions(heading.as_ref())?, limit, self.set(&through.set)?)
            }
            Path::Hop { heading, over, taking, to } => {
                let sets = (self.directions(heading.as_ref())?, self.set(&over.set)?, self.set(&to.set)?);
                WalkerPath::Hop(Box::new(sets), taking.is_some())
            }
            Path::Along(slot, set, body) => {
                if let Some(flank) = self.flank(def, *slot, set, body)? {
                    return Ok(flank);
                }
                let set = self.set(set)?;
                WalkerPath::Along(self.number_home(*slot)?, set, Box::new(self.walker_path(body, def)?))
            }
            Path::Each(body) => WalkerPath::Each(Box::new(self.walker_path(body, def)?)),
            Path::Take => WalkerPath::Take,
            Path::If(condition, _) => WalkerPath::If(self.test(condition)?),
            Path::Call(path, args) => {
                let game = self.game;
                let inner = game.paths.get(*path).ok_or(Gap("a path that is not there"))?;
                if self.depth > 30 {
                    return Err(Gap("paths that call each other too deeply"));
                }
                let mut binds: Vec<Bind<W>> =
                    inner.params.iter().zip(args).map(|(slot, arg)| self.bind(*slot, arg)).collect::<Result<_, _>>()?;
                let start = Number::Local(self.number_home(def.start)?);
                binds.push(Bind::Number(self.number_home(inner.start)?, start));
                self.depth += 1;
                let body = self.walker_path(&inner.body, inner);
                self.depth -= 1;
                WalkerPath::Call(binds.into(), self.stand(inner)?, Box::new(body?))
            }
            Path::Then(parts) => WalkerPath::Then(self.walker_paths(parts, def)?),
            Path::Or(parts) => WalkerPath::Or(self.walker_paths(parts, def)?),
            Path::Repeat { body, least, most, fully } => {
                let body = Box::new(self.walker_path(body, def)?);
                WalkerPath::Repeat { body, least: *least, most: *most, fully: *fully }
            }
            Path::Cited(_, body) => self.walker_path(body, def)?,
        })
    }

    fn walker_paths(&mut self, parts: &[Path], def: &PathDef) -> Result<Box<[WalkerPath<W>]>, Gap> {
        parts.iter().map(|part| self.walker_path(part, def)).collect()
    }

    /// One or more steps that take, and one more, all in one direction.
    fn flank(&mut self, def: &PathDef, way: Slot, ways: &Expr, body: &Path) -> Result<Option<WalkerPath<W>>, Gap> {
        let Path::Then(parts) = plain(body) else { return Ok(None) };
        let [row, last] = parts.as_slice() else { return Ok(None) };
        let Path::Repeat { body: row, least: 1, most: None, fully: false } = plain(row) else { return Ok(None) };
        let Path::Then(row) = plain(row) else { return Ok(None) };
        let [row, Path::Take] = row.as_slice() else { return Ok(None) };
        let (Path::Step { heading: Some(on), to: over }, Path::Step { heading: Some(off), to }) =
            (plain(row), plain(last))
        else {
            return Ok(None);
        };
        let free = |expr: &Expr| !Dependencies::of(self.game, expr).any_of(&[way, def.here, def.taken]);
        if !is_name(on, way) || !is_name(off, way) || !free(&over.set) || !free(&to.set) || !self.straight() {
            return Ok(None);
        }
        let sets = (self.set(ways)?, self.set(&over.set)?, self.set(&to.set)?);
        Ok(Some(WalkerPath::Flank(Box::new(sets))))
    }
}
