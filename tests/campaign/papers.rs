//! Damaged documents, and fixes of damaged rule files.

use regelwerk::document::{Document, Settled};

use super::promises::{document, fix, settled};
use super::targets::{Found, attack};
use crate::support::{files_below, read, root};

/// Texts that are laid out like rules of a game: the pages of this repository.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = files_below(&root("docs"), "md").iter().map(|path| read(path)).collect();
    pages.retain(|page| (500..8000).contains(&page.len()));
    pages
}

/// Damaged documents are read, and what has changed is found in its lines.
pub(super) fn documents(seed: u64, from: u64, to: u64) -> Found {
    let pages = pages();
    let known: Vec<Settled> = pages.iter().map(|page| settled(&Document::read(page).expect("short enough"))).collect();
    attack("documents", seed, from..to, &pages, &mut |at, input, _| document(input, &known[at]))
}

/// Damaged rule files are fixed as far as that is possible, and lose nothing.
pub(super) fn fixes(seed: u64, from: u64, to: u64) -> Found {
    let mut texts: Vec<String> = (0..300).map(|number| super::generate::brief(seed, number)).collect();
    for (number, text) in texts.iter_mut().enumerate() {
        *text = text.replacen('\n', &format!("  // Line {number}.\n"), 3);
    }
    attack("fixes", seed, from..to, &texts, &mut |_, input, _| fix(input))
}
