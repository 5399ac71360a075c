//! A drawing of a search: the target's figure in each setting, with its interval.

use std::fmt::Write as _;

use super::print::{Shown, Verdict};
use crate::view::escape;

/// The width of the plot, that of the labels, and the height of a row.
const WIDE: f64 = 420.0;
const LEFT: f64 = 280.0;
const ROW: f64 = 18.0;

/// How many settings are drawn.
const MOST: usize = 60;

/// The drawing.
pub(super) fn svg(shown: &Shown<'_>) -> String {
    let rows: Vec<_> = shown.rows().into_iter().take(MOST).collect();
    let figures: Vec<_> = rows.iter().filter_map(|row| row.found.first().map(|found| found.figure)).collect();
    let finite = |value: &f64| value.is_finite();
    let least = figures.iter().map(|one| one.low).filter(finite).fold(f64::INFINITY, f64::min);
    let most = figures.iter().map(|one| one.high).filter(finite).fold(f64::NEG_INFINITY, f64::max);
    let wide = (most - least).max(1e-9);
    let x = |value: f64| LEFT + (value.clamp(least, most) - least) / wide * WIDE;
    let target = shown.study.aims.conditions.first().map_or("", |one| one.text.as_str());
    let (width, height) = (LEFT + WIDE + 40.0, 60.0 + figures.iter().map(|_| ROW).sum::<f64>());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<title>{0}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"18\" font-size=\"13\">{0}</text>\n",
        escape(target)
    );
    let mut y = 40.0;
    for (row, figure) in rows.iter().zip(&figures) {
        let colour = match row.verdict {
            Verdict::Meets => "#1a7f37",
            Verdict::Open => "#9a6700",
            Verdict::Misses => "#a40e26",
            Verdict::Out => "#8c959f",
        };
        let label = escape(&shown.label(row.setting));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{label}: {:.3}</title></circle>",
            LEFT - 10.0,
            y + 4.0,
            x(figure.low),
            x(figure.high),
            x(figure.value),
            figure.value
        );
        y += ROW;
    }
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{:.1}\">{least:.2}</text>", y + 6.0);
    let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{most:.2}</text>", LEFT + WIDE, y + 6.0);
    text + "</svg>\n"
}
