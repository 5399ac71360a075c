//! Atomic writes: a file is either unchanged or complete, whatever goes wrong.
//!
//! The text goes to a temporary file in the same folder, is synced, and replaces the old file by a rename, which file
//! systems do atomically.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::content::{Content, Found, MARK, found};
use super::exit::{Exit, Failure};
use crate::files::{read_text, remedy};

/// How many links are followed to a file.
const LINKS: usize = 40;

/// Writes a result to a path given by the user. An existing file is overwritten only if it is empty or has the same
/// kind of contents.
///
/// # Errors
/// If it cannot be written, or something else is there; the file is then unchanged.
pub(super) fn write_result(path: &Path, content: Content, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    let there = match found(path, content) {
        Found::Nothing | Found::Same => None,
        Found::Unread => Some("cannot be read".to_owned()),
        Found::Other => Some(format!("is no {}", content.name())),
    };
    if let Some(there) = there {
        let message = format!("`{}` is there already and {there}", path.display());
        return Err(Failure::new(Exit::Missing, message).cure("choose another name, or delete that file first"));
    }
    if content != Content::Page {
        return write_text(path, text);
    }
    let mut page = text.as_ref().to_vec();
    if !page.ends_with(b"\n") {
        page.push(b'\n');
    }
    page.extend_from_slice(MARK.as_bytes());
    write_text(path, &page)
}

/// Makes a folder for results, unless it exists.
///
/// # Errors
/// If it cannot be made.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| failure(path, "made", &error))
}

/// Writes a result that takes the place of no other: one that is there already stays unless it is the same.
///
/// # Errors
/// If it cannot be written, or something else is there; the file is then unchanged.
pub(super) fn write_only(path: &Path, content: Content, text: &str) -> Result<(), Failure> {
    if found(path, content) == Found::Same && !fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        let message = format!("`{}` is there already, and is another {}", path.display(), content.name());
        return Err(
            Failure::new(Exit::Missing, message).cure("choose another name or folder, or delete that file first")
        );
    }
    write_result(path, content, text)
}

/// Writes a file anew that was read before, unless somebody else has written it since then.
///
/// # Errors
/// If it is no longer as it was read, or cannot be written; the file is then unchanged.
pub(super) fn rewrite(path: &Path, read: &str, text: &str) -> Result<(), Failure> {
    let mut changed = false;
    let wrote = replace(path, |file| {
        file.write_all(text.as_bytes())?;
        // Looked at last, since writing takes as long as the disk does.
        file.sync_all()?;
        changed = !read_text(path).is_ok_and(|now| now == read);
        if changed { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    });
    if changed {
        let message = format!("`{}` has changed since it was read, and stays as it is now", path.display());
        return Err(Failure::new(Exit::Missing, message).cure("run the command again"));
    }
    wrote.map_err(|error| failure(path, "written", &error))
}

/// Writes a new file, or one that is replaced whatever it holds.
///
/// # Errors
/// If it cannot be written; the file is then unchanged.
pub(super) fn write_text(path: &Path, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
    replace(path, |file| file.write_all(text.as_ref())).map_err(|error| failure(path, "written", &error))
}

/// Writes a new file under the first of some names that nobody has, and says which: it is there whole or not at all.
///
/// # Errors
/// If it cannot be written, or all names are taken.
pub(super) fn write_first(names: impl Iterator<Item = PathBuf>, text: &str) -> Result<PathBuf, Failure> {
    for path in names {
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        match replace(&path, |file| file.write_all(text.as_bytes())) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failure(&path, "written", &error)),
        }
    }
    Err(Failure::new(Exit::Missing, "all names are taken").cure("move or delete some of those files"))
}

fn failure(path: &Path, what: &str, error: &io::Error) -> Failure {
    Failure::new(Exit::Missing, format!("`{}` cannot be {what}: {error}", path.display())).cure(remedy(error.kind()))
}

/// Replaces a file by what `fill` writes.
fn replace(path: &Path, fill: impl FnOnce(&mut fs::File) -> io::Result<()>) -> io::Result<()> {
    // If the path is a link, its target is replaced, not the link.
    let target = target(path)?;
    let known = fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    if known.is_some() {
        // A rename does not ask whether the file itself may be written.
        fs::OpenOptions::new().append(true).open(&target)?;
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".regelwerk-");
    match &known {
        Some(known) => {
            builder.permissions(kept(known));
        }
        None => new_file(&mut builder),
    }
    let mut file = builder.tempfile_in(&folder)?;
    if let Some(known) = &known {
        keep_owner(file.as_file(), known);
    }
    fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    let wrote = match known {
        Some(_) => file.persist(&target),
        // What somebody else has written there meanwhile stays, where the file system can tell.
        None => file
            .persist_noclobber(&target)
            .or_else(|error| if taken(&error.error) { Err(error) } else { error.file.persist(&target) }),
    };
    wrote.map_err(|error| {
        let meanwhile = "somebody else has written it meanwhile";
        if taken(&error.error) { io::Error::new(error.error.kind(), meanwhile) } else { error.error }
    })?;
    // The rename is on disk once the folder is synced, which not every system supports.
    if let Ok(folder) = fs::File::open(&folder) {
        folder.sync_all().unwrap_or_default();
    }
    Ok(())
}

/// What a path leads to, whether or not it is there.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        if !fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink()) {
            return Ok(target);
        }
        let link = fs::read_link(&target)?;
        target = target.parent().map_or_else(|| link.clone(), |folder| folder.join(&link));
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead in a circle"))
}

/// The permissions that stay: not the right to run as the owner, which a system takes away whenever a file is written.
#[cfg(unix)]
fn kept(known: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(known.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn kept(known: &fs::Metadata) -> fs::Permissions {
    known.permissions()
}

/// The file stays with its owner and group where whoever writes it may give it to them.
#[cfg(unix)]
fn keep_owner(file: &fs::File, known: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (owner, group) = (known.uid(), known.gid());
    // Others than the system's administrator may at most choose among their own groups.
    fchown(file, Some(owner), Some(group)).or_else(|_| fchown(file, None, Some(group))).unwrap_or_default();
}

#[cfg(not(unix))]
fn keep_owner(_: &fs::File, _: &fs::Metadata) {}

/// A new file gets the permissions of the user's umask, which the system applies.
#[cfg(unix)]
fn new_file(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn new_file(_: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    /// However much was written before the disk was full, the old file is intact and no temporary file remains.
    #[test]
    fn a_write_that_fails_loses_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.rules");
        fs::write(&path, "old").expect("written");
        for written in 0..3 {
            let failed = replace(&path, |file| {
                file.write_all(&b"new"[..written])?;
                Err(io::ErrorKind::StorageFull.into())
            });
            assert_eq!(failed.map_err(|error| error.kind()), Err(io::ErrorKind::StorageFull));
            assert_eq!(fs::read_to_string(&path).expect("a text"), "old");
            assert_eq!(names(folder.path()), ["game.rules"]);
        }
        write_text(&path, "new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "new");
        assert_eq!(names(folder.path()), ["game.rules"]);
    }

    #[test]
    fn another_kind_of_file_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.rules");
        fs::write(&path, "game chess").expect("written");
        let failure = write_result(&path, Content::Record, "Record()").expect_err("it holds rules");
        assert!(failure.message.contains("is no record of a game"), "{}", failure.message);
        assert_eq!(fs::read_to_string(&path).expect("a text"), "game chess");
        let path = folder.path().join("saved.ron");
        for text in ["Record(1)", "Record(2)"] {
            write_result(&path, Content::Record, text).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("a text"), text);
        }
    }

    /// What somebody else has written in the meantime stays.
    #[test]
    fn what_has_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.rules");
        fs::write(&path, "old, and more").expect("written");
        let failure = rewrite(&path, "old", "new").expect_err("it has changed");
        assert!(failure.message.contains("has changed"), "{}", failure.message);
        assert_eq!(fs::read_to_string(&path).expect("a text"), "old, and more");
        rewrite(&path, "old, and more", "new").expect("as it was read");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "new");
    }

    /// A new file that somebody else writes at the same time stays as well.
    #[test]
    fn what_is_written_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("saved.ron");
        let failed = replace(&path, |file| {
            file.write_all(b"mine")?;
            fs::write(&path, "theirs")
        });
        assert_eq!(failed.map_err(|error| error.kind()), Err(io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read_to_string(&path).expect("a text"), "theirs");
        assert_eq!(names(folder.path()), ["saved.ron"]);
    }

    /// Files that look like what is written, but are somebody's own, stay.
    #[test]
    fn what_only_looks_alike_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let others = [
            (Content::Page, "<svg></svg>\n"),
            (Content::Page, "# My notes\n"),
            (Content::Shard, "{\"name\":\"package\"}"),
            (Content::Coverage, "To do\nall the rest\n"),
        ];
        for (content, text) in others {
            fs::write(&path, text).expect("written");
            let failure = write_result(&path, content, "new").expect_err("it is somebody's");
            assert!(failure.message.contains(content.name()), "{}", failure.message);
            assert_eq!(fs::read_to_string(&path).expect("a text"), text);
        }
        for (content, text) in [
            (Content::Page, "<svg></svg>"),
            (Content::Page, "# Game\n"),
            (Content::Shard, "{\"settings\":{}}"),
            (Content::Coverage, "Game\n   3 of 4 clauses: tested\n"),
        ] {
            fs::write(&path, "").expect("emptied");
            for _ in 0..2 {
                write_result(&path, content, text).expect("its own");
            }
            let written = fs::read_to_string(&path).expect("a text");
            assert!(written.starts_with(text) && written.len() <= text.len() + 1 + MARK.len(), "{written}");
        }
    }

    /// A link's target is replaced; the link and the permissions stay.
    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a.rules"), folder.path().join("b.rules"));
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        symlink(&path, &link).expect("a link");
        write_text(&link, "new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "new");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
    }

    /// What a link leads to is written, there or not; links that lead in a circle are refused.
    #[cfg(unix)]
    #[test]
    fn links_lead_to_what_is_written() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        symlink("other.save", at("link.save")).expect("a link");
        write_text(&at("link.save"), "new").expect("written");
        assert_eq!(fs::read_to_string(at("other.save")).expect("a text"), "new");
        assert!(fs::symlink_metadata(at("link.save")).expect("a link").is_symlink());
        symlink("b", at("a")).expect("a link");
        symlink("a", at("b")).expect("a link");
        let failure = write_text(&at("a"), "new").expect_err("a circle");
        assert!(failure.message.contains("lead in a circle"), "{}", failure.message);
        assert!(fs::symlink_metadata(at("a")).expect("a link").is_symlink());
    }

    /// A file keeps its owner, and nobody gets the right to run it as another.
    #[cfg(unix)]
    #[test]
    fn the_owner_stays() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.rules");
        fs::write(&path, "old").expect("written");
        // Only the system's administrator can give a file away.
        let given = chown(&path, Some(1234), Some(1234)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4751)).expect("set");
        let before = fs::metadata(&path).expect("a file");
        assert_eq!((given, before.uid() == 1234), (given, given));
        write_text(&path, "new").expect("written");
        let after = fs::metadata(&path).expect("a file");
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(after.permissions().mode() & 0o7777, 0o751);
    }
}
