//! From positions to flat states and back.

use std::cell::RefCell;
use std::slice::Iter;

use smallvec::SmallVec;

use super::state::{Frame, Play, State, ask_of, to_ask};
use super::ways::Ways;
use crate::base::{Word, to_index};
use crate::compile::program::{Home, Program};
use crate::ir::{ActionId, ActionRef, BlockId, Game, Header, Move, Piece, SeatId, Slot, StmtKind, Ty, Value};
use crate::model::{self, History, Position, StmtRef};

/// Converts between positions and flat states of one game.
pub(super) struct Convert<'a, 'r, W: Word> {
    pub game: &'a Game,
    pub program: &'a Program<W>,
    pub ways: &'r RefCell<Ways<W>>,
}

impl<W: Word> Convert<'_, '_, W> {
    /// The number of a value that is not a set; none if the game has no such value.
    fn number(&self, value: &Value) -> Option<i64> {
        if let Value::Piece(piece) = value {
            self.program.pieces.number(Some(piece)).map(i64::from)
        } else if let Value::Way(way) = value {
            self.ways.borrow_mut().taken_up(way)
        } else {
            value.number()
        }
    }

    fn value(&self, ty: &Ty, n: i64) -> Value {
        match ty {
            Ty::Int => Value::Int(n),
            Ty::Bool => Value::Bool(n != 0),
            Ty::Piece => {
                let piece = usize::try_from(n).ok().and_then(|n| self.program.pieces.get(n));
                piece.cloned().map_or(Value::Unset, Value::Piece)
            }
            Ty::Way => self.ways.borrow().value(n).map_or(Value::Unset, |way| Value::Way(Box::new(way))),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Move | Ty::Set(_) => {
                Value::atom_of(to_index(n))
            }
        }
    }

    fn numbers(&self, value: &Value) -> Option<Vec<i64>> {
        value.clone().members().iter().map(|member| self.number(member)).collect()
    }

    fn words(value: &Value) -> Option<W> {
        let Value::Set(bits) = value else { return value.clone().members().is_empty().then_some(W::NONE) };
        W::from_bits(bits)
    }

    fn list(&self, ty: &Ty, list: &[i64]) -> Value {
        if *ty == Ty::Piece.set() {
            let piece = |&n: &i64| usize::try_from(n).ok().and_then(|n| self.program.pieces.get(n)).cloned();
            Value::Pieces(list.iter().filter_map(piece).collect())
        } else if *ty == Ty::Way.set() {
            Value::Ways(list.iter().filter_map(|&way| self.ways.borrow().value(way)).collect())
        } else {
            Value::Ints(list.to_vec())
        }
    }

    /// Fills a state; none if the position contains something the game cannot have.
    pub(super) fn load(&self, position: &Position, state: &mut State<W>) -> Option<()> {
        let (program, game) = (self.program, self.game);
        if position.sites.len() != state.sites.len()
            || position.locals.len() > state.bound.len()
            || position.standing.len() != state.standing.len()
            || position.vars.len() != program.vars.len()
            || position.zones.len() != program.zones.len()
            || position.tokens.len() != program.pools
            || position.tokens.iter().any(|counts| counts.len() != program.sites)
            || usize::from(position.mover) >= state.standing.len()
        {
            return None;
        }
        for (site, piece) in position.sites.iter().enumerate() {
            state.put(program, site, program.pieces.number(piece.as_ref())?);
        }
        for (pool, counts) in position.tokens.iter().enumerate() {
            for (site, &count) in counts.iter().enumerate() {
                state.set_tokens(program, pool, site, count);
            }
        }
        for (list, pieces) in state.lists.iter_mut().zip(position.zones.iter().flatten()) {
            list.clear();
            // Many of them lie beside their like.
            let mut last: Option<(&Piece, u16)> = None;
            for piece in pieces {
                let number = match last {
                    Some((like, number)) if like == piece => number,
                    Some(_) | None => program.pieces.number(Some(piece))?,
                };
                list.push(number);
                last = Some((piece, number));
            }
        }
        for ((home, values), info) in program.vars.iter().zip(&position.vars).zip(&game.vars) {
            for (place, value) in values.iter().enumerate() {
                match home {
                    Home::Number(at) => *state.vars.get_mut(usize::from(*at) + place)? = self.number(value)?,
                    Home::Set(at) => *state.var_sets.get_mut(usize::from(*at) + place)? = Self::words(value)?,
                    Home::List(at) => *state.var_lists.get_mut(usize::from(*at) + place)? = self.numbers(value)?,
                    Home::Nowhere => return None,
                }
            }
            let places: usize = info.indices.iter().map(|(_, size)| *size).product();
            if values.len() != places {
                return None;
            }
        }
        state.bound.fill(false);
        state.locals.fill(0);
        state.local_sets.fill(W::NONE);
        state.local_lists.iter_mut().for_each(Vec::clear);
        for (slot, value) in position.locals.iter().enumerate() {
            if *value == Value::Unset {
                continue;
            }
            match program.homes.get(slot)? {
                Home::Number(at) => state.locals[usize::from(*at)] = self.number(value)?,
                Home::Set(at) => state.local_sets[usize::from(*at)] = Self::words(value)?,
                Home::List(at) => state.local_lists[usize::from(*at)] = self.numbers(value)?,
                Home::Nowhere => return None,
            }
            state.bound[slot] = true;
        }
        state.mover = position.mover;
        state.set_actor(position.actor);
        state.next_mover = position.next_mover;
        (state.ply, state.turn, state.now, state.phase) = (position.ply, position.turn, position.now, position.phase);
        state.standing.clone_from(&position.standing);
        state.playing = W::from_bits(&position.playing())?;
        state.offers.clone_from(&position.offers);
        self.load_control(position, state)?;
        state.ask = ask_of(&position.ask);
        state.outcome.clone_from(&position.outcome);
        state.history.clone_from(&position.history);
        Some(())
    }

    fn load_control(&self, position: &Position, state: &mut State<W>) -> Option<()> {
        state.control.clear();
        state.members.clear();
        state.secrets.clear();
        for frame in &position.control {
            let frame = match frame {
                model::Frame::Block(block, next) => Frame::Block(*block, *next),
                model::Frame::While(at) => Frame::While(*at),
                model::Frame::Repeat(at, left) => Frame::Repeat(*at, *left),
                model::Frame::Each(at, left) => {
                    for member in left {
                        state.members.push(self.number(member)?);
                    }
                    Frame::Each(*at, u32::try_from(left.len()).ok()?)
                }
                model::Frame::Turns(at, stage) => Frame::Turns(*at, *stage),
                model::Frame::Phase(before) => Frame::Phase(*before),
                model::Frame::Played(before) => Frame::Played(*before),
                model::Frame::Actor(before) => Frame::Actor(*before),
                model::Frame::Ends(moment, next) => Frame::Ends(*moment, *next),
                model::Frame::Shuffle(at, left) => Frame::Shuffle(*at, *left),
                model::Frame::Together(at, left, chosen) => {
                    if left.windows(2).any(|pair| pair[0] <= pair[1]) {
                        return None;
                    }
                    for (seat, mv) in chosen {
                        state.secrets.push((*seat, self.to_play(mv)?));
                    }
                    let left = left.iter().try_fold(0, |left, &seat| {
                        (usize::from(seat) < 64).then(|| left | 1_u64 << usize::from(seat))
                    })?;
                    Frame::Together(*at, left, u32::try_from(chosen.len()).ok()?)
                }
                model::Frame::Ask(ask) => Frame::Ask(ask_of(ask)),
            };
            state.control.push(frame);
        }
        Some(())
    }

    /// The position of a state.
    pub(super) fn store(&self, state: &State<W>) -> Position {
        Position {
            locals: self.game.slots.ids().map(|slot| self.local(state, slot)).collect(),
            control: self.control(state),
            history: state.history.clone(),
            ..self.visible(state)
        }
    }

    /// A position without what only its continuation needs: the control stack, local names, earlier positions.
    pub(super) fn visible(&self, state: &State<W>) -> Position {
        let (program, game) = (self.program, self.game);
        let piece = |&number: &u16| program.pieces.get(usize::from(number)).cloned();
        let mut lists = state.lists.iter();
        let zones = game.zones.iter().map(|zone| {
            let count: usize = zone.indices.iter().map(|(_, size)| *size).product();
            let pieces = |list: &Vec<u16>| list.iter().filter_map(piece).collect::<Vec<Piece>>();
            lists.by_ref().take(count).map(pieces).collect()
        });
        let zones = zones.collect();
        let vars = program.vars.iter().zip(&game.vars).map(|(home, info)| {
            let count: usize = info.indices.iter().map(|(_, size)| *size).product();
            let value = |place: usize| match home {
                Home::Number(at) => self.value(&info.ty, state.vars[usize::from(*at) + place]),
                Home::Set(at) => Value::Set(state.var_sets[usize::from(*at) + place].to_bits()),
                Home::List(at) => self.list(&info.ty, &state.var_lists[usize::from(*at) + place]),
                Home::Nowhere => Value::Unset,
            };
            (0..count).map(value).collect()
        });
        let vars = vars.collect();
        Position {
            sites: state.sites.iter().map(piece).collect(),
            tokens: state.tokens.chunks(program.sites.max(1)).map(<[u32]>::to_vec).collect(),
            zones,
            vars,
            locals: Vec::new(),
            mover: state.mover,
            actor: state.actor,
            next_mover: state.next_mover,
            ply: state.ply,
            turn: state.turn,
            now: state.now,
            phase: state.phase,
            standing: state.standing.clone(),
            offers: state.offers.clone(),
            control: Vec::new(),
            ask: to_ask(state.ask),
            outcome: state.outcome.clone(),
            history: History::default(),
        }
    }

    /// The value of a local name.
    pub(super) fn local(&self, state: &State<W>, slot: Slot) -> Value {
        let at = usize::from(slot);
        let ty = self.game.slots.get(slot).map_or(&Ty::Int, |info| &info.ty);
        match (state.bound.get(at), self.program.homes.get(at)) {
            (None | Some(false), _) | (Some(true), None | Some(Home::Nowhere)) => Value::Unset,
            (Some(true), Some(Home::Number(at))) => self.value(ty, state.locals[usize::from(*at)]),
            (Some(true), Some(Home::Set(at))) => Value::Set(state.local_sets[usize::from(*at)].to_bits()),
            (Some(true), Some(Home::List(at))) => self.list(ty, &state.local_lists[usize::from(*at)]),
        }
    }

    /// The control stack.
    pub(super) fn control(&self, state: &State<W>) -> Vec<model::Frame> {
        let (mut members, mut secrets) = (state.members.iter(), state.secrets.iter());
        state.control.iter().map(|frame| self.frame(frame, &mut members, &mut secrets)).collect()
    }

    /// A frame, taking what is left of its members and secret moves, and of later frames, from their stacks.
    pub(super) fn frame(
        &self,
        frame: &Frame,
        members: &mut Iter<'_, i64>,
        secrets: &mut Iter<'_, (SeatId, Play)>,
    ) -> model::Frame {
        match frame {
            Frame::Block(block, next) => model::Frame::Block(*block, *next),
            Frame::While(at) => model::Frame::While(*at),
            Frame::Repeat(at, left) => model::Frame::Repeat(*at, *left),
            Frame::Each(at, left) => {
                let ty = self.member_type(*at);
                let left = members.by_ref().take(*left as usize).map(|&n| self.value(&ty, n)).collect();
                model::Frame::Each(*at, left)
            }
            Frame::Turns(at, stage) => model::Frame::Turns(*at, *stage),
            Frame::Phase(before) => model::Frame::Phase(*before),
            Frame::Played(before) => model::Frame::Played(*before),
            Frame::Actor(before) => model::Frame::Actor(*before),
            Frame::Ends(moment, next) => model::Frame::Ends(*moment, *next),
            Frame::Shuffle(at, left) => model::Frame::Shuffle(*at, *left),
            Frame::Together(at, left, chosen) => {
                let seats = SeatId::all(64).rev().filter(|&seat| left >> usize::from(seat) & 1 != 0).collect();
                let chosen = secrets.by_ref().take(*chosen as usize);
                let chosen = chosen.map(|(seat, play)| (*seat, self.to_move(play, None))).collect();
                model::Frame::Together(*at, seats, chosen)
            }
            Frame::Ask(ask) => model::Frame::Ask(to_ask(*ask)),
        }
    }

    fn member_type(&self, (block, number): StmtRef) -> Ty {
        let stmt = self.game.blocks.get(block).and_then(|b| b.stmts.get(usize::from(number)));
        match stmt.map(|stmt| &stmt.kind) {
            Some(StmtKind::For(slot, ..)) => self.slot_type(*slot),
            _ => Ty::Int,
        }
    }

    fn slot_type(&self, slot: Slot) -> Ty {
        self.game.slots.get(slot).map_or(Ty::Int, |info| info.ty.clone())
    }

    /// A move with its parameters as numbers; none if the game has no such value.
    pub(super) fn to_play(&self, mv: &Move) -> Option<Play> {
        let args = mv.args.iter().map(|value| self.number(value)).collect::<Option<_>>()?;
        Some(Play { action: mv.action, args })
    }

    /// A move. `asked` is the statement that asks, needed for picked values.
    pub(super) fn to_move(&self, play: &Play, asked: Option<StmtRef>) -> Move {
        let head = |number: ActionId| {
            let action = self.game.actions.get(number);
            let lines = action.map_or(&[][..], |action| action.head.as_slice());
            lines.iter().filter_map(|line| match line {
                Header::Choose(choice) => Some(self.slot_type(choice.slot)),
                Header::Let(..) | Header::Late(..) | Header::Require(..) | Header::Prefer(..) => None,
            })
        };
        let args = match play.action {
            ActionRef::Action(number) => self.arguments(head(number), play),
            ActionRef::Race(number) => self.arguments([Ty::Seat, Ty::Int].into_iter().chain(head(number)), play),
            ActionRef::Pick => {
                let (block, number) = asked.unwrap_or((BlockId::FIRST, 0));
                let stmt = self.game.blocks.get(block).and_then(|b| b.stmts.get(usize::from(number)));
                let ty = match stmt.map(|stmt| &stmt.kind) {
                    Some(StmtKind::Pick(slot, ..) | StmtKind::Roll(slot, ..)) => self.slot_type(*slot),
                    _ => Ty::Int,
                };
                self.arguments(std::iter::once(ty), play)
            }
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline => SmallVec::new(),
        };
        Move { action: play.action, args }
    }

    /// The arguments of a move, by their types.
    fn arguments(&self, types: impl Iterator<Item = Ty>, play: &Play) -> SmallVec<[Value; 2]> {
        let mut args = SmallVec::with_capacity(play.args.len());
        args.extend(types.zip(&play.args).map(|(ty, &n)| self.value(&ty, n)));
        args
    }
}
