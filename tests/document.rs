//! Documents: how they are split, what is found in them. The texts are the tests' own.

use regelwerk::document::{
    Check, Document, Finding, Kind, Known, Passage, Registry, Report, Settled, draft, inspect, normal, read_kept,
    read_registry,
};

use crate::support::{files_below, read, root};

const RULES: &str = "\
# Wettlauf der Schnecken

Ein Spiel für Geduldige.

## Vorbereitung

1. Jeder nimmt vier Schnecken, z. B. die roten.
2. Der 2. Spieler mischt ca. 30 Blätter (mind. 20, bzw. alle).
   - a) Die Blätter liegen verdeckt.
   - b) Das oberste wird sofort umgedreht!

## Ablauf

Wer am Zug ist, deckt ein Blatt auf. Dann kriecht eine Schnecke so weit, wie das Blatt sagt. Niemand darf
zwei Schnecken zugleich bewegen. (siehe Vorbereitung)

| Blatt | Felder |
|---|---|
| Salat | 3 |
| Regen | 5 |

Ende
====

Die erste Schnecke im Ziel gewinnt. Gleichstand gibt es nicht.
";

fn document(text: &str) -> Document {
    Document::read(text).expect("short enough")
}

fn sentences(text: &str) -> Vec<String> {
    document(text).units.into_iter().filter(regelwerk::document::Unit::speaks).map(|unit| unit.text).collect()
}

/// A registry with every sentence of a document as a clause.
fn settled(text: &str) -> Settled {
    let drafted = draft(&document(text), "Test");
    let registry: Registry = read_registry(&drafted).unwrap_or_else(|why| panic!("{why}:\n{drafted}"));
    Settled { registry, ..Settled::default() }
}

fn found(old: &str, new: &str) -> Vec<Finding> {
    Report::new(&document(new), &settled(old)).open
}

fn checks(findings: &[Finding]) -> Vec<(Check, u32)> {
    findings.iter().map(|finding| (finding.check, finding.line)).collect()
}

/// The findings within one text: checks and subjects.
fn flaws(text: &str) -> Vec<(Check, String)> {
    inspect(&document(text)).into_iter().map(|finding| (finding.check, finding.subject)).collect()
}

#[test]
fn abbreviations_and_ordinals_end_no_sentence() {
    let text = "Das gilt z. B. für Karten bzw. Steine, d. h. fast immer. Der 2. Spieler zieht ca. 5 Karten (vgl. Nr. 3). \
                Er legt sie ab! „Genug?“ Dann folgt Spieler 3. Alle warten usw. Danach ist Schluss ... Und weiter geht es.";
    let expected = [
        "Das gilt z. B. für Karten bzw. Steine, d. h. fast immer.",
        "Der 2. Spieler zieht ca. 5 Karten (vgl. Nr. 3).",
        "Er legt sie ab!",
        "„Genug?“",
        "Dann folgt Spieler 3.",
        "Alle warten usw.",
        "Danach ist Schluss ...",
        "Und weiter geht es.",
    ];
    assert_eq!(sentences(text), expected);
    // After the number of a section a letter ends one, unless another letter follows.
    assert_eq!(sentences("Man nimmt ein Feld z. B. Rechts oben."), ["Man nimmt ein Feld z. B. Rechts oben."]);
    assert_eq!(sentences("Es gilt Absatz 2 a. Danach zieht man."), ["Es gilt Absatz 2 a.", "Danach zieht man."]);
}

#[test]
fn brackets_do_not_split_sentences() {
    let text = "Man zieht (so weit man will. Oder darf!) Steine. Es gibt vier (oder mehr!) Spieler am Tisch. \
                Danach wird gelegt. (siehe §2) (Das ist neu. Es gilt immer.) Ende gut.";
    let expected = [
        "Man zieht (so weit man will. Oder darf!) Steine.",
        "Es gibt vier (oder mehr!) Spieler am Tisch.",
        "Danach wird gelegt. (siehe §2)",
        "(Das ist neu. Es gilt immer.)",
        "Ende gut.",
    ];
    assert_eq!(sentences(text), expected);
}

#[test]
fn lists_tables_and_headings_are_recognized() {
    let document = document(RULES);
    let headings: Vec<&str> = document.headings().collect();
    assert_eq!(headings, ["Wettlauf der Schnecken", "Vorbereitung", "Ablauf", "Ende"]);
    let units: Vec<(Kind, &str, u32, &str)> = document
        .units
        .iter()
        .map(|unit| (unit.kind, unit.heading.as_str(), unit.ordinal, unit.text.as_str()))
        .collect();
    assert!(units.contains(&(Kind::Sentence, "Vorbereitung", 1, "Jeder nimmt vier Schnecken, z. B. die roten.")));
    assert!(units.contains(&(Kind::Sentence, "Vorbereitung", 4, "Das oberste wird sofort umgedreht!")));
    assert!(units.contains(&(Kind::Columns, "Ablauf", 0, "Blatt Felder")));
    assert!(units.contains(&(Kind::Row, "Ablauf", 5, "Regen 5")), "{units:?}");
    assert!(units.contains(&(Kind::Sentence, "Ende", 2, "Gleichstand gibt es nicht.")));
}

#[test]
fn plain_text_has_headings_too() {
    let text = "Das Schneckenspiel\n\nZiel des Spiels\n\nMan will ankommen.\n\n1. Karten ziehen\n\nJeder zieht zwei.\n\n\
                2. Karten legen\n\nJeder legt eine.\n\nSchluss:\n\nWer leer ist, gewinnt.";
    let document = document(text);
    let headings: Vec<&str> = document.headings().collect();
    assert_eq!(headings, ["Ziel des Spiels", "Karten ziehen", "Karten legen", "Schluss"]);
}

#[test]
fn typographic_differences_do_not_matter() {
    assert_eq!(normal("Die **„Hütte“** \u{a0}ist – oft –  leer ."), "Die \"Hütte\" ist - oft - leer.");
    let old = "Regeln\n\nDie „Hütte“ bleibt leer, bis alle Schnecken angekommen sind und niemand mehr ziehen kann. Dann ist Schluss.";
    let new = "**Regeln**\r\n\r\nDie \"Hütte\" bleibt leer,\u{a0}bis alle Schne-\r\ncken angekommen sind und *niemand*\r\nmehr zie\u{ad}hen kann. Dann\r\nist Schluss.";
    assert_eq!(found(old, new), []);
}

#[test]
fn intended_line_breaks_end_a_sentence() {
    let text = "Spieler: 4\nWeitere Hinweise folgen weiter unten auf dieser Seite";
    assert_eq!(sentences(text), ["Spieler: 4", "Weitere Hinweise folgen weiter unten auf dieser Seite"]);
}

#[test]
fn an_unchanged_document_has_nothing_to_report() {
    let report = Report::new(&document(RULES), &settled(RULES));
    assert_eq!(report.open, []);
    assert_eq!((report.summary.clauses, report.summary.found), (12, 12));
}

#[test]
fn each_change_is_found() {
    let new = RULES
        .replace("vier Schnecken", "fünf Schnecken")
        .replace("sofort umgedreht", "später umgedreht")
        .replace("| Regen | 5 |", "| Regen | 6 |")
        .replace(" Gleichstand gibt es nicht.", "")
        .replace("deckt ein Blatt auf. ", "deckt ein Blatt auf. Ein Lied erklingt dazu. ");
    let findings = found(RULES, &new);
    let expected =
        [(Check::Missing, 0), (Check::Changed, 7), (Check::Changed, 10), (Check::Unclaimed, 14), (Check::Changed, 20)];
    assert_eq!(checks(&findings), expected, "{findings:#?}");
    assert_eq!(findings[0].clauses, ["ende/2"]);
    assert!(findings[1].message.contains("fünf Schnecken") && findings[1].cure.contains("print: \""), "{findings:#?}");
}

#[test]
fn a_moved_sentence_is_reported_once() {
    let moved = RULES
        .replace(" Dann kriecht eine Schnecke so weit, wie das Blatt sagt.", "")
        .replace("Die erste Schnecke", "Dann kriecht eine Schnecke so weit, wie das Blatt sagt. Die erste Schnecke");
    let findings = found(RULES, &moved);
    assert_eq!(checks(&findings), [(Check::Moved, 25)], "{findings:#?}");
    assert!(findings[0].message.contains("from „Ablauf“ to „Ende“"));

    let swapped = RULES.replace(
        "Die erste Schnecke im Ziel gewinnt. Gleichstand gibt es nicht.",
        "Gleichstand gibt es nicht. Die erste Schnecke im Ziel gewinnt.",
    );
    let findings = found(RULES, &swapped);
    assert_eq!(checks(&findings), [(Check::Moved, 25)], "{findings:#?}");

    let renamed = RULES.replace("## Ablauf", "## Spielverlauf");
    let findings = found(RULES, &renamed);
    assert_eq!(checks(&findings), [(Check::Heading, 14)], "{findings:#?}");
    assert_eq!(findings[0].clauses.len(), 5);
}

#[test]
fn passages_and_known_defects_are_settled() {
    let text = "## Ablauf\n\nDas macht Freude. Man zieht (stets eine Karte.\n";
    let mut settled = settled(text);
    let passage = settled.registry.clauses.remove(0);
    let report = Report::new(&document(text), &settled);
    assert_eq!(checks(&report.open), [(Check::Unclaimed, 3), (Check::Pair, 3)]);
    settled.kept.passages.push(Passage {
        heading: passage.heading,
        ordinal: 1,
        print: passage.print,
        near: passage.near,
        why: "praise".to_owned(),
    });
    let known =
        Known { check: Check::Pair, subject: "(".to_owned(), heading: "Ablauf".to_owned(), why: "harmless".to_owned() };
    settled.kept.known.push(known);
    let report = Report::new(&document(text), &settled);
    assert_eq!((report.open.len(), report.known.len(), report.gone.len()), (0, 1, 0));
    let mended = text.replace('(', "");
    let report = Report::new(&document(&mended), &settled);
    assert_eq!((checks(&report.open), report.gone.len()), (vec![(Check::Changed, 3)], 1));
}

#[test]
fn a_registry_can_cover_part_of_a_document() {
    let text = "Erstes Spiel\n\nMan rennt.\n\nZweites Spiel\n\nMan schleicht (leise.\n";
    let mut first = settled(text);
    first.registry.clauses.truncate(1);
    first.kept.part.until = "Zweites Spiel".to_owned();
    assert_eq!(Report::new(&document(text), &first).open, []);
    first.kept.part.until = "Drittes Spiel".to_owned();
    assert!(Report::new(&document(text), &first).open.iter().any(|finding| finding.check == Check::Heading));
}

const PARAGRAPHS: &str = "\
## §1 Aufbau

1. Tisch

    Der Tisch steht in der Mitte. (zu „Tauchen“ siehe §2 Absatz 1)

2. Blätter

    Jedes Blatt zeigt eine Muschel oder einen Krebs.

    - a. Muscheln zählen doppelt.
    - b. Krebse zählen nichts (siehe §2 Absatz 1b).

## §2 Ablauf

1. Legen

    Man legt ein Blatt offen hin. (Siehe §1 Absatz 2)

    - a. Muscheln kommen nach links.
    - b. Krebse kommen nach rechts.

2. Tauchen

    Wer keine Blätter hat, taucht ab (siehe §2 Absatz 1 a und c).
";

#[test]
fn references_are_followed() {
    let expected = [(Check::Reference, "§2 Absatz 1".to_owned()), (Check::Reference, "§2 Absatz 1 a und c".to_owned())];
    assert_eq!(flaws(PARAGRAPHS), expected);
    let findings = inspect(&document(PARAGRAPHS));
    assert!(findings[0].cure.contains("§2 Absatz 2"), "{findings:#?}");
    assert!(findings[1].message.contains("no part labelled c"), "{findings:#?}");

    let nowhere = PARAGRAPHS.replace("§1 Absatz 2)", "§7 Absatz 2)");
    assert!(flaws(&nowhere).contains(&(Check::Reference, "§7 Absatz 2".to_owned())));

    // Off by one section: the words fit the neighbour.
    let shifted =
        PARAGRAPHS.replace("Krebse zählen nichts (siehe §2 Absatz 1b)", "Muscheln liegen links (siehe §1 Absatz 1)");
    assert!(flaws(&shifted).contains(&(Check::Reference, "§1 Absatz 1".to_owned())));
}

#[test]
fn referenced_titles_must_exist() {
    let text = "# Spiel\n\n## Spielende:\n\nWer fertig ist, gewinnt (siehe SPIELENDE). Sonst siehe „Wertung“. Mehr: siehe JOKERKARTEN.\n\n\
                ## Wertung\n\nJede Muschel zählt.\n";
    assert_eq!(flaws(text), [(Check::Reference, "JOKERKARTEN".to_owned())]);
}

#[test]
fn directions_to_a_title_must_be_right() {
    let text = "## Liste\n\nAlles steht am Anfang.\n\n## Rest\n\nDas steht in der nachfolgenden Liste.\n";
    assert_eq!(flaws(text), [(Check::Reference, "Liste".to_owned())]);
    let text = "## Rest\n\nDas steht in der Liste am Ende der Seite.\n\n## Liste\n\nHier.\n\n## Anhang\n\nDort.\n";
    assert_eq!(flaws(text), [(Check::Reference, "Liste".to_owned())]);
}

#[test]
fn labels_must_be_consecutive() {
    let list = |labels: &[&str]| {
        let items: Vec<String> = labels.iter().map(|label| format!("- {label}. Etwas wird getan.")).collect();
        flaws(&format!("## Liste\n\n{}\n", items.join("\n")))
    };
    assert_eq!(list(&["a", "b", "c"]), []);
    assert_eq!(list(&["1", "1", "1"]), []);
    assert_eq!(list(&["a", "b", "a"]), [(Check::Label, "a after b".to_owned())]);
    assert_eq!(list(&["2a", "2b", "2d"]), [(Check::Label, "2d after 2b".to_owned())]);
    // Two lists with a text between them.
    assert_eq!(flaws("## L\n\n1. Eins tun.\n2. Zwei tun.\n\nDanach:\n\n1. Drei tun.\n2. Vier tun.\n"), []);
}

#[test]
fn terms_must_be_introduced() {
    let used = "## Beginn\n\nDie Schnecken stehen in der Startaufstellung.\n";
    assert_eq!(flaws(used), [(Check::Term, "Startaufstellung".to_owned())]);
    assert_eq!(flaws(&format!("{used}\n## Startaufstellung\n\nAlle stehen links.\n")), []);
    assert_eq!(flaws(&format!("{used}\nDie Startaufstellung ist frei.\n")), []);
}

#[test]
fn material_must_add_up() {
    let list = "## Material\n\n- 8x Tiere:\n  - 5x Schnecke\n  - 3x Krebs\n- 2x Farben mit jeweils 6 Blättern:\n  \
                - 4x eine Muschel\n  - 2x zwei Muscheln\n- 12x Gemischte:\n  - drei Sorten:\n    - 2x rot\n    - 2x blau\n    \
                - 2x grün\n  - 6x bunt\n";
    assert_eq!(flaws(list), []);
    assert_eq!(flaws(&list.replace("3x Krebs", "4x Krebs")), [(Check::Sum, "8".to_owned())]);
    assert_eq!(flaws(&list.replace("2x zwei", "3x zwei")), [(Check::Sum, "6".to_owned())]);
    assert_eq!(flaws(&list.replace("6x bunt", "7x bunt")), [(Check::Sum, "12".to_owned())]);
    assert_eq!(flaws(&list.replace("drei Sorten", "vier Sorten")), [(Check::Sum, "4".to_owned())]);
}

#[test]
fn totals_and_equations_must_add_up() {
    let table = "## M\n\n| Tier | Zahl |\n|---|---|\n| Krebs | 4 |\n| Aal | 5 |\n| Summe | 9 |\n";
    assert_eq!(flaws(table), []);
    assert_eq!(flaws(&table.replace("| 9 |", "| 10 |")), [(Check::Sum, "10".to_owned())]);
    assert_eq!(flaws("## M\n\nDas sind 3 x 4 + 2 = 14 Blätter.\n"), []);
    assert_eq!(flaws("## M\n\nDas sind 3 x 4 + 2 = 15 Blätter.\n"), [(Check::Sum, "15".to_owned())]);
    for right in [
        "5 - 3 = 2",
        "10 − 3 + 4 = 11",
        "20 / 2 + 3 = 13",
        "1/2 + 1/2 = 1",
        "-3 + 4 = 1",
        "10 x 100 = 1.000",
        "2 x 1.5 = 3",
        "10 x 100 = 1 000",
        "1.000 + 24 = 1.024",
        "3 x 0,5 = 1,5",
        "2 x 3 : 4 = 3/2",
        "4 + 4 = 2 x 4 = 8",
        "6 = 3",
        "1–3 = 1, 4-6 = 2",
        "3 mal 4 = 12",
        "3 mal 4 + 2 = 14",
        "(3 + 4) x 2 = 14",
        "2 x (3 + 4) = 14",
        "10 % von 50 = 5",
        "10 : 3 = 3 Rest 1",
    ] {
        assert_eq!(flaws(&format!("## M\n\nMan rechnet {right} Punkte.\n")), [], "{right}");
    }
    for (wrong, claim) in [
        ("5 - 3 = 3, 4", "3"),
        ("10 x 100 = 1.001", "1.001"),
        ("20 / 2 + 3 = 12", "12"),
        ("1/2 + 1/4 = 1", "1"),
        ("3+4=8", "8"),
        ("3x4 = 13", "13"),
        // The least number that there is.
        ("0 - 9223372036854775808 x 9223372036854775808 - 9223372036854775808 x 9223372036854775808 = 1", "1"),
    ] {
        assert_eq!(
            flaws(&format!("## M\n\nMan rechnet {wrong} Punkte.\n")),
            [(Check::Sum, claim.to_owned())],
            "{wrong}"
        );
    }
    let thousand = "## M\n\n| Tier | Zahl |\n|---|---|\n| Krebs | 400 |\n| Aal | 600 |\n| Summe | 1.000 |\n";
    assert_eq!(flaws(thousand), []);
    assert_eq!(flaws(&thousand.replace("400", "401")), [(Check::Sum, "1000".to_owned())]);
    assert_eq!(flaws(&table.replace("| 4 |", "| 1,5 |").replace("| 5 |", "| 2,5 |").replace("| 9 |", "| 4 |")), []);
    let shares = "## M\n\nBei 2 Spielern sind es insgesamt 20 Blätter, bei 3 Spielern 30 und bei 4 Spielern 45.\n";
    assert_eq!(flaws(shares), [(Check::Sum, "45".to_owned())]);
    let players = "## M\n\nFür 2 bis 5 Spieler. Bei 5 und mehr Spielern gibt es eine Karte weniger.\n";
    assert_eq!(flaws(players), [(Check::Sum, "5 und mehr".to_owned())]);
}

#[test]
fn missing_pictures_and_columns_are_reported() {
    let text = "## Zug\n\nHierunter ist ein Beispiel.\n\n![Beispiel](zug.png)\n";
    assert_eq!(flaws(text), []);
    assert_eq!(flaws("## Zug\n\nHierunter ist ein Beispiel.\n\nMehr nicht.\n").len(), 1);
    for picture in ["Abb. 3", "Abbildung 3"] {
        let found = flaws(&format!("## Zug\n\nDer Krebs geht seitwärts (siehe {picture}).\n"));
        assert_eq!(found.iter().map(|(check, _)| *check).collect::<Vec<_>>(), [Check::Lost], "{picture}: {found:?}");
    }
    let table = "## M\n\n| Tier | frisst |\n|---|---|\n| Krebs |  |\n| Aal | |\n";
    assert_eq!(flaws(table), [(Check::Lost, "frisst".to_owned())]);
}

#[test]
fn any_text_can_be_parsed() {
    let parts = [
        "§", "1.", "a)", "(", ")", "„", "“", "|", "\t", "- ", "\n", "\n\n", "...", "x", "Ä", "=", "siehe ", "#", " ",
        "](", "9",
    ];
    let mut state: u64 = 7;
    for length in 0..400_usize {
        let mut text = String::new();
        for _ in 0..length {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(parts[usize::try_from(state >> 33).unwrap_or(0) % parts.len()]);
        }
        let document = document(&text);
        let _ = inspect(&document);
        let settled = settled(&text);
        let report = Report::new(&document, &settled);
        assert_eq!(report.summary.clauses, report.summary.found, "{text:?}");
    }
    assert!(Document::read(&"x".repeat(regelwerk::document::LENGTH + 1)).is_err());
}

/// Long texts that could be slow: each takes seconds, where restarting a search at every position would take hours;
/// and every clause listed in the registry is found.
#[test]
fn long_texts_are_parsed_completely() {
    for part in
        ["(", "](", "a. ", "- a\n", "siehe A ", "§1 a(", "Tabelle. ", "1. A\n\n", "## A\n\n", "|a|b|\n", "2. x 1 = 2"]
    {
        let text = part.repeat(100_000 / part.len());
        let document = document(&text);
        let _ = inspect(&document);
        let report = Report::new(&document, &settled(&text));
        assert_eq!(report.summary.clauses, report.summary.found, "{part:?}");
    }
}

/// Every clause whose document is available has a fingerprint, and so does every passage.
#[test]
fn shipped_registries_have_fingerprints() {
    let sound = |print: &str| print.len() == 16 && print.chars().all(|c| c.is_ascii_hexdigit() && !c.is_uppercase());
    let mut clauses = 0;
    for path in files_below(&root("rules"), "ron") {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = read(&path);
        match name.as_str() {
            "clauses.ron" => {
                let registry = read_registry(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                for clause in &registry.clauses {
                    let fine =
                        sound(&clause.print) && sound(&clause.near) && clause.ordinal > 0 && !clause.heading.is_empty();
                    assert!(fine, "{}: {clause:?}", path.display());
                    assert!(clause.also.iter().all(|(print, near)| sound(print) && sound(near)), "{clause:?}");
                }
                clauses += registry.clauses.len();
            }
            "document.ron" => {
                let kept = read_kept(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                for passage in &kept.passages {
                    assert!(sound(&passage.print) && !passage.why.is_empty(), "{}: {passage:?}", path.display());
                }
                assert!(kept.known.iter().all(|known| !known.why.is_empty()), "{}", path.display());
            }
            "supplement.ron" => {
                let registry = read_registry(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                assert!(registry.clauses.iter().all(|clause| clause.print.is_empty()), "a document not available");
            }
            _ => {}
        }
    }
    assert_eq!(clauses, 320);
}

/// Parts with the same heading do not disturb each other: a document differs in nothing from its own draft, and a sentence
/// that is moved within one of them is found.
#[test]
fn parts_with_one_heading_keep_their_order() {
    let text = "# Game\n\n## Turn\n\nDraw a card. Play a card. Pass on the dice.\n\n## Turn\n\nRoll the dice. Move a pawn.\n\n\
                ## Turn\n\nCount the pawns. Stop the game.\n";
    assert_eq!(found(text, text), []);
    let moved = text.replace("Play a card. Pass on the dice.", "Pass on the dice. Play a card.");
    let moved = checks(&found(text, &moved));
    assert!(!moved.is_empty() && moved.iter().all(|finding| *finding == (Check::Moved, 5)), "{moved:?}");
}
