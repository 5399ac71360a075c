//! Legal moves in groups: moves that differ only in their last parameter are stored as one set, so that counting them
//! is a population count.

use smallvec::SmallVec;

use super::eval::count;
use super::moves::{Group, Last};
use super::run::Run;
use super::state::{AskKind, Frame};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Action, Head, List, OpKind, Sort, Values};
use crate::ir::ActionRef;
use crate::model::StmtRef;

/// The most moves that are listed, and the most parameters that they have together, as in the reference interpreter.
const MOST: usize = 100_000;
const PARAMETERS: usize = 500_000;

/// The most values that are kept: acts of a race are listed as moves at first, and moves that are not preferred stay.
const VALUES: usize = 2 * PARAMETERS;

impl<'a, W: Word> Run<'a, W> {
    /// The number of legal answers, listing them if necessary.
    pub(super) fn listed(&mut self) -> usize {
        if let Some(count) = self.moves.count {
            return count;
        }
        self.refill();
        self.moves.forget();
        let (kind, at, _) = self.state.ask;
        match kind {
            AskKind::Choose => self.list_choices(at),
            AskKind::Pick | AskKind::Chance => self.list_picks(at),
            AskKind::Race => self.list_race(at),
            AskKind::Over => {}
        }
        self.counted()
    }

    /// Counts the listed moves.
    pub(super) fn counted(&mut self) -> usize {
        let mut count = 0;
        for group in &mut self.moves.groups {
            group.first = count;
            count += group.count;
        }
        if self.steps == 0 {
            (self.moves.groups, self.moves.values, count) = (Vec::new(), Vec::new(), 0);
        }
        self.moves.count = Some(count);
        count
    }

    fn list_choices(&mut self, at: StmtRef) {
        let program = self.program;
        let (groups, may) = match program.op(at).map(|op| &op.kind) {
            Some(OpKind::Plays { groups, may, .. }) => (groups, *may),
            Some(OpKind::Together(_, groups)) => (groups, false),
            _ => return,
        };
        self.list_first(groups);
        if may {
            self.add(ActionRef::Decline, &[], Last::Done, None);
        }
    }

    /// Lists the moves that a statement offers to the acting seat; returns their number.
    pub(super) fn list_now(&mut self, groups: &'a [Box<[ActionRef]>]) -> usize {
        self.moves.forget();
        self.list_first(groups);
        self.counted()
    }

    /// Lists the first group with a legal move.
    fn list_first(&mut self, groups: &'a [Box<[ActionRef]>]) {
        for group in groups {
            self.list_group(group);
            if !self.moves.groups.is_empty() {
                break;
            }
        }
    }

    /// The distinct values of a list; with `copies`, each copy of a piece.
    fn choosable(&mut self, list: &'a List<W>, sort: Sort, copies: bool) -> Vec<i64> {
        let mut members = self.list(list);
        if sort == Sort::Pieces {
            members.sort_unstable();
            if !copies {
                members.dedup();
            }
        }
        members
    }

    pub(super) fn list_group(&mut self, group: &'a [ActionRef]) {
        let first = self.moves.groups.len();
        let outer = (self.foreseen.take(), std::mem::replace(&mut self.foresight, false));
        for &action in group {
            match action {
                ActionRef::Action(number) => {
                    let program = self.program;
                    if let Some(action) = program.actions.get(usize::from(number)) {
                        let mut draft = Draft { action: ActionRef::Action(number), args: SmallVec::new(), worth: None };
                        self.heads(action, 0, &mut draft);
                    }
                }
                ActionRef::Pass | ActionRef::Decline => self.add(action, &[], Last::Done, None),
                ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => {}
            }
        }
        (self.foreseen, self.foresight) = outer;
        let (mut count, mut parameters, mut best) = (0, 0, None);
        for group in &self.moves.groups[first..] {
            count += group.count;
            parameters += group.parameters();
            best = best.max(group.worth);
        }
        self.spill(count, parameters);
        if best.is_some() {
            let mut at = 0;
            self.moves.groups.retain(|group| {
                at += 1;
                at <= first || group.worth.is_none() || group.worth == best
            });
        }
    }

    /// Gives up if so many moves, with so many parameters together, are more than can be listed.
    pub(super) fn spill(&mut self, moves: usize, parameters: usize) {
        if moves > MOST || parameters > PARAMETERS {
            self.steps = 0;
            self.moves.spilled = true;
        }
    }

    /// Adds a group of moves.
    pub(super) fn add(&mut self, action: ActionRef, shared: &[i64], last: Last<W>, worth: Option<i64>) {
        let count = last.count();
        if count > 0 {
            let args = (u32::saturating_from(self.moves.values.len()), u32::saturating_from(shared.len()));
            self.moves.values.extend_from_slice(shared);
            self.moves.groups.push(Group { action, args, last, first: 0, count, worth });
            if self.moves.groups.len() > MOST || self.moves.values.len() > VALUES {
                self.steps = 0;
                self.moves.spilled = true;
            }
        }
    }

    /// Processes the head of an action from a line on.
    fn heads(&mut self, action: &'a Action<W>, line: usize, draft: &mut Draft) {
        if !self.tick() || self.moves.any && !self.moves.groups.is_empty() {
            return;
        }
        match action.head.get(line).filter(|_| line < action.tail) {
            None => {
                if action.ensure.is_empty() || self.ensured(action, draft) {
                    self.add(draft.action, &draft.args, Last::Done, draft.worth);
                }
            }
            Some(Head::Choose(_, at, values)) => {
                let last = line + 1 == action.tail && action.ensure.is_empty();
                match values {
                    Values::Set(set) => {
                        let set = self.set(set);
                        if last {
                            self.add(draft.action, &draft.args, Last::Set(set), draft.worth);
                            return;
                        }
                        if line + 1 == action.tail {
                            self.add_ensured(action, draft, *at, set);
                            return;
                        }
                        for member in set.iter() {
                            self.next_choice(action, line, draft, *at, count(member));
                        }
                    }
                    Values::List(list, sort) => {
                        let members = self.choosable(list, *sort, false);
                        if last {
                            let first = u32::saturating_from(self.moves.values.len());
                            let length = u32::saturating_from(members.len());
                            self.moves.values.extend_from_slice(&members);
                            self.add(draft.action, &draft.args, Last::Listed(first, length), draft.worth);
                        } else {
                            for &member in &members {
                                self.next_choice(action, line, draft, *at, member);
                            }
                        }
                        self.give_back(members);
                    }
                }
            }
            Some(Head::Let(_, bind)) => {
                self.bind(bind);
                self.heads(action, line + 1, draft);
            }
            Some(Head::Require(guard)) => {
                if self.test(guard) {
                    self.heads(action, line + 1, draft);
                }
            }
            Some(Head::Prefer(worth)) => {
                draft.worth = Some(self.number(worth));
                self.heads(action, line + 1, draft);
            }
        }
    }

    /// Adds the members of a set with which, as the last parameter, the guards on the position after the move hold.
    fn add_ensured(&mut self, action: &'a Action<W>, draft: &mut Draft, at: u16, set: W) {
        let (mut legal, mut open) = self.spared(action, at, set);
        while let Some(member) = open.pop() {
            if !self.tick() || self.moves.any && !legal.is_empty() {
                break;
            }
            self.set_local(at, count(member));
            draft.args.push(count(member));
            let learnt = self.learnt;
            let holds = self.ensured(action, draft);
            draft.args.pop();
            if holds {
                legal.insert(member);
            }
            // A new reason why a guard holds may spare others.
            if self.learnt != learnt && !open.is_empty() {
                let (more, still) = self.spared(action, at, open);
                (legal, open) = (legal.or(more), still);
            }
        }
        self.add(draft.action, &draft.args, Last::Set(legal), draft.worth);
    }

    fn next_choice(&mut self, action: &'a Action<W>, line: usize, draft: &mut Draft, at: u16, member: i64) {
        self.set_local(at, member);
        draft.args.push(member);
        self.heads(action, line + 1, draft);
        draft.args.pop();
    }

    /// The values a pick, roll or shuffle offers.
    fn list_picks(&mut self, at: StmtRef) {
        let program = self.program;
        let op = program.op(at).map(|op| &op.kind);
        let last = match op {
            Some(OpKind::Pick(offered, _) | OpKind::Roll(offered)) => match &offered.values {
                Values::Set(set) => Last::Set(self.set(set)),
                Values::List(list, sort) => {
                    let members = self.choosable(list, *sort, matches!(op, Some(OpKind::Roll(_))));
                    self.moves.values.extend_from_slice(&members);
                    let length = u32::saturating_from(members.len());
                    self.give_back(members);
                    Last::Listed(0, length)
                }
            },
            Some(OpKind::Shuffle(_)) => match self.state.control.last() {
                Some(Frame::Shuffle(_, left)) => Last::Below(*left),
                _ => return,
            },
            _ => return,
        };
        self.add(ActionRef::Pick, &[], last, None);
    }
}

/// A move under construction.
pub(super) struct Draft {
    pub(super) action: ActionRef,
    pub(super) args: SmallVec<[i64; 6]>,
    worth: Option<i64>,
}
