//! The table: a hall in a process of its own, spoken to over lines.

mod client;
mod hostile;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use client::{House, Line, UPGRADE, knock};
use serde_json::{Value, json};

impl Line {
    /// The code of the refusal.
    async fn refused(&mut self, what: Value) -> String {
        let shown = what.to_string();
        let error = self.ask(what).await.expect("a line").expect_err(&shown);
        assert!(error["cure"].as_str().is_some_and(|cure| !cure.is_empty()), "{error}");
        error["code"].as_str().expect("a code").to_owned()
    }

    /// The scene once so many steps have been made.
    async fn scene(&mut self, steps: u64) -> Value {
        loop {
            let mut message = self.next().await.expect("news");
            if message["scene"]["state"]["steps"].as_u64().is_some_and(|made| made >= steps) {
                return message["scene"].take();
            }
        }
    }
}

/// Opens a table, and takes its first seats: the table's name, and a line and token for each.
async fn seated(house: &House, open: Value, seats: &[&str]) -> (String, Vec<(Line, String)>) {
    let mut line = Line::open(&house.address).await.expect("a line");
    let mut what = open;
    what["do"] = json!("open");
    let table = line.get(what).await["table"].as_str().expect("a table").to_owned();
    let mut lines = Vec::new();
    for seat in seats {
        let mut line = Line::open(&house.address).await.expect("a line");
        line.heard = Some(String::new());
        line.get(json!({"do": "enter", "table": table})).await;
        let told = line.get(json!({"do": "sit", "seat": seat})).await;
        // Until then it looked on.
        line.news.clear();
        lines.push((line, told["token"].as_str().expect("a token").to_owned()));
    }
    (table, lines)
}

async fn enter(house: &House, table: &str, token: Option<&str>) -> Line {
    let mut line = Line::open(&house.address).await.expect("a line");
    line.get(json!({"do": "enter", "table": table, "token": token})).await;
    line
}

fn play(text: &str, step: u64, key: &str) -> Value {
    json!({"do": "play", "move": text, "step": step, "key": key})
}

fn house(folder: &Path, flags: &[&str]) -> House {
    House::start(&folder.join("games"), flags)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_and_others_look_on() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let (table, mut lines) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross", "nought"]).await;
    let mut spectator = enter(&house, &table, None).await;
    let opening = spectator.scene(0).await;
    assert_eq!(opening["legal"]["count"], 0, "a spectator has no moves");
    assert_eq!(spectator.refused(play("a1", 0, "k")).await, "not-seated");

    let [(x, token), (o, _)] = lines.as_mut_slice() else { panic!("two seats") };
    assert_eq!(o.refused(play("a1", 0, "k")).await, "not-asked");
    assert_eq!(x.refused(play("a4", 0, "k")).await, "bad-move");
    assert_eq!(x.refused(play("a1", 3, "k")).await, "late");
    assert_eq!(x.get(play("a1", 0, "one")).await, json!({"step": 0}));
    // The same answer again is the same answer, and not another.
    assert_eq!(x.get(play("a1", 0, "one")).await, json!({"step": 0, "again": true}));
    for line in [&mut *o, &mut spectator] {
        let scene = line.scene(1).await;
        assert_eq!(scene["events"].as_array().expect("events").len(), 1);
        assert_eq!(scene["pieces"]["a1"], json!("mark.cross"), "{scene}");
    }
    let error = o.ask(play("a1", 1, "two")).await.expect("a line").expect_err("a1 is taken");
    assert_eq!(error["code"], "illegal");
    assert!(error["why"]["clauses"].as_object().is_some_and(|clauses| !clauses.is_empty()), "{error}");
    assert!(!o.get(json!({"do": "why", "move": "b2"})).await["clauses"].is_null());

    // Another tab of the same seat sees the same, and can play.
    let mut tab = enter(&house, &table, Some(token)).await;
    o.get(play("b2", 1, "three")).await;
    assert_eq!(x.scene(2).await["pieces"], tab.scene(2).await["pieces"]);
    tab.get(play("a2", 2, "four")).await;
    o.get(play("c3", 3, "five")).await;
    x.get(play("a3", 4, "six")).await;
    let end = spectator.scene(5).await;
    assert_eq!(end["state"]["over"], true);
    assert_eq!(end["state"]["outcome"]["seats"]["cross"]["verdict"], "win");
    let before = spectator.get(json!({"do": "look", "step": 1})).await;
    assert_eq!(before["pieces"], json!({"a1": "mark.cross"}));

    // A rematch has the same people.
    assert_eq!(spectator.refused(json!({"do": "again"})).await, "not-seated");
    let next = o.get(json!({"do": "again"})).await["table"].as_str().expect("a table").to_owned();
    assert_eq!(x.get(json!({"do": "again"})).await["table"], json!(next), "there is one next table");
    let mut again = enter(&house, &next, Some(token)).await;
    again.get(play("b2", 0, "one")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill() {
    let folder = folder();
    let mut house = house(folder.path(), &[]);
    let (table, mut lines) = seated(&house, json!({"rules": "kalaha", "players": 3}), &["a", "b"]).await;
    lines[0].0.get(json!({"do": "bot", "seat": "c", "bot": "random"})).await;
    let told = lines[0].0.get(play("a1", 0, "first")).await;
    assert_eq!(told["step"], 0);
    let seen = enter(&house, &table, Some(&lines[1].1)).await.scene(1).await;
    house.restart();
    for (_, token) in &lines {
        let scene = enter(&house, &table, Some(token)).await.scene(1).await;
        for part in ["pieces", "tokens", "svg", "events", "prompt"] {
            assert_eq!(scene[part], seen[part], "{part}");
        }
    }
    // Who was in doubt sends it again.
    let mut a = enter(&house, &table, Some(&lines[0].1)).await;
    assert_eq!(a.get(play("a1", 0, "first")).await, json!({"step": 0, "again": true}));
    let people = a.next().await.expect("news");
    assert_eq!(people["people"]["seats"][2]["player"], "bot random");
    assert_eq!(a.refused(json!({"do": "enter", "table": "0".repeat(32)})).await, "no-table");
    assert_eq!(a.refused(json!({"do": "enter", "table": "../games"})).await, "no-table");
    assert_eq!(a.refused(json!({"do": "enter", "table": table, "token": "0".repeat(32)})).await, "no-seat");
}

/// Every message to the second seat, and what was in the first one's hand.
#[tokio::test(flavor = "multi_thread")]
async fn a_line_hears_nothing_of_other_hands() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let (table, mut lines) = seated(&house, json!({"rules": "crazy-eights", "players": 2}), &["ann", "ben"]).await;
    let mut spectator = enter(&house, &table, None).await;
    spectator.heard = Some(String::new());
    spectator.scene(0).await;
    let hands = |scene: &Value| {
        let zones = scene["zones"].as_object().expect("zones").clone();
        zones.into_iter().filter(|(name, _)| name.starts_with("hand")).collect::<Vec<_>>()
    };
    for (seat, (line, _)) in lines.iter_mut().enumerate() {
        let scene = line.scene(0).await;
        for (number, (zone, cards)) in hands(&scene).into_iter().enumerate() {
            let cards = cards.as_array().expect("cards").clone();
            assert!(cards.len() >= 5, "{zone}");
            let hidden = cards.iter().all(|card| card.as_str().is_some_and(|card| card.starts_with('?')));
            assert_eq!(hidden, number != seat, "{zone} at seat {seat}");
        }
    }
    let own: Vec<String> = lines.iter().map(|(_, token)| token.clone()).collect();
    for (seat, (line, _)) in lines.iter().enumerate() {
        let heard = line.heard.as_deref().unwrap_or_default();
        assert!(heard.contains(&own[seat]) && !heard.contains(&own[1 - seat]), "the other's token");
    }
    let heard = spectator.heard.unwrap_or_default();
    assert!(own.iter().all(|token| !heard.contains(token)) && !heard.contains("\"seed\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_free_seats_and_only_while_somebody_looks() {
    let folder = folder();
    let house = house(folder.path(), &["--bot-time", "1"]);
    let (_, mut lines) = seated(&house, json!({"rules": "connect-four"}), &["yellow"]).await;
    let (line, _) = &mut lines[0];
    let found =
        Line::open(&house.address).await.expect("a line").get(json!({"do": "describe", "rules": "connect-four"})).await;
    assert_eq!(found["seats"], 2);
    assert_eq!(line.refused(json!({"do": "play", "move": "d1", "step": 0, "key": "k"})).await, "not-begun");
    assert_eq!(line.refused(json!({"do": "bot", "seat": "nobody"})).await, "unknown-seat");
    assert_eq!(line.refused(json!({"do": "bot", "seat": "red", "bot": "genius"})).await, "bad-value");
    line.get(json!({"do": "bot", "seat": "red"})).await;
    let first = line.scene(0).await;
    // Whoever begins, the bot has answered after two steps at most.
    let steps = if first["legal"]["count"].as_u64().is_some_and(|count| count > 0) {
        let mv = first["legal"]["moves"][0].as_str().expect("a move").to_owned();
        line.get(play(&mv, 0, "mine")).await;
        2
    } else {
        1
    };
    let scene = line.scene(steps).await;
    assert!(scene["legal"]["count"].as_u64().is_some_and(|count| count > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_race_goes_by_the_clock_of_the_hall() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    // The clock of the hall starts after this.
    let begun = Instant::now();
    let (_, mut lines) = seated(&house, json!({"rules": "halli-galli", "players": 3}), &["s1", "s2", "s3"]).await;
    let step = lines[0].0.scene(0).await["state"]["steps"].as_u64().expect("steps");
    assert_eq!(lines[0].0.refused(play("lay @5", step, "a")).await, "bad-value", "nobody names a time");
    tokio::time::sleep(Duration::from_millis(400)).await;
    lines[1].0.get(play("lay", step, "a")).await;
    // The third has answered the same question too late: it is no answer to the next.
    assert_eq!(lines[2].0.refused(play("lay", step, "a")).await, "late");
    let state = lines[2].0.scene(step + 1).await["state"].clone();
    let now = u128::from(state["now"].as_u64().expect("a time"));
    assert!((400..=begun.elapsed().as_millis() + 1).contains(&now), "{now}");
}

/// While somebody is away, nobody acts, and the time begins anew when all are back.
#[tokio::test(flavor = "multi_thread")]
async fn a_race_waits_for_those_who_are_away() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let (table, mut lines) = seated(&house, json!({"rules": "halli-galli", "players": 3}), &["s1", "s2", "s3"]).await;
    let step = lines[0].0.scene(0).await["state"]["steps"].as_u64().expect("steps");
    let (gone, token) = lines.pop().expect("three seats");
    drop(gone);
    // Until the hall has noticed.
    while lines[0].0.refused(play("lay @5", step, "a")).await != "absent" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    let back = Instant::now();
    let mut second = enter(&house, &table, Some(&token)).await;
    second.scene(0).await;
    lines[1].0.get(play("lay", step, "a")).await;
    let state = lines[0].0.scene(step + 1).await["state"].clone();
    let now = u128::from(state["now"].as_u64().expect("a time"));
    assert!(now <= back.elapsed().as_millis() + 1, "{now}");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_rules_are_tried_out_first() {
    let folder = folder();
    let house = house(folder.path(), &["--trial-time", "5"]);
    let mut line = Line::open(&house.address).await.expect("a line");
    let text = fs::read_to_string("tests/fixtures/tictactoe.rules").expect("a fixture");
    let table = line.get(json!({"do": "open", "text": text})).await;
    assert!(table["table"].as_str().is_some_and(|table| table.len() == 32));
    let error = line.ask(json!({"do": "open", "text": "game x\nplayers a, b\nboard grid"})).await.expect("a line");
    let error = error.expect_err("that is no rule file");
    assert!(error["message"].as_str().is_some_and(|message| message.contains("line ")), "{error}");
    let endless = "game endless\nplayers a\nvar n = 0\naction go { }\n\
                   play { repeat { for i in 1..100000 { for j in 1..100000 { n = n + 1 } } mover plays go } }";
    assert!(["bad-rules", "limit"].contains(&line.refused(json!({"do": "open", "text": endless})).await.as_str()));
    let strict = House::start(&folder.path().join("strict"), &["--no-own-rules"]);
    let mut line = Line::open(&strict.address).await.expect("a line");
    assert_eq!(line.refused(json!({"do": "open", "text": text})).await, "limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_keeps_its_rules_and_tells_no_path() {
    let folder = folder();
    let rules = folder.path().join("mine.rules");
    let text = fs::read_to_string("tests/fixtures/tictactoe.rules").expect("a fixture");
    fs::write(&rules, &text).expect("a file");
    let path = rules.display().to_string();
    let mut house = house(folder.path(), &[&path]);
    let (table, mut lines) = seated(&house, json!({"rules": "mine"}), &["cross", "nought"]).await;
    lines[0].0.get(play("a1", 0, "k")).await;
    let error = lines[1].0.ask(play("a1", 1, "k")).await.expect("a line").expect_err("taken");
    assert_eq!(error["why"]["rules"][0]["file"], "mine.rules");
    // A board of other size, and then none at all.
    fs::write(&rules, text.replace("3 x 3", "5 x 5")).expect("a file");
    house.restart();
    let mut line = enter(&house, &table, Some(&lines[1].1)).await;
    line.heard = Some(String::new());
    let scene = line.scene(1).await;
    assert_eq!(scene["legal"]["count"], 8, "three by three, and one is taken");
    line.get(play("b2", 1, "k")).await;
    for heard in lines.iter().filter_map(|(line, _)| line.heard.as_ref()).chain(line.heard.as_ref()) {
        assert!(!heard.contains(&folder.path().display().to_string()), "a path of the host");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_kept() {
    let folder = folder();
    let flags = [
        "--max-message",
        "2000",
        "--max-lines-each",
        "3",
        "--max-rate",
        "5",
        "--max-openings",
        "2",
        "--max-seats",
        "3",
    ];
    let house = house(folder.path(), &flags);
    // A page elsewhere, a program, and the page itself.
    let origin = |from: &'static str| UPGRADE.iter().copied().chain([("Origin", from)]).collect::<Vec<_>>();
    let (_, head) = knock(&house.address, "/line", &origin("http://evil.example")).await.expect("an answer");
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    let own = format!("http://{}", house.address);
    let headers: Vec<_> = UPGRADE.iter().copied().chain([("Origin", own.as_str())]).collect();
    let (page, head) = knock(&house.address, "/line", &headers).await.expect("an answer");
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    drop(page);
    let (_, head) = knock(&house.address, "/", &[]).await.expect("an answer");
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    let (_, head) = knock(&house.address, "/t/../../etc/passwd", &[]).await.expect("an answer");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");

    let mut line = Line::open(&house.address).await.expect("a line");
    let large = json!({"do": "open", "text": "x".repeat(5000)});
    assert!(line.ask(large).await.is_err(), "a message that is too long ends the line");

    let mut line = Line::open(&house.address).await.expect("a line");
    assert_eq!(line.refused(json!({"do": "open", "rules": "kalaha", "players": 4})).await, "limit");
    line.get(json!({"do": "open", "rules": "kalaha"})).await;
    assert_eq!(line.refused(json!({"do": "open", "rules": "kalaha"})).await, "limit", "two a minute");
    for wrong in ["", "[]", "{\"id\": 1}", "{\"id\": 1, \"do\": \"undo\"}"] {
        line.say(wrong).await.expect("a line");
        assert_eq!(line.hear().await.expect("an answer")["error"]["code"], "bad-message", "{wrong}");
    }
    // Fifteen messages at once are let through, then five a second; whoever goes on and on is shown the door.
    let mut limited = 0;
    for _ in 0..400 {
        if line.say("{\"id\": 1, \"do\": \"games\"}").await.is_err() {
            break;
        }
    }
    while let Ok(message) = line.hear().await {
        limited += usize::from(message["error"]["code"] == "limit");
    }
    assert!(limited >= 200, "{limited}");

    let mut open = Vec::new();
    let refused = loop {
        match Line::open(&house.address).await {
            Ok(line) => open.push(line),
            Err(error) => break error.to_string(),
        }
        assert!(open.len() <= 3, "three from one address");
    };
    assert!(refused.contains("503"), "{refused}");
}

/// What people choose from has the titles that the rules have when they are played.
#[tokio::test(flavor = "multi_thread")]
async fn games_are_listed_by_their_titles() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let games = Line::open(&house.address).await.expect("a line").get(json!({"do": "games"})).await;
    let listed = ["games", "classics"].map(|part| games[part].as_array().expect("a list").clone()).concat();
    assert_eq!(listed.len(), regelwerk::Rules::bundled_names().len());
    for one in listed {
        let name = one["name"].as_str().expect("a name");
        let title = regelwerk::Rules::bundled(name).expect("rules").title().to_owned();
        assert_eq!(one["title"].as_str(), Some(title.as_str()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let folder = folder();
    let flags = ["--max-disk", "1", "--max-rate", "10000", "--max-openings", "100000", "--proxied"];
    let mut house = house(folder.path(), &flags);
    let (table, mut lines) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross", "nought"]).await;
    let mut opened = 0;
    let refused = loop {
        // Of one address alone not so much is kept.
        let mut line =
            Line::from(&house.address, &format!("9.9.{}.{}", opened / 200, opened % 200)).await.expect("a line");
        match line.ask(json!({"do": "open", "rules": "halli-galli", "players": 6})).await.expect("a line") {
            Ok(_) => opened += 1,
            Err(error) => break error,
        }
        assert!(opened < 10_000, "a mebibyte is enough for ten thousand tables");
    };
    assert_eq!(refused["code"], "full", "{refused}");
    // Here and there a row may still find room; then nothing does, and nothing has changed.
    let (mut made, mut full) = (0, false);
    // Lines that were not listened to have been closed.
    for (line, token) in &mut lines {
        *line = enter(&house, &table, Some(token)).await;
    }
    for (at, field) in ["a1", "b2", "a2", "c3", "b1", "c1"].into_iter().enumerate() {
        let (line, _) = &mut lines[at % 2];
        match line.ask(play(field, made, field)).await.expect("a line") {
            Ok(_) => made += 1,
            Err(error) => {
                assert_eq!(error["code"], "full", "{error}");
                full = true;
                break;
            }
        }
    }
    let shown = enter(&house, &table, None).await.scene(0).await["state"]["steps"].as_u64();
    assert_eq!(shown, Some(made), "full: {full}");
    house.restart();
    let kept = enter(&house, &table, None).await.scene(0).await["state"]["steps"].as_u64();
    assert_eq!(kept, Some(made));
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_that_vanish_in_mid_message_harm_nobody() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let (table, mut lines) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross", "nought"]).await;
    for _ in 0..3 {
        let mut line = enter(&house, &table, Some(&lines[0].1)).await;
        line.half(&play("a1", 0, "half").to_string()).await.expect("half a message");
        drop(line);
        // An answer that was sent whole counts, also if nobody waits to hear so.
        let mut line = enter(&house, &table, Some(&lines[0].1)).await;
        line.wish(play("b2", 0, "whole")).await.expect("a message");
        drop(line);
    }
    let scene = lines[1].0.scene(1).await;
    assert_eq!((scene["state"]["steps"].as_u64(), &scene["pieces"]["b2"]), (Some(1), &json!("mark.cross")));
    lines[1].0.get(play("a1", 1, "k")).await;
}
