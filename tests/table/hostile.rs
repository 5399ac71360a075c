//! Those who want to harm the hall, and what others have of it meanwhile.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::client::{Line, UPGRADE, knock};
use super::{enter, folder, house, play, seated};

/// A request without its end, or less.
async fn half(address: &str, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(text.as_bytes()).await.expect("half a request");
    stream
}

/// Whether a page is given to somebody at an address of this machine.
async fn serves(address: &str, from: &str) -> bool {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{from}:0").parse().expect("an address")).expect("an address of this machine");
    let mut stream = socket.connect(address.parse().expect("an address")).await.expect("a connection");
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut told = String::new();
    stream.write_all(request.as_bytes()).await.is_ok()
        && stream.read_to_string(&mut told).await.is_ok()
        && told.starts_with("HTTP/1.1 200")
}

/// Whoever asks for nothing, or not to the end, is not waited for; and one address has so many connections and no more.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_ask_for_nothing_end() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let mut line = Line::open(&house.address).await.expect("a line");
    let mut idle = Vec::new();
    for at in 0..256 {
        idle.push(half(&house.address, if at % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nHos" }).await);
    }
    assert!(!serves(&house.address, "127.0.0.1").await, "one too many from an address");
    if cfg!(target_os = "linux") {
        assert!(serves(&house.address, "127.0.0.2").await, "from another there is room");
    }
    // A line stays, and is none of them.
    line.get(json!({"do": "games"})).await;
    for stream in &mut idle {
        let mut told = Vec::new();
        // It ends with or without a word.
        drop(stream.read_to_end(&mut told).await);
    }
    assert!(serves(&house.address, "127.0.0.1").await, "they have made room");
    line.get(json!({"do": "games"})).await;
}

/// Rules that are harmless until somebody makes a claim, which random players never do.
fn sleeper(items: &str, heads: &str, effects: &str) -> String {
    format!(
        "game sleeper\nplayers a, b\nvar on: bool\nvar k: int\n{items}\nclaim go \"go\" {{ on := true }}\n\
         action tick {{ choose z in 1..2  k := (k + z) mod 7  if on {{ {effects} }} }}\n\
         action wide {{ require on {heads} {effects} }}\n\
         play {{ turns {{ mover plays tick | wide }} }}\nend over after move when ply >= 30 and not on {{ draw }}\n"
    )
}

/// The bot of a table whose rules take long over every move keeps no other bot from playing.
#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_thinks_for_long_stops_no_other() {
    let folder = folder();
    let house = house(folder.path(), &["--bot-time", "1"]);
    let rules = sleeper("", "choose p in 1..1000 choose q in 1..90", "k := 0  repeat 300000 { k += 1 }  k := k mod 7");
    for bot in ["alphabeta:1", "mcts:1000"] {
        let (_, mut lines) = seated(&house, json!({"text": rules}), &["a"]).await;
        let (hostile, _) = &mut lines[0];
        hostile.get(json!({"do": "bot", "seat": "b", "bot": bot})).await;
        hostile.get(play("claim go", 0, "claim")).await;
        hostile.get(play("tick 1", 1, "tick")).await;
        let (_, mut others) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross"]).await;
        let (line, _) = &mut others[0];
        line.get(json!({"do": "bot", "seat": "nought", "bot": "random"})).await;
        line.get(play("a1", 0, "k")).await;
        line.scene(2).await;
        // The hostile table goes on as well: its bot plays what it has found.
        assert!(hostile.scene(3).await["state"]["steps"].as_u64().is_some_and(|steps| steps >= 3));
    }
}

/// What the games of a hall take in memory is limited: a game that takes much goes no further, and small ones go on.
#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_hall_share_its_memory() {
    let folder = folder();
    let rules = sleeper("board square 32 x 32\nenum e = u, v, w\nvar x(f: site, g: e): int", "", "x(a1, u) := 1");
    // They are the hall's own, so that what the rules themselves take does not count.
    let own = folder.path().join("sleeper.rules");
    std::fs::write(&own, rules).expect("written");
    let mut house = house(folder.path(), &[own.to_str().expect("a path"), "--max-memory", "2"]);
    let (table, mut lines) = seated(&house, json!({"rules": "sleeper"}), &["a", "b"]).await;
    let mut steps = 0;
    let refused = loop {
        let (line, _) = &mut lines[usize::try_from(steps % 2).expect("0 or 1")];
        match line.ask(play("tick 1", steps, &format!("key {steps}"))).await.expect("a line") {
            Ok(_) => steps += 1,
            Err(error) => break error,
        }
        assert!(steps < 29, "29 positions of 3072 numbers and 1024 sites have more than 2 MiB");
    };
    assert_eq!((refused["code"].as_str(), steps > 3), (Some("limit"), true), "{refused} after {steps}");
    let small = json!({"rules": "tic-tac-toe"});
    let (_, mut others) = seated(&house, small, &["cross", "nought"]).await;
    others[0].0.get(play("a1", 0, "k")).await;
    others[1].0.get(play("b2", 1, "k")).await;
    // It can be looked at, also after a new start.
    house.restart();
    let mut line = enter(&house, &table, Some(&lines[0].1)).await;
    assert_eq!(line.scene(steps).await["state"]["steps"], json!(steps));
    assert!(line.get(json!({"do": "look", "step": 1})).await["prompt"].is_string());
}

/// What a stranger's rules take counts as well: a text of two kilobytes whose tables of values take tens of mebibytes.
#[tokio::test(flavor = "multi_thread")]
async fn rules_of_strangers_count() {
    let folder = folder();
    let house = house(folder.path(), &["--max-memory", "16"]);
    let regions: String = (0..12).fold(String::new(), |text, at| {
        text + &format!(
            "region r{at}(f: site, g: site) = {{f, g}}\ndefine d{at}(f: site, g: site) = count(r{at}(f, g))\n"
        )
    });
    let heavy = format!(
        "game heavy\nplayers a, b\nboard square 16 x 16\npiece p owned\n{regions}\
         action go {{ choose f in empty  put own p on f }}\nplay {{ turns {{ mover plays go }} }}\n\
         end e after move when ply > 20 {{ draw }}\n"
    );
    let mut line = Line::open(&house.address).await.expect("a line");
    let mut refused = None;
    for _ in 0..6 {
        if let Err(error) = line.ask(json!({"do": "open", "text": heavy})).await.expect("a line") {
            refused = Some(error);
            break;
        }
    }
    let refused = refused.expect("six of them have more than 16 MiB together");
    assert_eq!(refused["code"], "limit", "{refused}");
    let (_, mut others) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross", "nought"]).await;
    others[0].0.get(play("a1", 0, "k")).await;
}

/// Playing again opens a table, which the hall and the address must have left.
#[tokio::test(flavor = "multi_thread")]
async fn the_next_table_is_a_table_like_any_other() {
    let short = "game g\nplayers one\naction go { win me }\nplay { turns { mover plays go } }\n";
    for flags in [["--max-tables", "1"], ["--max-openings", "1"]] {
        let folder = folder();
        let house = house(folder.path(), &flags);
        let (_, mut lines) = seated(&house, json!({"text": short}), &["one"]).await;
        lines[0].0.get(play("go", 0, "k")).await;
        assert_eq!(lines[0].0.refused(json!({"do": "again"})).await, "limit", "{flags:?}");
    }
}

/// A person cannot answer with the key of a bot, which would take the answer for its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_bots_are_their_own() {
    let folder = folder();
    let house = house(folder.path(), &[]);
    let (_, mut lines) = seated(&house, json!({"rules": "tic-tac-toe"}), &["cross", "nought"]).await;
    assert_eq!(lines[0].0.refused(play("a1", 0, "bot 2")).await, "bad-value");
    lines[0].0.get(play("a1", 0, "both 2")).await;
}

/// A game that does not exist is missing, as with every other command.
#[test]
fn a_game_that_does_not_exist_is_missing() {
    let folder = folder();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output =
        command.args(["serve", "nosuch.rules", "--port", "0", "--lang", "en"]).current_dir(folder.path()).output();
    let output = output.expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("nosuch.rules"), "{said}");
}

/// Behind a proxy, the address is the one that the proxy has added, be it on a line of its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_has_the_last_word() {
    let folder = folder();
    let house = house(folder.path(), &["--proxied", "--max-lines-each", "2"]);
    let mut lines = Vec::new();
    for (client, proxy, opens) in [("1", "9", true), ("2", "9", true), ("3", "9", false), ("3", "8", true)] {
        let (forged, added) = (format!("1.2.3.{client}"), format!("9.9.9.{proxy}"));
        let forwarded = [("X-Forwarded-For", forged.as_str()), ("X-Forwarded-For", added.as_str())];
        let headers: Vec<_> = UPGRADE.into_iter().chain(forwarded).collect();
        let (line, head) = knock(&house.address, "/line", &headers).await.expect("an answer");
        assert_eq!(head.starts_with("HTTP/1.1 101"), opens, "{client} {proxy}: {head}");
        lines.push(line);
    }
}

/// What is kept of the games of one address leaves room for those of others: tables as well as what is played at them.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_does_not_fill_the_file() {
    let folder = folder();
    let flags = ["--max-disk", "1", "--max-rate", "10000", "--max-openings", "100000", "--proxied"];
    let house = house(folder.path(), &flags);
    let mut line = Line::from(&house.address, "9.9.9.1").await.expect("a line");
    let open = || json!({"do": "open", "rules": "halli-galli", "players": 6});
    let table = line.get(open()).await["table"].as_str().expect("a name").to_owned();
    line.get(json!({"do": "enter", "table": table})).await;
    let mut opened = 1;
    let refused = loop {
        match line.ask(open()).await.expect("a line") {
            Ok(_) => opened += 1,
            Err(error) => break error,
        }
        assert!(opened < 1000, "an eighth of a mebibyte is enough for a thousand tables");
    };
    assert_eq!(refused["code"], "limit", "{refused}");
    let mut others = {
        let mut other = Line::from(&house.address, "9.9.9.2").await.expect("a line");
        let table = other.get(json!({"do": "open", "rules": "tic-tac-toe"})).await["table"].clone();
        other.get(json!({"do": "enter", "table": table})).await;
        other
    };
    others.get(json!({"do": "sit", "seat": "cross"})).await;
    others.get(json!({"do": "bot", "seat": "nought", "bot": "random"})).await;
    others.get(play("a1", 0, "k")).await;
}

/// What an address has made ready is counted, so that others need not wait for it for long.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_does_not_keep_the_hall_busy() {
    let folder = folder();
    let house = house(folder.path(), &["--max-rate", "10000", "--proxied"]);
    let mut line = Line::from(&house.address, "9.9.9.1").await.expect("a line");
    let mut described = 0;
    let refused = loop {
        // Each of them another setup, of which only so many are kept ready.
        let [jokers, hand, side] =
            [described % 13, 1 + described / 13 % 6, 2 + described / 78 % 5].map(|n| n.to_string());
        let options = json!({"jokers": jokers, "hand_size": hand, "side_size": side});
        let choice = json!({"do": "describe", "rules": "hai-noon", "options": options});
        match line.ask(choice).await.expect("a line") {
            Ok(_) => described += 1,
            Err(error) => break error,
        }
        assert!(described < 20_000, "they take no time at all");
    };
    assert!(refused["message"].as_str().is_some_and(|why| why.contains("many games")), "{refused}");
    let mut other = Line::from(&house.address, "9.9.9.2").await.expect("a line");
    other.get(json!({"do": "describe", "rules": "kalaha"})).await;
}
