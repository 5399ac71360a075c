//! The rarer constructs: each is valid wherever what it needs was declared.

use super::{Generator, Ty};

impl Generator {
    /// Boards that are not made of a few squares, hexagons or a line.
    pub(super) fn rare_board(&mut self, way: usize, wide: usize, high: usize) -> String {
        match way {
            4 => {
                self.offer.ahead = "e";
                format!("hex rhombus {} x {}", wide.max(3), high.max(3))
            }
            5 => {
                (self.offer.places, self.offer.ahead) = (&["c2", "c3", "d2", "d3"], "e");
                "hex star 2".to_owned()
            }
            6 => {
                (self.offer.places, self.offer.ahead) = (&["a_1", "a_2", "b_1", "b_2"], "ahead");
                format!(
                    "{} per seat pit x {} named \"{{seat}}_{{n}}\", store named \"{{seat}}_home\"",
                    self.pick(&["ring", "track"]),
                    2 + wide
                )
            }
            _ => {
                (self.offer.places, self.offer.ahead) = (&["p1", "p2", "p3", "p4"], "link");
                let more = self.pick(&["", "  back: p5 > p1 > p3\n", "  p4 > p2; p2 - p5\n"]);
                format!("graph {{\n  p1 - p2 - p3 - p4 - p5\n{more}}}")
            }
        }
    }

    pub(super) fn rare_sites(&mut self) -> String {
        match self.dice.below(9) {
            0 => format!("between({}, {})", self.site(), self.site()),
            1 => format!("group({}, occupied)", self.site()),
            2 => "rows(occupied, 2)".to_owned(),
            3 => "piece".to_owned(),
            4 if self.acting => "(own piece | enemy piece)".to_owned(),
            5 if self.offer.tokens => "(seed | coin)".to_owned(),
            6 => format!("piece of opponents({})", self.seat()),
            7 => format!("(union around(f) for f in {}, p in seats where f in man of p)", self.site()),
            _ => "(sites - sites)".to_owned(),
        }
    }

    pub(super) fn rare_number(&mut self, depth: usize) -> String {
        match self.dice.below(10) {
            0 => "-n".to_owned(),
            1 => format!("abs({} - {})", self.number(depth), self.number(depth)),
            2 => format!("greater(lesser({}, 9), 2)", self.number(depth)),
            3 => "turn".to_owned(),
            4 if self.offer.tokens && self.acting => format!("own coin at ({})", self.sites(depth)),
            5 if self.offer.tokens => format!("(coin of {} at {})", self.seat(), self.site()),
            6 if self.offer.cards => "(max c.rank for c in top of away)".to_owned(),
            7 => format!("count(n..{})", self.dice.below(9)),
            8 => format!(
                "(sum 1 for x in {}, y in around(x) where x != y and y in {})",
                self.sites(depth),
                self.sites(depth)
            ),
            _ => "1_000 mod 7".to_owned(),
        }
    }

    pub(super) fn rare_test(&mut self, depth: usize) -> String {
        match self.dice.below(12) {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            2 => format!("connected({}, {}, occupied)", self.site(), self.sites(depth)),
            3 => "(any f in sites, p in seats where f in man of p: f != f)".to_owned(),
            4 if self.acting => "(all t at own man: t.owner == me)".to_owned(),
            5 if self.offer.cards && !self.offer.quiet => {
                format!("(some {{c in hand({}) where c.kind == mid}})", self.seat())
            }
            6 if self.offer.cards && !self.offer.quiet => {
                format!("(count(top c in hand({}) by c.rank) > 1)", self.seat())
            }
            7 if self.offer.cards && !self.offer.quiet => format!("told(some hand({}))", self.seat()),
            8 => format!("{} in {{1, 3, 5}}", self.number(depth)),
            9 if self.offer.enums => "tint in {red, blue}".to_owned(),
            10 => format!("distance({}, {}, directions) > 1", self.site(), self.site()),
            _ => format!("({} in playing)", self.seat()),
        }
    }

    /// Statements that ask nobody.
    pub(super) fn rare_effect(&mut self, depth: usize) -> String {
        match self.dice.below(16) {
            0 => "while n > 5 { n -= 3 }".to_owned(),
            1 => format!("for p in seats from mover {{ score(p) += 1  {} }}", self.effects(depth)),
            2 => "for f in occupied, p in seats where f in man of p { score(p) += 1 }".to_owned(),
            3 => "for t at occupied { if t.owner == {} { n += 1 } }".to_owned(),
            4 => "if n > 90 { win a \"done\" } else if n > 80 { draw \"even\" } else if n > 70 { lose a \"bad\" }"
                .to_owned(),
            5 if self.offer.fields => {
                format!("put man of {} with h = 2, up = true on {}", self.seat(), self.site())
            }
            6 if self.offer.tokens => format!("put (n mod 3 + 1) coin of {} on {}", self.seat(), self.site()),
            7 if self.offer.tokens => {
                format!("move 1 coin of {} from {} to {}", self.seat(), self.sites(1), self.site())
            }
            8 if self.offer.cards => "put 2 low on deck".to_owned(),
            9 if self.offer.cards && !self.offer.quiet => {
                let seat = self.seat();
                format!("for c in hand({seat}) where c.rank > 1 {{ move c from hand({seat}) to away }}")
            }
            10 if self.offer.cards => "move all of away under deck".to_owned(),
            11 if self.offer.cards => "move top (n mod 2 + 1) of deck to away".to_owned(),
            12 => "if n > 95 { rank p in {a, b} by count(man of p) \"counted\" }".to_owned(),
            13 => "if n > 99 { place a  eliminate b }".to_owned(),
            14 => "mark := {};".to_owned(),
            _ => format!("let y{0} = {1}  score(mover) := y{0}", self.fresh(), self.number(1)),
        }
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    /// Items that only some games have, and an action that asks in its midst.
    pub(super) fn rare_items(&mut self, actions: &mut Vec<String>) {
        if self.one_in(5) {
            self.line("document \"A book of games\"");
        }
        if self.one_in(3) {
            let site = self.site();
            let (one, two) = (self.offer.places[0], self.offer.places[2]);
            let third = if self.offer.third { format!(", c = {site}") } else { String::new() };
            self.line(&format!("region edge = {{{one}, {two}}}\nregion near(f: site) = around(f)"));
            self.line(&format!("region home: a = {one}, b = {two}{third}"));
            self.line("invariant edges: edge within sites and home(a) in edge and near(home(b)) within sites");
        }
        if self.one_in(3) {
            let ahead = self.offer.ahead;
            let third = if self.offer.third { format!(", c = {ahead}") } else { String::new() };
            self.line(&format!("define ahead_of: a = {ahead}, b = {ahead}{third}"));
            self.line("end never before turn when ply > 900 and some toward(sites, ahead_of(mover)) { draw }");
        }
        if self.one_in(3) {
            self.line("define worth of man(f: site) = 1\ndefine worth of piece(f: site) = 2");
            self.line(
                "procedure tidy of man(f: site) { remove f }\nprocedure tidy of piece(f: site) { n += worth(f) }",
            );
            let body = self.acting_effects();
            self.line(&format!("action tidy_up {{ choose f in occupied  tidy(f)  {body} }}"));
            actions.push("tidy_up".to_owned());
        }
        if self.one_in(3) {
            self.line("path far(D: set of direction, m: int) = slide D up to m through empty");
            self.line("path eat = step to man then take then (step to empty)?");
            self.line("path trip = (eat or step directions & directions to (if n > 0 then sites else empty)){1..2}");
            self.line("action go_far { choose f in own man  choose t in far(f, directions, 2)  move f to t }");
            self.line("action eat_one { choose f in own man  choose w in eat(f)  require some w.taken  remove w.taken  move f to w.to }");
            self.line("action travel { choose f in own man  choose w in trip(f)  let t = w.to  move f to t }");
            actions.extend(["go_far", "eat_one", "travel"].map(str::to_owned));
        }
        if self.one_in(3) {
            let body = self.walks();
            self.line(&format!("action trek_on {{ {body} }}"));
            actions.push("trek_on".to_owned());
        }
        if self.one_in(3) {
            self.line("var secret(p: seat): int seen by p\nvar owners(f: site): set of seat");
            self.line(
                "action hide { choose k in 1..3 seen by me  secret(me) := k  choose f in occupied  owners(f) += me }",
            );
            self.line("action draw_lot { choose f in own man  n += 1  roll luck in 1..3 seen by me  secret(me) := luck  choose gift in empty by following(me)  put rock on gift }");
            self.line("action twice { choose k in {1, 2}  n += k  me plays hide else { n -= 1 } }");
            actions.extend(["hide", "draw_lot", "twice"].map(str::to_owned));
        }
        if self.offer.cards && self.one_in(2) {
            self.line("zone tray: row of card, at most 5, seen by all\npiece token_card owned seen by it.owner");
            self.line("action lay_out { choose c in hand(me)  move c from hand(me) to tray  if count(tray) > 4 { shuffle tray  move all of tray to deck } }");
            self.line("action draw_one { require some deck  move top of deck to hand(me) }");
            actions.extend(["lay_out", "draw_one"].map(str::to_owned));
        }
        if self.offer.cards && self.one_in(2) {
            self.hidden_items(actions);
        }
        if self.one_in(6) {
            let one = &actions[0];
            let cue = format!("cue {one} after 200: n > 0\ncue {one}: flag");
            let only = cue.lines().take(1).collect::<Vec<_>>().join("\n");
            self.line(&only);
        }
        if self.offer.clauses && self.one_in(2) {
            self.line("define cited = 3 §1, §1.2");
        }
        actions.truncate(6);
    }

    /// Zones whose number or order is hidden by itself, and pieces of which it is hidden whose they are.
    fn hidden_items(&mut self, actions: &mut Vec<String>) {
        let whose = self.pick(&["no", "it.owner", "a"]);
        self.line("zone purse(p: seat): set of card, seen by p, number seen by p");
        self.line("zone heap: pile of card, seen by all, number seen by no");
        self.line("zone laid: row of card, seen by all, order seen by no");
        self.line(&format!("piece agent owned owner seen by {whose}"));
        self.line("piece disc owned { open: bool } seen by (if it.open then seats else {}), owner seen by (if it.open then seats else {})");
        self.line("action pocket { choose k in 1..2 seen by me  move top k of deck to purse(me) }");
        self.line("action lay { choose c in purse(me)  move c from purse(me) to laid }");
        self.line("action heap_up { require some laid  move top of laid to heap }");
        self.line("action station { choose f in empty  put own agent on f  choose g in empty  put own disc with open = flag on g }");
        self.line("action turn_up { choose f in own disc  change f: open = true  flag := not flag }");
        // Those that are listed first are played.
        actions.splice(1..1, ["pocket", "lay", "heap_up", "station", "turn_up"].map(str::to_owned));
    }

    fn acting_effects(&mut self) -> String {
        self.acting = true;
        let body = self.under(&[("f", Ty::Site)], |this| this.effects(1));
        self.acting = false;
        body
    }

    /// Claims that look ahead, and overrides of every kind.
    pub(super) fn rare_changes(&mut self) {
        if self.one_in(4) && !self.offer.races {
            self.line("claim announced \"says what comes\" { choose m in moves(act0)  let k = 2  require after m: occurrences >= k  draw }");
        }
        if self.one_in(5) {
            let of = self.pick(&["sites", "(sites | mover)", "mark"]);
            self.line(&format!(
                "end stood after turn when occurrences of {of} >= 9 or repeats(ply) and n > 50 {{ draw }}"
            ));
        }
        if self.offer.phases {
            self.line("end late after move when phase(second) and ply > 18 { lose {} draw }");
        }
        if !self.offer.variants {
            return;
        }
        self.line("end tired after move when ply >= 30 + goal { if how == plain { draw } else { lose a } }");
        self.line("procedure count_on(p: seat) { if n > 60 { draw }  for f in man of p { n += 1 }  score(p) += 1 }");
        self.line("end counted after turn when ply > 3 { count_on(mover) }");
        if self.one_in(2) {
            self.line("variant near \"Near\" excludes far { set goal = 2  set how = wide  remove end counted }");
        }
        if self.one_in(2) {
            self.line("variant changed {\n  change procedure count_on { replace draw { n -= 1 }  before for { n -= 2 }  after all { mark -= mark }  before all { mark += {} } }\n  change end tired { replace when ply >= 25  after if { score(a) := 0 } }\n}");
        }
        if self.one_in(2) {
            self.line("with how == wide {\n  change procedure count_on { remove if  replace score { score(p) += 2 } }\n  replace end tired after move when ply >= 12 { draw }\n}");
        }
        if self.one_in(3) {
            self.line("variant third { var extra: int  change end counted { after count_on { extra += 1  n += extra } } }\nwith third and how == wide { end both after move when ply > 9 { draw } }");
        }
        if self.offer.cards {
            self.line("variant cards_differ { set card.low.rank = 2  row card | new_card | 4 |  remove row card.mid }");
        }
        if self.offer.enums {
            self.line("variant prices { replace row price | green | 7 |  set price.red.price = 3 }");
        }
        if self.offer.clauses {
            self.line(
                "variant worded { replace clause §1 \"Something else.\"  change setup { after all { n += 0 §1 } } }",
            );
        }
    }

    /// A file that extends a game.
    pub(super) fn extension(&mut self) {
        self.line("game h \"More of it\" extends \"base.rules\"");
        if self.one_in(2) {
            self.line("var further: int = 1\nend sooner after move when ply > 7 + further { draw }");
        }
        if self.one_in(2) {
            self.line("change play { before all { n += 1 } }");
        }
        if self.one_in(2) {
            self.line("change setup { after all { put rock on sites & rock } }");
        }
        if self.one_in(2) {
            self.line("remove invariant maybe");
        }
        if self.one_in(2) {
            self.line("replace end last after move when ply > 12 { draw }");
        }
        self.line("variant quick_end { end at_once after move when ply > 2 { draw } }");
    }
}
