//! What the documents promise of the command line.

#[test]
fn documented_commands_do_what_they_say() {
    trycmd::TestCases::new().case("README.md").case("tests/cli/*.md");
}

/// A fresh game folder, and a variant of a game that comes along, check and pass
/// their case; a saved game is replayed.
#[test]
fn a_new_folder_checks_plays_and_passes_its_case() {
    let folder = std::env::temp_dir().join(format!("regelwerk-new-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to work in");
    let run = |line: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        let output = command.args(line.split(' ')).current_dir(&folder).output().expect("the program runs");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, from) in [("fresh", ""), ("short", " --from kalaha")] {
        run(&format!("new {name}{from}"));
        run(&format!("check {name}/{name}.rules"));
        assert!(run(&format!("test {name}/cases")).contains("1 passed, 0 failed"));
        run(&format!("fmt --check {name}/{name}.rules"));
        run(&format!("simulate {name}/{name}.rules --games 3"));
    }
    let record = "Record(game: \"fresh/fresh.rules\", digest: \"\", steps: [\"a1\", \"b1\"])";
    std::fs::write(folder.join("game.ron"), record).expect("a record");
    assert!(run("replay game.ron").contains("2 steps, legal by these rules"));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
