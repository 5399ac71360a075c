//! Boards without coordinates: rings, tracks and graphs.

use super::grid::Numbered;
use super::paint::{Canvas, Ink};
use super::symbol::{Mark, Scene, counts};
use crate::ir::{Game, SeatId};

/// The maximum width of a line in columns.
const WIDTH: usize = 76;

/// The sites of one seat: rows of several, and single ones.
#[derive(Default)]
struct Side {
    groups: Vec<Vec<usize>>,
}

impl Side {
    /// Whether a row of several sites has to be drawn.
    fn has_row(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    /// The longest group, and what comes before and after it.
    fn parts(&self) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
        let lengths = self.groups.iter().map(Vec::len);
        let longest = lengths.enumerate().max_by_key(|(at, length)| (*length, usize::MAX - at));
        let Some((longest, _)) = longest else { return (Vec::new(), Vec::new(), Vec::new()) };
        let (before, after) = (&self.groups[..longest], &self.groups[longest + 1..]);
        (before.concat(), self.groups[longest].clone(), after.concat())
    }
}

fn by_seat(game: &Game, sites: &[Numbered<'_>]) -> Vec<Side> {
    let mut found: Vec<Side> = game.seats.iter().map(|_| Side::default()).collect();
    let mut before: Option<(SeatId, i32)> = None;
    for (number, site) in sites {
        let Some(seat) = site.seat else { continue };
        let Some(side) = found.get_mut(usize::from(seat)) else {
            continue;
        };
        let goes_on = before.is_some_and(|(other, last)| other == seat && site.number == last + 1);
        match side.groups.last_mut() {
            Some(group) if goes_on => group.push(*number),
            _ => side.groups.push(vec![*number]),
        }
        before = Some((seat, site.number));
    }
    found
}

fn drawn(scene: &Scene<'_>, site: usize) -> Mark {
    scene.mark(site, if counts(scene.game) { "0" } else { "·" })
}

fn name(game: &Game, site: usize) -> &str {
    game.topology.sites.get(site).map_or("", |site| &site.name)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Sites side by side: marks on one line, names on another.
struct Strip<'a> {
    scene: &'a Scene<'a>,
    cell: usize,
}

impl Strip<'_> {
    fn marks(&self, canvas: &mut Canvas, from: usize, sites: &[usize]) {
        for (index, &site) in sites.iter().enumerate() {
            let mark = drawn(self.scene, site);
            let column = from + index * (self.cell + 2) + self.cell - width(&mark.text).min(self.cell);
            canvas.put(column, &mark.text, mark.ink);
            if self.scene.look.marked.contains(site) {
                canvas.bracket(column, column + width(&mark.text));
            }
        }
    }

    fn names(&self, canvas: &mut Canvas, from: usize, sites: &[usize]) {
        for (index, &site) in sites.iter().enumerate() {
            let name = name(self.scene.game, site);
            let column = from + index * (self.cell + 2) + self.cell - width(name).min(self.cell);
            canvas.put(column, name, Ink::Faint);
        }
    }

    fn width(&self, sites: &[usize]) -> usize {
        sites.len() * (self.cell + 2)
    }
}

/// A ring or track: two seats facing each other, more seats row by row, an unowned track as long lines.
pub(super) fn track(scene: &Scene<'_>, sites: &[Numbered<'_>]) -> String {
    let widths = sites.iter().map(|(number, site)| width(&site.name).max(width(&drawn(scene, *number).text)));
    let strip = Strip { scene, cell: widths.fold(1, usize::max) };
    let seated = sites.iter().all(|(_, site)| site.seat.is_some());
    match by_seat(scene.game, sites).as_slice() {
        [near, far] if seated && near.has_row() && far.has_row() => opposite(&strip, near, far),
        many if seated => rows(&strip, many),
        _ => plain(&strip, &sites.iter().map(|(number, _)| *number).collect::<Vec<_>>()),
    }
}

/// The first seat at the bottom, left to right; the second at the top, right to left.
fn opposite(strip: &Strip<'_>, near: &Side, far: &Side) -> String {
    let reversed = |mut sites: Vec<usize>| {
        sites.reverse();
        sites
    };
    let (near_left, near_row, near_right) = near.parts();
    let (far_right, far_row, far_left) = far.parts();
    let (far_left, far_row, far_right) = (reversed(far_left), reversed(far_row), reversed(far_right));
    let left = strip.width(&far_left).max(strip.width(&near_left));
    let row = strip.width(&near_row).max(strip.width(&far_row));
    let middle = left + row;
    let mut lines = [(); 5].map(|()| Canvas::default());
    let [top_names, top, between, bottom, bottom_names] = &mut lines;
    strip.names(top_names, left, &far_row);
    strip.marks(top, left, &far_row);
    strip.marks(between, 0, &far_left);
    strip.marks(between, middle, &near_right);
    strip.marks(bottom, left, &near_row);
    strip.names(bottom_names, left, &near_row);
    // The names of single sites go on the row of their side.
    strip.names(top, 0, &far_left);
    strip.names(bottom, middle, &near_right);
    strip.names(top_names, middle, &far_right);
    strip.marks(top, middle, &far_right);
    strip.names(bottom_names, 0, &near_left);
    strip.marks(bottom, 0, &near_left);
    let mut text = String::new();
    for line in &lines {
        text.push_str(&line.line(strip.scene.look));
        text.push('\n');
    }
    text
}

fn rows(strip: &Strip<'_>, sides: &[Side]) -> String {
    let margin = strip.scene.game.seats.iter().map(|seat| width(&seat.title)).fold(0, usize::max) + 2;
    let mut text = String::new();
    for (seat, side) in strip.scene.game.seats.iter().zip(sides) {
        let (mut names, mut marks, mut column) = (Canvas::default(), Canvas::default(), margin);
        marks.put(0, &seat.title, Ink::Plain);
        for (index, group) in side.groups.iter().enumerate() {
            if index > 0 {
                names.put(column, "|", Ink::Faint);
                marks.put(column, "|", Ink::Faint);
                column += 3;
            }
            strip.names(&mut names, column, group);
            strip.marks(&mut marks, column, group);
            column += strip.width(group);
        }
        for line in [names, marks] {
            text.push_str(&line.line(strip.scene.look));
            text.push('\n');
        }
    }
    text
}

fn plain(strip: &Strip<'_>, sites: &[usize]) -> String {
    let per_line = (WIDTH / (strip.cell + 2)).max(1);
    let mut text = String::new();
    for part in sites.chunks(per_line) {
        let (mut names, mut marks) = (Canvas::default(), Canvas::default());
        strip.names(&mut names, 0, part);
        strip.marks(&mut marks, 0, part);
        for line in [names, marks] {
            text.push_str(&line.line(strip.scene.look));
            text.push('\n');
        }
    }
    text
}

/// A graph: its sites with their contents.
pub(super) fn graph(scene: &Scene<'_>, sites: &[Numbered<'_>]) -> String {
    let name_width = sites.iter().map(|(_, site)| width(&site.name)).fold(1, usize::max);
    let mark_width = sites.iter().map(|(number, _)| width(&drawn(scene, *number).text)).fold(1, usize::max);
    let cell = name_width + mark_width + 5;
    let per_line = (WIDTH / cell).max(1);
    let mut text = String::new();
    for part in sites.chunks(per_line) {
        let mut canvas = Canvas::default();
        for (index, (number, site)) in part.iter().enumerate() {
            let column = index * cell;
            canvas.put(column, &site.name, Ink::Faint);
            let mark = drawn(scene, *number);
            let at = column + name_width + 2;
            canvas.put(at, &mark.text, mark.ink);
            if scene.look.marked.contains(*number) {
                canvas.bracket(at, at + width(&mark.text));
            }
        }
        text.push_str(&canvas.line(scene.look));
        text.push('\n');
    }
    text
}
