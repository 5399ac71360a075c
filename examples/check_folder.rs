//! Checks the rule files in a folder and its subfolders: `cargo run --release --example check_folder -- rules`. The
//! exit code is 1 if one of them has errors.

#![expect(clippy::print_stdout, reason = "a program at the terminal")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use regelwerk::Rules;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = env::args().nth(1).unwrap_or_else(|| "rules".to_owned());
    let errors = check(Path::new(&folder))?;
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks every rule file, prints the reports, and counts the errors.
fn check(folder: &Path) -> Result<usize, Box<dyn Error>> {
    let (files, mut errors) = (rule_files(folder)?, 0);
    for file in &files {
        let found = Rules::check_path(file)?;
        errors += found.errors();
        if !found.is_empty() {
            println!("{found}\n");
        }
    }
    println!("{} files, {errors} errors", files.len());
    Ok(errors)
}

fn rule_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rule_files(&path)?);
        } else if path.extension().is_some_and(|end| end == "rules") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[test]
fn a_bundled_game_passes_and_an_incorrect_file_does_not() -> Result<(), Box<dyn Error>> {
    assert_eq!(check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/kalaha"))?, 0);
    let folder = env::temp_dir().join(format!("regelwerk-check-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("broken.rules"), "game broken\nplayers 2\nbord square 3 x 3\n")?;
    assert!(check(&folder)? > 0);
    Ok(fs::remove_dir_all(folder)?)
}
