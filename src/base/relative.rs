//! Resolving a path that one file gives relative to another.

use std::path::{Component, Path, PathBuf};

/// The path of a file referred to in another one, with `..` resolved.
#[must_use]
pub fn resolve_relative(by: &Path, file: &str) -> PathBuf {
    let mut path = by.parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::CurDir => {}
            part @ (Component::ParentDir | Component::Normal(_)) => path.push(part),
            part @ (Component::Prefix(_) | Component::RootDir) => path = PathBuf::from(part.as_os_str()),
        }
    }
    path
}
