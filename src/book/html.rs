//! Books as a single HTML page without scripts, fonts or external resources. The page is also well-formed XML, so
//! that any program can read it.

use std::fmt::Write;

use super::{Block, Book, ClauseEntry, Decided};
use crate::view::escape;

const STYLE: &str = "\
body { font: 17px/1.55 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #1c1917; }\n\
h1, h2, nav, table, figcaption, .kind, .id { font-family: sans-serif; }\n\
h1 { margin-bottom: .2em; } h2 { margin-top: 2em; border-bottom: 1px solid #d6d3d1; }\n\
.head { list-style: none; padding: 0; color: #57534e; } nav ol { columns: 2; }\n\
dt { margin-top: .8em; } dd { margin: 0 0 0 1.5em; }\n\
.id { font-size: .8em; color: #57534e; text-decoration: none; } .kind { font-size: .8em; color: #78716c; }\n\
.question { font-style: italic; } .recorded { color: #78716c; } .altered { font-weight: 600; }\n\
table { border-collapse: collapse; margin: 1em 0; font-size: .9em; } caption { text-align: left; font-weight: bold; }\n\
th, td { border: 1px solid #d6d3d1; padding: .25em .6em; text-align: left; vertical-align: top; }\n\
figure { margin: 1em 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }\n\
@media print { nav { display: none; } dt, tr, figure { break-inside: avoid; } }\n";

/// A book as a page of HTML.
#[must_use]
pub fn html(book: &Book) -> String {
    let title = escape(&book.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<ul class=\"head\">\n",
        book.lang.tag()
    );
    for line in &book.head {
        let _ = writeln!(text, "<li>{}</li>", escape(line));
    }
    text.push_str("</ul>\n<nav><ol>\n");
    let chapters =
        book.blocks.iter().filter_map(|block| if let Block::Chapter(title) = block { Some(title) } else { None });
    for (number, title) in chapters.enumerate() {
        let _ = writeln!(text, "<li><a href=\"#chapter-{}\">{}</a></li>", number + 1, escape(title));
    }
    text.push_str("</ol></nav>\n");
    let (mut chapter, mut listed) = (0, false);
    for block in &book.blocks {
        let item = matches!(block, Block::ClauseEntry(_) | Block::Decided(_));
        text.push_str(match (listed, item) {
            (false, true) => "<dl>\n",
            (true, false) => "</dl>\n",
            (true, true) | (false, false) => "",
        });
        listed = item;
        match block {
            Block::Chapter(title) => {
                chapter += 1;
                let _ = writeln!(text, "<h2 id=\"chapter-{chapter}\">{}</h2>", escape(title));
            }
            Block::Text(words) => {
                let _ = writeln!(text, "<p>{}</p>", escape(words));
            }
            Block::ClauseEntry(sentence) => text.push_str(&clause(book, sentence)),
            Block::Decided(decided) => text.push_str(&gap(book, decided)),
            Block::Table(caption, head, rows) => text.push_str(&table(caption, head, rows)),
            Block::Picture(caption) => {
                let caption = escape(caption);
                let _ = writeln!(text, "<figure>\n{}<figcaption>{caption}</figcaption></figure>", book.picture);
            }
        }
    }
    text.push_str(if listed { "</dl>\n" } else { "" });
    text.push_str("</body>\n</html>\n");
    text
}

/// The id of a clause as a link to it.
fn link(id: &str) -> String {
    format!("<a class=\"id\" href=\"#§{0}\">§{0}</a>", escape(id))
}

fn clause(book: &Book, sentence: &ClauseEntry) -> String {
    let id = escape(&sentence.id);
    let mut text = format!(
        "<dt id=\"§{id}\">{} <span class=\"clause\" data-clause=\"{id}\">{}</span> <span class=\"kind\">{}</span></dt>\n",
        link(&sentence.id),
        escape(&sentence.text),
        escape(&sentence.kind)
    );
    if !sentence.gaps.is_empty() {
        let links: Vec<String> = sentence.gaps.iter().map(|id| link(id)).collect();
        let _ = writeln!(text, "<dd>{} {}</dd>", escape(&book.lang.say("book-see", &[])), links.join(", "));
    }
    if let Some(altered) = &sentence.altered {
        let _ = writeln!(text, "<dd class=\"altered\">{}</dd>", escape(altered));
    }
    if let Some(reason) = &sentence.recorded {
        let words = book.lang.say("book-recorded", &[("reason", reason.into())]);
        let _ = writeln!(text, "<dd class=\"recorded\">{}</dd>", escape(&words));
    }
    text
}

fn gap(book: &Book, decided: &Decided) -> String {
    let id = escape(&decided.id);
    let mut text = format!(
        "<dt id=\"§{id}\">{} <span class=\"question\">{}</span></dt>\n\
         <dd><span class=\"clause\" data-clause=\"{id}\">{}</span></dd>\n",
        link(&decided.id),
        escape(&decided.question),
        escape(&decided.decision)
    );
    for switch in &decided.switches {
        let _ = write!(
            text,
            "<dd class=\"reading\"><code>{}</code>: {}: <strong>{}</strong>",
            escape(&switch.name),
            escape(&switch.text),
            escape(&switch.chosen)
        );
        for other in &switch.others {
            let _ = write!(text, " | {}", escape(other));
        }
        text.push_str("</dd>\n");
    }
    for other in &decided.alternatives {
        let words = book.lang.say("book-alternative", &[("alternative", other.into())]);
        let _ = writeln!(text, "<dd class=\"recorded\">{}</dd>", escape(&words));
    }
    text
}

fn table(caption: &str, head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = String::from("<table>\n");
    if !caption.is_empty() {
        let _ = writeln!(text, "<caption>{}</caption>", escape(caption));
    }
    let line = |cells: &[String], tag: &str| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let _ = writeln!(text, "<thead>\n{}</thead>\n<tbody>", line(head, "th"));
    for row in rows {
        text.push_str(&line(row, "td"));
    }
    text.push_str("</tbody>\n</table>\n");
    text
}
