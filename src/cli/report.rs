//! Plots of a simulation: a single SVG file, without scripts.
//!
//! Up to four plots: the length of games, results by seat, results by turn order, and branching in the course of a
//! game. Whiskers and the band are confidence intervals.

use crate::base::SaturatingFrom;
use std::fmt::{Display, Write as _};

use crate::ir::Game;
use crate::measure::statistics::Estimate;
use crate::measure::{Histogram, Shares, Summary, Tally};
use crate::view::{escape, seat_title};

/// The size of a plot area, and the margins around it.
const WIDE: f64 = 420.0;
const HIGH: f64 = 200.0;
const LEFT: f64 = 56.0;
const ABOVE: f64 = 44.0;
const BELOW: f64 = 44.0;
const RIGHT: f64 = 20.0;

/// The maximum number of bars in a histogram.
const BARS: i64 = 60;

/// The course of games is drawn for as long as at least one in this many is still running.
const RUNNING: u64 = 10;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#222}.t{font-weight:600;font-size:14px}\
    .a{text-anchor:end}.m{text-anchor:middle}.g{stroke:#ddd}.b{fill:#4477aa}\
    .l{stroke:#4477aa;fill:none;stroke-width:2}.w{stroke:#222;stroke-width:1.5}\
    .f{fill:#4477aa;opacity:.25}.e{stroke:#cc6677;stroke-dasharray:4 3}";

#[expect(clippy::cast_precision_loss, reason = "a drawing needs no more than 52 bits")]
fn real(n: impl Into<i128>) -> f64 {
    n.into() as f64
}

fn place(n: usize) -> f64 {
    real(n as u64)
}

/// A plot: its scales and its elements.
struct Plot {
    from: f64,
    to: f64,
    top: f64,
    text: String,
}

impl Plot {
    /// An empty plot with its title and grid lines; values range from 0 to at least `top`.
    fn new(title: &str, from: f64, to: f64, top: f64, unit: &str) -> Self {
        let step = step(top);
        let top = (top / step).ceil().max(1.0) * step;
        let mut plot = Self { from, to: to.max(from + 1.0), top, text: String::new() };
        plot.label("t", 0.0, -14.0, &title);
        let mut value = 0.0;
        while value <= top * 1.000_001 {
            let y = plot.y(value);
            plot.line("g", (0.0, y), (WIDE, y));
            let shown = if unit == "%" { value * 100.0 } else { value };
            plot.label("a", -6.0, y + 4.0, &format!("{}{unit}", (shown * 100.0).round() / 100.0));
            value += step;
        }
        plot
    }

    fn x(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from) * WIDE
    }

    fn y(&self, value: f64) -> f64 {
        HIGH - value.clamp(0.0, self.top) / self.top * HIGH
    }

    // Writing to a string cannot fail.
    fn label(&mut self, class: &str, x: f64, y: f64, text: &dyn Display) {
        let text = escape(&text.to_string());
        let _ = writeln!(self.text, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.text,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// A bar from the ground up, with its tooltip.
    fn bar(&mut self, x: f64, width: f64, value: f64, told: &str) {
        let (y, told) = (self.y(value), escape(told));
        let height = HIGH - y;
        let _ = writeln!(
            self.text,
            "<rect class=\"b\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{told}</title></rect>"
        );
    }

    fn error_bar(&mut self, x: f64, estimate: &Estimate) {
        let (low, high) = (self.y(estimate.low), self.y(estimate.high));
        self.line("w", (x, low), (x, high));
        for y in [low, high] {
            self.line("w", (x - 5.0, y), (x + 5.0, y));
        }
    }

    /// Numbers along the bottom, and their label.
    fn bottom(&mut self, what: &str) {
        let step = step(self.to - self.from);
        let mut value = (self.from / step).ceil() * step;
        while value <= self.to {
            let x = self.x(value);
            self.label("m", x, HIGH + 16.0, &value.round());
            value += step;
        }
        self.label("m", WIDE / 2.0, HIGH + 34.0, &what);
    }
}

/// A round interval for about five grid lines up to a number.
fn step(top: f64) -> f64 {
    let rough = (top / 5.0).max(1e-9);
    let power = 10.0_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough * 0.999).unwrap_or(power)
}

/// The report of a simulation.
#[must_use]
pub(super) fn svg(game: &Game, title: &str, tally: &Tally, summary: &Summary) -> String {
    let (unit, histogram) = if summary.turns.is_some() { ("turns", &tally.turns) } else { ("plies", &tally.plies) };
    let seats: Vec<String> = (0..summary.seats.len()).map(|seat| seat_title(game, seat).to_owned()).collect();
    let mut plots =
        vec![lengths("length of games", unit, histogram), results("games won by each seat", &seats, &summary.seats)];
    if summary.openers.iter().filter(|&&count| count > 0).count() > 1 {
        let places: Vec<String> = (1..=summary.places.len()).map(|place| format!("turn {place}")).collect();
        plots.push(results("games won by turn order", &places, &summary.places));
    }
    plots.push(course(tally, summary.level));
    let named = game.measures.iter().zip(&tally.measures).filter(|(_, values)| !values.counts.0.is_empty());
    plots.extend(named.map(|(measure, values)| lengths(&measure.name, &measure.name, &values.counts)));
    let (width, height) = (LEFT + WIDE + RIGHT, ABOVE + HIGH + BELOW);
    let (all_wide, all_high) = (2.0 * width, 30.0 + place(plots.len().div_ceil(2)) * height);
    let title = escape(title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_wide} {all_high}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text class=\"t\" x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    );
    for (number, plot) in plots.into_iter().enumerate() {
        let (x, y) = (place(number % 2) * width + LEFT, place(number / 2) * height + 30.0 + ABOVE);
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">\n{}</g>", plot.text);
    }
    text + "</svg>\n"
}

/// A histogram of lengths; adjacent lengths share a bar if there are many.
fn lengths(title: &str, unit: &str, histogram: &Histogram) -> Plot {
    let (least, most) = (histogram.at(1), histogram.at(u64::MAX));
    let width = ((most - least) / BARS + 1).max(1);
    let count = usize::saturating_from((most - least) / width + 1);
    let mut bars = vec![0_u64; count];
    for (value, games) in &histogram.0 {
        if let Some(bar) = usize::try_from((value - least) / width).ok().and_then(|at| bars.get_mut(at)) {
            *bar += games;
        }
    }
    let top = real(bars.iter().copied().fold(0, u64::max));
    let mut plot = Plot::new(title, real(least), real(least + width * i64::saturating_from(count)), top, "");
    let wide = WIDE / place(count);
    for (at, &games) in bars.iter().enumerate() {
        let from = least + i64::saturating_from(at) * width;
        let told = if width == 1 {
            format!("{from} {unit}: {games} games")
        } else {
            format!("{from} to {} {unit}: {games} games", from + width - 1)
        };
        plot.bar(place(at) * wide + 0.5, (wide - 1.0).max(0.5), real(games), &told);
    }
    plot.bottom(unit);
    plot
}

/// A bar with an error bar for each, and a line at the value of equal shares.
fn results(title: &str, names: &[String], shares: &[Shares]) -> Plot {
    let top = shares.iter().map(|shares| shares.win.share.high).fold(0.0, f64::max);
    let mut plot = Plot::new(title, 0.0, place(names.len()), top, "%");
    let wide = WIDE / place(names.len().max(1));
    let wins: f64 = shares.iter().map(|shares| shares.win.share.value).sum();
    for (at, (name, shares)) in names.iter().zip(shares).enumerate() {
        let (x, win) = (place(at) * wide, &shares.win);
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let told =
            format!("{name}: {} ({} to {})", percent(win.share.value), percent(win.share.low), percent(win.share.high));
        plot.bar(x + wide * 0.2, wide * 0.6, win.share.value, &told);
        plot.error_bar(x + wide / 2.0, &win.share);
        plot.label("m", x + wide / 2.0, HIGH + 16.0, name);
    }
    let equal = plot.y(wins / place(names.len().max(1)));
    plot.line("e", (0.0, equal), (WIDE, equal));
    plot.label("m", WIDE / 2.0, HIGH + 34.0, &"dashed: equal chances");
    plot
}

/// The mean number of legal answers at each decision, with the band of its intervals.
fn course(tally: &Tally, level: f64) -> Plot {
    let running = tally.course.iter().take_while(|moments| moments.count * RUNNING >= tally.games && moments.count > 1);
    let points: Vec<Estimate> = running.map(|moments| moments.sample(0).interval(level)).collect();
    let top = points.iter().map(|point| point.high).fold(0.0, f64::max);
    let mut plot = Plot::new("answers to choose from", 1.0, place(points.len().max(2)), top, "");
    let at = |plot: &Plot, number: usize, value: f64| format!("{:.1},{:.1} ", plot.x(place(number + 1)), plot.y(value));
    let upper: String = points.iter().enumerate().map(|(n, point)| at(&plot, n, point.high)).collect();
    let lower: String = points.iter().enumerate().rev().map(|(n, point)| at(&plot, n, point.low)).collect();
    let middle: String = points.iter().enumerate().map(|(n, point)| at(&plot, n, point.value)).collect();
    let _ = writeln!(
        plot.text,
        "<polygon class=\"f\" points=\"{upper}{lower}\"/>\n<polyline class=\"l\" points=\"{middle}\"/>"
    );
    plot.bottom("decision of the game, as long as one game in ten is still running");
    plot
}
