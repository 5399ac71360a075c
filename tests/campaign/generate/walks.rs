//! Paths that call and ask for one another, and that look at where each walker is and at what it took.

use super::{Generator, Ty};

/// How many paths there are to be called.
const PARTS: usize = 2;

impl Generator {
    /// Such paths, and what an action does that goes by the last of them.
    pub(super) fn walks(&mut self) -> &'static str {
        let asked = self.path(1);
        self.line(&format!("path asked = {asked}"));
        for part in 0..PARTS {
            let body = self
                .under(&[("here", Ty::Site), ("start", Ty::Site), ("x", Ty::Site), ("m", Ty::Int)], |this| {
                    this.walk(1, part)
                });
            self.line(&format!("path part{part}(x: site, m: int, S: set of site) = {body}"));
        }
        let body = self.under(&[("here", Ty::Site), ("start", Ty::Site)], |this| this.walk(2, PARTS));
        self.line(&format!("path trek = ({body}) then (take)?"));
        self.pick(&[
            "choose f in own man  choose w in trek(f)  move f to w.to  remove w.taken & rock",
            "choose f in own man  choose w in trek(f)  require w.to != f  remove w.taken  move f to w.to",
            "choose f in own man  choose w in trek(f)  prefer count(w.taken)  swap f, w.to",
            "choose f in own man  require some part1(f, f, 1, {f})  choose w in trek(f)  move f to w.to",
        ])
    }

    /// A path that may call so many parts.
    fn walk(&mut self, depth: usize, parts: usize) -> String {
        if depth == 0 || self.one_in(4) {
            return self.element(parts);
        }
        let less = depth - 1;
        match self.dice.below(6) {
            0 | 1 => format!("({}) then ({})", self.walk(less, parts), self.walk(less, parts)),
            2 => format!("({}) or ({})", self.walk(less, parts), self.walk(less, parts)),
            3 => format!("({}){}", self.walk(less, parts), self.pick(&["?", "*", "+", "{2}", "{1..2}", "+ fully"])),
            4 => format!("along d in {} ((slide d through empty)? then step d to {})", self.headings(), self.passed()),
            _ => format!("({}) then ({}) then ({})", self.walk(0, parts), self.walk(less, parts), self.walk(0, parts)),
        }
    }

    fn element(&mut self, parts: usize) -> String {
        let (ways, to) = (self.headings(), self.passed());
        match self.dice.below(9) {
            0 | 1 => format!("step {ways} to {to}"),
            2 => format!("slide {ways} through {to}"),
            3 => format!("slide {ways} up to {} through {to}", self.length()),
            4 => format!("hop {ways} over {to} - taken taking to {}", self.passed()),
            5 => "take".to_owned(),
            6 => format!("if {}", self.stands()),
            _ if parts > 0 => {
                let part = self.dice.below(parts);
                format!("part{part}({}, {}, {to})", self.site(), self.length())
            }
            _ => format!("hop {ways} over occupied to {to}"),
        }
    }

    fn headings(&mut self) -> String {
        let ways = self.directions();
        if self.one_in(3) {
            format!("(if {} then {ways} else {})", self.stands(), self.directions())
        } else {
            ways.to_owned()
        }
    }

    fn length(&mut self) -> String {
        let lengths = ["1", "2", "count(taken)", "(if here == start then 1 else 2)", "count(around(here) & occupied)"];
        let length = self.pick(&lengths).to_owned();
        if self.one_in(3) { self.name(Ty::Int).unwrap_or(length) } else { length }
    }

    fn passed(&mut self) -> String {
        let part = self.names.iter().any(|(name, _)| name == "x");
        let set = match self.dice.below(9) {
            0 => "sites",
            1 => "occupied",
            2 => "taken",
            3 => "around(here)",
            4 => "asked(here)",
            5 if part => "S",
            6 => return format!("({})", self.sites(1)),
            _ => "empty",
        };
        if self.one_in(4) { format!("({set} | {{{}}})", self.site()) } else { set.to_owned() }
    }

    fn stands(&mut self) -> String {
        let tests = [
            "here == start",
            "no taken",
            "count(taken) < 2",
            "some asked(here)",
            "no asked(start)",
            "here in man & sites",
            "taken meets occupied",
        ];
        if self.one_in(5) { format!("({})", self.test(1)) } else { self.pick(&tests).to_owned() }
    }
}
