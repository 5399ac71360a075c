//! From a game to the blocks of its rulebook.

use super::{Block, Book, BookInput, ClauseEntry, Decided, ReadingChoice};
use crate::ir::{Force, RuleId, Sight, ZoneForm};
use crate::load::Choice;
use crate::notation::{claim_pattern, move_pattern};
use crate::syntax::ast::Cite;
use crate::syntax::ast::item::{ItemKind, Rows};
use crate::view::{picture, seat_symbol, seat_title};

/// The book of a game.
#[must_use]
pub fn book(input: &BookInput<'_>) -> Book {
    let mut blocks = Vec::new();
    begin(input, &mut blocks);
    material(input, &mut blocks);
    clauses(input, &mut blocks);
    moves(input, &mut blocks);
    settings(input, &mut blocks);
    gaps(input, &mut blocks);
    let game = input.game;
    Book {
        title: titled(&game.title, &game.name).to_owned(),
        head: head(input),
        lang: input.lang,
        blocks,
        picture: picture(game, input.opening, input.lang.say("Die Aufstellung", "The setup")),
    }
}

fn titled<'a>(title: &'a str, name: &'a str) -> &'a str {
    if title.is_empty() { name } else { title }
}

fn head(input: &BookInput<'_>) -> Vec<String> {
    let (game, lang) = (input.game, input.lang);
    let mut lines: Vec<String> =
        game.documents.iter().map(|title| format!("{} {title}", lang.say("Nach:", "After:"))).collect();
    let mut numbers = input.offer.players.clone();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    lines.push(format!(
        "{} {}; {} {}",
        lang.say("Spieler:", "Players:"),
        numbers.join(", "),
        lang.say("hier:", "here:"),
        game.seats.len()
    ));
    let named = |name: &String| {
        let known = input.offer.variants.iter().find(|(variant, ..)| variant == name);
        known.map_or_else(|| name.clone(), |(_, title, _)| title.clone())
    };
    if !game.variants.is_empty() {
        let names: Vec<String> = game.variants.iter().map(named).collect();
        lines.push(format!("{} {}", lang.say("Mit:", "With:"), names.join(", ")));
    }
    let all = game.clauses.clauses.values();
    let english = all.clone().filter(|clause| !clause.translations.contains_key(lang.tag())).count();
    if lang == super::Lang::De && english > 0 {
        lines.push(format!("{english} von {} Sätzen liegen nur auf Englisch vor und stehen hier so.", all.count()));
    }
    lines
}

fn begin(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let (game, lang) = (input.game, input.lang);
    blocks.push(Block::Chapter(lang.say("Aufstellung", "Setup").to_owned()));
    if !game.topology.sites.is_empty() {
        let seed = input.opening.zones.iter().flatten().any(|list| !list.is_empty());
        blocks.push(Block::Picture(if seed {
            lang.say(
                "So kann das Spiel beginnen; was verdeckt liegt, ist verdeckt.",
                "One possible start of the game; hidden pieces are shown face down.",
            )
            .to_owned()
        } else {
            lang.say("So beginnt das Spiel.", "The start of the game.").to_owned()
        }));
    }
    let rows = (0..game.seats.len()).map(|seat| vec![seat_title(game, seat).to_owned(), seat_symbol(game, seat)]);
    let head = vec![lang.say("Spieler", "Player").to_owned(), lang.say("Zeichen", "Symbol").to_owned()];
    blocks.push(Block::Table(
        lang.say("Spieler in der Zugfolge", "Players in turn order").to_owned(),
        head,
        rows.collect(),
    ));
}

fn cites(cites: &[Cite]) -> String {
    cites.iter().map(|cite| format!("§{}", cite.node)).collect::<Vec<_>>().join(", ")
}

/// Kinds, tables and zones.
fn material(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let (game, lang) = (input.game, input.lang);
    let mut found = Vec::new();
    let single: Vec<Vec<String>> = game
        .kinds
        .iter()
        .filter(|kind| kind.class.is_none())
        .map(|kind| {
            let whose =
                if kind.owned { lang.say("der Spieler", "the players'") } else { lang.say("niemandes", "nobody's") };
            vec![titled(&kind.title, &kind.name).to_owned(), kind.symbol.clone(), whose.to_owned()]
        })
        .collect();
    if !single.is_empty() {
        let head = [("Figur", "Piece"), ("Zeichen", "Symbol"), ("wessen", "whose")];
        let head = head.iter().map(|(de, en)| lang.say(de, en).to_owned()).collect();
        found.push(Block::Table(lang.say("Figuren", "Pieces").to_owned(), head, single));
    }
    for item in input.items {
        if let ItemKind::Kinds { name, rows, .. } | ItemKind::Table(name, rows) = &item.kind {
            let cited = cites(&item.cites);
            let caption = if cited.is_empty() { name.node.clone() } else { format!("{} ({cited})", name.node) };
            found.push(table(caption, rows));
        }
    }
    let zones: Vec<Vec<String>> = game
        .zones
        .iter()
        .map(|zone| {
            let form = match zone.form {
                ZoneForm::Pile => lang.say("Stapel", "pile"),
                ZoneForm::Row => lang.say("Reihe", "row"),
                ZoneForm::Set => lang.say("Hand", "set"),
            };
            let limit = zone.limit.map_or_else(|| "–".to_owned(), |limit| limit.to_string());
            let sight = match zone.sight {
                Sight::All => lang.say("alle", "all"),
                Sight::Nobody => lang.say("niemand", "nobody"),
                Sight::Seats(_) => lang.say("wer darf", "who may"),
            };
            vec![zone.name.clone(), form.to_owned(), limit, sight.to_owned()]
        })
        .collect();
    if !zones.is_empty() {
        let head = [("Ort", "Place"), ("Form", "Form"), ("höchstens", "at most"), ("gesehen von", "seen by")];
        let head = head.iter().map(|(de, en)| lang.say(de, en).to_owned()).collect();
        found.push(Block::Table(lang.say("Neben dem Brett", "Off the board").to_owned(), head, zones));
    }
    if !found.is_empty() {
        blocks.push(Block::Chapter(lang.say("Material", "Material").to_owned()));
        blocks.append(&mut found);
    }
}

fn table(caption: String, rows: &Rows) -> Block {
    // Only the name of `name: type` is for readers.
    let name = |cell: &str| cell.split(':').next().unwrap_or("").trim().to_owned();
    let mut head: Vec<String> = rows.header.cells.iter().map(|cell| name(&cell.node)).collect();
    let cited = rows.body.iter().any(|row| !row.cites.is_empty());
    head.extend(cited.then(|| "§".to_owned()));
    let body = rows.body.iter().map(|row| {
        let mut cells: Vec<String> = row.cells.iter().map(|cell| cell.node.clone()).collect();
        cells.extend(cited.then(|| cites(&row.cites)));
        cells
    });
    Block::Table(caption, head, body.collect())
}

/// The clauses, grouped by the headings of their documents.
fn clauses(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let lang = input.lang;
    let mut heading: Option<&str> = None;
    for (id, clause) in input.game.clauses.clauses.iter().filter(|(_, clause)| clause.gap.is_none()) {
        if heading != Some(&clause.heading) {
            heading = Some(&clause.heading);
            let rules = lang.say("Regeln", "Rules");
            blocks.push(Block::Chapter(titled(&clause.heading, rules).to_owned()));
        }
        let reason = clause.translations.get(lang.tag()).map(|other| &other.reason).filter(|other| !other.is_empty());
        let (gaps, recorded) = match &clause.force {
            Force::Assumed(gaps) => (gaps.clone(), None),
            Force::Documented(english) => (Vec::new(), Some(reason.unwrap_or(english).clone())),
            Force::Executable | Force::Gap => (Vec::new(), None),
        };
        blocks.push(Block::ClauseEntry(ClauseEntry {
            id: id.clone(),
            text: clause.text_in(lang.tag()).to_owned(),
            kind: lang.kind(&clause.kind),
            gaps,
            recorded,
            altered: input.altered.get(id).map(|altered| altered.text(lang)),
        }));
    }
}

/// The actions, and how their moves are written.
fn moves(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let (game, lang) = (input.game, input.lang);
    let cited = |rule: RuleId| {
        let clauses = game.rules.get(rule).map(|rule| rule.clauses.as_slice()).unwrap_or_default();
        clauses.iter().map(|clause| format!("§{clause}")).collect::<Vec<_>>().join(", ")
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for action in &game.actions {
        let title = titled(&action.title, &action.name).to_owned();
        rows.push(vec![title, move_pattern(game, action), cited(action.rule)]);
    }
    for claim in &game.claims {
        let title = titled(&claim.action.title, &claim.action.name).to_owned();
        rows.push(vec![title, claim_pattern(game, &claim.action), cited(claim.action.rule)]);
    }
    for offer in &game.offers {
        let title = titled(&offer.title, &offer.name).to_owned();
        rows.push(vec![title, format!("offer {}", offer.name), cited(offer.rule)]);
    }
    blocks.push(Block::Chapter(lang.say("Wie man Züge schreibt", "Notation").to_owned()));
    let head = [("was", "what"), ("geschrieben", "written"), ("§", "§")];
    let head = head.iter().map(|(de, en)| lang.say(de, en).to_owned()).collect();
    blocks.push(Block::Table(String::new(), head, rows));
}

/// The value of a choice in this game.
fn chosen(input: &BookInput<'_>, choice: &Choice) -> String {
    let found = input.game.settings.iter().find(|(name, _)| *name == choice.name);
    found.map_or_else(|| choice.default.clone(), |(_, value)| value.clone())
}

fn is_gap(input: &BookInput<'_>, id: &str) -> bool {
    input.game.clauses.clauses.get(id).is_some_and(|clause| clause.gap.is_some())
}

/// Options, variants, and readings that belong to no gap.
fn settings(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let lang = input.lang;
    let row = |choice: &Choice| {
        let cited: Vec<String> = choice.clauses.iter().map(|clause| format!("§{clause}")).collect();
        let values = if choice.values.len() > 12 { Vec::new() } else { choice.values.clone() };
        let values = match (values.is_empty(), choice.values.as_slice()) {
            (true, [first, .., last]) => format!("{first} … {last}"),
            (true, _) => lang.say("beliebig", "any").to_owned(),
            (false, _) => values.join(", "),
        };
        vec![choice.name.clone(), choice.text.clone(), chosen(input, choice), values, cited.join(", ")]
    };
    let options: Vec<Vec<String>> = input.offer.options.iter().map(row).collect();
    let lone = input.offer.readings.iter().filter(|choice| !choice.clauses.iter().any(|id| is_gap(input, id)));
    let readings: Vec<Vec<String>> = lone.map(row).collect();
    let variants: Vec<Vec<String>> = input
        .offer
        .variants
        .iter()
        .map(|(name, title, clauses)| {
            let cited: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
            vec![title.clone(), name.clone(), cited.join(", ")]
        })
        .collect();
    if options.is_empty() && readings.is_empty() && variants.is_empty() {
        return;
    }
    blocks.push(Block::Chapter(lang.say("Was sich einstellen lässt", "Options and readings").to_owned()));
    let head = |pairs: &[(&'static str, &'static str)]| -> Vec<String> {
        pairs.iter().map(|(de, en)| lang.say(de, en).to_owned()).collect()
    };
    let wide = [("Name", "name"), ("Bedeutung", "meaning"), ("hier", "here"), ("Werte", "values"), ("§", "§")];
    for (de, en, rows) in [("Optionen", "Options", options), ("Lesarten", "Readings", readings)] {
        if !rows.is_empty() {
            blocks.push(Block::Table(lang.say(de, en).to_owned(), head(&wide), rows));
        }
    }
    if !variants.is_empty() {
        let narrow = [("Variante", "variant"), ("Name", "name"), ("§", "§")];
        blocks.push(Block::Table(lang.say("Varianten", "Variants").to_owned(), head(&narrow), variants));
    }
}

/// The decided gaps, each with the readings available for it.
fn gaps(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let lang = input.lang;
    let mut found = Vec::new();
    for (id, clause) in &input.game.clauses.clauses {
        let Some(gap) = clause.gap_in(lang.tag()) else { continue };
        let choices = input.offer.readings.iter().filter(|choice| choice.clauses.contains(id));
        let switches = choices.map(|choice| {
            let chosen = chosen(input, choice);
            let others = choice.values.iter().filter(|value| **value != chosen).cloned().collect();
            ReadingChoice { name: choice.name.clone(), text: choice.text.clone(), chosen, others }
        });
        found.push(Block::Decided(Decided {
            id: id.clone(),
            question: gap.question.clone(),
            decision: gap.decision.clone(),
            alternatives: gap.alternatives.clone(),
            switches: switches.collect(),
        }));
    }
    if !found.is_empty() {
        blocks.push(Block::Chapter(
            lang.say("Was offen war und wie es hier gilt", "Gaps and how they are read here").to_owned(),
        ));
        let note = lang.say(
            "Das Dokument lässt dies offen. Wo es eine Lesart gibt, kann sie anders gewählt werden.",
            "The document leaves these points open. Where there is a reading, another alternative can be chosen.",
        );
        blocks.push(Block::Text(note.to_owned()));
        blocks.append(&mut found);
    }
}
