//! Tests of the syntax room on small texts.

mod faults;
mod show;
mod trees;

use super::ast::File;
use super::ast::item::ItemKind;
use super::ast::stmt::Stmt;
use super::parse;
use crate::base::FileId;
use crate::report::{Report, Reports};

fn read(text: &str) -> (File, Vec<Report>) {
    let mut reports = Reports::default();
    let file = parse(FileId(0), text, &mut reports);
    (file, reports.sorted().into_iter().cloned().collect())
}

fn good(text: &str) -> File {
    let (file, reports) = read(text);
    assert!(reports.is_empty(), "{text}\n{reports:#?}");
    file
}

/// The code and message of each report.
fn faults(text: &str) -> Vec<String> {
    read(text).1.into_iter().map(|r| format!("{} {}", r.code.text(), r.message)).collect()
}

fn fault(text: &str) -> Report {
    let mut reports = read(text).1;
    assert_eq!(reports.len(), 1, "{text}\n{reports:#?}");
    reports.pop().expect("one")
}

fn item(text: &str) -> ItemKind {
    let mut items = good(text).items;
    assert_eq!(items.len(), 1, "{text}");
    items.pop().expect("one").kind
}

fn stmts(text: &str) -> Vec<Stmt> {
    let item = item(&format!("play {{ {text} }}"));
    if let ItemKind::Play(block) = item { block.stmts } else { panic!("{item:?}") }
}
