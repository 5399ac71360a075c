//! Whole valid games at random, from the types of the language and the names in scope.
//!
//! An expression is generated for a type, with the names that can be used where it stands. What cannot be known without
//! the checker, such as whether a setup ends, is left to it, so a few of the games are refused.

mod walks;
mod wide;

use regelwerk::play::Stream;

/// The type of a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Site,
    Seat,
    Int,
    Card,
    Truth,
}

/// What the declarations of the game offer.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each part of a game is there or not")]
struct Offer {
    square: bool,
    /// Names of a few sites, and a direction.
    places: &'static [&'static str],
    ahead: &'static str,
    clauses: bool,
    variants: bool,
    tokens: bool,
    cards: bool,
    enums: bool,
    fields: bool,
    paths: usize,
    sets: usize,
    numbers: usize,
    tests: usize,
    procedures: usize,
    /// Whether nothing hidden may be told.
    quiet: bool,
    /// Whether a third seat is declared.
    third: bool,
    /// Whether the actions are played as races.
    races: bool,
    /// Whether there are phases.
    phases: bool,
}

/// A game that is being written.
pub(super) struct Generator {
    dice: Stream,
    text: String,
    offer: Offer,
    names: Vec<(String, Ty)>,
    fresh: usize,
    /// Whether `me` is a seat that acts.
    acting: bool,
}

/// A game by its seed and number.
pub(crate) fn game(seed: u64, number: u64) -> String {
    let dice = Stream::new(seed, "generate", number);
    let mut generator =
        Generator { dice, text: String::new(), offer: Offer::default(), names: Vec::new(), fresh: 0, acting: false };
    generator.declarations();
    generator.definitions();
    generator.setup();
    let mut actions = generator.actions();
    generator.rare_items(&mut actions);
    generator.play(&actions);
    generator.ends(&actions);
    generator.rare_changes();
    generator.text
}

/// A game with hidden cards, of which each seat uses its own alone, so that it gives nothing away.
pub(super) fn secretive(seed: u64, number: u64) -> String {
    let dice = Stream::new(seed, "secretive", number);
    let offer = Offer { quiet: true, ..Offer::default() };
    let mut generator = Generator { dice, text: String::new(), offer, names: Vec::new(), fresh: 0, acting: false };
    generator.declarations();
    generator.definitions();
    generator.setup();
    let mut actions = generator.actions();
    generator.rare_items(&mut actions);
    generator.play(&actions);
    generator.ends(&actions);
    generator.text
}

/// A game of a dozen lines, so that many can be tried: one board, one action.
pub(super) fn brief(seed: u64, number: u64) -> String {
    let dice = Stream::new(seed, "brief", number);
    let offer = Offer { square: true, places: &["a1", "a2", "b1", "b2"], ahead: "s", ..Offer::default() };
    let mut generator = Generator { dice, text: String::new(), offer, names: Vec::new(), fresh: 0, acting: false };
    let first = generator.pick(&["", "\nfirst b"]);
    generator.offer.fields = generator.one_in(3);
    generator.offer.tokens = generator.one_in(3);
    let fields = if generator.offer.fields { " { h: int = 1, up: bool }" } else { "" };
    let tokens = if generator.offer.tokens { "\ntokens seed\ntokens coin owned" } else { "" };
    let board = match generator.dice.below(6) {
        0 => {
            (generator.offer.places, generator.offer.ahead) = (&["s1", "s2", "s3", "s4"], "ahead");
            generator.pick(&["ring 7", "track 6"]).to_owned()
        }
        1 => {
            let way = 4 + generator.dice.below(4);
            generator.offer.places = &["a1", "b1", "b2"];
            generator.rare_board(way, 3, 3)
        }
        _ => "square 3 x 3".to_owned(),
    };
    generator.offer.square = board.starts_with("square");
    generator.line(&format!("game g\nplayers a, b{first}\nboard {board}\npiece man owned{fields}\npiece rock{tokens}"));
    generator.line("var n: int = 2");
    generator.line("var score(p: seat): int\nvar mark: set of site\nvar flag: bool\nrecord idle: int");
    if generator.one_in(2) {
        generator.definitions();
    } else {
        let path = generator.path(1);
        generator.line(&format!("path w0 = {path}"));
        generator.offer.paths = 1;
    }
    generator.setup();
    let body = if generator.one_in(4) { generator.walks().to_owned() } else { generator.action(false) };
    let before = generator.before_turns();
    generator.line(&format!("action act0 {{ {body} }}\nplay {{ {before}turns {{ mover plays act0 else pass }} }}"));
    generator.line("end last after move when ply > 20 { draw }");
    generator.text
}

/// A file that extends a generated game, `base.rules`.
pub(super) fn extension(seed: u64, number: u64) -> String {
    let dice = Stream::new(seed, "extension", number);
    let mut generator =
        Generator { dice, text: String::new(), offer: Offer::default(), names: Vec::new(), fresh: 500, acting: false };
    generator.extension();
    generator.text
}

impl Generator {
    fn one_in(&mut self, n: usize) -> bool {
        self.dice.below(n) == 0
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.dice.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn declarations(&mut self) {
        let seats = self.pick(&[
            "a, b",
            "a, b, c",
            "a \"Anna\" symbol \"A\", b for 2",
            "a, b, c for 2, 3\nseating 2: a, b\nfirst b",
            "a, b for 2..2\nfirst following(a)",
        ]);
        self.offer.third = seats.contains('c');
        self.line(&format!("game g \"A game\"\nplayers {seats}"));
        self.offer.square = !self.one_in(4);
        let (wide, high) = (2 + self.dice.below(4), 2 + self.dice.below(4));
        self.offer.places = &["a1", "b1", "b2"];
        let board = match self.dice.below(8) {
            _ if self.offer.square => {
                (self.offer.places, self.offer.ahead) = (&["a1", "a2", "b1", "b2"], "s");
                format!("square {wide} x {high}")
            }
            0 => {
                self.offer.ahead = "ne";
                "hex hexagon 2".to_owned()
            }
            1 => {
                self.offer.ahead = "e";
                format!("hex triangle {}", 3 + wide)
            }
            2 | 3 => {
                (self.offer.places, self.offer.ahead) = (&["s1", "s2", "s3", "s4"], "ahead");
                format!("{} {}", self.pick(&["ring", "track"]), 4 + wide)
            }
            way => self.rare_board(way, wide, high),
        };
        let kept = if self.offer.square && self.one_in(5) { " keep {f in sites where f.row < 9}" } else { "" };
        self.line(&format!("board {board}{kept}"));
        self.offer.fields = self.one_in(2);
        self.line(if self.offer.fields { "piece man owned { h: int = 1, up: bool }" } else { "piece man owned" });
        self.line("piece rock \"Rock\" symbol \"#\"");
        self.line("var n: int = 2 \"n\"\nvar score(p: seat): int\nvar mark: set of site = {}\nvar flag: bool\nrecord idle: int");
        self.offer.tokens = self.one_in(3);
        if self.offer.tokens {
            self.line("tokens seed\ntokens coin owned");
        }
        self.offer.enums = self.one_in(3);
        if self.offer.enums {
            self.line("enum hue = red, green, blue\nvar tint: hue = red\ntable price\n  | of: hue | price |\n  | red | 1 |\n  | green | 2 |\n  | blue | 4 |");
        }
        self.offer.cards = self.offer.quiet || self.one_in(3);
        if self.offer.cards {
            let sight = if self.offer.quiet { "p" } else { self.pick(&["p", "all", "no"]) };
            let fields = self.pick(&["", " { shown: bool for low | mid }"]);
            self.line(&format!("// Cards.\nkinds card{fields}\n  | kind | rank |\n  | low  |    1 |\n  | mid  |    3 |\n  | top_card |    9 |"));
            self.line(&format!("zone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by {sight}\nzone away: row of card, seen by all"));
        }
        self.offer.clauses = self.one_in(3);
        if self.offer.clauses {
            self.line("clause §1 \"Anything.\"\nclause §1.2 \"Anything else.\"");
        }
        self.offer.variants = self.one_in(3);
        if self.offer.variants {
            self.line("option goal = 3 from 1..6\nreading how = plain | wide \"how\"");
            let value = self.pick(&["how == plain", "goal > 2"]);
            self.line(&format!("define aimed = {value}"));
        }
    }

    fn definitions(&mut self) {
        for at in 0..self.dice.below(3) {
            let body = self.under(&[("f", Ty::Site)], |this| this.sites(2));
            self.line(&format!("define s{at}(f: site) = ({body}) & sites"));
            self.offer.sets = at + 1;
        }
        for at in 0..self.dice.below(3) {
            let body = self.under(&[("p", Ty::Seat)], |this| this.number(2));
            self.line(&format!("define i{at}(p: seat) = {body}"));
            self.offer.numbers = at + 1;
        }
        for at in 0..self.dice.below(2) {
            let body = self.under(&[("f", Ty::Site), ("p", Ty::Seat)], |this| this.test(2));
            self.line(&format!("define t{at}(f: site, p: seat) = {body}"));
            self.line("define either(q: bool, r: bool) = q or not r");
            self.offer.tests = at + 1;
        }
        for at in 0..=self.dice.below(3) {
            let path = self.path(2);
            self.line(&format!("path w{at} = {path}"));
            self.offer.paths = at + 1;
        }
        if self.one_in(2) {
            let over = self.pick(&["enemy man", "rock", "man"]);
            let kind = self.pick(&["+", "", "+ fully", "{1..2}"]);
            self.line(&format!("path grab = (hop directions over {over} - taken taking to empty){kind}"));
            self.fresh = 1; // The action below uses it.
        }
        for at in 0..self.dice.below(2) {
            let body = self.under(&[("f", Ty::Site)], |this| {
                this.acting = true;
                let body = this.effects(2);
                this.acting = false;
                body
            });
            self.line(&format!("procedure do{at}(f: site) {{ {body} }}"));
            self.offer.procedures = at + 1;
        }
    }

    /// Generates with these names in scope only.
    fn under(&mut self, names: &[(&str, Ty)], make: impl FnOnce(&mut Self) -> String) -> String {
        let before = std::mem::take(&mut self.names);
        self.names = names.iter().map(|(name, ty)| ((*name).to_owned(), *ty)).collect();
        let made = make(self);
        self.names = before;
        made
    }

    /// Generates with one more name in scope.
    fn bound(&mut self, ty: Ty, make: impl FnOnce(&mut Self, &str) -> String) -> String {
        self.fresh += 1;
        let name = format!("x{}", self.fresh);
        self.names.push((name.clone(), ty));
        let made = make(self, &name);
        self.names.retain(|(known, _)| *known != name);
        made
    }

    fn name(&mut self, ty: Ty) -> Option<String> {
        let fitting: Vec<String> =
            self.names.iter().filter(|(_, known)| *known == ty).map(|(name, _)| name.clone()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.dice.below(fitting.len())].clone()) }
    }

    fn site(&mut self) -> String {
        let place = self.pick(self.offer.places).to_owned();
        self.name(Ty::Site).unwrap_or(place)
    }

    fn seat(&mut self) -> String {
        match (self.name(Ty::Seat), self.dice.below(5)) {
            (Some(name), 0..=2) => name,
            (_, 0) if self.acting => "me".to_owned(),
            (_, 1) => "mover".to_owned(),
            (_, 2) => "following(mover)".to_owned(),
            (_, 3) => "a".to_owned(),
            _ => "b".to_owned(),
        }
    }

    fn directions(&mut self) -> &'static str {
        if self.offer.square { self.pick(&["directions", "orthogonal", "diagonal", "s", "e"]) } else { "directions" }
    }

    fn sites(&mut self, depth: usize) -> String {
        if depth > 0 && self.one_in(9) {
            return self.rare_sites();
        }
        if depth == 0 || self.one_in(4) {
            return match self.dice.below(9) {
                0 => "empty".to_owned(),
                1 => "occupied".to_owned(),
                2 if self.acting => "own man".to_owned(),
                3 if self.acting => "enemy man".to_owned(),
                4 => format!("man of {}", self.seat()),
                5 => "(rock & sites)".to_owned(),
                6 => "mark".to_owned(),
                7 => format!("{{{}}}", self.site()),
                _ => "sites".to_owned(),
            };
        }
        let less = depth - 1;
        match self.dice.below(13) {
            0 => format!("({} & {})", self.sites(less), self.sites(less)),
            1 => format!("({} | {})", self.sites(less), self.sites(less)),
            2 => format!("({} - {})", self.sites(less), self.sites(less)),
            3 => format!("around({})", self.site()),
            4 => format!("toward({}, {})", self.site(), self.directions()),
            5 => format!("ray({}, {})", self.site(), self.directions()),
            6 => {
                let from = self.sites(less);
                let (name, test) = self.pair(Ty::Site, |this| this.test(less));
                format!("{{{name} in {from} where {test}}}")
            }
            7 => {
                let from = self.sites(less);
                let (name, set) = self.pair(Ty::Site, |this| this.sites(less));
                format!("(union {set} for {name} in {from})")
            }
            8 => {
                let from = self.sites(less);
                let (name, by) = self.pair(Ty::Site, |this| this.number(less));
                format!("(top {name} in {from} by {by})")
            }
            9 => format!("(if {} then {} else {})", self.test(less), self.sites(less), self.sites(less)),
            10 if self.offer.sets > 0 => {
                let number = self.dice.below(self.offer.sets);
                format!("s{number}({})", self.site())
            }
            11 if self.offer.paths > 0 => {
                let number = self.dice.below(self.offer.paths);
                format!("w{number}({})", self.site())
            }
            _ if self.offer.square => "(a1..b2)".to_owned(),
            _ => format!("{{{}, {}}}", self.site(), self.site()),
        }
    }

    /// A fresh name and what is generated with it in scope.
    fn pair(&mut self, ty: Ty, make: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let mut named = String::new();
        let made = self.bound(ty, |this, name| {
            name.clone_into(&mut named);
            make(this)
        });
        (named, made)
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 && self.one_in(9) {
            return self.rare_number(depth - 1);
        }
        if depth == 0 || self.one_in(4) {
            let literal = self.dice.below(5).to_string();
            return match self.dice.below(6) {
                0 => "n".to_owned(),
                1 => "ply".to_owned(),
                2 => format!("score({})", self.seat()),
                3 => self.name(Ty::Int).unwrap_or(literal),
                _ => literal,
            };
        }
        let less = depth - 1;
        match self.dice.below(14) {
            0 => format!("({} + {})", self.number(less), self.number(less)),
            1 => format!("({} - {})", self.number(less), self.number(less)),
            2 => format!("({} * {})", self.number(less), self.number(less)),
            3 => format!("({} / 2)", self.number(less)),
            4 => format!("({} mod 3)", self.number(less)),
            5 => format!("count({})", self.sites(less)),
            6 => {
                let from = self.sites(less);
                let word = self.pick(&["sum", "max", "min"]);
                let (name, of) = self.pair(Ty::Site, |this| this.number(less));
                format!("({word} {of} for {name} in {from})")
            }
            7 if self.offer.tokens => format!("(seed at ({}))", self.sites(less)),
            8 if self.offer.enums => "price(tint)".to_owned(),
            9 if self.offer.cards => format!("count(hand({}))", self.seat()),
            10 if self.offer.cards && !self.offer.quiet => format!("(sum c.rank for c in hand({}))", self.seat()),
            11 if self.offer.fields => format!("(sum t.h for t at ({}))", self.sites(less)),
            12 if self.offer.numbers > 0 => {
                let number = self.dice.below(self.offer.numbers);
                format!("i{number}({})", self.seat())
            }
            13 => format!("distance({}, {})", self.site(), self.site()),
            _ => format!("(if {} then {} else {})", self.test(less), self.number(less), self.number(less)),
        }
    }

    fn test(&mut self, depth: usize) -> String {
        if depth > 0 && self.one_in(9) {
            return self.rare_test(depth - 1);
        }
        if depth == 0 || self.one_in(5) {
            return match self.dice.below(5) {
                0 => self.name(Ty::Truth).unwrap_or("flag".to_owned()),
                1 => format!("{} == {}", self.seat(), self.seat()),
                2 => "ply mod 2 == 0".to_owned(),
                3 if self.offer.enums => "tint == green".to_owned(),
                _ => format!("{} in mark", self.site()),
            };
        }
        let less = depth - 1;
        match self.dice.below(13) {
            0 => {
                let order = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("{} {order} {}", self.number(less), self.number(less))
            }
            1 => format!("(some {})", self.sites(less)),
            2 => format!("(no {})", self.sites(less)),
            3 => format!("{} within {}", self.sites(less), self.sites(less)),
            4 => format!("{} meets {}", self.sites(less), self.sites(less)),
            5 => format!("(not ({}))", self.test(less)),
            6 => format!("(({}) and ({}))", self.test(less), self.test(less)),
            7 => format!("(({}) or ({}))", self.test(less), self.test(less)),
            8 => {
                let from = self.sites(less);
                let word = self.pick(&["any", "all"]);
                let (name, test) = self.pair(Ty::Site, |this| this.test(less));
                format!("({word} {name} in {from}: {test})")
            }
            9 if self.offer.square && self.acting => "line(own man, 3)".to_owned(),
            10 if self.offer.fields => format!("(any t at ({}): t.up or t.h > 1)", self.sites(less)),
            11 if self.offer.cards && !self.offer.quiet => format!("(any c in hand({}): c.rank > 2)", self.seat()),
            12 if self.offer.tests > 0 && self.one_in(3) => {
                format!("either({}, {})", self.test(less), self.test(less))
            }
            12 if self.offer.tests > 0 => {
                let number = self.dice.below(self.offer.tests);
                format!("t{number}({}, {})", self.site(), self.seat())
            }
            _ => format!("{} in {}", self.site(), self.sites(less)),
        }
    }

    fn path(&mut self, depth: usize) -> String {
        let to = self.pick(&["empty", "occupied", "sites", "rock", "empty | rock"]);
        let ways = self.directions();
        if depth == 0 || self.one_in(3) {
            return match self.dice.below(4) {
                0 => format!("step {ways} to {to}"),
                1 => format!("slide {ways} through empty"),
                2 => format!("slide {ways} up to 2 through {to}"),
                _ => format!("hop {ways} over occupied to {to}"),
            };
        }
        let less = depth - 1;
        match self.dice.below(6) {
            0 => format!("({}) then ({})", self.path(less), self.path(less)),
            1 => format!("({}) or ({})", self.path(less), self.path(less)),
            2 => format!("({}){}", self.path(less), self.pick(&["?", "*", "+", "{2}", "{1..2}", "+ fully"])),
            3 => format!("if (n > {}) then ({})", self.dice.below(4), self.path(less)),
            4 => format!("along d in {ways} (slide d through empty then step d to {to})"),
            _ => format!("step {ways} to {to}"),
        }
    }

    /// Statements that ask nobody.
    pub(super) fn effects(&mut self, depth: usize) -> String {
        let count = 1 + self.dice.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.effect(depth)).collect();
        statements.join("  ")
    }

    fn effect(&mut self, depth: usize) -> String {
        if depth > 0 && self.one_in(7) {
            return self.rare_effect(depth - 1);
        }
        let less = depth.saturating_sub(1);
        match self.dice.below(if depth == 0 { 14 } else { 20 }) {
            0 if self.acting => format!("put own man on {}", self.sites(1)),
            1 => format!("put man of {} on {}", self.seat(), self.sites(1)),
            2 => format!("put rock on {}", self.site()),
            3 => format!("remove {}", self.sites(1)),
            4 => format!("move {} to {}", self.site(), self.site()),
            5 => format!("swap {}, {}", self.site(), self.site()),
            6 => format!("n {} {}", self.pick(&[":=", "+=", "-="]), self.number(1)),
            7 => format!("score({}) += {}", self.seat(), self.number(1)),
            8 => format!("mark {} {}", self.pick(&[":=", "+=", "-="]), self.sites(2)),
            9 => format!("flag := {}", self.test(2)),
            10 if self.offer.fields => {
                format!("change {}: h = {}, up = {}", self.sites(1), self.number(1), self.test(1))
            }
            11 if self.offer.tokens => match self.dice.below(5) {
                3 => {
                    self.fresh += 1;
                    let skip = if self.one_in(2) { format!(" skip {}", self.site()) } else { String::new() };
                    format!("sow seed from {} along {}{skip} as l{}", self.site(), self.offer.ahead, self.fresh)
                }
                4 => format!("rotate {} by {}", self.sites(1), self.number(0)),
                0 => format!("put 2 seed on {}", self.sites(1)),
                1 => format!("move all seed from {} to {}", self.sites(1), self.site()),
                _ => format!("put (n mod 4) coin of {} on {}", self.seat(), self.site()),
            },
            12 if self.offer.cards => match self.dice.below(3) {
                0 => format!("move top of deck to hand({})", self.seat()),
                1 => format!("move all of hand({}) to away", self.seat()),
                _ => "move bottom 2 of away under deck".to_owned(),
            },
            13 if self.offer.enums => format!("tint := {}", self.pick(&["red", "green", "blue"])),
            14 => format!("if {} {{ {} }} else {{ {} }}", self.test(less), self.effects(less), self.effects(less)),
            15 => {
                let from = self.sites(1);
                let (name, body) = self.pair(Ty::Site, |this| this.effects(less));
                format!("for {name} in {from} {{ {body} }}")
            }
            16 => {
                let (name, body) = self.pair(Ty::Seat, |this| this.effects(less));
                format!("for {name} in seats {{ {body} }}")
            }
            17 => format!("repeat {} {{ {} }}", self.dice.below(3), self.effects(less)),
            18 if self.offer.procedures > 0 => format!("do0({})", self.site()),
            19 if self.one_in(2) => {
                let value = self.test(2);
                let (name, body) = self.pair(Ty::Truth, |this| this.effects(less));
                format!("if true {{ let {name} = {value}  {body} }}")
            }
            19 => {
                let value = self.number(1);
                let (name, body) = self.pair(Ty::Int, |this| this.effects(less));
                format!("if true {{ let {name} = {value}  {body} }}")
            }
            _ => "idle += 1".to_owned(),
        }
    }

    fn setup(&mut self) {
        let mut body = format!("put man of a on {}  put man of b on {}", self.offer.places[0], self.offer.places[2]);
        if self.offer.cards {
            body.push_str("  for k in kinds(card) { put 3 k on deck }  shuffle deck  for p in seats { move top 2 of deck to hand(p) }");
        }
        if self.one_in(3) {
            body.push_str("  roll d in 1..6  n := d");
        }
        if self.one_in(2) {
            body.push_str("  ");
            body.push_str(&self.effects(1));
        }
        self.line(&format!("setup {{ {body} }}"));
    }

    fn actions(&mut self) -> Vec<String> {
        let grabs = self.text.contains("path grab");
        let mut names = Vec::new();
        for at in 0..=self.dice.below(3) {
            let body = self.action(grabs && at == 0);
            let cited = if self.offer.clauses { " §1" } else { "" };
            self.line(&format!("action act{at}{cited} {{ {body} }}"));
            names.push(format!("act{at}"));
        }
        names
    }

    fn action(&mut self, grab: bool) -> String {
        self.acting = true;
        if grab {
            self.acting = false;
            return "choose from in own man  choose way in grab(from)  move from to way.to  remove way.taken"
                .to_owned();
        }
        let mut lines = Vec::new();
        let sight = self.pick(&["", "", " seen by me"]);
        match self.dice.below(4) {
            0 => lines.push(format!("choose src in own man{sight}  choose dst in {}", self.sites(2))),
            1 => lines.push(format!("choose src in empty  choose dst in around(src) & {}", self.sites(1))),
            2 => lines.push(format!("choose num in 1..{}  choose src in {}", 1 + self.dice.below(4), self.sites(2))),
            _ => lines.push("choose src in own man  choose dst in w0(src)".to_owned()),
        }
        let mut names = vec![("src", Ty::Site)];
        names.extend(
            [("dst", Ty::Site), ("num", Ty::Int)]
                .iter()
                .filter(|(name, _)| lines[0].contains(&format!("choose {name} "))),
        );
        if self.offer.cards && self.one_in(2) {
            lines.push("choose card_of in hand(me)".to_owned());
            names.push(("card_of", Ty::Card));
        }
        let rest = self.under(&names, Self::rest);
        self.acting = false;
        lines.push(rest);
        lines.join("  ")
    }

    /// What follows the choices of an action.
    fn rest(&mut self) -> String {
        let mut lines = Vec::new();
        if self.one_in(3) {
            lines.push(format!("require {}", self.test(2)));
        }
        if self.one_in(5) {
            lines.push(format!("prefer {}", self.number(2)));
        }
        let card = self.name(Ty::Card);
        if self.name(Ty::Site).is_some() && self.names.iter().any(|(name, _)| name == "dst") && self.one_in(2) {
            lines.push("move src to dst".to_owned());
        }
        lines.push(self.effects(2));
        lines.extend(card.map(|card| format!("move {card} from hand(me) to away")));
        match self.dice.below(8) {
            6 => lines.push(format!("if {} {{ eliminate {} }}", self.test(1), self.seat())),
            7 => lines.push(format!("if {} {{ place me }}", self.test(1))),
            0 => lines.push(format!("ensure {}", self.test(2))),
            1 => lines.push(format!("choose extra in {}  put rock on extra", self.sites(2))),
            2 => lines.push("roll r in 1..3  n += r".to_owned()),
            3 => lines.push(format!("if {} {{ again }}", self.test(1))),
            4 => lines.push(format!("if {} {{ give turn to {} }}", self.test(1), self.seat())),
            _ => {}
        }
        lines.join("  ")
    }

    fn play(&mut self, actions: &[String]) {
        let all = actions.join(" | ");
        let chain = actions.join(" else ");
        let group = match self.dice.below(4) {
            0 => format!("mover plays {all} | pass"),
            1 => format!("mover plays {all} else pass"),
            2 => format!("mover plays {chain} else {{ draw }}"),
            _ => format!("mover may play {all}  mover plays {chain} else pass"),
        };
        let body = match self.dice.below(9) {
            7 => {
                self.offer.races = true;
                let skip = if self.one_in(2) { " else { idle += 1 }" } else { "" };
                let until = if self.one_in(2) { " until now + 500" } else { "" };
                format!(
                    "while ply < 12 {{ race playing play {all}{until}{skip}  idle += 1  if idle > 40 {{ draw }} }}  rank p in seats by score(p)"
                )
            }
            8 => format!(
                "roll who in seats  turns from who {{ for p in seats from mover {{ p may play {all} }}  {group} }}"
            ),
            0 => format!("repeat 3 {{ for p in seats {{ p may play {all} }} }}  rank p in seats by score(p)"),
            1 => {
                let test = self.test(2);
                self.offer.phases = true;
                format!(
                    "phase first {{ turns {{ if {test} {{ stop }}  {group} }} }}  phase second {{ turns {{ {group} }} }}"
                )
            }
            2 => format!("turns {{ together seats play {all} else pass  {group} }}"),
            3 => format!(
                "turns {{ let before = count(occupied)  {group}  if before == count(occupied) {{ idle += 1 }} }}"
            ),
            _ => format!("turns {{ {group} }}"),
        };
        let before = self.before_turns();
        self.line(&format!("play {{ {before}{body} }}"));
    }

    /// What happens before the first turn, by the seat that begins; mostly nothing.
    fn before_turns(&mut self) -> String {
        if !self.one_in(3) {
            return String::new();
        }
        self.acting = true;
        let effects = self.effects(1);
        self.acting = false;
        format!("{effects}  ")
    }

    fn ends(&mut self, actions: &[String]) {
        self.acting = true;
        let test = self.test(3);
        let result = self.pick(&[
            "win me",
            "lose me",
            "draw",
            "rank p in seats by score(p)",
            "rank p in seats by count(man of p)",
        ]);
        let moment = self.pick(&["after move", "before turn", "after turn"]);
        self.line(&format!("end over {moment} when ply > 2 and {test} {{ {result} }}"));
        if self.one_in(3) {
            self.line(&format!(
                "end stuck after move when no {{p in seats where p can play {}}} {{ draw }}",
                actions[0]
            ));
        }
        if self.one_in(3) {
            self.line("end again_seen after move when occurrences >= 3 { draw }");
        }
        self.line("end last after move when ply > 20 { draw }");
        if self.one_in(4) {
            self.line("offer peace \"peace\" { draw }");
        }
        if self.one_in(4) {
            self.line("claim quiet \"nothing happens\" by any seat { require idle > 3  draw }");
        }
        if self.offer.variants {
            self.line("variant far \"Far\" { set goal = 5 }");
        }
        self.acting = false;
        let holds = self.test(2);
        self.line(&format!("invariant maybe: ply >= 0 or {holds}"));
    }
}
