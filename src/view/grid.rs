//! Boards with coordinates: squares and hexes. Other boards are drawn in `line`.

use crate::base::SaturatingFrom;
use std::collections::BTreeMap;

use super::line::{graph, track};
use super::paint::{Canvas, Ink, Look};
use super::symbol::{Mark, Scene};
use crate::ir::{Board, BoardForm, Game, Site};
use crate::model::Observation;

/// The boards of a position as text.
#[must_use]
pub fn board(game: &Game, position: &Observation, look: &Look) -> String {
    let scene = &Scene::new(game, position, look);
    let mut text = String::new();
    let mut boards = game.topology.boards.as_slice();
    while let [board, rest @ ..] = boards {
        let nested = nested_rings(game, boards);
        if nested > 0 {
            let (rings, rest) = boards.split_at(nested);
            boards = rest;
            text.push_str(&frames(scene, rings));
            continue;
        }
        boards = rest;
        if game.topology.boards.len() > 1 {
            text.push_str(&board.name);
            text.push('\n');
        }
        let sites = sites(game, board);
        text.push_str(&match board.form {
            BoardForm::Square => square(scene, &sites),
            BoardForm::Hex => hex(scene, &sites),
            BoardForm::Line { .. } => track(scene, &sites),
            BoardForm::Graph => match placed(&sites) {
                Some(placed) => {
                    let sites: Vec<Numbered<'_>> = placed.iter().map(|(number, site)| (*number, site)).collect();
                    square(scene, &sites)
                }
                None => graph(scene, &sites),
            },
        });
    }
    text
}

/// Whether a board is an unowned ring that can be drawn as a square frame.
fn is_frame(game: &Game, board: &Board) -> bool {
    let square = board.count >= 4 && board.count.is_multiple_of(4) && board.count <= 64;
    board.form == BoardForm::Line { closed: true }
        && square
        && sites(game, board).iter().all(|(_, site)| site.seat.is_none())
}

/// How many boards, from the first on, are rings that each fit into the one before.
pub(super) fn nested_rings(game: &Game, boards: &[Board]) -> usize {
    let fits = |pair: &[Board]| pair[0].count == pair[1].count + 8 && is_frame(game, &pair[1]);
    match boards {
        [first, ..] if is_frame(game, first) => 1 + boards.windows(2).take_while(|pair| fits(pair)).count(),
        _ => 0,
    }
}

/// Nested rings as square frames, clockwise from the top left corner.
fn frames(scene: &Scene<'_>, rings: &[Board]) -> String {
    let placed = framed(scene.game, rings);
    let sites: Vec<Numbered<'_>> = placed.iter().map(|(number, site)| (*number, site)).collect();
    laid_out(scene, &sites, Labels::Sites)
}

/// The sites of nested rings with their columns and rows in square frames.
pub(super) fn framed(game: &Game, rings: &[Board]) -> Vec<(usize, Site)> {
    let mut placed: Vec<(usize, Site)> = Vec::new();
    let Some(outer) = rings.first().map(|ring| i32::from(ring.count) / 4) else { return Vec::new() };
    for (depth, ring) in (0..).zip(rings) {
        let side = i32::from(ring.count) / 4;
        for (n, (number, site)) in (0..).zip(sites(game, ring)) {
            let along = n % side;
            let (x, y) = match n / side {
                0 => (along, 0),
                1 => (side, along),
                2 => (side - along, side),
                _ => (0, side - along),
            };
            placed.push((number, Site { at: (depth + x, outer - depth - y), ..site.clone() }));
        }
    }
    placed
}

/// Where the names of sites are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// At the edges, as on a chessboard.
    Edges,
    /// On empty sites.
    Empty,
    /// On every site, before its contents.
    Sites,
}

/// A site and its number.
pub(super) type Numbered<'a> = (usize, &'a Site);

pub(super) fn sites<'a>(game: &'a Game, board: &Board) -> Vec<Numbered<'a>> {
    let first = usize::from(board.first);
    game.topology.sites.iter().enumerate().skip(first).take(usize::from(board.count)).collect()
}

/// The sites of a graph placed as their names say, if all have names like squares, such as `d7`.
pub(super) fn placed(sites: &[Numbered<'_>]) -> Option<Vec<(usize, Site)>> {
    let place = |name: &str| {
        let mut letters = name.chars();
        let column = letters.next().filter(char::is_ascii_lowercase)?;
        let row = letters.as_str().parse().ok().filter(|row| (1..=26).contains(row))?;
        Some((i32::try_from(u32::from(column)).ok()? - 96, row))
    };
    let placed = sites.iter().map(|(number, site)| {
        let at = place(&site.name)?;
        Some((*number, Site { at, ..(*site).clone() }))
    });
    placed.collect()
}

/// A row to draw: a label on either side, and sites at their columns.
struct Row<'a> {
    left: String,
    right: String,
    sites: Vec<(usize, Numbered<'a>)>,
}

/// Whether a name consists of letters followed by this number.
pub(super) fn ends_with_number(site: &Site, number: i32) -> bool {
    let letters = site.name.strip_suffix(&number.to_string()).unwrap_or("");
    !letters.is_empty() && letters.chars().all(char::is_alphabetic)
}

fn square(scene: &Scene<'_>, sites: &[Numbered<'_>]) -> String {
    // Columns and rows are labelled if the names of sites consist of them, such as `c4`; other names are written on
    // empty sites.
    let labelled = sites.iter().all(|(_, site)| ends_with_number(site, site.at.1));
    laid_out(scene, sites, if labelled { Labels::Edges } else { Labels::Empty })
}

/// Draws sites at their columns and rows.
fn laid_out(scene: &Scene<'_>, sites: &[Numbered<'_>], labels: Labels) -> String {
    let labelled = labels == Labels::Edges;
    let mut rows: BTreeMap<i32, Vec<Numbered<'_>>> = BTreeMap::new();
    for &(number, site) in sites {
        rows.entry(site.at.1).or_default().push((number, site));
    }
    let Some(first) = sites.iter().map(|(_, site)| site.at.0).min() else { return String::new() };
    let place = |site: &Site| usize::saturating_from(site.at.0 - first) * 2;
    let drawn: Vec<Row<'_>> = rows
        .into_iter()
        .rev()
        .map(|(row, sites)| Row {
            left: if labelled { row.to_string() } else { String::new() },
            right: String::new(),
            sites: sites.into_iter().map(|(number, site)| (place(site), (number, site))).collect(),
        })
        .collect();
    let mut files = BTreeMap::new();
    for (_, site) in sites.iter().filter(|_| labelled) {
        let row = site.at.1.to_string();
        files.entry(place(site)).or_insert_with(|| site.name.strip_suffix(&row).unwrap_or("").to_owned());
    }
    draw(scene, &drawn, &files, labels)
}

fn hex(scene: &Scene<'_>, sites: &[Numbered<'_>]) -> String {
    let lettered = |site: &Site| {
        let letters = site.name.trim_end_matches(|c: char| c.is_ascii_digit());
        !letters.is_empty() && letters.len() < site.name.len()
    };
    let labelled = sites.iter().all(|(_, site)| lettered(site));
    let across = |site: &Site| 2 * site.at.0 + site.at.1;
    let Some(first) = sites.iter().map(|(_, site)| across(site)).min() else { return String::new() };
    let mut rows: BTreeMap<i32, Vec<(usize, Numbered<'_>)>> = BTreeMap::new();
    for &(number, site) in sites {
        let place = usize::saturating_from(across(site) - first);
        rows.entry(site.at.1).or_default().push((place, (number, site)));
    }
    let drawn: Vec<Row<'_>> = rows
        .into_values()
        .map(|mut sites| {
            sites.sort_by_key(|(place, _)| *place);
            let name = |end: Option<&(usize, Numbered<'_>)>| match end {
                Some((_, (_, site))) if labelled => site.name.clone(),
                Some(_) | None => String::new(),
            };
            Row { left: name(sites.first()), right: name(sites.last()), sites }
        })
        .collect();
    let labels = if labelled { Labels::Edges } else { Labels::Empty };
    draw(scene, &drawn, &BTreeMap::new(), labels)
}

/// Draws rows of sites at half-column positions, with names below.
fn draw(scene: &Scene<'_>, rows: &[Row<'_>], files: &BTreeMap<usize, String>, labels: Labels) -> String {
    let marks: Vec<Vec<Mark>> = rows
        .iter()
        .map(|row| {
            let draw = |(_, (number, site)): &(usize, Numbered<'_>)| {
                let mut mark = scene.mark(*number, if labels == Labels::Empty { &site.name } else { "·" });
                if labels == Labels::Sites {
                    mark.text = format!("{} {}", site.name, mark.text);
                }
                mark
            };
            row.sites.iter().map(draw).collect()
        })
        .collect();
    let width = |text: &str| text.chars().count();
    let widths = marks.iter().flatten().map(|mark| width(&mark.text)).chain(files.values().map(|name| width(name)));
    let cell = widths.fold(1, usize::max);
    // Half a column is half a cell and half a gap, and a full one is at least twice that.
    let half = cell / 2 + 1;
    let margin = rows.iter().map(|row| width(&row.left)).fold(0, usize::max) + 2;
    let end = rows.iter().flat_map(|row| &row.sites).map(|(place, _)| place * half + cell).fold(0, usize::max);
    let mut text = String::new();
    for (row, marks) in rows.iter().zip(&marks) {
        let mut canvas = Canvas::default();
        canvas.put((margin - 2).saturating_sub(width(&row.left)), &row.left, Ink::Faint);
        canvas.put(margin + end + 1, &row.right, Ink::Faint);
        for ((place, (number, _)), mark) in row.sites.iter().zip(marks) {
            let column = margin + place * half;
            canvas.put(column, &mark.text, mark.ink);
            if scene.look.marked.contains(*number) {
                canvas.bracket(column, column + width(&mark.text));
            }
        }
        text.push_str(&canvas.line(scene.look));
        text.push('\n');
    }
    if !files.is_empty() {
        let mut canvas = Canvas::default();
        for (place, name) in files {
            canvas.put(margin + place * half, name, Ink::Faint);
        }
        text.push_str(&canvas.line(scene.look));
        text.push('\n');
    }
    text
}
