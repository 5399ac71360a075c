//! What a second attack found, made from the promises alone: each test is a find.

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Meter};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server};
use regelwerk::syntax::format;
use serde_json::{Value, json};

use crate::limits::Bundled;
use crate::support::reports;

/// Rules whose only action, `go`, does this.
fn rules(items: &str, action: &str) -> String {
    format!(
        "game g\nplayers a, b\nvar x: int\n{items}\naction go {{ {action} }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 or x < 0 {{ draw }}\n"
    )
}

fn walker(text: &str) -> Walker {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let said = reports(&loaded);
    Walker::new(loaded.game.unwrap_or_else(|| panic!("{said}")))
}

/// A server with a game of these rules.
fn serving(text: &str, limits: Limits) -> Server<'static> {
    let mut server = Server::new(&Bundled, Selection::default(), limits);
    assert!(ask(&mut server, "write", &json!({"file": "g.rules", "text": text}))["error"].is_null());
    assert!(ask(&mut server, "new", &json!({"rules": "g.rules", "seed": 1}))["error"].is_null());
    server
}

fn ask(server: &mut Server<'_>, method: &str, params: &Value) -> Value {
    let line = json!({"id": 1, "method": method, "params": params}).to_string();
    serde_json::from_str(&server.answer(&line).text).expect("JSON")
}

/// What has errors is not laid out, however deep its brackets are; a long line takes time in proportion to its length.
#[test]
fn texts_of_any_shape_are_formatted_in_time() {
    for faulty in ["{", "(", "|", "§", "x+", "if ", "with a == b { "] {
        assert_eq!(format(&faulty.repeat(300_000 / faulty.len())), None, "{faulty}");
    }
    let long = rules("", &"x += 1 ".repeat(15_000));
    let once = format(&long).expect("it has no errors");
    assert_eq!(format(&once), Some(once.clone()));
    // A break for each `or` that no longer fits.
    let wide = rules("", &"x += 1 if x == 1 or x == 2 or x == 3 or x == 4 { x += 2 } ".repeat(500));
    let once = format(&wide).expect("it has no errors");
    assert_eq!(format(&once), Some(once.clone()));
}

/// A shuffle of thousands of cards takes what a few positions take, not one for each card; what does not fit is a limit, while
/// chance decides as well.
#[test]
fn a_shuffle_takes_no_more_than_the_server_may_keep() {
    let text = rules("piece c\nzone z: pile of c, seen by no\nsetup { put 4000 c on z }", "shuffle z");
    let mut server = serving(&text, Limits { bytes: 8 << 20, ..Limits::default() });
    assert_eq!(ask(&mut server, "apply", &json!({"who": "a", "move": "go"}))["result"]["stopped"], Value::Null);
    let again = rules(
        "piece c\nzone z: pile of c, seen by no\nsetup { put 400 c on z }",
        "repeat 40 { shuffle z  roll d in 1..2 }",
    );
    let mut server = serving(&again, Limits { bytes: 1 << 18, ..Limits::default() });
    let played = ask(&mut server, "apply", &json!({"who": "a", "move": "go"}));
    assert_eq!(played["result"]["stopped"]["code"], "limit", "{played}");
    let steps = played["result"]["state"]["steps"].as_u64().expect("a number");
    assert!((5..16_000).contains(&steps), "{steps}");
    // Nothing else is lost: the game can be looked at and taken back.
    assert!(ask(&mut server, "undo", &json!({"who": "referee"}))["error"].is_null());
    let mut server = serving(&text, Limits::default());
    let played = ask(&mut server, "apply", &json!({"who": "a", "move": "go"}));
    assert_eq!(played["result"]["stopped"], Value::Null);
}

/// A page of moves holds so many parameters, whatever its limit, and says where the next one begins.
#[test]
fn a_page_of_moves_has_a_greatest_length() {
    let head: Vec<String> = (0..58).map(|at| format!("choose z{at} in {{{at}}} ")).collect();
    let mut server = serving(&rules("", &format!("choose n in 1..4000 {} x += n", head.concat())), Limits::default());
    let mut from = 0;
    let mut pages = 0;
    loop {
        let page = json!({"who": "a", "limit": 1_000_000, "from": from, "parts": true});
        let page = ask(&mut server, "legal", &page)["result"].clone();
        assert_eq!((page["count"].as_u64(), page["from"].as_u64()), (Some(4000), Some(from)));
        let length = page["moves"].as_array().expect("moves").len();
        assert!((1..=100_000 / 59).contains(&length), "{length}");
        from += length as u64;
        pages += 1;
        assert_eq!(page["next"].as_u64(), (from < 4000).then_some(from));
        if from == 4000 {
            break;
        }
    }
    assert_eq!(pages, 3);
}

/// The union of many lists of pieces is gathered in one, and each of its pieces is moved there once.
#[test]
fn a_union_of_lists_is_gathered_in_time() {
    let items = "board square 16 x 16\npiece c\nzone z(f: site): row of c\nsetup { put 20000 c on z(a1) }";
    let walker = walker(&rules(items, "repeat 100 { x += count(union z(f) for f in sites) }"));
    let start = walker.start();
    let played = walker.play_unchecked(&start, &walker.legal(&start)[0]);
    assert_eq!(played.vars[0], [regelwerk::ir::Value::Int(2_000_000)]);
}

/// Who is told of a choice or roll is told by it.
#[test]
fn an_announcement_by_a_secret_tells_it() {
    let items = "var sk: seat = a seen by a\nsetup { roll p in seats seen by a  sk := p }";
    for action in ["choose k in 1..2 seen by sk", "x += 1 choose k in 1..2 seen by sk", "roll k in 1..2 seen by sk"] {
        let loaded = load("g.rules", &rules(items, action), &NoFiles, &Setup::default());
        let said = reports(&loaded);
        assert!(said.contains("check/tells") && said.contains("who sees it"), "{action}: {said}");
        let open =
            load("g.rules", &rules(items, &action.replace("seen by sk", "seen by me")), &NoFiles, &Setup::default());
        assert!(!reports(&open).contains("check/tells"), "{action}: {}", reports(&open));
    }
}

/// What is connected to a site is found by looking once at each site, in each direction.
#[test]
fn groups_cost_what_they_look_at() {
    const ALL: u64 = 1 << 40;
    let items = "board square 32 x 32\nregion all_of(f: site) = group(f, sites)";
    let taken = |action: &str| {
        let meter = Meter::new(ALL);
        let walker = walker(&rules(items, action)).metered(&meter);
        let start = walker.start();
        let before = ALL - meter.grant(ALL);
        assert!(!walker.play_unchecked(&start, &walker.legal(&start)[0]).is_over());
        ALL - meter.grant(ALL) - before
    };
    let looks = 32 * 32 * 8;
    for action in ["x += count(group(a1, sites))", "if connected(a1, z32, sites) { x += 1 }"] {
        let steps = taken(action);
        assert!((looks / 2..looks).contains(&steps), "{action}: {steps}");
    }
}

/// Where ways multiply, no more of them are kept than may be listed.
#[test]
#[cfg(target_os = "linux")]
fn ways_beyond_the_limit_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder to work in");
    let text = "game g\nplayers a, b\nboard square 31 x 31\npiece m owned\nsetup { put m of a on p16 }\n\
        path w = (take then step to empty - taken){0..9}\naction go { choose f in own m choose t in w(f) move f to t.to }\n\
        play { turns { a plays go } }\nend e after move when ply > 2 { draw }\n";
    std::fs::write(folder.path().join("g.rules"), text).expect("a file");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    command.args(["check", "g.rules", "--limit-memory", "200"]).current_dir(folder.path());
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && said.contains("check/bad-start"), "{output:?}");
}

/// Every report of a long text has its place.
#[test]
fn reports_are_placed_in_time() {
    let declared: Vec<String> = (0..8000).map(|at| format!("var v{at}: int\n")).collect();
    let loaded = load("g.rules", &rules(&declared.concat(), "x += 1"), &NoFiles, &Setup::default());
    let lines: Vec<usize> =
        loaded.reports.sorted().into_iter().map(|report| loaded.sources.line_column(report.span).0).collect();
    assert_eq!(lines, (4..8004).collect::<Vec<_>>());
}
