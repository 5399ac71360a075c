//! Zones, lists of pieces and sets of numbers, in all forms and in their corners: games of cards that make no sense.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use crate::compare_playouts;
use crate::hosted::Hosted;
use crate::law::compare;

const CARDS: &str = "
players a, b
board square 3 x 2
enum suit = x, y
kinds card { suit: suit, up: bool }
  | kind  | rank | copies |
  | one   |    1 |      2 |
  | two   |    2 |      1 |
  | three |    3 |      1 |
zone deck: pile of card, seen by all
zone hand(p: seat): set of card, seen by all
zone line: row of card, seen by all
zone laid(s: suit): set of card, seen by all
var n: int \"n\"
var best: suit = y \"best\"
var kept: set of int = {2, 5}
var each(p: seat): set of int
record tally: int \"tally\"
setup {
  for k in kinds(card), s in suit { put (k.copies) k with suit = s on deck }
  shuffle deck
  for p in seats { move top 2 of deck to hand(p) }
}
";

/// Plays random games on both; returns how many positions were compared.
fn played(name: &str, rules: &str, games: u64) -> usize {
    let text = format!("game {name} \"{name}\"\n{rules}");
    let loaded = load("zones.rules", &text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.reports)));
    let bytes = module(fast.game()).unwrap_or_else(|gap| panic!("{name}: {gap:?}"));
    let mut hosted = Hosted::new(&bytes, name);
    let seen = (0..games).map(|seed| compare(&fast, &mut hosted, seed, 60, name)).sum();
    compare_playouts(&fast, &mut hosted, games, 60, name);
    seen
}

/// From the top, from the bottom, one, some and all, to zones and to sites and back, more than there are and none.
#[test]
fn pieces_move_between_zones_and_sites() {
    let rules = [
        CARDS,
        "
action draw { choose k in 0..5  move top k of deck to hand(me) }
action dig { choose k in 0..3  move bottom (k - 1) of deck to line }
action put_back { choose c in hand(me) | line  move c from hand(me) under deck  move c from line under deck }
action lay { choose c in {c in hand(me) where c.rank != n}  move c from hand(me) to line  n := c.rank }
action lay_ones {
  let ones = {c in hand(me) where c.kind == one}
  require some ones
  for s in suit { move {c in ones where c.suit == s} from hand(me) to laid(s) }
}
action spread { choose k in 0..4  move top k of line to empty }
action spread_low { move bottom 2 of hand(me) to a1 | c2 | b1 }
action spread_all { move all of hand(me) to (a1 | b1) - occupied }
action nowhere { choose c in hand(me)  move c from hand(me) to empty & occupied }
action some_of { move hand(me) | hand(me) from hand(me) to a1 | b2 }
action gather { require some occupied  move occupied under line }
action lift { choose f in occupied  move f to hand(me) }
action mix { shuffle deck  shuffle line }
action turn_up { change hand(me): up = true  change line: up = no laid(x)  change deck: up = true, suit = y }
action make { put 2 one with suit = best on line  put (n - 2) two on hand(me)  put three on deck }
action recycle { move all of deck to deck  move all of line under line  move all of hand(me) to hand(me)
  for s in suit { move all of laid(s) to deck } }
action blind { require some deck  roll c in deck | line  move c from deck to hand(me)  move c from line to laid(c.suit) }
play { turns { mover plays draw | dig | put_back | lay | lay_ones | spread | spread_low | spread_all | nowhere | some_of |
  gather | lift | mix | turn_up | make | recycle | blind } }
",
    ]
    .concat();
    let seen = played("moving", &rules, 30);
    assert!(seen > 1500, "only {seen} positions");
}

/// Filters, unions, differences, the top, the best, members by members: as numbers, truth values and choices.
#[test]
fn lists_are_worked_out_as_in_the_interpreter() {
    let rules = [
        CARDS,
        "
define known = hand(me) | line | top of deck
define ranks(cards: set of piece) = union {c.rank, c.rank + 1} for c in cards
define twice(cards: set of piece) = count({c in cards | cards where c.suit == x})
define height(cards: set of piece) = max c.rank for c in cards
define odd(cards: set of piece) = {c in cards where c.rank mod 2 == 1}
action draw { choose k in 1..2  move top k of deck to hand(me) }
action lay { choose c in {c in hand(me) where not (c in line)}  move c from hand(me) to line }
action best_of { choose c in (top c in known by c.rank + (if c.suit == x then 1 else 0))  tally += c.rank
  move c from hand(me) under line }
action same { choose c in {c in hand(me) where c in line} | laid(x)  tally += 1  move c from line to laid(c.suit) }
action two_of { choose c in hand(me)  choose d in {e in hand(me) where e != c}  require d.rank > c.rank or d in line
  tally += 10 * c.rank + d.rank  move c from hand(me) to line  move d from hand(me) to line }
action if_any { choose c in (if some odd(known) then odd(known) else if n > 2 then {} else hand(me))  n += c.rank }
action last_ones { choose c in top of line | top of deck | top of odd(line)  n := c.rank }
action numbers { choose k in kept | ranks(hand(me)) - {3}  require not (k in each(opponent(me)))
  kept := kept | {k + 2} - {2}  each(me) := {j in kept where j > k} | {j in 1..3 where j != n} }
action fewer { choose k in kept & ranks(line) | each(me)  kept -= {k}  each(me) := kept & each(opponent(me))  n := k }
action reset { kept := {n, 4, 1, 4}  for k in kept { tally += k }  for k in kept from 3 { tally := tally * 3 + k  kept -= {k + 1} } }
action count_all {
  n := (count(known) + 2 * count(odd(known)) + count(ranks(known)) + twice(hand(me)) + height(line)
    + count(kept | each(me)) + (sum k for k in kept | each(b)) + count(top of line) + (min k for k in kept)) mod 7
  if hand(a) == hand(b) { n += 1 }
  if hand(me) | line == line | hand(me) { n += 2 }
  if hand(me) within known { tally += 1 }
  if hand(opponent(me)) within hand(me) | line { tally += 2 }
  if line meets hand(me) { tally += 4 }
  if odd(line) meets odd(hand(opponent(me))) | laid(y) { tally += 8 }
  if kept == each(me) { tally += 16 }
  if {1, 2} within kept | {n} { tally += 32 }
  if no (kept - each(me)) { tally += 64 }
  if some {c in odd(deck) where c in hand(me)} { tally += 128 }
  if any c in hand(me), d in line where d.rank >= c.rank: c.suit != d.suit { tally += 256 }
  if all c in odd(line): (any d in line: d.rank > c.rank) { tally += 512 }
  if n in kept or n + 1 in ranks(known) { tally += 1024 }
}
procedure deal(cards: set of piece, q: seat, ks: set of int) {
  for c in cards { move c from hand(me) to hand(q)  tally += count(cards) }
  each(q) := ks
  kept := ks - kept
}
action hand_over { let odd_ones = odd(hand(me))  require some odd_ones  deal(odd_ones | odd_ones, opponent(me), each(me) | {9}) }
action each_card { for c in line { move c from line to hand(me)  if c.rank > 1 { move c from hand(me) to line } }
  for c at occupied { tally += c.rank }  for c in top of deck { move c from deck to a1 } }
play { turns { tally := tally mod 5000
  mover plays draw | lay | best_of | same | two_of | if_any | last_ones | numbers | fewer | reset | count_all | hand_over | each_card else pass } }
",
    ]
    .concat();
    let seen = played("lists", &rules, 40);
    assert!(seen > 2000, "only {seen} positions");
}

/// What loops run over, names and shuffles outlast the questions among them.
#[test]
fn lists_outlast_questions() {
    let rules = [
        CARDS,
        "
define odd(cards: set of piece) = {c in cards where c.rank mod 2 == 1}
action draw { choose k in 1..3  move top k of deck to hand(me) }
action show { let odd_ones = odd(hand(me))  require some hand(me)
  let others = {c in hand(me) where not (c in odd_ones)}
  for c in hand(me) {
    choose s in suit | {c.suit}
    let these = {d in hand(me) where d.suit == s}
    move c from hand(me) to laid(s)
    choose k in kept | {c.rank, 7}
    tally += k + count(these) + 10 * count(odd_ones) + 100 * count(others)
    move {c in these where c in others} from hand(me) to line
  } }
action take_back { for k in 1..3 from n { choose c in {c in line | laid(x) where c.rank <= k}
  move c from line to hand(me)  move c from laid(x) to hand(me) } }
action mix { shuffle deck  move top of deck to line  for s in suit { move all of laid(s) to line }  shuffle line
  n := (n + 1) mod 4 }
procedure ask_all(cards: set of piece, ks: set of int) {
  choose c in cards
  choose k in ks - {c.rank}
  move c from hand(me) under deck
  for p in seats { choose j in ks by p  each(p) := {j, k} | each(p)  kept := ks }
  tally += count(cards)
}
action swap_some { require some hand(me)  ask_all(hand(me) | line, kept | {n}) }
action on_board { move top 2 of hand(me) to a1 | b2
  for c at occupied { choose s in suit  change a1: suit = s  tally += c.rank }
  move occupied to deck }
play { turns { tally := tally mod 10000
  mover plays draw | show | take_back | mix | swap_some | on_board else { move all of line to deck  shuffle deck } } }
",
    ]
    .concat();
    let seen = played("asking", &rules, 30);
    assert!(seen > 1500, "only {seen} positions");
}

/// Guards on the position after a move see what it did to zones, and positions repeat if zones and sets are the same again.
#[test]
fn zones_count_in_trials_and_repetition() {
    let rules = [
        CARDS,
        "
action lay { choose c in hand(me)  move c from hand(me) to line  ensure count(line) < 5
  ensure any d in hand(me): d.rank >= c.rank }
action take { move top of line to hand(me)  kept := kept | {1}  ensure some hand(opponent(me)) }
action drop { choose k in kept  kept -= {k}  n := 1 - n  ensure not (k + 3 in kept) }
action swap_hands { move all of hand(me) to laid(x)  move all of hand(opponent(me)) to hand(me)  move all of laid(x) to hand(opponent(me)) }
play { turns { mover plays lay | take | drop | swap_hands else pass } }
end again \"again\" after turn when occurrences >= 3 { draw }
",
    ]
    .concat();
    let seen = played("guarded", &rules, 60);
    assert!(seen > 500, "only {seen} positions");
}

/// Pieces whose numbers do not fit a set are chosen in their order all the same, each once.
#[test]
fn many_pieces_are_chosen_in_order() {
    let rules = "
players a, b
piece tile { x: int, y: int }
zone bag: pile of tile, seen by all
zone own_ones(p: seat): row of tile, seen by all
setup { for i in 1..15, j in 1..15 { put tile with x = i, y = j on bag }  for i in 1..5 { put 3 tile with x = i, y = 1 on bag }
  shuffle bag }
action draw { choose k in 1..12  move top k of bag to own_ones(me) }
action blind { require some bag  roll t in {t in bag where t.x < 6}  move t from bag to own_ones(me) }
action lay { choose t in own_ones(me)  choose u in own_ones(me) | top of bag  require t.x < u.x  move t from own_ones(me) under bag  move u from own_ones(me) under bag }
action one { choose t in own_ones(me)  move t from own_ones(me) to bag }
action later { require some own_ones(me)  choose t in own_ones(me)  move t from own_ones(me) under bag }
play { turns { mover plays draw | blind | lay | one | later } }
";
    let seen = played("tiles", rules, 6);
    assert!(seen > 200, "only {seen} positions");
}

/// Everything on some sites moves on by so many of them, forward and back, pieces and tokens.
#[test]
fn what_lies_on_sites_is_rotated() {
    let rules = "
players a, b
board square 4 x 2
piece stone owned
tokens seed
tokens chip owned
region inner = {a1, b1, d1, c2}
action put_one { choose f in empty  put own stone on f  put 2 seed on f }
action sow { choose f in sites  put 1 own chip on f }
action turn_all { choose k in -5..9  rotate occupied by k }
action turn_inner { choose k in 1..3  rotate inner by k - 2 }
action turn_none { rotate empty & occupied by 3 }
play { turns { mover plays put_one | sow | turn_all | turn_inner | turn_none } }
";
    let seen = played("rotating", rules, 8);
    assert!(seen > 300, "only {seen} positions");
}
