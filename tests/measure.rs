//! Statistics: against published values, exact results, and themselves.

use std::collections::BTreeMap;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::measure::statistics::{Estimate, PairedCounts, Sample, holm, normal_quantile, t_quantile, wilson};
use regelwerk::measure::{
    Figure, Histogram, JoinError, Looks, Moments, Pairs, Plan, Settings, Shard, Side, Tally, Tried, Values, Weight,
    alternative_readings, differences, effects, has_turns, is_claimed, join, part, play_pairs, simulate, summary,
};
use regelwerk::model::Engine;

use crate::support::{Disk, GAMES, game, read, root, rules_of};

fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted} within {within}");
}

fn toy(text: &str) -> Fast {
    let loaded = load("toy.rules", text, &NoFiles, &Setup::default());
    Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)))
}

/// Student (1908) in the usual printed table, and the normal distribution's.
#[test]
fn quantiles_are_those_of_the_tables() {
    let table = [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980)];
    for (freedom, wanted) in table {
        near(t_quantile(0.025, freedom), wanted, 5e-4);
    }
    near(t_quantile(0.005, 10.0), 3.169, 5e-4);
    near(t_quantile(0.05, 20.0), 1.725, 5e-4);
    near(t_quantile(0.025, 1e7), 1.960, 5e-4);
    for (tail, wanted) in [(0.025, 1.959_964), (0.005, 2.575_829), (0.05, 1.644_854)] {
        near(normal_quantile(tail), wanted, 1e-6);
    }
}

/// Newcombe (1998), Statistics in Medicine 17, p. 857: method 3 is Wilson's.
#[test]
fn intervals_of_shares_match_published_values() {
    let published =
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)];
    for (count, of, low, high) in published {
        let found = wilson(count, of, 0.95);
        near(found.low, low, 5e-5);
        near(found.high, high, 5e-5);
    }
    assert_eq!(wilson(20, 20, 0.95).high.to_bits(), 1.0_f64.to_bits());
}

/// Student's own data: hours of sleep gained by two drugs in ten patients. The
/// paired t is −4.0621 with p = 0.00283, the interval −2.46 to −0.70.
#[test]
fn students_sleep() {
    let first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20];
    let second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34];
    let mut moments = Moments::new(2);
    for (one, two) in first.into_iter().zip(second) {
        moments.add(&[one, two]);
    }
    let difference = moments.combined(&[(0, 0.1), (1, -0.1)]);
    near(difference.mean / difference.error(), -4.0621, 5e-5);
    near(difference.differs(), 0.002_833, 5e-7);
    let interval = difference.interval(0.95);
    near(interval.low, -2.4599, 5e-5);
    near(interval.high, -0.7001, 5e-5);
}

/// Holm's procedure by hand: 0.01·4, then 0.02·3, 0.03·2 and 0.04·1, never decreasing.
#[test]
fn holm_by_hand() {
    let found = holm(&[0.03, 0.01, 0.04, 0.02]);
    for (found, wanted) in found.into_iter().zip([0.06, 0.04, 0.06, 0.06]) {
        near(found, wanted, 1e-12);
    }
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

/// `McNemar` by hand: 2 against 8 of 10 pairs. P(X ≤ 2) = 56/1024, P(X = 2) =
/// 45/1024, so mid-p = (2·56 − 45)/1024.
#[test]
fn discordant_pairs_by_hand() {
    let pairs = PairedCounts { both: 5, first: 8, second: 2 };
    near(pairs.differs(), 67.0 / 1024.0, 1e-12);
    // Bonett and Price with n = 98, so that n + 2 = 100: 9/100 − 3/100 ± z √((0.12 − 0.0036)/100).
    let found = pairs.difference(98, 0.95);
    near(found.value, 6.0 / 98.0, 1e-12);
    near(found.low, 0.06 - 1.959_964 * 0.034_117, 1e-6);
    near(found.high, 0.06 + 1.959_964 * 0.034_117, 1e-6);
    for first in [0, 3] {
        let tie = PairedCounts { both: 1, first, second: first };
        assert_eq!(tie.differs().to_bits(), 1.0_f64.to_bits());
    }
}

/// Equivalence is shown where both bounds are excluded, and only there.
#[test]
fn margins() {
    let sample = |mean| Sample { mean, variance: 1.0, count: 401 };
    // The standard error is 1/√401 ≈ 0.05, the one-sided bound at 5 % 1.6487 of it.
    assert!(sample(0.1 + 0.0824).above(0.1) < 0.05 && sample(0.1 + 0.0822).above(0.1) > 0.05);
    near(sample(0.1).above(0.1), 0.5, 1e-9);
    let same = Sample { mean: 3.0, variance: 0.0, count: 50 };
    assert_eq!((same.above(2.0).to_bits(), same.above(3.0).to_bits()), (0.0_f64.to_bits(), 1.0_f64.to_bits()));
}

#[test]
fn quantiles_of_a_hundred() {
    let mut histogram = Histogram::default();
    for n in 1..=100 {
        histogram.add(n);
    }
    let at = |share| {
        let Estimate { value, low, high } = histogram.quantile(share, 0.95);
        (low, value, high)
    };
    // 50 ± 1.96 · 5, outwards: the 40th and the 61st.
    assert_eq!(at(0.5), (40.0, 50.0, 61.0));
    assert_eq!((at(0.05).1, at(0.95).1), (5.0, 95.0));
    near(histogram.moments().sample(0).mean, 50.5, 1e-12);
    // (n² − 1)/12 · n/(n − 1)
    near(histogram.moments().sample(0).variance, 9999.0 / 12.0 * 100.0 / 99.0, 1e-9);
}

/// A hundred games of fifty values, those of each alike, tell no more than a hundred values.
#[test]
fn values_of_one_game_are_not_independent() {
    let mut values = Values::default();
    (1..=100).for_each(|n| values.add(std::iter::repeat_n(n, 50)));
    for share in [0.05, 0.5, 0.95] {
        near(values.independent(share), 100.0, 1e-9);
    }
    let Estimate { value, low, high } = values.counts.quantile_of(0.5, 0.95, values.independent(0.5));
    // As of a hundred values each once.
    assert_eq!((low, value, high), (40.0, 50.0, 61.0));
    let alone = values.counts.quantile(0.5, 0.95);
    assert!(alone.low > 45.0 && alone.high < 55.0, "{alone:?}");
    near(Values::default().independent(0.5), 0.0, 1e-12);
}

/// Of 92 games one has ten values and the others one, 101 in all. Where the rarer twentieth, 5.05, lies in the long one, the spread is
/// 10 (5.05 · 0.95² + 4.95 · 0.05²) + 91 · 0.05²; in the middle it is a quarter of the sum of squares, 191.
#[test]
fn long_games_may_lie_on_one_side() {
    let mut values = Values::default();
    (0..91).for_each(|_| values.add(std::iter::once(1)));
    values.add(std::iter::repeat_n(2, 10));
    let spread = 10.0 * (5.05 * 0.9025 + 4.95 * 0.0025) + 91.0 * 0.0025;
    for share in [0.05, 0.95] {
        near(values.independent(share), 10_201.0 * 0.0475 / spread, 1e-9);
    }
    near(values.independent(0.5), 10_201.0 / 191.0, 1e-9);
}

/// A ratio of sums: two games, 10 answers to 4 decisions and 20 to 6.
#[test]
fn branching_counts_games_by_their_decisions() {
    let mut moments = Moments::new(2);
    moments.add(&[10, 4]);
    moments.add(&[20, 6]);
    let ratio = moments.ratio(0, 1);
    near(ratio.mean, 3.0, 1e-12);
    // Residuals (10 − 12)/5 and (20 − 18)/5: −0.4 and 0.4.
    near(ratio.variance, 0.32, 1e-12);
}

// ---- a game whose chances are known ------------------------------------------------

/// The players take turns rolling a die and moving on; the first to reach the goal wins.
fn race(goal: u32, rerolls: bool) -> String {
    let again = if rerolls { "if d == 3 { roll e in 1..3 score(me) += e }" } else { "" };
    format!(
        "game race\nplayers a, b\nvar score(p: seat): int\nboard ring 1 named \"r{{n}}\"\n\
         action go {{ roll d in 1..3 score(me) += d {again} }}\n\
         play {{ turns {{ mover plays go }} }}\n\
         end home after move when score(me) >= {goal} {{ win me }}\n"
    )
}

/// The probability that the first player wins, and the mean number of turns, by enumerating all rolls.
fn solve(goal: u32, rerolls: bool) -> (f64, f64) {
    let third = 1.0 / 3.0;
    let steps: &[(usize, f64)] = if rerolls {
        &[(1, third), (2, third), (4, third / 3.0), (5, third / 3.0), (6, third / 3.0)]
    } else {
        &[(1, third), (2, third), (3, third)]
    };
    let goal = goal as usize;
    // By the scores of the roller and the other player: each roll increases the sum.
    let mut known = vec![vec![(0.0, 0.0); goal]; goal];
    for sum in (0..2 * goal - 1).rev() {
        for mine in 0..goal.min(sum + 1) {
            let other = sum - mine;
            if other >= goal {
                continue;
            }
            let (mut wins, mut turns) = (0.0, 1.0);
            for &(step, chance) in steps {
                if mine + step >= goal {
                    wins += chance;
                } else {
                    let (others, more): (f64, f64) = known[other][mine + step];
                    wins += chance * (1.0 - others);
                    turns += chance * more;
                }
            }
            known[mine][other] = (wins, turns);
        }
    }
    known[0][0]
}

fn plan(seed: u64) -> Plan {
    Plan { cap: 500, seed, invariants: false, traced: 0, reactions: None }
}

fn pairs_of(one: &dyn Engine, two: &dyn Engine, seed: u64, coupled: bool, games: u64) -> Pairs {
    let (first, second) = (one.start(), two.start());
    let sides = [Side::new(one, &first), Side::new(two, &second)];
    play_pairs(sides, &plan(seed), coupled, 0..games, &|_| ())
}

/// Intervals contain the true values as often as they claim: 95 % of 200 runs, within three standard deviations (4.6
/// points).
#[test]
fn intervals_contain_true_values_as_often_as_claimed() {
    let engine = toy(&race(10, false));
    let (wins, turns) = solve(10, false);
    let (mut held_wins, mut held_turns) = (0, 0);
    for seed in 0..200 {
        let tally = simulate(&engine, &engine.start(), &plan(seed), 0..100, &|_| ());
        let found = summary(engine.game(), &tally, 0.95);
        let holds = |estimate: Estimate, truth: f64| u32::from(estimate.low <= truth && truth <= estimate.high);
        held_wins += holds(found.seats[0].win.share, wins);
        held_turns += holds(found.turns.expect("there are turns").mean, turns);
    }
    for held in [held_wins, held_turns] {
        assert!((181..=199).contains(&held), "{held} of 200");
    }
}

/// The same for differences of paired games, which also need fewer games than unpaired ones. Pairing does not change
/// either game.
#[test]
fn intervals_of_differences_contain_true_values() {
    let (one, two) = (toy(&race(10, true)), toy(&race(10, false)));
    let ((wins, turns), (other_wins, other_turns)) = (solve(10, true), solve(10, false));
    let truth = [(Figure::Seat(0), wins - other_wins), (Figure::Turns, turns - other_turns)];
    let (mut held, mut sums) = ([0; 2], [0.0; 2]);
    for seed in 0..200 {
        let pairs = pairs_of(&one, &two, seed, true, 100);
        let found = differences(&pairs, true, 0.95, None);
        let of = |figure| *found.iter().find(|one| one.figure == figure).expect("it is there");
        for ((figure, truth), held) in truth.into_iter().zip(&mut held) {
            let difference = of(figure).difference;
            *held += u32::from(difference.low <= truth && truth <= difference.high);
        }
        sums[0] += of(Figure::Turns).first / 200.0;
        sums[1] += of(Figure::Turns).second / 200.0;
    }
    assert!(held.iter().all(|held| (181..=199).contains(held)), "{held:?} of 200");
    // 20 000 games each; the standard error is below 0.014.
    near(sums[0], turns, 0.05);
    near(sums[1], other_turns, 0.05);
    let gain = |coupled| {
        let pairs = pairs_of(&one, &two, 7, coupled, 2000);
        differences(&pairs, true, 0.95, None)[1].saved.expect("there is variance")
    };
    assert!(gain(true) > 1.5, "{}", gain(true));
    near(gain(false), 1.0, 0.15);
}

fn won(site: &str) -> &'static str {
    match site {
        "a1" | "b1" | "c1" => "win me",
        _ => "lose me",
    }
}

/// Even where two questions have different answers, each game's answers stay uniform.
#[test]
fn coupled_answers_are_uniform() {
    let text = |set: &str| {
        format!(
            "game g\nplayers a, b\nboard square 6 x 1\npiece mark owned\nregion offered = {set}\n\
             action put {{ choose f in offered put own mark on f }}\n\
             play {{ turns {{ mover plays put }} }}\n{}",
            ["a1", "b1", "c1", "d1", "e1", "f1"]
                .map(|site| format!("end {site}_taken after move when some mark & {{{site}}} {{ {} }}\n", won(site)))
                .concat()
        )
    };
    let sets = ["{a1, b1, d1, e1}", "{c1, d1}", "{b1, c1, d1, e1, f1}", "{a1, b1, c1, f1}"];
    // The share of a, b and c among the answers, and the greatest possible share of common answers.
    let shares: [(f64, [bool; 6]); 4] = [
        (0.5, [true, true, false, true, true, false]),
        (0.5, [false, false, true, true, false, false]),
        (0.4, [false, true, true, true, true, true]),
        (0.75, [true, true, true, false, false, true]),
    ];
    for (n, one) in sets.iter().enumerate() {
        for (m, two) in sets.iter().enumerate() {
            let (first, second) = (toy(&text(one)), toy(&text(two)));
            let pairs = pairs_of(&first, &second, 11, true, 20_000);
            let found = differences(&pairs, true, 0.95, None);
            let seat = found.iter().find(|one| one.figure == Figure::Seat(0)).expect("the seat");
            // Four standard deviations of 20 000 draws.
            near(seat.first, shares[n].0, 0.0142);
            near(seat.second, shares[m].0, 0.0142);
            let count = |set: [bool; 6]| set.into_iter().filter(|&has| has).count();
            let common = shares[n].1.into_iter().zip(shares[m].1).filter(|(a, b)| *a && *b).count();
            let most = count(shares[n].1).max(count(shares[m].1));
            let same = 1.0 - f64::from(u32::try_from(pairs.courses).expect("few")) / 20_000.0;
            near(
                same,
                f64::from(u32::try_from(common).expect("few")) / f64::from(u32::try_from(most).expect("few")),
                0.0142,
            );
        }
    }
}

/// A game paired with itself is the same game twice.
#[test]
fn a_game_does_not_differ_from_itself() {
    for name in ["kalaha", "hai-noon"] {
        let one = Fast::new(game(&rules_of(name), &Setup::default()));
        let pairs = pairs_of(&one, &one, 3, true, 40);
        assert_eq!((pairs.courses, pairs.results), (0, 0), "{name}");
        let found = differences(&pairs, has_turns(one.game()), 0.95, Some(0.02));
        assert!(found.iter().all(|one| one.difference.value == 0.0 && !one.is_real()), "{name}");
    }
}

/// Comparing a game with itself on different seeds: 1000 comparisons raise a false alarm in 5 % for each figure, and
/// in at most 5 % for all figures together. Turns, the first figure examined, may deviate by two standard deviations,
/// 1.4 points; any of the eight figures by 1.9, which is as rare. Takes a while: `cargo test --release --test suite
/// false_alarms -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
#[expect(clippy::print_stdout, reason = "the figures are what it is run for")]
fn false_alarms() {
    let engine = Fast::new(game(&rules_of("hai-noon"), &Setup::default()));
    let mut alarms: BTreeMap<String, u32> = BTreeMap::new();
    let mut any = 0;
    for seed in 0..1000 {
        let found = differences(&pairs_of(&engine, &engine, seed, false, 300), true, 0.95, None);
        for one in &found {
            *alarms.entry(format!("{:?}", one.figure)).or_default() += u32::from(one.p < 0.05);
        }
        any += u32::from(found.iter().any(regelwerk::measure::Difference::is_real));
    }
    println!("false alarms in 1000 comparisons: {alarms:?}; any, corrected: {any}");
    for (figure, count) in alarms {
        let fine = match figure.as_str() {
            // Nothing is ever drawn or undecided here.
            "Draws" | "Open" => 0..=0,
            "Turns" => 36..=64,
            _ => 31..=69,
        };
        assert!(fine.contains(&count), "{figure}: {count}");
    }
    assert!(any <= 64, "{any}");
}

/// A few games may be equal by chance: they then have no variance, and prove nothing.
#[test]
fn few_games_prove_nothing() {
    for (count, least) in [(2, 0.5), (3, 0.25), (6, 0.03125)] {
        near(Sample { mean: 1.0, variance: 0.0, count }.differs(), least, 1e-12);
    }
    assert!(Sample { mean: 1.0, variance: 0.0, count: 2000 }.differs() < 1e-9);
}

// ---- parts ---------------------------------------------------------------------------

fn plan_of_shards() -> Plan {
    Plan { cap: 300, seed: 5, invariants: true, traced: 3, reactions: None }
}

fn whole(engine: &Fast, games: u64) -> Shard<Tally> {
    let settings = Settings { command: vec!["simulate".to_owned(), "kalaha".to_owned()], rules: Vec::new(), games };
    shard(engine, &settings, 0, games)
}

fn shard(engine: &Fast, settings: &Settings, from: u64, to: u64) -> Shard<Tally> {
    let totals = simulate(engine, &engine.start(), &plan_of_shards(), from..to, &|_| ());
    Shard { settings: settings.clone(), from, to, totals }
}

/// Any division gives the same result, in any order and on any number of threads.
#[test]
fn merged_shards_equal_one_run() {
    let engine = Fast::new(game(&rules_of("kalaha"), &Setup::default()));
    let whole = whole(&engine, 97);
    for cuts in [vec![0, 97], vec![0, 1, 97], vec![0, 13, 13, 50, 64, 96, 97], (0..=97).collect()] {
        let mut parts: Vec<_> = cuts.windows(2).map(|cut| shard(&engine, &whole.settings, cut[0], cut[1])).collect();
        parts.reverse();
        assert_eq!(join(&parts), Ok(whole.clone()), "{cuts:?}");
    }
    for of in 1..=5 {
        let ranges: Vec<_> = (1..=of).map(|n| part(97, n, of)).collect();
        assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, 97));
        assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
    }
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let engine = Fast::new(game(&rules_of("kalaha"), &Setup::default()));
    let settings = whole(&engine, 10).settings;
    let make = |from, to| shard(&engine, &settings, from, to);
    assert_eq!(join::<Tally>(&[]), Err(JoinError::Nothing));
    assert_eq!(join(&[make(0, 4), make(5, 10)]), Err(JoinError::Missing(4, 4)));
    assert_eq!(join(&[make(0, 4), make(4, 9)]), Err(JoinError::Missing(9, 9)));
    assert_eq!(join(&[make(3, 10), make(0, 4)]), Err(JoinError::Overlap(1, 0, 3)));
    let other = |change: &dyn Fn(&mut Settings)| {
        let mut other = make(4, 10);
        change(&mut other.settings);
        join(&[make(0, 4), other])
    };
    assert_eq!(other(&|s| s.rules = vec!["1".to_owned()]), Err(JoinError::Rules(0, 1)));
    let [one, two] = ["simulate kalaha", "simulate kalaha --seed"].map(str::to_owned);
    assert_eq!(other(&|s| s.command.push("--seed".to_owned())), Err(JoinError::Commands(0, 1, one, two)));
    let mut broken = make(4, 10);
    broken.to = 9;
    assert_eq!(join(&[make(0, 4), broken]), Err(JoinError::Broken(1, 5, 6)));
    // What counts more than there is would have no interval.
    let mut impossible = make(4, 10);
    impossible.totals.seats[0].win = u64::MAX;
    assert_eq!(join(&[make(0, 4), impossible]), Err(JoinError::Impossible(1)));
    let pairs = |draws: u64| {
        let totals =
            Pairs { pairs: 5, draws: PairedCounts { first: draws, ..PairedCounts::default() }, ..Pairs::default() };
        Shard { settings: settings.clone(), from: 5, to: 10, totals }
    };
    assert_eq!(join(&[Shard { from: 0, to: 5, ..pairs(5) }, pairs(6)]), Err(JoinError::Impossible(1)));
    assert!(join(&[Shard { from: 0, to: 5, ..pairs(5) }, pairs(0)]).is_ok());
}

/// Figures that are equal but for how their quotients are rounded do not differ: there are always three answers.
#[test]
fn equal_figures_do_not_differ() {
    let text = |end: u32| {
        format!(
            "game g\nplayers a, b\nvar x: int \"x\"\naction go {{ choose n in 1..3  x += n }}\n\
             play {{ turns {{ mover plays go }} }}\nend over after move when x > {end} {{ draw }}\n"
        )
    };
    let (one, two) = (toy(&text(20)), toy(&text(40)));
    for seed in 0..80 {
        let found = differences(&pairs_of(&one, &two, seed, true, 67), true, 0.95, None);
        let branching = found.iter().find(|found| found.figure == Figure::Branching).expect("a figure");
        near(branching.first, 3.0, 1e-9);
        near(branching.second, 3.0, 1e-9);
        near(branching.p, 1.0, 1e-9);
        let plies = found.iter().find(|found| found.figure == Figure::Plies).expect("a figure");
        assert!(plies.p < 1e-9, "{}", plies.p);
    }
}

/// Looks are at doublings; together their errors add up to 5 %.
#[test]
fn looks_are_planned_in_advance() {
    let ends = |games, early| Looks::new(games, early).parts().map(|part| part.end).collect::<Vec<_>>();
    assert_eq!(ends(2000, true), [256, 512, 1024, 2000]);
    assert_eq!(ends(2000, false), [2000]);
    assert_eq!(ends(100, true), [100]);
    assert!(ends(0, true).is_empty());
    near(Looks::new(2000, true).level(), 1.0 - 0.05 / 4.0, 1e-12);
    near(Looks::new(2000, false).level(), 0.95, 1e-12);
    let starts: Vec<u64> = Looks::new(2000, true).parts().map(|part| part.start).collect();
    assert_eq!(starts, [0, 256, 512, 1024]);
}

/// Turns, rounds, first turns and leads of a game that can be followed by hand: a plays twice, then b, then a, and so
/// on; a scores three, b two at its second turn.
#[test]
fn turns_and_rounds_by_hand() {
    let text = "game g\nplayers a, b\nvar score(p: seat): int\nboard ring 1 named \"r{n}\"\n\
        action go { if turn == 0 or turn == 1 { score(me) += 1 } else { score(me) += 2 } }\n\
        play { turns { mover plays go if turn == 0 { give turn to mover } } }\n\
        end over after turn when turn == 5 { rank p in seats by score(p) }\n";
    let engine = toy(text);
    let tally = simulate(&engine, &engine.start(), &Plan { traced: 4, ..plan(0) }, 0..4, &|_| ());
    let found = summary(engine.game(), &tally, 0.95);
    // Turns of a a b a b a: the first two count as one for rounds.
    let (turns, rounds) = (found.turns.expect("turns"), found.rounds.expect("rounds"));
    assert_eq!((turns.min, turns.max, rounds.min, rounds.max), (6, 6, 3, 3));
    assert_eq!((found.plies.min, found.openers.as_slice()), (6, [4, 0].as_slice()));
    // 1:0, 2:0, 2:2, 4:2, 4:4, 6:4: a leads whenever anybody leads.
    let (games, changes) = found.lead_changes.expect("a score");
    assert_eq!((games, changes.value), (4, 0.0));
    assert_eq!(found.seats[0].win.count, 4);
    assert_eq!(Tally::new(engine.game()).games, 0);
}

// ---- readings ------------------------------------------------------------------------

const DOUBTFUL: &str = "game g\nplayers a, b\nboard square 4 x 1\npiece mark owned\n\
    clause §1 \"A mark goes onto a free field.\"\n\
    reading idle = one | other \"what makes no difference\"\n\
    reading full = drawn | last_wins \"who wins on a full board\"\n\
    reading resigning = loses | draws \"what giving up means\" §2\n\
    clause §2 \"Who gives up loses.\"\n\
    action put §1 { choose f in empty put own mark on f }\n\
    play { turns { mover plays put } }\n\
    end over after move when no empty { if full == drawn { draw } else { win me } }\n\
    end never after move when idle == other and ply > 10 { draw }\n\
    claim resign §2 { if resigning == loses { lose me } else { draw } }\n";

/// A reading that decides every game, one that decides none, and one that concerns only a claim.
#[test]
fn readings_are_ranked_by_what_they_decide() {
    let found = alternative_readings(&RuleFile::read("g.rules", DOUBTFUL, &NoFiles));
    let names: Vec<&str> = found.iter().map(|alternative| alternative.name.as_str()).collect();
    assert_eq!(names, ["idle = other", "full = last_wins", "resigning = draws"]);
    let tried = found.into_iter().map(|alternative| {
        let with = |setup: &Setup| {
            let loaded = load("g.rules", DOUBTFUL, &NoFiles, setup);
            Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)))
        };
        let (one, two) = (with(&alternative.other), with(&alternative.setup));
        let claimed = is_claimed(one.game(), &alternative.about);
        Tried {
            pairs: pairs_of(&one, &two, 1, true, 200),
            turns: true,
            claimed,
            alternative,
            seats: one.game().seats.iter().cloned().collect(),
        }
    });
    let effects = effects(tried.collect());
    let ranked: Vec<_> = effects.iter().map(|one| (one.tried.alternative.name.as_str(), one.weight)).collect();
    let wanted =
        [("full = last_wins", Weight::Decides), ("idle = other", Weight::Idle), ("resigning = draws", Weight::Claimed)];
    assert_eq!(ranked, wanted);
    // The last of four plies is always the second player's.
    let decided = &effects[0];
    assert_eq!((decided.results.value, decided.tried.pairs.courses), (1.0, 0));
    let win = decided.real.iter().find(|one| one.figure == Figure::Seat(1)).expect("it differs");
    assert_eq!((win.first, win.second), (1.0, 0.0));
    near(decided.length.difference.value, 0.0, 1e-12);
}

/// A game that goes on with forced answers alone takes another course.
#[test]
fn forced_plies_are_a_different_course() {
    let text = |size: u32| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 1\npiece mark owned\naction put {{ choose f in empty put own mark on f }}\n\
             play {{ turns {{ mover plays put }} }}\nend over after move when ply == {size} {{ draw }}\n"
        )
    };
    let [short, long] =
        [2, 3].map(|size| Fast::new(load("g.rules", &text(size), &NoFiles, &Setup::default()).game.expect("a game")));
    let found = pairs_of(&long, &short, 1, true, 50);
    assert_eq!((found.pairs, found.courses, found.results), (50, 50, 0));
    assert_eq!(pairs_of(&long, &long, 1, true, 50).courses, 0);
}

/// The page of readings was generated from the current rules.
#[test]
fn the_page_of_readings_is_up_to_date() {
    let page = read(&root("docs/readings.md"));
    for name in GAMES {
        let digest = format!("<!-- digest {:016x} -->", game(&rules_of(name), &Setup::default()).digest);
        assert!(page.contains(&digest), "{name}: run `regelwerk readings --markdown > docs/readings.md`");
    }
}

/// A row of the page, recomputed.
#[test]
fn a_row_of_the_page_can_be_reproduced() {
    let (page, path) = (read(&root("docs/readings.md")), rules_of("kalaha"));
    let found = alternative_readings(&RuleFile::read(&path.display().to_string(), &read(&path), &Disk));
    let row = page.lines().find(|line| line.contains("`emptied = any_move`")).expect("a row of the page");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let (players, pairs): (u32, u64) = (cells[3].parse().expect("players"), cells[6].parse().expect("pairs"));
    let mut same = found.into_iter().filter(|alternative| alternative.name == "emptied = any_move");
    let alternative = same.find(|alternative| alternative.setup.players == Some(players)).expect("the reading");
    let (one, two) = (Fast::new(game(&path, &alternative.other)), Fast::new(game(&path, &alternative.setup)));
    let (first, second) = (one.start(), two.start());
    let sides = [Side::new(&one, &first), Side::new(&two, &second)];
    let plan = Plan { cap: 2000, ..plan(0) };
    let found = play_pairs(sides, &plan, true, 0..pairs, &|_| ());
    let few = |count: u64| f64::from(u32::try_from(count).expect("few"));
    let shown: f64 = cells[4].trim_matches('*').split(' ').next().and_then(|text| text.parse().ok()).expect("a share");
    near(100.0 * few(found.results) / few(pairs), shown, 0.051);
}
