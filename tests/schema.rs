//! What commands print for programs, against the schema in `docs/schema`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{read, root};

/// What a value has that the schema does not allow, with its path; the part of JSON Schema that the schema uses.
fn faults(schema: &Value, whole: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let pointer = reference.strip_prefix('#').expect("a reference within the file");
        let target = whole.pointer(pointer).unwrap_or_else(|| panic!("nothing at {reference}"));
        return faults(target, whole, value, path, found);
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = |one: &Value| {
            let mut wrong = Vec::new();
            faults(one, whole, value, path, &mut wrong);
            wrong.is_empty()
        };
        if !any.iter().any(fits) {
            found.push(format!("{path}: {value} fits none of the alternatives"));
        }
        return;
    }
    let is = |word: &str| match word {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema names the type {other}"),
    };
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|word| is(word)) {
        found.push(format!("{path}: {value} is not {}", types.join(" or ")));
        return;
    }
    if let Some(known) = schema.get("enum").and_then(Value::as_array)
        && !known.contains(value)
    {
        found.push(format!("{path}: {value} is none of {known:?}"));
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        for (at, item) in list.iter().enumerate() {
            faults(items, whole, item, &format!("{path}/{at}"), found);
        }
    }
    let Some(fields) = value.as_object() else { return };
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            found.push(format!("{path}: `{name}` is missing"));
        }
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, field) in fields {
        let place = format!("{path}/{name}");
        match (properties.and_then(|all| all.get(name)), schema.get("additionalProperties")) {
            (Some(one), _) => faults(one, whole, field, &place, found),
            (None, Some(Value::Bool(false))) => found.push(format!("{place} is not in the schema")),
            (None, Some(other @ Value::Object(_))) => faults(other, whole, field, &place, found),
            (None, _) => {}
        }
    }
}

/// What a command has printed that the schema does not allow. It runs in a folder, in which it may write.
fn check(command: &str, folder: &Path, schema: &Value) -> Vec<String> {
    let mut run = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    run.current_dir(folder).args(["--format", "json"]).args(command.split(' '));
    let output = run.output().expect("the program runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(&told).unwrap_or_else(|why| panic!("{command}: {why}: {output:?}"));
    let name = command.split(' ').next().unwrap_or_default();
    let part = schema.pointer(&format!("/$defs/{name}")).unwrap_or_else(|| panic!("the schema has no `{name}`"));
    let mut found = Vec::new();
    faults(part, schema, &value, name, &mut found);
    // The whole schema allows what one of its parts allows.
    faults(schema, schema, &value, "", &mut found);
    found
}

/// A small game, and one that differs from it in a number.
const RULES: &str = r#"game less "Less"
players a, b
clause §1 "Take one or two. Who takes the last one wins."
var left: int = 5
action take §1 {
  choose n in 1..2
  require n <= left
  left -= n
}
play { turns { mover plays take } }
end last after move when left == 0 §1 { win me }
"#;

/// Real output of every command that prints an object fits the schema, in which every field is named.
#[test]
fn output_fits_the_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("less.rules", RULES);
    write("more.rules", &RULES.replace("1..2", "2..3"));
    write("wrong.rules", "game wrong\nplayers a, b\nbord square 3 x 3\n");
    write("source.md", "## Taking\n\n1. Take one or two.\n2. See §7.\n");
    let schema: Value = serde_json::from_str(&read(&root("docs/schema/output.json"))).expect("JSON");
    let commands = [
        "simulate kalaha --games 30 --rules=2 --measure lead=ply --measure-by-turn mine=turn",
        "simulate backgammon --games 3 --cap 50",
        "simulate halli-galli --games 2",
        "simulate tic-tac-toe --games 20 --seat 1=mcts:10",
        "compare hai-noon --variant shorter --games 10 --margin 5% --measure left=ply",
        "match kalaha --seat 1=mcts:5 --games 4",
        "perft kalaha --depth 3 --divide --ends",
        "perft chess --depth 1",
        // These write what others read.
        "simulate less.rules --games 2 --records records --all-records",
        "readings kalaha --pairs 5 --players 2",
        "tune kalaha --vary seeds=1..3 --target turns=20 --keep decided>=50% --games 64",
        "check kalaha nothing less.rules wrong.rules",
        "check less.rules --fix",
        "show hai-noon",
        "show tic-tac-toe",
        "replay records/less-0-game.ron",
        "impact less.rules less.rules records",
        "impact less.rules more.rules records",
        "bench tic-tac-toe --seconds 1",
        "solve less.rules",
        "test kalaha",
        "coverage tic-tac-toe",
        "mutate tic-tac-toe --kind word",
        "new another",
        "fmt --check less.rules wrong.rules",
        "book less.rules",
        "explain kalaha",
        "explain kalaha §ende/1",
        "explain syntax/unexpected",
        "explain kalaha --refusals 3",
        "document source.md",
        "document kalaha source.md",
        "diff less.rules more.rules",
        "diff tic-tac-toe tic-tac-toe",
        "watch tic-tac-toe --once",
        "watch tic-tac-toe --once --moves a9",
        "watch wrong.rules --once",
    ];
    let module = cfg!(feature = "module").then_some("compile less.rules -o less.wasm");
    for command in commands.into_iter().chain(module) {
        assert_eq!(check(command, folder.path(), &schema), [""; 0], "{command}");
    }
}

/// What goes wrong is printed to the error output.
#[test]
fn errors_fit_the_schema() {
    let schema: Value = serde_json::from_str(&read(&root("docs/schema/output.json"))).expect("JSON");
    for command in ["show nothing", "simulate kalaha --players 9", "replay nothing"] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_regelwerk")).args(["--format", "json"]).args(command.split(' ')).output();
        let told = String::from_utf8(output.expect("the program runs").stderr).expect("text");
        let value: Value = serde_json::from_str(&told).unwrap_or_else(|why| panic!("{command}: {why}: {told}"));
        let mut found = Vec::new();
        faults(&schema["$defs"]["error"], &schema, &value, "error", &mut found);
        assert_eq!(found, [""; 0], "{command}");
    }
}

/// A field that is missing, of another type, or unknown is found.
#[test]
fn the_schema_is_strict() {
    let schema: Value = serde_json::from_str(&read(&root("docs/schema/output.json"))).expect("JSON");
    let part = &schema["$defs"]["perft"];
    let sound = serde_json::json!({"game": "g", "depth": 1, "nodes": 3, "by_depth": [3]});
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut value = sound.clone();
        change(&mut value);
        let mut found = Vec::new();
        faults(part, &schema, &value, "", &mut found);
        found
    };
    assert_eq!(wrong(&|_| ()), [""; 0]);
    assert_eq!(wrong(&|value| value["by_depth"] = serde_json::json!(["3"])), ["/by_depth/0: \"3\" is not integer"]);
    assert_eq!(wrong(&|value| value["more"] = serde_json::json!(1)), ["/more is not in the schema"]);
    assert_eq!(wrong(&|value| value["game"] = Value::Null), ["/game: null is not string"]);
}
