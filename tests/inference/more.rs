//! What games with a trick may have beside cards and numbers: colours, boards, tokens, sets of seats, hidden owners, lists.

use regelwerk::play::Stream;

use super::writer::{Writer, Zone, add};

/// What a game has.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct More {
    /// An enum and what is indexed by it.
    tones: bool,
    /// A seat that nobody knows, and sets of seats.
    gangs: bool,
    /// A board with tokens and hidden sites.
    spots: bool,
    /// Pieces on a board of which nobody sees whose they are.
    agents: bool,
    /// Definitions and names for cards and lists of them.
    lists: bool,
    /// What was before.
    past: bool,
}

impl More {
    pub(super) fn of(dice: &mut Stream) -> Self {
        let mut one = || dice.below(3) == 0;
        Self { tones: one(), gangs: one(), spots: one(), agents: one(), lists: one(), past: one() }
    }
}

impl Writer {
    /// The board that tiles, tokens and agents need.
    pub(super) fn board(&self) -> &'static str {
        if self.tiles || self.more.spots || self.more.agents { "board square 2 x 2\n" } else { "" }
    }

    pub(super) fn declared(&self) -> String {
        let mut text = String::new();
        let has = self.more;
        if has.tones {
            text += "enum tone = red, blue\nvar tint(p: seat): tone = red seen by p\nvar hue: tone = red \"hue\"\n";
            text += "zone nest(n: tone): pile of card, seen by no\nvar heap(n: tone): int \"heap\"\n";
        }
        if has.gangs {
            text += "var boss: seat = a seen by no\nvar crew(p: seat): set of seat seen by p\nvar met: set of seat \"met\"\n";
        }
        if has.spots {
            text += "tokens seed\nvar spot(p: seat): site = a1 seen by p\nvar here_too: site = a1 \"spot\"\nvar land(p: seat): set of site seen by p\n";
        }
        if has.agents {
            let mark = if self.marked { ", id: int" } else { "" };
            add(&mut text, format!("piece agent owned {{ n: int{mark} }} owner seen by no\n"));
        }
        text
    }

    pub(super) fn dealt(&self) -> String {
        let mut text = String::new();
        if self.more.tones {
            text += "  for p in seats { roll x in tone seen by p  tint(p) := x }\n  move top of deck to nest(red)\n";
        }
        if self.more.gangs {
            text += "  roll z in seats seen by no  boss := z\n";
            text += "  for p in seats { roll x in seats seen by p  crew(p) := x }\n";
        }
        if self.more.spots {
            text += "  for p in seats { roll x in {a1, b1} seen by p  spot(p) := x }\n  put seed on a1\n";
        }
        if self.more.agents {
            let mark = |id| if self.marked { format!(", id = {id}") } else { String::new() };
            add(
                &mut text,
                format!(
                    "  put agent of a with n = 1{} on a2  put agent of b with n = 1{} on b2  roll x in 1..2 seen by no  if x == 1 {{ swap a2, b2 }}\n",
                    mark(9),
                    mark(10)
                ),
            );
        }
        text
    }

    /// Definitions that use those things.
    pub(super) fn defined(&mut self) -> String {
        let mut text = String::new();
        if self.more.lists {
            self.names.cards.push(("c".to_owned(), "deck".to_owned()));
            let worth = self.int(1);
            self.names.cards.clear();
            let (zone, like) = (self.zone(), self.int(1));
            let list = match self.below(3) {
                0 => format!("top c in {zone} by c.rank"),
                1 => format!("{{c in {zone} where c.rank == {like}}}"),
                _ => zone,
            };
            add(&mut text, format!("define val(c: piece) = {worth}\ndefine some_of(k: int) = {list}\n"));
        }
        if self.more.tones {
            self.names.tones.push("t".to_owned());
            let at = self.int(1);
            self.names.tones.clear();
            add(&mut text, format!("define shade(t: tone) = {at}\n"));
        }
        text
    }

    fn tone(&mut self) -> String {
        let mut of = vec!["red".to_owned(), "blue".to_owned(), "hue".to_owned(), format!("tint({})", self.seat())];
        of.extend(self.names.tones.iter().flat_map(|name| [name.clone(), name.clone()]));
        self.pick(&of)
    }

    fn site(&mut self) -> String {
        let mut of = ["a1", "b1", "a2", "here_too"].map(str::to_owned).to_vec();
        of.push(format!("spot({})", self.seat()));
        of.extend(self.names.sites.iter().flat_map(|name| [name.clone(), name.clone()]));
        if !self.more.spots {
            of.truncate(3);
        }
        self.pick(&of)
    }

    fn seats(&mut self) -> String {
        match self.below(6) {
            0 => format!("crew({})", self.seat()),
            1 => "met".to_owned(),
            2 => format!("{{q2 in seats where {}}}", self.with_seat("q2", |writer| writer.test(1))),
            3 => format!("(top q2 in seats by {})", self.with_seat("q2", |writer| writer.int(1))),
            4 => format!("({} | {})", self.seat(), self.seat()),
            _ => self.seat(),
        }
    }

    fn with_seat(&mut self, name: &str, of: impl FnOnce(&mut Self) -> String) -> String {
        self.names.seats.push(name.to_owned());
        let found = of(self);
        self.names.seats.pop();
        found
    }

    /// A zone that is indexed by what may be hidden.
    pub(super) fn more_zone(&mut self) -> Option<Zone> {
        (self.more.tones && self.one_in(6)).then(|| format!("nest({})", self.tone()))
    }

    pub(super) fn more_seat(&self) -> Vec<String> {
        if self.more.gangs { vec!["boss".to_owned()] } else { Vec::new() }
    }

    pub(super) fn more_list(&mut self) -> Option<String> {
        if !self.more.lists || self.one_in(2) {
            return None;
        }
        let lists = self.names.lists.clone();
        match self.below(4) {
            0 if !lists.is_empty() => Some(self.pick(&lists).0),
            1 if self.procedure => Some(format!("some_of({})", self.int(1))),
            2 => Some(format!("(top d in {} by d.rank)", self.zone())),
            _ => None,
        }
    }

    /// A number of those things, if the game has any.
    pub(super) fn more_int(&mut self) -> Option<String> {
        let has = self.more;
        Some(match self.below(12) {
            0 | 1 if has.tones => format!("(if {} == {} then 1 else 2)", self.tone(), self.tone()),
            2 if has.tones => format!("heap({})", self.tone()),
            3 if has.tones && self.procedure => format!("shade({})", self.tone()),
            4 if has.gangs => format!("count({})", self.seats()),
            5 if has.gangs => format!("{}.number", self.seat()),
            6 | 7 if has.spots => match self.below(3) {
                0 => format!("{}.column", self.site()),
                1 => format!("count(land({}))", self.seat()),
                _ => format!("seed at {}", self.site()),
            },
            8 if has.agents => format!("(sum x.n for x at agent of {})", self.seat()),
            9 if has.lists && self.procedure && !self.names.cards.is_empty() => {
                let cards = self.names.cards.clone();
                format!("val({})", self.pick(&cards).0)
            }
            10 if has.lists => {
                let lists = self.names.lists.clone();
                if lists.is_empty() {
                    return None;
                }
                format!("count({})", self.pick(&lists).0)
            }
            11 if has.past => self.pick(&["occurrences", "turn", "ply"]).to_owned(),
            _ => return None,
        })
    }

    pub(super) fn more_test(&mut self) -> Option<String> {
        let has = self.more;
        Some(match self.below(10) {
            0 | 1 if has.tones => format!("{} == {}", self.tone(), self.tone()),
            2 if has.gangs => format!("{} in {}", self.seat(), self.seats()),
            3 if has.gangs => format!("{} == {}", self.seat(), self.seat()),
            4 if has.gangs => format!("{} {} {}", self.seats(), self.pick(&["meets", "within"]), self.seats()),
            5 | 6 if has.spots => match self.below(4) {
                0 => format!("{} == {}", self.site(), self.site()),
                1 => format!("{} in land({})", self.site(), self.seat()),
                2 => format!("{} in empty", self.site()),
                _ => format!("some seed at {}", self.site()).replace("some seed at", "0 < seed at"),
            },
            7 if has.agents => format!("{} in agent of {}", self.site(), self.seat()),
            8 if has.agents => format!("(any x at {}: {} in x.owner)", self.site(), self.seat()),
            9 if has.past => self.pick(&["occurrences > 1", "repeats(0)", "occurrences of board > 1"]).to_owned(),
            _ => return None,
        })
    }

    /// A statement about those things.
    pub(super) fn more_statement(&mut self, depth: usize) -> Option<String> {
        let has = self.more;
        Some(match self.below(20) {
            0 if has.tones => format!("{} := {}", self.pick(&["hue", "tint(a)", "tint(mover)"]), self.tone()),
            1 if has.tones => format!("heap({}) += {}", self.tone(), self.int(1)),
            2 if has.tones && depth > 0 => {
                let name = self.name();
                self.names.tones.push(name.clone());
                let body = self.block(depth - 1);
                self.names.tones.pop();
                format!("for {name} in tone {{ {body} }}")
            }
            3 if has.tones && self.chance => {
                let (name, sight) = (self.name(), self.sight());
                self.names.tones.push(name.clone());
                format!("roll {name} in tone{sight}")
            }
            4 if has.gangs => format!("boss := {}", self.seat()),
            5 if has.gangs => {
                let set = self.pick(&["met", "crew(a)", "crew(mover)"]);
                format!("{set} {} {}", self.pick(&[":=", "+=", "-="]), self.seats())
            }
            6 if has.gangs && depth > 0 => {
                let (name, of) = (self.name(), self.seats());
                let body = self.with_seat(&name, |writer| writer.block(depth - 1));
                format!("for {name} in {of} {{ {body} }}")
            }
            7 if has.gangs && self.procedure => match self.below(4) {
                0 => format!("win {}", self.seats()),
                1 => format!("rank p in seats by {}", self.with_seat("p", |writer| writer.int(1))),
                2 => format!("eliminate {}", self.seats()),
                _ => format!("give turn to {}", self.seat()),
            },
            8 if has.spots => format!("put seed on {}", self.site()),
            9 if has.spots => format!("put ({}) seed on {}", self.int(1), self.site()),
            10 if has.spots => format!("move all seed from {} to {}", self.site(), self.site()),
            11 if has.spots => {
                let which = self.pick(&["here_too", "spot(a)", "spot(mover)"]);
                format!("{which} := {}", self.site())
            }
            12 if has.spots => format!("land({}) += {}", self.seat(), self.site()),
            13 if has.spots && depth > 0 => {
                let (name, who) = (self.name(), self.seat());
                self.names.sites.push(name.clone());
                let body = self.block(depth - 1);
                self.names.sites.pop();
                format!("for {name} in land({who}) {{ {body} }}")
            }
            14 if has.agents || self.tiles => match self.below(4) {
                0 => format!("swap {}, {}", self.site(), self.site()),
                1 => format!("remove {}", self.site()),
                2 => format!("move {} to {}", self.site(), self.site()),
                _ if has.agents => format!("change {}: n = {}", self.site(), self.int(1)),
                _ => format!("change {}: up = {}", self.site(), self.test(1)),
            },
            15 if has.agents && depth > 0 => {
                let (of, name) = (self.seat(), self.name());
                self.names.sites.push(name.clone());
                let body = self.block(depth - 1);
                self.names.sites.pop();
                format!("for {name} in agent of {of} {{ {body} }}")
            }
            16 if has.lists => {
                let (name, zone, list) = (self.name(), self.zone(), self.int(1));
                let of = match self.below(3) {
                    0 => format!("top d in {zone} by d.rank"),
                    1 => zone.clone(),
                    _ => format!("{{d in {zone} where d.rank == {list}}}"),
                };
                self.names.lists.push((name.clone(), zone));
                format!("let {name} = {of}")
            }
            17 if has.lists && !self.names.lists.is_empty() => {
                let lists = self.names.lists.clone();
                let (list, zone) = self.pick(&lists);
                format!("move {list} from {zone} to {}", self.zone())
            }
            18 if has.lists && depth > 0 => {
                let (name, zone) = (self.name(), self.zone());
                self.names.cards.push((name.clone(), zone.clone()));
                let body = self.block(depth - 1);
                self.names.cards.pop();
                format!("for {name} in top d in {zone} by d.rank {{ {body} }}")
            }
            19 if has.lists && self.marked => {
                format!("change {}: rank = {}", self.zone(), self.pick(&["1", "2", "pub", "code(mover)"]))
            }
            _ => return None,
        })
    }

    /// A question about those things.
    pub(super) fn more_choice(&mut self, by: &str, sight: &str) -> Option<String> {
        let name = self.name();
        match self.below(6) {
            0 if self.more.tones => {
                self.names.tones.push(name.clone());
                Some(format!("choose {name} in tone{by}{sight}"))
            }
            1 | 2 if self.more.spots => {
                self.names.sites.push(name.clone());
                let of = self.pick(&["sites", "{a1, b1}", "empty", "land(mover)"]);
                Some(format!("choose {name} in {of}{by}{sight}"))
            }
            3 if self.more.gangs => {
                self.names.seats.push(name.clone());
                let of = self.pick(&["seats", "seats", "crew(mover)", "met"]);
                Some(format!("choose {name} in {of}{by}{sight}"))
            }
            4 if self.more.agents => {
                self.names.sites.push(name.clone());
                Some(format!("choose {name} in agent{by}{sight}"))
            }
            _ => None,
        }
    }
}
