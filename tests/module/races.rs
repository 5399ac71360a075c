//! Races, and choices that are kept until all have chosen.

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Id, Move, SeatId, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Engine};
use regelwerk::module::module;
use regelwerk::play::Stream;

use crate::compare_playouts;
use crate::hosted::Hosted;
use crate::law::compare;

const RACES: &str = "
game races \"Races\"
players a, b, c
var score(p: seat): int \"score\"
var bid(p: seat): int \"bid\"
var rounds: int \"rounds\"
record last: int \"last\"
action strike {
  choose n in 0..2
  require now >= last + n
  require now mod 5 != 4
  score(me) += n * 7 + now mod 11
  last := now
}
action duck { require score(me) > 3  prefer score(me)  score(me) -= 2  last := now }
action steal { choose p in opponents(me)  prefer score(p)  score(p) -= 1  score(me) += 1 }
action wait_for { require now > last + 2  choose n in 1..2  bid(me) += n  last := now  if bid(me) > 6 { stop } }
action say { choose n in 0..3  require n != bid(me)  bid(me) := n  if n == 3 and rounds > 6 { stop } }
action fold { require bid(me) == 2  bid(me) := 0  choose n in 1..2  score(me) += n }
play {
  while rounds < 8 {
    turns {
      rounds += 1
      race playing play strike | steal until last + 3 + rounds mod 2 else { last := now  score(mover) += 1 }
      together {p in seats where score(p) mod 2 == 0} play say | fold
      race {p in seats where bid(p) > 0} play duck | strike | wait_for until last + 9 else { rounds += 1 }
      together seats play fold
      if rounds > 20 { stop }
    }
  }
  rank p in seats by score(p)
}
end ahead after move when any p in seats: score(p) > 90 { win {p in seats where score(p) > 90} }
";

fn races() -> Fast {
    let loaded = load("races.rules", RACES, &NoFiles, &Setup::default());
    Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)))
}

#[test]
fn races_and_secret_choices_are_those_of_the_interpreter() {
    let fast = races();
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "races");
    let seen: usize = (0..40).map(|seed| compare(&fast, &mut hosted, seed, 120, "races")).sum();
    compare_playouts(&fast, &mut hosted, 40, 200, "races");
    assert!(seen > 1000, "only {seen} positions");
}

/// Acts may come at any later time at which the rules allow them.
#[test]
fn acts_come_later_as_in_the_interpreter() {
    let fast = races();
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "races");
    let (mut acts, mut refused) = (0, 0);
    for seed in 0..20 {
        let (mut run, mut dice) = (fast.run(), Stream::new(seed, "later", 0));
        run.load(&fast.start());
        hosted.start(seed, 0);
        assert_eq!(hosted.race(5), hosted.call("count", &[]), "no race is asked about but at the beginning");
        for _ in 0..60 {
            if run.outcome().is_some() {
                break;
            }
            let mut time = run.now() + 1;
            if let Ask::Race { .. } = run.ask() {
                // What the interpreter lists for the next moment may be done later, or no longer.
                time += i64::try_from(dice.below(5)).expect("a number");
                let listed = hosted.race(time);
                let mut found = Vec::new();
                for n in 0..listed {
                    let (who, when) = (hosted.call("who", &[n]), hosted.long("when", &[n]));
                    found.push((hosted.call("action", &[n]), who, when, hosted.long("argument", &[n, 0])));
                }
                for n in 0..run.count() {
                    let mut mv = run.legal(n).expect("a legal move");
                    let ActionRef::Race(action) = mv.action else { continue };
                    mv.args[1] = Value::Int(time);
                    let argument = mv.args.get(2).and_then(Value::number).unwrap_or_default();
                    let who = mv.args[0].number().expect("a seat");
                    let act = (
                        i32::try_from(usize::from(action)).expect("few actions"),
                        i32::try_from(who).expect("few seats"),
                        time,
                        argument,
                    );
                    let allowed = run.allows_act(&mv).expect("known");
                    assert_eq!(found.contains(&act), allowed, "{act:?} of {found:?}");
                    acts += 1;
                    refused += usize::from(!allowed);
                }
            }
            let count = hosted.call("count", &[]);
            if count == 0 {
                break;
            }
            let chosen = i32::try_from(dice.below(usize::try_from(count).expect("a number"))).expect("a number");
            let (action, who) = (hosted.call("action", &[chosen]), hosted.call("who", &[chosen]));
            if who >= 0 {
                let number = usize::try_from(action).expect("an action");
                let action = &fast.game().actions.ids().nth(number).expect("an action of the game");
                let seat = SeatId::at(usize::try_from(who).expect("a seat")).expect("a seat");
                let mut args = vec![Value::Atom(u32::from(seat)), Value::Int(time)];
                let heads = hosted.description["actions"][number]["parameters"].as_array().expect("a list").len();
                for at in 0..heads {
                    let sort = hosted.description["actions"][number]["parameters"][at]["type"].clone();
                    let value = hosted.long("argument", &[chosen, i32::try_from(at).expect("few")]);
                    let atom = u32::try_from(value).map(Value::Atom);
                    args.push(if sort == "number" { Value::Int(value) } else { atom.expect("a seat") });
                }
                assert!(run.play_unchecked(&Move { action: ActionRef::Race(*action), args: args.into() }));
            } else {
                let wanted = (0..run.count()).rev().find(|&n| {
                    let mv = run.legal(n).expect("a legal move");
                    let number = match mv.action {
                        ActionRef::Action(number) => i32::try_from(usize::from(number)).expect("few actions"),
                        ActionRef::Pick => -3,
                        ActionRef::Wait => -4,
                        ActionRef::Race(_) | ActionRef::Pass | ActionRef::Decline => return false,
                    };
                    let value = mv.args.first().and_then(Value::number).unwrap_or_default();
                    number == action && value == hosted.long("argument", &[chosen, 0])
                });
                run.play_nth(wanted.expect("the same answer"));
            }
            assert_eq!(hosted.call("apply", &[chosen]), 0);
            let scores = (0..3).map(|at| run.position().vars[0][at].int());
            let kept = (0..3).map(|at| hosted.long("variable", &[at]));
            assert_eq!(kept.collect::<Vec<_>>(), scores.collect::<Vec<_>>());
            assert_eq!(hosted.call("ply", &[]).cast_unsigned(), run.ply());
        }
    }
    assert!(acts > 500 && refused > 50, "{acts} acts, {refused} of them refused");
}

/// A race without a deadline, in which time alone makes something legal, waits, and is refused; one without a clock is not.
#[test]
fn races_that_wait_are_refused() {
    for (guard, refused) in [("require now >= 300", true), ("require me == a", false)] {
        let rules = format!("game w\nplayers a, b\naction act {{ {guard} }}\nplay {{ race seats play act  draw }}\n");
        let game = load("w.rules", &rules, &NoFiles, &Setup::default()).game.expect("a game");
        assert_eq!(module(&game).is_err(), refused, "{guard}");
    }
}

/// What guards on the position after a move find before it is found anew for each seat of a race.
#[test]
fn guards_of_acts_see_whose_act_it_is() {
    let rules = "
game guarded \"Guarded\"
players a, b
board square 3 x 3
piece man owned
piece rock
setup { put man of a on a1  put man of b on c3 }
action block { choose f in empty  put rock on f  ensure some empty & around(own man) }
action step { choose from in own man  choose to in around(from) & empty  move from to to  ensure no around(own man) & enemy man }
action clear { choose f in rock  remove f  ensure not connected(own man, enemy man, occupied) }
action lone { require opponent(me) can play block  choose f in empty  put rock on f  ensure some empty & around(own man) }
play { while ply < 40 { race playing play block | step | clear | lone else { draw }
  for p in seats { p plays lone | clear } } }
";
    let loaded = load("guarded.rules", rules, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "guarded");
    let seen: usize = (0..80).map(|seed| compare(&fast, &mut hosted, seed, 40, "guarded")).sum();
    assert!(seen > 200, "only {seen} positions");
}
