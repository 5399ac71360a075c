//! From a game to the blocks of its rulebook.

use super::{Block, Book, BookInput, ClauseEntry, Decided, ReadingChoice};
use crate::ir::{Force, RuleId, Sight, ZoneForm};
use crate::load::Choice;
use crate::notation::{claim_pattern, move_pattern};
use crate::say::{Arg, Lang};
use crate::syntax::ast::Cite;
use crate::syntax::ast::item::{ItemKind, Rows};
use crate::view::{kind_of_clause, picture, seat_symbol, seat_title};

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
        picture: picture(game, input.opening, &input.lang.say("book-picture", &[])),
    }
}

fn titled<'a>(title: &'a str, name: &'a str) -> &'a str {
    if title.is_empty() { name } else { title }
}

/// The heads of the columns of a table.
fn heads(lang: Lang, ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| lang.say(id, &[])).collect()
}

fn head(input: &BookInput<'_>) -> Vec<String> {
    let (game, lang) = (input.game, input.lang);
    let mut lines: Vec<String> =
        game.documents.iter().map(|title| lang.say("book-after", &[("document", title.into())])).collect();
    let mut numbers = input.offer.players.clone();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    let args = [("numbers", Arg::Text(&numbers.join(", "))), ("here", game.seats.len().into())];
    lines.push(lang.say("book-players", &args));
    let named = |name: &String| {
        let known = input.offer.variants.iter().find(|(variant, ..)| variant == name);
        let title = known.map_or(name, |(_, title, _)| title);
        game.clauses.setting(lang.tag(), name).unwrap_or(title).to_owned()
    };
    if !game.variants.is_empty() {
        let names: Vec<String> = game.variants.iter().map(named).collect();
        lines.push(lang.say("book-with", &[("variants", Arg::Text(&names.join(", ")))]));
    }
    let all = game.clauses.clauses.values();
    let other = all.clone().filter(|clause| !clause.translations.contains_key(lang.tag())).count();
    // Registries are written in the first language.
    if lang != Lang::default() && other > 0 {
        lines.push(lang.say("book-untranslated", &[("count", other.into()), ("all", all.count().into())]));
    }
    lines
}

fn begin(input: &BookInput<'_>, blocks: &mut Vec<Block>) {
    let (game, lang) = (input.game, input.lang);
    blocks.push(Block::Chapter(lang.say("book-setup", &[])));
    if !game.topology.sites.is_empty() {
        let seed = input.opening.zones.iter().flatten().any(|list| !list.is_empty());
        blocks.push(Block::Picture(if seed { lang.say("book-one-start", &[]) } else { lang.say("book-start", &[]) }));
    }
    let rows = (0..game.seats.len()).map(|seat| vec![seat_title(game, seat).to_owned(), seat_symbol(game, seat)]);
    let head = heads(lang, &["book-player", "book-symbol"]);
    blocks.push(Block::Table(lang.say("book-order", &[]), head, rows.collect()));
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
            let whose = if kind.owned { lang.say("book-owned", &[]) } else { lang.say("book-unowned", &[]) };
            vec![titled(&kind.title, &kind.name).to_owned(), kind.symbol.clone(), whose]
        })
        .collect();
    if !single.is_empty() {
        let head = heads(lang, &["book-piece", "book-symbol", "book-whose"]);
        found.push(Block::Table(lang.say("book-pieces", &[]), head, single));
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
                ZoneForm::Pile => lang.say("book-pile", &[]),
                ZoneForm::Row => lang.say("book-row", &[]),
                ZoneForm::Set => lang.say("book-set", &[]),
            };
            let limit = zone.limit.map_or_else(|| "–".to_owned(), |limit| limit.to_string());
            let sight = match zone.sight {
                Sight::All => lang.say("book-all", &[]),
                Sight::Nobody => lang.say("book-nobody", &[]),
                Sight::Seats(_) => lang.say("book-some", &[]),
            };
            vec![zone.name.clone(), form, limit, sight]
        })
        .collect();
    if !zones.is_empty() {
        let head = heads(lang, &["book-place", "book-form", "book-most", "book-seen"]);
        found.push(Block::Table(lang.say("book-zones", &[]), head, zones));
    }
    if !found.is_empty() {
        blocks.push(Block::Chapter(lang.say("book-material", &[])));
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
            let rules = lang.say("book-rules", &[]);
            blocks.push(Block::Chapter(titled(&clause.heading, &rules).to_owned()));
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
            kind: kind_of_clause(lang, clause),
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
    blocks.push(Block::Chapter(lang.say("book-notation", &[])));
    let head = heads(lang, &["book-what", "book-written", "book-clauses"]);
    blocks.push(Block::Table(String::new(), head, rows));
}

/// What a choice means.
fn meaning(input: &BookInput<'_>, choice: &Choice) -> String {
    input.game.clauses.setting(input.lang.tag(), &choice.name).unwrap_or(&choice.text).to_owned()
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
            (true, _) => lang.say("book-any", &[]),
            (false, _) => values.join(", "),
        };
        vec![choice.name.clone(), meaning(input, choice), chosen(input, choice), values, cited.join(", ")]
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
            let title = input.game.clauses.setting(lang.tag(), name).unwrap_or(title);
            vec![title.to_owned(), name.clone(), cited.join(", ")]
        })
        .collect();
    if options.is_empty() && readings.is_empty() && variants.is_empty() {
        return;
    }
    blocks.push(Block::Chapter(lang.say("book-settings", &[])));
    let wide = ["book-name", "book-meaning", "book-here", "book-values", "book-clauses"];
    for (caption, rows) in [("book-options", options), ("book-readings", readings)] {
        if !rows.is_empty() {
            blocks.push(Block::Table(lang.say(caption, &[]), heads(lang, &wide), rows));
        }
    }
    if !variants.is_empty() {
        let narrow = heads(lang, &["book-variant", "book-name", "book-clauses"]);
        blocks.push(Block::Table(lang.say("book-variants", &[]), narrow, variants));
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
            ReadingChoice { name: choice.name.clone(), text: meaning(input, choice), chosen, others }
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
        blocks.push(Block::Chapter(lang.say("book-gaps", &[])));
        blocks.push(Block::Text(lang.say("book-gaps-note", &[])));
        blocks.append(&mut found);
    }
}
