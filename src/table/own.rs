//! Whether a file that is there already is one of a hall.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::store::StoreError;

/// By this a file says that it is one of a hall: `Rgwk`.
pub(super) const APPLICATION: i64 = 0x5267_776b;

/// How a file of `SQLite` begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// What `SQLite` keeps beside a file, which it deletes or overwrites as its own: the ending of the name, how such a file begins,
/// if that is known, and whether it means anything beside an empty file.
const BESIDE: [(&str, &[&[u8]], bool); 3] = [
    ("-wal", &[b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"], false),
    ("-journal", &[b"\xd9\xd5\x05\xf9", b"\0\0\0\0"], true),
    ("-shm", &[], false),
];

/// Makes sure that what lies beside a file under a name of its own was written for it.
fn inspect_beside(path: &Path) -> Result<(), StoreError> {
    let length = fs::metadata(path).map(|known| known.len());
    for (ending, begins, empty) in BESIDE {
        let mut beside = path.as_os_str().to_owned();
        beside.push(ending);
        let failed = |error: io::Error| StoreError::Failed(error.to_string());
        let mut begun = Vec::new();
        let regular = match fs::metadata(&beside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
            Ok(known) => known.is_file(),
        };
        if regular {
            fs::File::open(&beside).and_then(|file| file.take(4).read_to_end(&mut begun)).map_err(failed)?;
        }
        let name = Path::new(&beside).display();
        if !regular || !begun.is_empty() && !begins.is_empty() && !begins.contains(&begun.as_slice()) {
            return Err(StoreError::Foreign(format!(
                "`{name}` is there already and does not belong to a file of games"
            )));
        }
        let alone = match length {
            Ok(0) => !empty,
            Ok(_) => false,
            Err(_) => true,
        };
        if !begun.is_empty() && alone {
            let why = format!(
                "`{name}` holds what was played last in a file of games that is not there, `{}`: bring that back, or move this away",
                path.display()
            );
            return Err(StoreError::Foreign(why));
        }
    }
    Ok(())
}

/// Makes sure that a file which is there already is one of a hall, before anything in it or about it is changed.
pub(super) fn inspect(path: &Path) -> Result<(), StoreError> {
    inspect_beside(path)?;
    let failed = |error: io::Error| StoreError::Failed(error.to_string());
    let foreign = |why: &str| Err(StoreError::Foreign(format!("`{}` is there already and {why}", path.display())));
    let mut file = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
        Ok(known) if !known.is_file() => return foreign("is no regular file"),
        Ok(known) if known.len() == 0 => return Ok(()),
        Ok(_) => fs::File::open(path).map_err(failed)?,
    };
    let mut begins = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begins).map_err(failed)?;
    if begins != MAGIC {
        return foreign("is no file of games");
    }
    // What was being written when a hall was killed lies beside it, so that it cannot be read alone.
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    db.busy_timeout(Duration::ZERO)?;
    // Whoever is alone needs no file of its own to read, for which there may be no room.
    db.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    let application: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let named = "SELECT count(*) FROM sqlite_master WHERE type = 'table'";
    let tables: i64 = db.query_row(named, [], |row| row.get(0))?;
    let known =
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('rules', 'tables', 'seats', 'steps')";
    let ours: i64 = db.query_row(known, [], |row| row.get(0))?;
    // Files of the first halls do not say so.
    match (application, tables, ours) {
        (APPLICATION, ..) | (0, 0, _) | (0, 4, 4) => Ok(()),
        (..) => foreign("is a database of another program"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lies beside a file under a name that `SQLite` uses stays as it is unless it belongs to it.
    #[test]
    fn what_lies_beside_the_file_is_its_own_or_stays() {
        let folder = tempfile::tempdir().expect("a folder to work in");
        let at = |name: &str| folder.path().join(name);
        let (log, notes) = ([0x37, 0x7f, 0x06, 0x82, 1, 2].as_slice(), b"notes".as_slice());
        fs::write(at("empty"), "").expect("a file");
        for (file, ending, text, stays) in [
            ("absent", "-wal", notes, true),
            ("absent", "-journal", notes, true),
            ("absent", "-shm", notes, true),
            // The file has been moved away from what was played last.
            ("absent", "-wal", log, true),
            ("empty", "-wal", log, true),
            ("empty", "-wal", notes, true),
            ("absent", "-wal", b"", false),
            ("absent", "-old", notes, false),
        ] {
            let beside = at(&format!("{file}{ending}"));
            fs::write(&beside, text).expect("a file");
            let found = inspect(&at(file));
            assert_eq!(matches!(found, Err(StoreError::Foreign(_))), stays, "{file}{ending}: {found:?}");
            assert_eq!(fs::read(&beside).expect("it is there"), text);
            fs::remove_file(beside).expect("deleted");
        }
        fs::create_dir(at("absent-wal")).expect("a folder");
        assert!(matches!(inspect(&at("absent")), Err(StoreError::Foreign(_))));
    }
}
