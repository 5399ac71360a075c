//! The formatter: same rules, same comments, and it is idempotent.

use regelwerk::base::{FileId, Sources};
use regelwerk::report::Reports;
use regelwerk::syntax::{comments, format, parse};

use crate::support::{blocks, files_below, read, root};

fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = ["rules", "tests/fixtures", "src/syntax/tests"]
        .iter()
        .flat_map(|folder| files_below(&root(folder), "rules"))
        .map(|path| (path.display().to_string(), read(&path)))
        .collect();
    let examples = blocks(&read(&root("docs/language.md"))).into_iter().enumerate();
    texts.extend(
        examples
            .filter(|(_, (info, _))| info.starts_with("rules"))
            .map(|(n, (_, text))| (format!("example {n}"), text)),
    );
    texts
}

/// However a text is mangled by blanks, it is formatted to the same result.
#[test]
fn formatting_keeps_the_meaning_and_is_idempotent() {
    for (name, text) in texts() {
        let once = format(&text).unwrap_or_else(|| panic!("{name} has faults"));
        assert_eq!(format(&once).as_ref(), Some(&once), "{name}");
        let mut sources = Sources::default();
        let file = sources.add("a.rules", text.clone());
        let tree = |text: &str| parse(file, text, &mut Reports::default());
        assert!(tree(&once) == tree(&text), "{name}");
        let remarks = |text: &str| comments(FileId(0), text).into_iter().map(|c| c.text).collect::<Vec<_>>();
        assert_eq!(remarks(&once), remarks(&text), "{name}");
        // Indentation is set, not kept.
        let flat: Vec<&str> = text.lines().map(str::trim_start).collect();
        let flat = flat.join("\n") + "\n";
        assert_eq!(format(&flat).as_ref(), Some(&once), "{name}");
    }
}

/// Incorrect texts are left alone.
#[test]
fn incorrect_texts_are_not_formatted() {
    assert_eq!(format("game g\nplayers a,, b\n"), None);
}

/// Tables are aligned, numbers to the right; clauses are in their column.
#[test]
fn tables_and_clauses_are_aligned() {
    let text = "game g §1,§2\nkinds k\n | kind|n|m: bool|\n|a|1|yes|   §3\n|bb|  -|no|\nplay{ turns{ mover plays pass } }// x\n";
    let wanted = format!(
        "game g{}§1, §2\nkinds k\n  | kind | n | m: bool |\n  | a    | 1 | yes     | §3\n  | bb   | - | no      |\nplay{{ turns{{ mover plays pass }} }}  // x\n",
        " ".repeat(67)
    );
    assert_eq!(format(text), None, "a game item takes no clauses");
    let (text, wanted) = (text.replacen(" §1,§2", "", 1), wanted.replacen(&format!("{}§1, §2", " ".repeat(67)), "", 1));
    assert_eq!(format(&text), Some(wanted));
}

/// Lines that are too wide are broken, clauses leave their column only then, and comments stay where they are.
#[test]
fn wide_lines_are_broken() {
    let clauses = ["§a/1, §a/2, §a/3, §a/4, §a/5, §a/6, §a/7, §a/8, §a/9", "§b/10, §b/11, §b/12, §b/13"];
    let long = "first_of_the_stones or second_of_the_stones or third_of_the_stones or fourth_of_the_stones or fifth_of_the_stones";
    let first = long.trim_end_matches(" or fifth_of_the_stones");
    let text = format!(
        "game g\nplayers a, b\ndefine long = {long} or sixth_of_the_stones {0}\naction act {{\n  choose f in empty {0}, {1}\n  put x on f       // here\n}}\nplay {{ turns {{ mover plays act }} }}\n",
        clauses[0], clauses[1]
    );
    let wanted = format!(
        "game g\nplayers a, b\ndefine long = {first}\n  or fifth_of_the_stones or sixth_of_the_stones{}{}\naction act {{\n  choose f in empty{}{}, {}\n  put x on f       // here\n}}\nplay {{ turns {{ mover plays act }} }}\n",
        " ".repeat(120 - 47 - clauses[0].chars().count()),
        clauses[0],
        " ".repeat(120 - 19 - clauses[0].chars().count() - 2 - clauses[1].chars().count()),
        clauses[0],
        clauses[1],
    );
    let found = format(&text).expect("a sound text");
    assert!(found.lines().all(|line| line.chars().count() <= 120), "{found}");
    assert_eq!(format(&found).as_deref(), Some(found.as_str()));
    assert_eq!(found, wanted);
}
