//! Writes small games with a trick: some things are hidden, and a few statements move, change, ask and show them.

use regelwerk::play::Stream;

use super::more::More;

/// What is declared, in every game, or in some: a line, and how its pieces are dealt.
const ZONES: [(&str, &str, &str); 10] = [
    ("deck", "zone deck: pile of card, seen by no", ""),
    ("open", "zone open: row of card, seen by all", "move top of deck to open"),
    ("pile", "zone pile: pile of card, seen by all", "move top 2 of deck to pile"),
    ("box", "zone box: set of card, seen by no", "move top of deck to box"),
    ("hand(_)", "zone hand(p: seat): set of card, seen by p", "for p in seats { move top of deck to hand(p) }"),
    ("fan(_)", "zone fan(p: seat): row of card, seen by p", "move top of deck to fan(a)"),
    ("line", "zone line: row of card, seen by all, order seen by no", "move top 2 of deck to line  shuffle line"),
    (
        "sack",
        "zone sack: pile of card, seen by no, number seen by no",
        "roll s in 0..1 seen by no  move top (s) of deck to sack",
    ),
    (
        "heap",
        "zone heap: pile of card, seen by all, number seen by no\nzone vault: pile of card, seen by no, number seen by no",
        "move top 2 of deck to vault  move top of deck to heap  roll u in 0..1 seen by no  move top (u) of vault under heap",
    ),
    (
        "purse(_)",
        "zone purse(p: seat): row of card, seen by p, number seen by p\nzone coffer: pile of card, seen by no, number seen by no",
        "move top 2 of deck to coffer  for p in seats { roll w in 0..1 seen by p  move top (w) of coffer to purse(p) }",
    ),
];

/// What may be declared beside: a board with tiles that only their owner sees.
const TILES: &str = "piece tile owned { n: int, up: bool } seen by (if it.up then seats else it.owner)\n";

/// Cards that are all different: `id` is in no rule.
const MARKED: &str = "piece card { rank: int, id: int }\n";

/// A zone in the rules: its name with the seat whose it is.
pub(super) type Zone = String;

/// Adds to a text.
pub(super) fn add(text: &mut String, more: impl AsRef<str>) {
    text.push_str(more.as_ref());
}

/// Names in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) ints: Vec<String>,
    pub(super) seats: Vec<String>,
    pub(super) tones: Vec<String>,
    pub(super) sites: Vec<String>,
    /// Cards, and lists of them, with the zone that they were found in.
    pub(super) cards: Vec<(String, Zone)>,
    pub(super) lists: Vec<(String, Zone)>,
}

/// The writer of a game.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Writer {
    dice: Stream,
    zones: Vec<&'static str>,
    pub(super) tiles: bool,
    pub(super) names: Names,
    pub(super) more: More,
    /// Whether a seat acts, and whether seats may be asked.
    pub(super) acting: bool,
    pub(super) asking: bool,
    pub(super) chance: bool,
    /// Of how many values that may be hidden one is.
    calm: usize,
    fresh: usize,
    pub(super) procedure: bool,
    /// Whether all cards are different.
    pub(super) marked: bool,
    /// Whether seats may also choose at the same time, or race.
    at_once: bool,
}

impl Writer {
    /// A game of a seed; its text.
    pub(super) fn game(seed: u64, number: u64, marked: bool, at_once: bool) -> String {
        let mut dice = Stream::new(seed, "trick", number);
        let mut zones = vec!["deck"];
        let wanted = 1 + dice.below(3);
        while zones.len() <= wanted {
            let (name, _, _) = ZONES[1 + dice.below(ZONES.len() - 1)];
            if !zones.contains(&name) {
                zones.push(name);
            }
        }
        let tiles = dice.below(4) == 0;
        let calm = 1 + dice.below(5);
        let more = More::of(&mut dice);
        let mut writer = Self {
            dice,
            zones,
            tiles,
            names: Names::default(),
            more,
            acting: false,
            asking: false,
            chance: true,
            calm,
            fresh: 0,
            procedure: false,
            marked,
            at_once,
        };
        writer.text()
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.dice.below(bound)
    }

    pub(super) fn one_in(&mut self, bound: usize) -> bool {
        self.dice.below(bound) == 0
    }

    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.dice.below(of.len())].clone()
    }

    fn text(&mut self) -> String {
        let card = if self.marked { MARKED } else { "kinds card\n  | kind | rank |\n  | one | 1 |\n  | two | 2 |\n" };
        let mut text = format!("game g\nplayers a, b\n{card}");
        let chosen: Vec<_> = ZONES.iter().filter(|(name, ..)| self.zones.contains(name)).collect();
        for (_, line, _) in &chosen {
            text += line;
            text += "\n";
        }
        text += self.board();
        if self.tiles {
            text += &if self.marked { TILES.replace("up: bool }", "up: bool, id: int }") } else { TILES.to_owned() };
        }
        text += "var code(p: seat): int seen by p\nvar note(p: seat): int seen by p\nvar dark: int seen by no\n\
                 var best: int seen by mover\nvar pub: int \"pub\"\nvar who: seat = a \"who\"\nvar flag: bool \"flag\"\n";
        text += &self.declared();
        text += if self.marked {
            "setup {\n  for n in 1..6 { put card with rank = 1 + n mod 2, id = n on deck }  shuffle deck\n"
        } else {
            "setup {\n  put 3 one on deck  put 3 two on deck  shuffle deck\n"
        };
        for (_, _, deal) in &chosen {
            add(&mut text, format!("  {deal}\n"));
        }
        text += "  for p in seats { roll x in 1..2 seen by p  code(p) := x }\n";
        if self.one_in(3) {
            text += "  roll x in 1..2 seen by no  dark := x\n";
        }
        if self.tiles {
            for (seat, mark) in [("a", ", id = 7"), ("b", ", id = 8")] {
                let mark = if self.marked { mark } else { "" };
                add(
                    &mut text,
                    format!("  roll m in 1..2 seen by {seat}  put tile of {seat} with n = m{mark} on {seat}1\n"),
                );
            }
        }
        text += &self.dealt();
        text += "}\n";
        // A definition, at times with a parameter.
        let worth = self.int(2);
        add(&mut text, format!("define worth = {worth}\n"));
        self.names.ints.push("k".to_owned());
        let of = self.int(2);
        self.names.ints.clear();
        self.names.seats.push("s".to_owned());
        let held = self.int(2);
        self.names.seats.clear();
        add(&mut text, format!("define made(k: int) = {of}\ndefine held(s: seat) = {held}\n"));
        text += &self.defined();
        self.names.seats.push("q".to_owned());
        (self.asking, self.acting) = (self.one_in(3), false);
        let body = self.block(2);
        self.names.seats.clear();
        add(&mut text, format!("procedure go(q: seat) {{ {body} }}\n"));
        self.procedure = true;
        text += "action idle { choose i in 1..2 }\n";
        for name in ["act", "do"] {
            let action = self.action();
            add(&mut text, format!("action {name} {{ {action} }}\n"));
        }
        if self.one_in(4) {
            self.chance = false;
            let body = self.action();
            self.chance = true;
            let by = self.pick(&["", " by any seat"]);
            add(&mut text, format!("claim got{by} {{ {body} }}\n"));
        }
        if self.one_in(3) {
            let (moment, test) = (self.pick(&["before turn", "after move", "after turn"]), self.test(2));
            (self.acting, self.asking, self.chance) = (false, false, false);
            let body = if self.one_in(2) { "draw".to_owned() } else { self.block(1) };
            self.chance = true;
            add(&mut text, format!("end found {moment} when {test} {{ {body} }}\n"));
        }
        (self.acting, self.asking) = (false, true);
        let body = self.play();
        text + &format!("play {{ {body} }}\nend long after move when ply >= 6 {{ draw }}\n")
    }

    /// What is played: turns with one question at least.
    fn play(&mut self) -> String {
        let before = if self.one_in(4) { self.block(1) } else { String::new() };
        let mark = self.names.clone();
        let mut body = String::new();
        for _ in 0..=self.below(3) {
            body += &match self.below(3) {
                0 => self.block(1),
                _ => self.statement(2),
            };
            body += "  ";
        }
        let asks = [
            "mover plays idle",
            "mover plays act | idle",
            "mover plays act | do | idle",
            "together seats play act | idle",
            "together seats play do",
            "race seats play act | do",
        ];
        let ask = self.pick(&asks[..if self.at_once { 6 } else { 3 }]);
        let more = if self.one_in(3) { self.block(2) } else { String::new() };
        self.names = mark;
        format!("{before}  turns {{ {ask}  {body}  {more} }}")
    }

    fn action(&mut self) -> String {
        let mark = self.names.clone();
        (self.acting, self.asking) = (true, false);
        let mut text = String::new();
        for _ in 0..self.below(3) {
            let name = self.name();
            let sight = self.pick(&["", " seen by me"]);
            if let Some(choice) = self.more_choice("", sight) {
                add(&mut text, format!("{choice}  "));
                continue;
            }
            match self.below(5) {
                0 | 1 => {
                    let sight = self.pick(&["", " seen by me"]);
                    add(&mut text, format!("choose {name} in 1..2{sight}  "));
                    self.names.ints.push(name);
                }
                2 | 3 => {
                    let zone = self.zone();
                    let sight = self.pick(&["", " seen by me"]);
                    add(&mut text, format!("choose {name} in {zone}{sight}  "));
                    self.names.cards.push((name, zone));
                }
                _ => add(&mut text, format!("require {}  ", self.test(2))),
            }
        }
        self.asking = self.chance;
        let body = self.block(2);
        if ["choose", "roll"].iter().any(|word| body.starts_with(word)) {
            text += "flag := flag  ";
        }
        text += &body;
        if self.one_in(5) && !["choose", "roll", "shuffle", "go("].iter().any(|word| body.contains(word)) {
            add(&mut text, format!("  ensure {}", self.test(1)));
        }
        self.names = mark;
        self.acting = false;
        text
    }

    pub(super) fn name(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    pub(super) fn block(&mut self, depth: usize) -> String {
        let mark = self.names.clone();
        let mut lines = Vec::new();
        for _ in 0..=self.below(2) {
            lines.push(self.statement(depth));
        }
        self.names = mark;
        lines.join("  ")
    }

    pub(super) fn seat(&mut self) -> String {
        let mut of: Vec<String> = ["a", "b", "mover", "who", "following(mover)"].map(str::to_owned).to_vec();
        if self.acting {
            of.extend(["me", "me", "opponent(me)"].map(str::to_owned));
        }
        of.extend(self.more_seat());
        of.extend(self.names.seats.iter().flat_map(|seat| [seat.clone(), seat.clone(), format!("opponent({seat})")]));
        self.pick(&of)
    }

    pub(super) fn zone(&mut self) -> Zone {
        if let Some(zone) = self.more_zone() {
            return zone;
        }
        let zones = self.zones.clone();
        let zone = self.pick(&zones);
        if zone.contains('_') { zone.replace('_', &self.seat()) } else { zone.to_owned() }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
        if self.below(self.calm) > 0 {
            return self.pick(&["1", "2", "pub", "count(deck)"]).to_owned();
        }
        if let Some(found) = self.more_int() {
            return found;
        }
        let leaf = depth == 0;
        match self.below(if leaf { 9 } else { 17 }) {
            0 => self.pick(&["1", "2"]).to_owned(),
            1 => "pub".to_owned(),
            2 | 3 => format!("code({})", self.seat()),
            4 => format!("note({})", self.seat()),
            5 => self.pick(&["dark", "best"]).to_owned(),
            6 | 7 if !self.names.ints.is_empty() => {
                let ints = self.names.ints.clone();
                self.pick(&ints)
            }
            8 if !self.names.cards.is_empty() => {
                let cards = self.names.cards.clone();
                format!("{}.rank", self.pick(&cards).0)
            }
            9 => format!("count({})", self.zone()),
            10 | 11 => format!("(sum c.rank for c in {})", self.some()),
            12 => format!("(if {} then {} else {})", self.test(depth - 1), self.int(depth - 1), self.int(depth - 1)),
            13 if self.procedure => "worth".to_owned(),
            14 if self.procedure => format!("made({})", self.int(depth - 1)),
            15 if self.procedure => format!("held({})", self.seat()),
            16 if self.tiles => self
                .pick(&["(sum t.n for t at a1)", "(max t.n for t at piece)", "(sum t.n for t at tile of a)"])
                .to_owned(),
            10.. => format!("count({{c in {} where c.rank == {}}})", self.zone(), self.int(0)),
            _ => "1".to_owned(),
        }
    }

    /// Cards of a zone.
    pub(super) fn some(&mut self) -> String {
        if let Some(list) = self.more_list() {
            return list;
        }
        let zone = self.zone();
        match self.below(3) {
            0 if !zone.starts_with("hand") && zone != "box" => format!("top of {zone}"),
            1 => format!("{{d in {zone} where d.rank == {}}}", self.int(0)),
            _ => zone,
        }
    }

    pub(super) fn test(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        if depth > 0
            && let Some(test) = self.more_test()
        {
            return test;
        }
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 | 1 => format!("{} {} {}", self.int(less), self.pick(&["==", "!=", "<", ">="]), self.int(less)),
            2 => self.pick(&["flag", "who == mover", "pub == 1"]).to_owned(),
            3 => format!("(any c in {}: c.rank == {})", self.some(), self.int(less)),
            4 => format!("{} {}", self.pick(&["some", "no"]), self.zone()),
            5 => format!("({} {} {})", self.test(less), self.pick(&["and", "or"]), self.test(less)),
            6 if !self.names.cards.is_empty() => {
                let cards = self.names.cards.clone();
                format!("{} in {}", self.pick(&cards).0, self.zone())
            }
            _ => format!("not ({})", self.test(less)),
        }
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        let leaf = depth == 0;
        if let Some(statement) = self.more_statement(depth) {
            return statement;
        }
        match self.below(if leaf { 13 } else { 25 }) {
            3..=5 => {
                let (from, to) = (self.zone(), self.zone());
                let what = self.pick(&["top", "top", "bottom", "all", "top 2"]);
                let how = self.pick(&["to", "to", "under"]);
                let how = if to.starts_with("hand") || to == "box" { "to" } else { how };
                format!("move {what} of {from} {how} {to}")
            }
            6 | 7 if !self.names.cards.is_empty() => {
                let cards = self.names.cards.clone();
                let (card, zone) = self.pick(&cards);
                format!("move {card} from {zone} to {}", self.zone())
            }
            8 if self.chance => {
                let rows: Vec<_> =
                    self.zones.iter().copied().filter(|zone| !["box", "hand(_)"].contains(zone)).collect();
                let row = self.pick(&rows).replace('_', &self.seat());
                format!("shuffle {row}")
            }
            9 => {
                let (name, value) = (self.name(), self.int(1));
                let line = format!("let {name} = {value}");
                self.names.ints.push(name);
                line
            }
            10 => {
                let (name, value) = (self.name(), self.seat());
                let line = format!("let {name} = {value}");
                self.names.seats.push(name);
                line
            }
            11 if self.tiles => self
                .pick(&[
                    "change a1: up = true",
                    "change b1: n = 1",
                    "swap a1, b1",
                    "change piece: up = false",
                    "move tile of a to empty",
                ])
                .to_owned(),
            12 if self.marked => format!("put card with rank = {} on {}", self.pick(&["1", "2"]), self.zone()),
            12 => format!("put {} on {}", self.pick(&["one", "two"]), self.zone()),
            13..=15 => {
                let (test, body) = (self.test(1), self.block(depth - 1));
                if self.one_in(3) {
                    format!("if {test} {{ {body} }} else {{ {} }}", self.block(depth - 1))
                } else {
                    format!("if {test} {{ {body} }}")
                }
            }
            16 => self.each(depth),
            17 => {
                let times = self.pick(&["2", "2", "code(mover)", "pub mod 3"]);
                format!("repeat {times} {{ {} }}", self.block(depth - 1))
            }
            18 if self.procedure && self.chance => format!("go({})", self.seat()),
            19 | 20 if self.chance => self.roll(),
            21 | 22 if self.asking => self.choose(),
            23 if self.asking && !self.acting && self.procedure => {
                let seat = self.seat();
                match self.below(4) {
                    0 => format!("together seats play {}", self.pick(&["act | idle", "idle | do"])),
                    1 => format!("{seat} plays act | idle"),
                    2 => format!("{seat} may play do"),
                    _ => "mover plays idle".to_owned(),
                }
            }
            24 if self.procedure => self
                .pick(&["give turn to a", "again", "win a", "stop", "who := mover", "who := opponent(who)"])
                .to_owned(),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) -> String {
        let value = self.int(2);
        match self.below(8) {
            0 | 1 => format!("pub := {value}"),
            2 => format!("pub += {value}"),
            3 => format!("note({}) := {value}", self.seat()),
            4 => format!("code({}) := {value}", self.seat()),
            5 => format!("{} := {value}", self.pick(&["dark", "best"])),
            6 => format!("flag := {}", self.test(1)),
            _ => format!("who := {}", self.seat()),
        }
    }

    fn each(&mut self, depth: usize) -> String {
        let name = self.name();
        match self.below(4) {
            0 => {
                self.names.ints.push(name.clone());
                let body = self.block(depth - 1);
                self.names.ints.pop();
                format!("for {name} in 1..2 {{ {body} }}")
            }
            1 => {
                self.names.seats.push(name.clone());
                let body = self.block(depth - 1);
                self.names.seats.pop();
                format!("for {name} in seats {{ {body} }}")
            }
            way => {
                let zone = self.zone();
                self.names.cards.push((name.clone(), zone.clone()));
                let (test, body) = (self.test(1), self.block(depth - 1));
                self.names.cards.pop();
                let filter = if way == 2 { format!(" where {test}") } else { String::new() };
                format!("for {name} in {zone}{filter} {{ {body} }}")
            }
        }
    }

    pub(super) fn sight(&mut self) -> String {
        match self.below(4) {
            0 => String::new(),
            1 => " seen by no".to_owned(),
            _ => format!(" seen by {}", self.seat()),
        }
    }

    fn roll(&mut self) -> String {
        let (name, sight) = (self.name(), self.sight());
        if self.one_in(2) {
            self.names.ints.push(name.clone());
            return format!("roll {name} in 1..2{sight}");
        }
        let zone = self.zone();
        self.names.cards.push((name.clone(), zone.clone()));
        format!("roll {name} in {zone}{sight}")
    }

    fn choose(&mut self) -> String {
        let (name, seat, sight) = (self.name(), self.seat(), self.sight());
        if let Some(choice) = self.more_choice(&format!(" by {seat}"), &sight) {
            return choice;
        }
        if self.one_in(2) {
            self.names.ints.push(name.clone());
            return format!("choose {name} in 1..2 by {seat}{sight}");
        }
        let zone = self.zone();
        self.names.cards.push((name.clone(), zone.clone()));
        format!("choose {name} in {zone} by {seat}{sight}")
    }
}
