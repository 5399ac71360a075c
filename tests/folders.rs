//! Folders of files.

use std::path::{Path, PathBuf};

/// All files with an extension in a folder and its subfolders, in order.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|_| panic!("no folder {}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}
