//! Who learns a parameter of a move or a claim.

use super::sighting::Sighting;
use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{ActionRef, Expr, Header, Move, SeatId, Sight, Slot, Value};
use crate::model::{Answer, Ask, Chosen, Last, Position};

impl Walker {
    /// For each argument of a seat's move, who learns it when `last` is played, with which it is carried out:
    /// everybody the choice was shown to when it was made; for a piece, only viewers who see it where it is chosen from, where it
    /// leaves, or where it arrives. An equal piece that is moved by itself counts for nothing.
    pub(super) fn learned(&self, position: &Position, last: Last<'_>, chosen: Chosen<'_>) -> Vec<Bits> {
        let Chosen { seat, mv, before, traffic } = chosen;
        // Where nothing is hidden, nothing is kept from anybody.
        if self.game.has_perfect_information() {
            return vec![Bits::all(self.game.seats.len() + 1); mv.args.len()];
        }
        let heard = match last {
            _ if !has_pieces(&mv.args) => Vec::new(),
            Last::Move(last) => self.look_ahead(position, |machine| machine.sightings(last, traffic)),
            Last::Claim(last) => self.look_ahead(position, |machine| machine.sightings_of(last)),
        };
        self.witnessed(before, (seat, &mv.args), self.offered(before, seat, mv), &heard)
    }

    /// The same of a claim; nobody but its seat learns the parameters of one that there is not.
    pub(super) fn learned_by_claim(&self, position: &Position, answer: &Answer) -> Vec<Bits> {
        let Answer::Claim { claim, seat, args } = answer else { return Vec::new() };
        let head = self.game.claims.get(*claim).map_or(&[][..], |claim| &claim.action.head);
        let heard = if has_pieces(args) {
            self.look_ahead(position, |machine| machine.sightings_of(answer))
        } else {
            Vec::new()
        };
        let offered = self.look_at(position, |eval| {
            eval.acting = Some(*seat);
            eval.chosen_from(head, &mut args.iter())
        });
        self.witnessed(position, (Some(*seat), args), offered, &heard)
    }

    /// Who learns each argument, by how it was chosen and by who saw pieces that were moved as it.
    fn witnessed(
        &self,
        position: &Position,
        (seat, args): (Option<SeatId>, &[Value]),
        offered: Vec<Offer>,
        heard: &[Sighting],
    ) -> Vec<Bits> {
        let everybody = Bits::all(self.game.seats.len() + 1);
        let mut offered = offered.into_iter();
        let mut learned = Vec::new();
        for value in args {
            let Offer { name, shown: mut who, sources: mut seen, drawn } =
                offered.next().unwrap_or_else(|| Offer::open(&everybody));
            if let Value::Piece(piece) = value {
                for other in heard.iter().filter(|other| {
                    let named = other.piece == *piece && name == Some(other.name);
                    named && seat.is_none_or(|seat| seat == other.by) && (!drawn || other.stays())
                }) {
                    seen.unite(&other.who);
                }
                who.intersect(&seen);
            }
            // Of a move that was chosen as a value, as much as if it were made.
            let moves = match value {
                Value::Move(mv) => std::slice::from_ref(&**mv),
                Value::Moves(moves) => moves,
                Value::Unset
                | Value::Int(_)
                | Value::Bool(_)
                | Value::Atom(_)
                | Value::Piece(_)
                | Value::Way(_)
                | Value::Set(_)
                | Value::Ints(_)
                | Value::Pieces(_)
                | Value::Ways(_) => &[],
            };
            for mv in moves {
                let inner = self.witnessed(position, (seat, &mv.args), self.offered(position, seat, mv), &[]);
                for inner in &inner {
                    who.intersect(inner);
                }
            }
            if let Some(seat) = seat {
                who.insert(usize::from(seat));
            }
            learned.push(who);
        }
        learned
    }

    /// How each argument of a move was chosen.
    fn offered(&self, position: &Position, seat: Option<SeatId>, mv: &Move) -> Vec<Offer> {
        let everybody = Bits::all(self.game.seats.len() + 1);
        let granted = self.granted_aside();
        let mut eval = Eval::new(self, position, granted);
        // Whoever is asked for a pick does not act: `me` is the seat whose action asks.
        eval.acting = seat.filter(|_| mv.action != ActionRef::Pick);
        let mut offered: Vec<Offer> = Vec::new();
        let action = match mv.action {
            ActionRef::Action(number) => self.game.actions.get(number),
            ActionRef::Race(number) => {
                offered.resize(2, Offer::open(&everybody));
                self.game.actions.get(number)
            }
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
        };
        let mut args = mv.args.iter().skip(offered.len());
        offered.extend(eval.chosen_from(action.map_or(&[][..], |action| &action.head), &mut args));
        if let (ActionRef::Pick, Ask::Pick { at, .. } | Ask::Chance { at }) = (mv.action, &position.ask)
            && let Some((slot, set, sight)) = self.stmt(*at).and_then(|stmt| stmt.kind.choice_or_roll())
        {
            let value = mv.args.first().cloned().unwrap_or_default();
            // What chance draws may have come there since somebody looked.
            let drawn = matches!((&position.ask, sight), (Ask::Chance { .. }, Sight::All));
            let sources = if drawn { Bits::new() } else { eval.sources(set, &[], &value) };
            offered.push(Offer { name: Some(slot), shown: eval.witnesses(sight), sources, drawn });
        }
        self.spend_aside(granted, eval.steps);
        offered
    }
}

impl Eval<'_> {
    /// How the arguments for a head were chosen.
    fn chosen_from(&mut self, head: &[Header], args: &mut dyn Iterator<Item = &Value>) -> Vec<Offer> {
        let mut offered = Vec::new();
        let mut lets: Vec<(Slot, &Expr)> = Vec::new();
        for line in head {
            match line {
                Header::Choose(choice) => {
                    let value = args.next().cloned().unwrap_or_default();
                    let sources = self.sources(&choice.set, &lets, &value);
                    self.bind(choice.slot, value);
                    let shown = self.witnesses(&choice.sight);
                    offered.push(Offer { name: Some(choice.slot), shown, sources, drawn: false });
                }
                Header::Let(slot, value, _) => {
                    lets.push((*slot, value));
                    let value = self.eval(value);
                    self.bind(*slot, value);
                }
                Header::Late(..) | Header::Require(..) | Header::Prefer(..) => {}
            }
        }
        offered
    }
}

fn has_pieces(args: &[Value]) -> bool {
    args.iter().any(|value| matches!(value, Value::Piece(_)))
}

/// How an argument of a move was chosen.
#[derive(Clone)]
struct Offer {
    /// The name that it was chosen under.
    name: Option<Slot>,
    /// Whom the choice is shown to.
    shown: Bits,
    /// For a piece, who sees it where it is chosen from.
    sources: Bits,
    /// Whether chance draws it openly: a piece is then known to those who see where it has come to.
    drawn: bool,
}

impl Offer {
    fn open(everybody: &Bits) -> Self {
        Self { name: None, shown: everybody.clone(), sources: Bits::new(), drawn: false }
    }
}
