//! Boards as self-contained SVG, without scripts or fonts.
//!
//! All coordinates are integers, so that a position gives the same picture everywhere.

use crate::base::SaturatingFrom;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::grid::{Numbered, ends_with_number, framed, nested_rings, placed, sites};
use super::markup::escape;
use super::paint::Look;
use super::symbol::{Scene, token_text};
use crate::ir::{Board, BoardForm, Game, SeatId, Site};
use crate::model::Observation;

/// The side of a square cell.
const CELL: i32 = 48;

/// Half the height and half the width of a hexagon with vertical sides.
const HEX: (i32, i32) = (28, 24);

/// From one round site to the next.
const STEP: i32 = CELL * 5 / 4;

/// The height of a name below a round site.
const NAME: i32 = 12;

/// The margin around a board, for its labels.
const MARGIN: i32 = 28;

/// The colours of seats in order, and of unowned pieces.
const SEATS: [&str; 6] = ["#1f6f8b", "#c77c02", "#8e44ad", "#2e7d32", "#3f51b5", "#b3261e"];
const NOBODY: &str = "#6b7280";

/// The colours of seats' regions.
const GROUNDS: [&str; 6] = ["#cfe3ea", "#f4e3c8", "#e7d7ef", "#d3e8d4", "#d9def3", "#f3d5d2"];
const GROUND: &str = "#f3ede0";

/// The shape of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Square,
    Hex,
    Round,
}

/// The layout of a board: the centre of each site, in integers.
struct Layout {
    field: Field,
    /// Whether names are at the edges instead of in the cells.
    labelled: bool,
    places: Vec<(usize, (i32, i32))>,
    /// Lines between sites.
    links: Vec<(usize, usize)>,
    /// Names at the edges.
    labels: Vec<((i32, i32), String)>,
    /// Whether it lies in the middle of the board before it.
    within: bool,
}

/// The boards of a position as one SVG, one below the other; empty if the game has none.
///
/// Each site is a group of class `site` with its name, each piece one of class `piece`, the tokens on a site one of
/// class `tokens`.
#[must_use]
pub fn picture(game: &Game, position: &Observation, title: &str) -> String {
    let (mut body, mut width, mut height) = (String::new(), 0, 0);
    let mut middle = (0, 0);
    let look = Look::default();
    let scene = Scene::new(game, position, &look);
    for layout in layouts(game) {
        let xs = || layout.places.iter().map(|(_, at)| at.0);
        let ys = || layout.places.iter().map(|(_, at)| at.1);
        let (Some((left, right)), Some((top, bottom))) = (xs().min().zip(xs().max()), ys().min().zip(ys().max()))
        else {
            continue;
        };
        let own = (i32::midpoint(left, right), i32::midpoint(top, bottom));
        let shift = if layout.within {
            (middle.0 - own.0, middle.1 - own.1)
        } else {
            (MARGIN + CELL / 2 - left, height + MARGIN + CELL / 2 - top)
        };
        middle = (own.0 + shift.0, own.1 + shift.1);
        let _ = writeln!(body, "<g transform=\"translate({} {})\">", shift.0, shift.1);
        body.push_str(&drawn(&scene, &layout));
        body.push_str("</g>\n");
        if layout.within {
            continue;
        }
        width = width.max(right - left + CELL + 2 * MARGIN);
        height += bottom - top + CELL + 2 * MARGIN;
    }
    if width == 0 {
        return String::new();
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <title>{}</title>\n{body}</svg>\n",
        escape(title)
    )
}

fn layouts(game: &Game) -> Vec<Layout> {
    let mut found = Vec::new();
    let mut boards = game.topology.boards.as_slice();
    while let [board, rest @ ..] = boards {
        let nested = nested_rings(game, boards);
        if nested > 0 {
            let (rings, rest) = boards.split_at(nested);
            boards = rest;
            found.push(square(&framed(game, rings), false));
            // A smaller ring finds room in the frame.
            if let ([.., frame], [ring, rest @ ..]) = (rings, boards)
                && let Some(inner) = inner_ring(game, ring, frame)
            {
                boards = rest;
                found.push(inner);
            }
            continue;
        }
        boards = rest;
        let sites = sites(game, board);
        found.push(match board.form {
            BoardForm::Square => square(&owned(&sites), true),
            BoardForm::Hex => hex(&sites),
            BoardForm::Line { closed } => line(&sites, closed),
            BoardForm::Graph => graph(game, board, &sites),
        });
    }
    found
}

/// A ring as a square, clockwise from the top left corner as the frame around it, if it fits into that.
fn inner_ring(game: &Game, board: &Board, frame: &Board) -> Option<Layout> {
    let side = i32::from(board.count) / 4;
    let room = (i32::from(frame.count) / 4 - 1) * CELL;
    let fits = board.form == BoardForm::Line { closed: true } && board.count >= 8 && board.count.is_multiple_of(4);
    if !fits || side * STEP + CELL + 2 * NAME > room {
        return None;
    }
    Some(Layout { within: true, ..round(&framed(game, std::slice::from_ref(board))) })
}

/// Round sites at their columns and rows, with room for their names.
fn round(sites: &[(usize, Site)]) -> Layout {
    let mut layout = Layout { field: Field::Round, ..square(sites, false) };
    for (_, (x, y)) in &mut layout.places {
        (*x, *y) = (*x / CELL * STEP, *y / CELL * STEP);
    }
    layout
}

fn owned(sites: &[Numbered<'_>]) -> Vec<(usize, Site)> {
    sites.iter().map(|(number, site)| (*number, (*site).clone())).collect()
}

/// Sites at their columns and rows, the first row at the bottom.
fn square(sites: &[(usize, Site)], edges: bool) -> Layout {
    let labelled = edges && sites.iter().all(|(_, site)| ends_with_number(site, site.at.1));
    let place = |site: &Site| (site.at.0 * CELL, -site.at.1 * CELL);
    let mut labels = Vec::new();
    let columns = sites.iter().map(|(_, site)| site.at.0);
    let rows = sites.iter().map(|(_, site)| site.at.1);
    if labelled && let Some((left, bottom)) = columns.min().zip(rows.min()) {
        // Of every column and row, also of those that do not reach the edge.
        let columns: BTreeMap<i32, &str> = sites
            .iter()
            .map(|(_, site)| (site.at.0, site.name.trim_end_matches(|c: char| c.is_ascii_digit())))
            .collect();
        let rows: BTreeSet<i32> = sites.iter().map(|(_, site)| site.at.1).collect();
        labels
            .extend(columns.into_iter().map(|(x, name)| ((x * CELL, -bottom * CELL + CELL / 2 + 18), name.to_owned())));
        labels.extend(rows.into_iter().map(|y| ((left * CELL - CELL / 2 - 14, -y * CELL + 5), y.to_string())));
    }
    let places = sites.iter().map(|(number, site)| (*number, place(site))).collect();
    Layout { field: Field::Square, labelled, places, links: Vec::new(), labels, within: false }
}

fn hex(sites: &[Numbered<'_>]) -> Layout {
    // Rows overlap by a quarter of the height of a cell.
    let place = |site: &Site| ((2 * site.at.0 + site.at.1) * HEX.1, site.at.1 * (HEX.0 * 3 / 2));
    let places = sites.iter().map(|(number, site)| (*number, place(site))).collect();
    Layout { field: Field::Hex, labelled: false, places, links: Vec::new(), labels: Vec::new(), within: false }
}

/// A ring goes round a rectangle from the bottom left, in the direction of sowing; a track goes back and forth.
fn line(sites: &[Numbered<'_>], closed: bool) -> Layout {
    let count = i32::saturating_from(sites.len());
    let place = |n: i32| {
        if !closed || count < 4 {
            let (row, along) = (n / 12, n % 12);
            return (if row % 2 == 0 { along } else { 11 - along }, -row);
        }
        let around = count + count % 2;
        let seats =
            sites.iter().filter_map(|(_, site)| site.seat).map(|seat| usize::from(seat) + 1).fold(0, usize::max);
        // Two seats sit on opposite sides; with more, each has a side of its own.
        let width = if seats == 2 || around < 8 { around / 2 } else { (around / 2 + 2).div_euclid(2) };
        let height = around / 2 + 2 - width;
        let (right, up, left) = (width, width + height - 1, 2 * width + height - 2);
        if n < right {
            (n, 0)
        } else if n < up {
            (width - 1, -(n - right + 1))
        } else if n < left {
            (width - 2 - (n - up), -(height - 1))
        } else {
            (0, -(height - 2 - (n - left)))
        }
    };
    let numbered = (0..).zip(sites);
    let places: Vec<(usize, (i32, i32))> = numbered
        .map(|(n, (number, _))| {
            let (x, y) = place(n);
            (*number, (x * STEP, y * STEP))
        })
        .collect();
    let mut links: Vec<(usize, usize)> = sites.windows(2).map(|pair| (pair[0].0, pair[1].0)).collect();
    if let (true, [first, .., last]) = (closed, sites) {
        links.push((last.0, first.0));
    }
    Layout { field: Field::Round, labelled: false, places, links, labels: Vec::new(), within: false }
}

/// A graph placed as its names say, or around a rectangle.
fn graph(game: &Game, board: &Board, sites: &[Numbered<'_>]) -> Layout {
    let mut layout = match placed(sites) {
        Some(placed) => round(&placed),
        None => line(sites, true),
    };
    layout.links.clear();
    let own =
        |site: &usize| (usize::from(board.first)..usize::from(board.first) + usize::from(board.count)).contains(site);
    for direction in &game.topology.directions {
        for (from, ends) in direction.step.iter().enumerate().filter(|(from, _)| own(from)) {
            for to in ends.iter().map(|to| usize::from(*to)) {
                let link = (from.min(to), from.max(to));
                if !layout.links.contains(&link) {
                    layout.links.push(link);
                }
            }
        }
    }
    layout
}

fn colour(seat: Option<SeatId>) -> &'static str {
    seat.and_then(|seat| SEATS.get(usize::from(seat) % SEATS.len())).copied().unwrap_or(NOBODY)
}

fn drawn(scene: &Scene<'_>, layout: &Layout) -> String {
    let mut text = String::new();
    let place = |site: usize| layout.places.iter().find(|(other, _)| *other == site).map(|(_, at)| *at);
    for (from, to) in &layout.links {
        if let (Some(a), Some(b)) = (place(*from), place(*to)) {
            let _ = writeln!(
                text,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#b8b2a7\" stroke-width=\"2\"/>",
                a.0, a.1, b.0, b.1
            );
        }
    }
    for (site, at) in &layout.places {
        text.push_str(&one(scene, layout, *site, *at));
    }
    for ((x, y), label) in &layout.labels {
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" fill=\"#57534e\">{}</text>", escape(label));
    }
    text
}

/// Draws a site with its contents.
fn one(scene: &Scene<'_>, layout: &Layout, site: usize, (x, y): (i32, i32)) -> String {
    let (game, position) = (scene.game, scene.position);
    let Some(info) = game.topology.sites.get(site) else { return String::new() };
    let name = escape(&info.name);
    let region = game.regions.iter().find(|region| region.seat.is_some() && region.sites.contains(site));
    let seat = info.seat.or(region.and_then(|region| region.seat));
    let ground = seat.and_then(|seat| GROUNDS.get(usize::from(seat) % GROUNDS.len())).unwrap_or(&GROUND);
    let ground = format!("fill=\"{ground}\"");
    let line = "stroke=\"#8a8478\" stroke-width=\"1\"";
    let mut text = format!("<g class=\"site\" data-site=\"{name}\"><title>{name}</title>");
    let half = CELL / 2;
    let _ = match layout.field {
        Field::Square => write!(
            text,
            "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" {ground} {line}/>",
            x - half,
            y - half
        ),
        Field::Hex => {
            let (tall, wide) = HEX;
            let corners =
                [(0, -tall), (wide, -tall / 2), (wide, tall / 2), (0, tall), (-wide, tall / 2), (-wide, -tall / 2)];
            let points: Vec<String> = corners.iter().map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).collect();
            write!(text, "<polygon points=\"{}\" {ground} {line}/>", points.join(" "))
        }
        Field::Round => write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{half}\" {ground} {line}/>"),
    };
    let piece = position.sites.get(site).and_then(Option::as_ref);
    let tokens = token_text(game, position, site);
    if let Some(piece) = piece {
        // The tokens are drawn separately.
        let symbol = scene.piece(piece);
        let size = match symbol.chars().count() {
            0..=2 => 16,
            3 => 13,
            _ => 10,
        };
        let _ = write!(
            text,
            "<g class=\"piece\"><circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"{}\" stroke=\"#2b2926\" stroke-width=\"1\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"#ffffff\">{}</text></g>",
            colour(piece.owner),
            y + 5,
            escape(&symbol)
        );
    }
    if !tokens.is_empty() {
        // As large as there is room for.
        let (dx, size) = match (piece.is_some(), tokens.chars().count()) {
            (true, _) => (half - 10, 11),
            (false, 0..=3) => (0, 18),
            (false, 4) => (0, 15),
            (false, _) => (0, 12),
        };
        let _ = write!(
            text,
            "<g class=\"tokens\"><text x=\"{}\" y=\"{}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"#2b2926\">{}</text></g>",
            x + dx,
            y + 6,
            escape(&tokens)
        );
    }
    if !layout.labelled && (piece.is_none() || layout.field != Field::Hex) {
        text.push_str(&written(layout.field, &name, (x, y), piece.is_none() && tokens.is_empty()));
    }
    text.push_str("</g>\n");
    text
}

/// The name of a site: in its middle, or where it is not covered by what stands there; as large as there is room for.
fn written(field: Field, name: &str, (x, y): (i32, i32), empty: bool) -> String {
    let half = CELL / 2;
    let inside = empty && (field != Field::Round || name.len() < 8);
    let (at, room, anchor) = match (field, inside) {
        (_, true) => ((x, y + 4), CELL - 8, ""),
        (Field::Square, false) => ((x - half + 3, y - half + 9), 14, " text-anchor=\"start\""),
        (Field::Round, false) => ((x, y + half + 10), STEP, ""),
        (Field::Hex, false) => ((x, y + half - 2), half, ""),
    };
    // A letter is about three fifths as wide as it is high.
    let fitting = room * 5 / (3 * i32::saturating_from(name.chars().count().max(1)));
    let size = fitting.clamp(7, if empty || field == Field::Round { 11 } else { 8 });
    format!("<text x=\"{}\" y=\"{}\" font-size=\"{size}\"{anchor} fill=\"#78716c\">{name}</text>", at.0, at.1)
}
