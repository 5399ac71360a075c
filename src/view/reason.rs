//! What a test found, as a sentence without its end.

use super::position::seat_title;
use super::titled::{indexed, titled_value};
use crate::base::{Sources, Span};
use crate::ir::{Game, Order, Piece, Ty, Value};
use crate::model::{Reason, Told};
use crate::notation::print_value;
use crate::say::{Arg, Lang};

/// Up to so many members of a set are named.
const NAMED: usize = 8;
/// Up to so many members of the sides of a comparison.
const MEMBERS: usize = 100;
/// Longer expressions are shortened.
const QUOTED: usize = 100;

/// Says what was found.
pub(super) struct Speaker<'a> {
    pub(super) lang: Lang,
    pub(super) game: &'a Game,
    pub(super) sources: &'a Sources,
}

impl Speaker<'_> {
    /// What was found.
    #[expect(clippy::too_many_lines, reason = "one arm per finding")]
    pub(super) fn reason(&self, reason: &Reason) -> String {
        let say = |id: &str, args: &[(&str, &str)]| {
            let args: Vec<(&str, Arg<'_>)> = args.iter().map(|(name, text)| (*name, Arg::Text(text))).collect();
            self.lang.say(id, &args)
        };
        let yes = |truth: bool| if truth { "yes" } else { "no" };
        match reason {
            Reason::Bare { site, part } => say("because-bare", &[("site", self.site(*site)), ("part", part.word())]),
            Reason::Occupied { site, piece: None, part } => {
                say("because-taken", &[("site", self.site(*site)), ("part", part.word())])
            }
            Reason::Occupied { site, piece: Some(piece), part } => {
                let piece = self.piece(piece, true);
                say("because-occupied", &[("site", self.site(*site)), ("piece", &piece), ("part", part.word())])
            }
            Reason::NotOwned { site, piece, wanted } => {
                let wanted: Vec<&str> = wanted.iter().map(|seat| seat_title(self.game, seat)).collect();
                let (shown, wanted) = (self.piece(piece, false), self.lang.or(&wanted));
                let site = self.site(*site);
                match piece.owner {
                    Some(owner) => {
                        let owner = seat_title(self.game, usize::from(owner));
                        let args = [("site", site), ("piece", &shown), ("owner", owner), ("wanted", &wanted)];
                        say("because-not-owned", &args)
                    }
                    None => say("because-unowned", &[("site", site), ("piece", &shown), ("wanted", &wanted)]),
                }
            }
            Reason::Owned { site, piece, owner } => {
                let (shown, owner) = (self.piece(piece, false), seat_title(self.game, usize::from(*owner)));
                say("because-owned", &[("site", self.site(*site)), ("piece", &shown), ("owner", owner)])
            }
            Reason::Kind { site, piece, kinds, among } => {
                let titles: Vec<String> = kinds.iter().map(|kind| self.kind(kind)).collect();
                let (shown, kinds) = (self.piece(piece, false), self.lang.or(&titles));
                let args = [("site", self.site(*site)), ("piece", &shown), ("kinds", &kinds), ("among", yes(*among))];
                say("because-kind", &args)
            }
            Reason::Tokens { site, tokens, any } => {
                let info = self.game.tokens.get(*tokens);
                let title = info.map_or("", |info| if info.title.is_empty() { &info.name } else { &info.title });
                say("because-tokens", &[("site", self.site(*site)), ("tokens", title), ("any", yes(*any))])
            }
            Reason::Side { site, owner, wanted } => {
                let title = |seat: crate::ir::SeatId| seat_title(self.game, usize::from(seat));
                let args = [("site", self.site(*site)), ("owner", title(*owner)), ("wanted", title(*wanted))];
                say("because-side", &args)
            }
            Reason::Member { value, set, members, among } => {
                let (value, set, size) = (self.told(value), self.quote(*set), members.value.size());
                let members = self.told(members);
                let id = match (among, size) {
                    (true, _) => "because-in",
                    (false, 0) => "because-not-in-empty",
                    (false, 1..=NAMED) => "because-not-in-these",
                    (false, _) => "because-not-in",
                };
                say(id, &[("value", &value), ("set", &set), ("members", &members)])
            }
            Reason::InZone { piece, zone, there } => {
                let (piece, zone) = (self.piece(piece, true), self.zone(*zone));
                say("because-in-zone", &[("piece", &piece), ("zone", &zone), ("there", yes(*there))])
            }
            Reason::Only { value, zone, left } => {
                let (value, zone, left) = (self.told(value), self.zone(*zone), self.told(left));
                say("because-only", &[("value", &value), ("zone", &zone), ("left", &left)])
            }
            Reason::Flag { site, piece, flag, set } => {
                say("because-flag", &[("piece", &self.placed(*site, piece)), ("flag", flag), ("set", yes(*set))])
            }
            Reason::Attribute { site, piece, attribute, value, among } => {
                let (piece, value) = (self.placed(*site, piece), self.told(value));
                let attribute = self.quote(*attribute);
                let args = [("piece", &*piece), ("attribute", &attribute), ("value", &value), ("among", yes(*among))];
                say("because-attribute", &args)
            }
            Reason::Apart { site, beside } => {
                say("because-apart", &[("site", self.site(*site)), ("beside", &self.told(beside))])
            }
            Reason::Empty(set) => say("because-empty", &[("set", &self.quote(*set))]),
            Reason::Some { set, members } if members.value.size() > NAMED => {
                say("because-some-many", &[("set", &self.quote(*set))])
            }
            Reason::Some { set, members } => {
                say("because-some", &[("set", &self.quote(*set)), ("members", &self.told(members))])
            }
            Reason::Holds { zone, count } => {
                let zone = self.zone(*zone);
                self.lang.say("because-holds", &[("zone", Arg::Text(&zone)), ("count", (*count).into())])
            }
            Reason::Number { wanted, numbers, written } => {
                let right = self.number(written.1, numbers.1);
                let (left, number) = (self.quote(written.0), numbers.0.to_string());
                let order = match wanted {
                    Order::Lt => "less",
                    Order::Le => "most",
                    Order::Gt => "more",
                    Order::Ge => "least",
                };
                let args = [("left", &*left), ("number", &number), ("right", &right), ("order", order)];
                say("because-number", &args)
            }
            Reason::Equal { values, written, equal } => {
                let (left, right) = (self.quote(written.0), self.quote(written.1));
                let (one, other) = (self.told(&values.0), self.told(&values.1));
                // A value written as itself, and who acts, need no name.
                let plain =
                    |told: &Told, text: &str| text == "me" || print_value(self.game, &told.ty, &told.value) == text;
                match (equal, plain(&values.1, &right), plain(&values.0, &left)) {
                    (true, false, false) => say("because-same", &[("left", &left), ("right", &right), ("value", &one)]),
                    (true, true, _) => say("because-is", &[("left", &left), ("value", &one)]),
                    (true, false, true) => say("because-is", &[("left", &right), ("value", &one)]),
                    (false, _, true) => say("because-is-not", &[("left", &right), ("value", &other), ("other", &one)]),
                    (false, _, false) => say("because-is-not", &[("left", &left), ("value", &one), ("other", &other)]),
                }
            }
            Reason::Test { test, holds } => {
                say("because-test", &[("test", &self.quote(*test)), ("holds", yes(*holds))])
            }
            Reason::Far { from, to, limit } => {
                let args = [("from", Arg::Text(self.site(*from))), ("to", Arg::Text(self.site(*to)))];
                let limit = Arg::Number(u64::try_from(*limit).unwrap_or_default());
                self.lang.say("because-far", &[args[0], args[1], ("limit", limit)])
            }
            Reason::Aside { from, to, directions } => {
                let directions = self.told(directions);
                let args = [("from", self.site(*from)), ("to", self.site(*to)), ("directions", &directions)];
                say("because-aside", &args)
            }
            Reason::Unreachable { from, to, paths } => {
                let names: Vec<String> = paths.iter().map(|path| self.path(*path)).collect();
                let args = [("from", self.site(*from)), ("to", self.site(*to)), ("paths", &self.lang.or(&names))];
                say("because-unreachable", &args)
            }
            Reason::Blocked { from, to, paths } => {
                let names: Vec<String> = paths.iter().map(|path| self.path(*path)).collect();
                let args = [("from", self.site(*from)), ("to", self.site(*to)), ("paths", &self.lang.or(&names))];
                say("because-blocked", &args)
            }
            Reason::Joined { from, to, paths } => {
                let [first, second] = paths.map(|path| self.path(path));
                let args =
                    [("from", self.site(*from)), ("to", self.site(*to)), ("first", &*first), ("second", &second)];
                say("because-joined", &args)
            }
            Reason::All(several) => {
                let parts: Vec<String> = several.iter().map(|reason| self.reason(reason)).collect();
                parts.join("; ")
            }
        }
    }

    fn site(&self, site: usize) -> &str {
        self.game.topology.sites.get(site).map_or("?", |site| &site.name)
    }

    fn path(&self, path: crate::ir::PathId) -> String {
        self.game.paths.get(path).map_or_else(String::new, |def| format!("`{}`", def.name))
    }

    fn kind(&self, kind: usize) -> String {
        let kind = self.game.kinds.nth(kind);
        kind.map_or("?", |kind| if kind.title.is_empty() { &kind.name } else { &kind.title }).to_owned()
    }

    /// A piece by its titles, with its owner if that is to be said.
    fn piece(&self, piece: &Piece, owned: bool) -> String {
        let owner = piece.owner.filter(|_| owned);
        titled_value(self.game, &Ty::Piece, &Value::Piece(Piece { owner, ..piece.clone() }))
    }

    /// A piece with the site it is on.
    fn placed(&self, site: Option<usize>, piece: &Piece) -> String {
        match site {
            Some(site) => format!("{} ({})", self.site(site), self.piece(piece, false)),
            None => self.piece(piece, true),
        }
    }

    /// A value by its titles; of a set, each member.
    fn told(&self, told: &Told) -> String {
        let (value, left) = first_members(&told.value);
        let text = titled_value(self.game, &told.ty, &value);
        match (text.is_empty(), left) {
            (true, _) => self.lang.say("because-none", &[]),
            (false, 0) => text,
            (false, left) => format!("{text}, {}", self.lang.say("more-counters", &[("count", left.into())])),
        }
    }

    /// A number with what it is the value of, unless it is written as itself.
    fn number(&self, written: Span, number: i64) -> String {
        let (text, number) = (self.quote(written), number.to_string());
        if text == number { number } else { format!("`{text}` ({number})") }
    }

    /// A zone with its places, by their titles.
    fn zone(&self, (zone, index): (usize, usize)) -> String {
        let Some(info) = self.game.zones.nth(zone) else { return String::new() };
        indexed(self.game, if info.title.is_empty() { &info.name } else { &info.title }, &info.indices, index)
    }

    /// An expression as it is written, on one line.
    fn quote(&self, span: Span) -> String {
        let text = self.sources.slice(span).lines().map(|line| line.split("//").next().unwrap_or(line));
        let text = text.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        if text.chars().count() <= QUOTED {
            return text;
        }
        let short: String = text.chars().take(QUOTED - 1).collect();
        format!("{short}…")
    }
}

/// A set or list with its first members, and how many it has beside them: a hand may hold thousands.
fn first_members(value: &Value) -> (Value, usize) {
    let left = |count: usize| count.saturating_sub(MEMBERS);
    match value {
        Value::Set(bits) => (Value::Set(bits.iter().take(MEMBERS).collect()), left(bits.count())),
        Value::Ints(numbers) => (Value::Ints(numbers.iter().take(MEMBERS).copied().collect()), left(numbers.len())),
        Value::Pieces(pieces) => (Value::Pieces(pieces.iter().take(MEMBERS).cloned().collect()), left(pieces.len())),
        Value::Ways(ways) => (Value::Ways(ways.iter().take(MEMBERS).cloned().collect()), left(ways.len())),
        Value::Moves(moves) => (Value::Moves(moves.iter().take(MEMBERS).cloned().collect()), left(moves.len())),
        Value::Unset
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Atom(_)
        | Value::Piece(_)
        | Value::Way(_)
        | Value::Move(_) => (value.clone(), 0),
    }
}
