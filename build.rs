//! Embeds the games under `rules/` and their cases: writes tables of their files that `src/bundled.rs` includes, so
//! that no game is named in the source code. `grammar` derives what messages and fixes need from the grammar.

#[path = "build/grammar.rs"]
mod grammar;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("grammar.rs"), grammar::tables(&home)?)?;
    let root = home.join("rules");
    tell_cargo(&root);
    let mut table = String::from("&[\n");
    for folder in games(&root)? {
        tell_cargo(&folder);
        for file in files(&folder)? {
            let inside = file.strip_prefix(&root).map_err(io::Error::other)?;
            let key: Vec<String> =
                inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            writeln!(table, "    ({:?}, include_str!({:?})),", key.join("/"), file.display().to_string())
                .map_err(io::Error::other)?;
        }
    }
    table.push_str("]\n");
    fs::write(out.join("bundled.rs"), table)?;
    fs::write(out.join("cases.rs"), cases()?)
}

/// The folders of games: those with a rule file of their own name. A folder without one may contain several games, as
/// `rules/classics` does.
fn games(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in entries(root)?.into_iter().filter(|path| path.is_dir()) {
        if folder.join(format!("{}.rules", file_name(&folder))).is_file() {
            found.push(folder);
        } else {
            tell_cargo(&folder);
            found.extend(games(&folder)?);
        }
    }
    Ok(found)
}

/// The cases of the games, by their path under `tests/conformance`.
fn cases() -> io::Result<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/conformance");
    let mut table = String::from("&[\n");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        tell_cargo(&folder);
        for path in entries(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "ron") {
                let inside = path.strip_prefix(&root).map_err(io::Error::other)?;
                let key = inside.to_string_lossy().replace('\\', "/");
                writeln!(table, "    ({key:?}, include_str!({:?})),", path.display().to_string())
                    .map_err(io::Error::other)?;
            }
        }
    }
    table.push_str("]\n");
    Ok(table)
}

fn tell_cargo(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// The rule files and registries of a game, including its variants.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() && file_name(&path) == "variants" {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|end| end == "rules" || end == "ron") {
            found.push(path);
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
