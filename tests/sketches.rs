//! Files that use the whole language, also what is not played yet: they parse.

use regelwerk::base::Sources;
use regelwerk::report::Reports;
use regelwerk::syntax::parse;

use crate::support::{files_below, read, root, shown};

#[test]
fn sketches_parse() {
    let sketches = files_below(&root("tests/sketches"), "rules");
    assert!(!sketches.is_empty());
    for path in sketches {
        let mut sources = Sources::default();
        let text = read(&path);
        let file = sources.add(path.display().to_string(), text.clone());
        let mut reports = Reports::default();
        let tree = parse(file, &text, &mut reports);
        let shown: Vec<String> = reports.sorted().iter().map(|r| shown(r, &sources)).collect();
        assert!(shown.is_empty(), "{}", shown.join("\n"));
        assert!(tree.items.len() > 10, "{}", path.display());
    }
}
