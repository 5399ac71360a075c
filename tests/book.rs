//! Rulebooks: every clause exactly once, in pages that other programs can read.

use std::collections::BTreeMap;

use regelwerk::book::{BookInput, Lang, book, html, markdown};
use regelwerk::ir::Force;
use regelwerk::load::{Files, Loaded, Setup, load};
use regelwerk::model::{Engine, Viewer};
use regelwerk::play::{Stream, deal};
use regelwerk::reference::Walker;
use roxmltree::{Document, Node, ParsingOptions};

use crate::support::{GAMES, load_file, reports, rules_of};

/// Markdown, page and picture of a game.
fn written(mut loaded: Loaded, lang: Lang) -> (Walker, [String; 3]) {
    let text = reports(&loaded);
    let engine = Walker::new(loaded.game.take().unwrap_or_else(|| panic!("{text}")));
    let opening = deal(&engine, engine.start(), &mut Stream::new(0, "deal", 0));
    let opening = engine.explain().observation(&opening, Viewer::Spectator);
    let (items, offer, altered) = (&loaded.items, &loaded.offer, &BTreeMap::new());
    let input = BookInput { game: engine.game(), items, offer, opening: &opening, altered, lang };
    let book = book(&input);
    let pages = [markdown(&book, "board.svg"), html(&book), book.picture];
    (engine, pages)
}

fn shipped(game: &str, setup: &Setup, lang: Lang) -> (Walker, [String; 3]) {
    written(load_file(&rules_of(game), setup), lang)
}

fn read(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn with_class<'a>(page: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    page.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

/// All text below a node.
fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|part| if part.is_text() { part.text() } else { None }).collect()
}

/// Clauses, gaps, the reasons for clauses that are only recorded, and what options and readings mean.
#[test]
fn the_games_are_translated_whole() {
    for name in GAMES {
        let (engine, [markdown, ..]) = shipped(name, &Setup::default(), Lang::De);
        assert!(!markdown.contains("liegen nur auf Englisch vor"), "{name}");
        for (id, clause) in &engine.game().clauses.clauses {
            let german = clause.translations.get("de").unwrap_or_else(|| panic!("{name} §{id}"));
            assert_eq!(german.gap.is_some(), clause.gap.is_some(), "{name} §{id}");
            assert_ne!(german.text, clause.text, "{name} §{id}");
            let recorded = matches!(&clause.force, Force::Documented(reason) if !reason.is_empty());
            assert_eq!(german.reason.is_empty(), !recorded, "{name} §{id}");
        }
        let offer = load_file(&rules_of(name), &Setup::default()).offer;
        for choice in offer.options.iter().chain(&offer.readings) {
            assert!(engine.game().clauses.setting("de", &choice.name).is_some(), "{name}: {}", choice.name);
        }
    }
}

#[test]
fn every_clause_is_in_the_book_exactly_once() {
    for game in GAMES {
        for lang in [Lang::De, Lang::En] {
            let (engine, [markdown, html, _]) = shipped(game, &Setup::default(), lang);
            let page = read(&html);
            let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for node in with_class(&page, "clause") {
                let id = node.attribute("data-clause").expect("an id").to_owned();
                found.entry(id).or_default().push(text_of(node));
            }
            let clauses = &engine.game().clauses.clauses;
            assert_eq!(found.len(), clauses.len(), "{game}");
            for (id, clause) in clauses {
                let says = clause.gap_in(lang.tag()).map_or(clause.text_in(lang.tag()), |gap| &gap.decision);
                assert_eq!(found.get(id), Some(&vec![says.to_owned()]), "{game} §{id}");
                assert_eq!(markdown.matches(&format!("**§{id}**")).count(), 1, "{game} §{id}");
            }
            // Every link has a target, and the language is declared.
            let ids: Vec<&str> = page.descendants().filter_map(|node| node.attribute("id")).collect();
            for link in page.descendants().filter_map(|node| node.attribute("href")) {
                let target = link.strip_prefix('#').expect("a link within the page");
                assert!(ids.contains(&target), "{game}: {link} leads nowhere");
            }
            assert_eq!(page.root_element().attribute("lang"), Some(lang.tag()));
            assert!(!html.contains("<script"), "{game}");
        }
    }
}

/// The numbers come from the documents.
#[test]
fn pictures_have_the_cells_and_pieces_of_the_document() {
    let stones = [
        ("halma", None, 100, 30),         // ten by ten, two houses of fifteen
        ("sternhalma", None, 181, 30),    // a star with points of five rows; each player has fifteen
        ("sternhalma", Some(6), 181, 90), // every player has all fifteen
        ("halali", None, 53, 48),         // seven by seven and four exits, the clearing in the middle is free
        ("hai-noon", None, 16, 16),       // twelve sharks round four divers
        ("hai-noon", Some(3), 16, 16),    // three divers and the dummy
        ("kalaha", None, 14, 0),          // two sides of six fields and a store
        ("kalaha", Some(3), 21, 0),
    ];
    for (game, players, fields, pieces) in stones {
        let (_, [_, html, picture]) = shipped(game, &Setup { players, ..Setup::default() }, Lang::En);
        assert!(html.contains(&picture), "{game}: the page has the picture");
        let svg = read(&picture);
        let sites = with_class(&svg, "site");
        assert_eq!(sites.len(), fields, "{game} {players:?}");
        assert_eq!(with_class(&svg, "piece").len(), pieces, "{game} {players:?}");
        let mut names: Vec<&str> = sites.iter().filter_map(|site| site.attribute("data-site")).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), fields, "{game}: every field once");
    }
    // Four seeds on every cell except the stores.
    let (_, [_, _, picture]) = shipped("kalaha", &Setup::default(), Lang::En);
    let svg = read(&picture);
    let seeds: Vec<String> = with_class(&svg, "tokens").into_iter().map(text_of).collect();
    assert_eq!(seeds, ["4"; 12]);
    // Without a board there is no picture.
    let (_, [markdown, html, picture]) = shipped("halli-galli", &Setup::default(), Lang::En);
    assert!(picture.is_empty() && !html.contains("<svg") && !markdown.contains("board.svg"));
}

/// No two cells are in the same place.
#[test]
fn cells_do_not_overlap() {
    for name in ["morris", "hex", "twelve-points", "chess"] {
        let path = crate::support::root(&format!("tests/fixtures/{name}.rules"));
        let (engine, [_, _, picture]) = written(load_file(&path, &Setup::default()), Lang::En);
        let svg = read(&picture);
        let shapes = ["rect", "polygon"];
        let mut places: Vec<(String, String)> = Vec::new();
        for site in with_class(&svg, "site") {
            let shape = site.children().find(|node| shapes.contains(&node.tag_name().name()));
            let shape = shape.or_else(|| site.children().find(|node| node.tag_name().name() == "circle"));
            let shape = shape.expect("a field");
            let at = |names: [&str; 3]| names.iter().find_map(|name| shape.attribute(*name)).unwrap_or("").to_owned();
            let board = site.parent().and_then(|board| board.attribute("transform")).unwrap_or("");
            places.push((format!("{board} {}", at(["x", "cx", "points"])), at(["y", "cy", "points"])));
        }
        places.sort();
        places.dedup();
        assert_eq!(places.len(), engine.game().topology.sites.len(), "{name}");
    }
}

#[test]
fn the_reading_chosen_is_marked_with_its_alternatives() {
    let readings = vec![("capturing_stone".to_owned(), "moves_too".to_owned())];
    let (_, [markdown, html, _]) = shipped("kalaha", &Setup { readings, ..Setup::default() }, Lang::En);
    let page = read(&html);
    let line = with_class(&page, "reading").into_iter().map(text_of).find(|line| line.starts_with("capturing_stone"));
    assert_eq!(line.as_deref(), Some("capturing_stone: where the capturing stone goes: moves_too | stays"));
    assert!(markdown.contains("- `capturing_stone` = **moves\\_too** | stays: "), "{markdown}");
    let (_, [again, ..]) = shipped("kalaha", &Setup::default(), Lang::En);
    assert!(again.contains("- `capturing_stone` = **stays** | moves\\_too: "));
    assert_eq!(shipped("kalaha", &Setup::default(), Lang::En).1[0], again);
}

/// A registry with a German restatement, and one with markup in it.
struct Registry;

impl Files for Registry {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        let text = match file {
            "clauses.ron" => {
                "Registry(document: \"d\", clauses: [
                    Clause(id: \"a/1\", heading: \"Tom & <Jerry>\", kind: Setup, text: \"Two play.\"),
                    Clause(id: \"a/2\", heading: \"Tom & <Jerry>\", kind: End, text: \"</span><script>1 | 2*3_4</script>\"),
                ])"
            }
            "de.ron" => {
                "Translation(language: \"de\", clauses: { \"a/1\": \"Zwei spielen.\" },
                    gaps: { \"g/1\": (question: \"Wer?\", decision: \"Ich.\", alternatives: [\"<b>du</b>\"]) })"
            }
            _ => "Ledger(gaps: [Gap(id: \"g/1\", question: \"Who?\", decision: \"Me.\",
                alternatives: [\"<b>you</b>\"])])",
        };
        Ok((file.to_owned(), text.to_owned()))
    }
}

#[test]
fn both_languages_appear_and_markup_is_escaped() {
    let rules =
        "game g \"<G> & \\\"\" document \"d\" clauses \"clauses.ron\" ledger \"ledger.ron\" translation \"de.ron\"
players a, b §a/1  reading who = me_first | you \"who?\" §g/1
board square 1 x 1  action pass_on {}  play { if who == me_first { mover plays pass_on §a/2 } }";
    let rules = rules.replace("<G> & \\\"", "<G> & 'G'");
    let load = || load("g.rules", &rules, &Registry, &Setup::default());
    for (lang, first, question) in [(Lang::De, "Zwei spielen.", "Wer?"), (Lang::En, "Two play.", "Who?")] {
        let (_, [markdown, html, _]) = written(load(), lang);
        let page = read(&html);
        let said: Vec<String> = with_class(&page, "clause").into_iter().map(text_of).collect();
        let decision = if lang == Lang::De { "Ich." } else { "Me." };
        assert_eq!(said, [first, "</span><script>1 | 2*3_4</script>", decision]);
        assert_eq!(text_of(with_class(&page, "question")[0]), question);
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert!(markdown.contains("\\</span\\>\\<script\\>1 \\| 2\\*3\\_4"), "{markdown}");
        // One of three has no German restatement, and only a German book says so.
        assert_eq!(markdown.contains("1 von 3 Sätzen"), lang == Lang::De);
    }
}
