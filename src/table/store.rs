//! What is on the disk: one file of `SQLite`, written by one thread.
//!
//! The thread takes all that has been asked of it meanwhile into one transaction and syncs it once, so the number of
//! answers a second does not depend on how long the disk takes for one.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction, params};
use tokio::sync::oneshot;

use super::own::{APPLICATION, inspect};

/// The most requests in one transaction.
const BATCH: usize = 512;

/// The version of the tables below.
const VERSION: i64 = 1;

/// When nothing has been asked for this long, what was written beside the file is brought into it.
const IDLE: Duration = Duration::from_secs(1);

const SCHEMA: &str = "
    CREATE TABLE rules (key TEXT PRIMARY KEY, bundle TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE tables (id TEXT PRIMARY KEY, rules TEXT NOT NULL, record TEXT NOT NULL, lang TEXT NOT NULL,
                         played INTEGER NOT NULL, next TEXT) WITHOUT ROWID;
    CREATE TABLE seats (id TEXT, seat INTEGER, player TEXT NOT NULL, token TEXT, PRIMARY KEY (id, seat)) WITHOUT ROWID;
    CREATE TABLE steps (id TEXT, step INTEGER, text TEXT NOT NULL, seat INTEGER, key TEXT,
                        PRIMARY KEY (id, step)) WITHOUT ROWID;
";

/// Something to be kept.
#[derive(Clone, Debug)]
pub(super) enum Write {
    /// A table with its rules, seats and first steps.
    Table(Box<Kept>),
    /// Who plays a seat.
    Seat { id: String, seat: usize, player: String, token: Option<String> },
    /// What was played, as one answer.
    Steps { id: String, from: usize, texts: Vec<String>, seat: Option<usize>, key: Option<String>, now: i64 },
    /// The table at which they play again.
    Next { id: String, next: Box<Kept> },
    /// Forget what nobody has played at since a time.
    Forget { before: i64 },
}

/// A table as it is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) id: String,
    /// The key and text of its rules.
    pub(super) rules: (String, String),
    /// Its record without steps, as JSON.
    pub(super) record: String,
    pub(super) lang: String,
    pub(super) played: i64,
    pub(super) next: Option<String>,
    /// Who plays each seat, and the seat's token.
    pub(super) seats: Vec<(String, Option<String>)>,
    /// Each step, and for the first of an answer its seat and key.
    pub(super) steps: Vec<(String, Option<usize>, Option<String>)>,
}

/// About how many bytes a row takes beside its text.
const ROW: usize = 128;

/// About how many bytes of the file steps take, of which the first has a key.
pub(super) fn bytes_of(texts: &[String], key: Option<&str>) -> usize {
    texts.iter().map(|text| ROW + text.len()).sum::<usize>() + key.unwrap_or_default().len()
}

impl Kept {
    /// About how many bytes of the file it takes.
    pub(super) fn bytes(&self) -> usize {
        let steps: usize = self.steps.iter().map(|(text, ..)| ROW + text.len()).sum();
        self.rules.1.len() + self.record.len() + ROW * (2 + self.seats.len()) + steps
    }
}

/// Why something is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StoreError {
    /// The disk, or what the file may take of it, is full.
    Full,
    /// The file is there already and is none of a hall; it has not been touched.
    Foreign(String),
    /// Another hall has it.
    Taken,
    /// Anything else. Never shown to a client: it may name the file.
    Failed(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Taken,
            _ => Self::Failed(error.to_string()),
        }
    }
}

type Done<T> = oneshot::Sender<Result<T, StoreError>>;

enum Job {
    Write(Write, Done<()>),
    Read(String, Done<Option<Kept>>),
    Count(Done<usize>),
    Close(Done<()>),
}

/// The file of games.
#[derive(Clone, Debug)]
pub(super) struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the file, or makes it. Only one hall can use it at a time.
    pub(super) fn open(path: &Path, most: u64) -> Result<Self, StoreError> {
        let db = connect(path, most)?;
        let (jobs, todo) = mpsc::channel();
        let run = move || run(db, &todo);
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(run)
            .map_err(|error| StoreError::Failed(error.to_string()))?;
        Ok(Self { jobs })
    }

    /// Keeps something; returns once it is on the disk.
    pub(super) async fn write(&self, what: Write) -> Result<(), StoreError> {
        self.ask(|done| Job::Write(what, done)).await
    }

    /// A table.
    pub(super) async fn read(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        self.ask(|done| Job::Read(id.to_owned(), done)).await
    }

    /// How many tables there are.
    pub(super) async fn count(&self) -> Result<usize, StoreError> {
        self.ask(Job::Count).await
    }

    /// Brings everything into the one file, and lets it go.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        self.ask(Job::Close).await
    }

    async fn ask<T>(&self, job: impl FnOnce(Done<T>) -> Job) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the store has stopped".to_owned());
        self.jobs.send(job(done)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

fn connect(path: &Path, most: u64) -> Result<Connection, StoreError> {
    inspect(path)?;
    let db = Connection::open(path)?;
    // What is hidden in games, and the tokens, are in it.
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .map_err(|error| StoreError::Failed(error.to_string()))?;
    // Whoever holds it does not let it go.
    db.busy_timeout(Duration::ZERO)?;
    // Every commit is synced before it returns; a second hall finds the file locked.
    db.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    let page: u64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let pages = (most << 20) / page.max(1);
    db.pragma_update(None, "max_page_count", pages)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => {
            db.execute_batch(&format!("BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"))?;
            db.pragma_update(None, "application_id", APPLICATION)?;
        }
        VERSION => db.execute_batch("BEGIN IMMEDIATE; COMMIT;")?,
        other => return Err(StoreError::Failed(format!("it is of version {other}; this program reads {VERSION}"))),
    }
    gather(&db);
    Ok(db)
}

/// Brings what was written beside the file into it, so that it is whole by itself. If that fails, nothing is lost.
fn gather(db: &Connection) {
    let _ = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}

fn run(mut db: Connection, todo: &mpsc::Receiver<Job>) {
    let mut beside = false;
    loop {
        let first = match todo.recv_timeout(IDLE) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                if std::mem::take(&mut beside) {
                    gather(&db);
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let (mut batch, mut next) = (Vec::new(), Some(first));
        while let Some(job) = next.take() {
            match job {
                Job::Write(what, done) => batch.push((what, done)),
                // Whoever no longer listens needs no answer.
                Job::Read(id, done) => drop(done.send(read(&db, &id).map_err(StoreError::from))),
                Job::Count(done) => drop(done.send(count(&db).map_err(StoreError::from))),
                Job::Close(done) => {
                    commit(&mut db, batch);
                    let closed = db.close().map_err(|(_, error)| StoreError::from(error));
                    return drop(done.send(closed));
                }
            }
            if batch.len() < BATCH {
                next = todo.try_recv().ok();
            }
        }
        beside |= !batch.is_empty();
        commit(&mut db, batch);
    }
}

/// Writes a batch; if it fails, each by itself, so that one does not spoil the others.
fn commit(db: &mut Connection, batch: Vec<(Write, Done<()>)>) {
    if batch.is_empty() {
        return;
    }
    let whole = transact(db, batch.iter().map(|(what, _)| what));
    let several = batch.len() > 1;
    for (what, done) in batch {
        let result = match &whole {
            Err(_) if several => transact(db, std::iter::once(&what)),
            other => other.clone(),
        };
        drop(done.send(result));
    }
}

fn transact<'a>(db: &mut Connection, all: impl Iterator<Item = &'a Write>) -> Result<(), StoreError> {
    let transaction = db.transaction()?;
    for what in all {
        write(&transaction, what)?;
    }
    Ok(transaction.commit()?)
}

fn write(db: &Transaction<'_>, what: &Write) -> rusqlite::Result<()> {
    match what {
        Write::Table(kept) => add(db, kept),
        Write::Seat { id, seat, player, token } => db
            .prepare_cached("UPDATE seats SET player = ?3, token = ?4 WHERE id = ?1 AND seat = ?2")?
            .execute(params![id, seat, player, token])
            .and_then(known),
        Write::Steps { id, from, texts, seat, key, now } => {
            steps(
                db,
                id,
                *from,
                texts.iter().enumerate().map(|(at, text)| {
                    let first = at == 0;
                    (text.as_str(), seat.filter(|_| first), key.as_deref().filter(|_| first))
                }),
            )?;
            db.prepare_cached("UPDATE tables SET played = ?2 WHERE id = ?1")?.execute(params![id, now]).and_then(known)
        }
        Write::Next { id, next } => {
            add(db, next)?;
            db.execute("UPDATE tables SET next = ?2 WHERE id = ?1", params![id, next.id]).and_then(known)
        }
        Write::Forget { before } => {
            for name in ["steps", "seats"] {
                db.execute(
                    &format!("DELETE FROM {name} WHERE id IN (SELECT id FROM tables WHERE played < ?1)"),
                    [before],
                )?;
            }
            db.execute("DELETE FROM tables WHERE played < ?1", [before])?;
            db.execute("DELETE FROM rules WHERE key NOT IN (SELECT rules FROM tables)", []).map(|_| ())
        }
    }
}

/// What belongs to a table that is kept no longer is not kept: nobody must be told that it is.
fn known(changed: usize) -> rusqlite::Result<()> {
    if changed == 0 { Err(rusqlite::Error::QueryReturnedNoRows) } else { Ok(()) }
}

fn add(db: &Transaction<'_>, kept: &Kept) -> rusqlite::Result<()> {
    let Kept { id, rules: (key, bundle), record, lang, played, next, .. } = kept;
    db.prepare_cached("INSERT OR IGNORE INTO rules VALUES (?1, ?2)")?.execute(params![key, bundle])?;
    db.prepare_cached("INSERT INTO tables VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![id, key, record, lang, played, next])?;
    for (seat, (player, token)) in kept.seats.iter().enumerate() {
        db.prepare_cached("INSERT INTO seats VALUES (?1, ?2, ?3, ?4)")?.execute(params![id, seat, player, token])?;
    }
    steps(db, id, 0, kept.steps.iter().map(|(text, seat, key)| (text.as_str(), *seat, key.as_deref())))
}

fn steps<'a>(
    db: &Transaction<'_>,
    id: &str,
    from: usize,
    all: impl Iterator<Item = (&'a str, Option<usize>, Option<&'a str>)>,
) -> rusqlite::Result<()> {
    // Two answers to one question cannot both be kept: the step is the primary key.
    let mut insert = db.prepare_cached("INSERT INTO steps VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for (step, (text, seat, key)) in (from..).zip(all) {
        insert.execute(params![id, step, text, seat, key])?;
    }
    Ok(())
}

fn count(db: &Connection) -> rusqlite::Result<usize> {
    db.query_row("SELECT count(*) FROM tables", [], |row| row.get(0))
}

fn read(db: &Connection, id: &str) -> rusqlite::Result<Option<Kept>> {
    let query = "SELECT tables.rules, bundle, record, lang, played, next FROM tables JOIN rules ON rules.key = tables.rules WHERE id = ?1";
    let found = db.prepare_cached(query)?.query_row([id], |row| {
        Ok(Kept {
            id: id.to_owned(),
            rules: (row.get(0)?, row.get(1)?),
            record: row.get(2)?,
            lang: row.get(3)?,
            played: row.get(4)?,
            next: row.get(5)?,
            ..Kept::default()
        })
    });
    let mut kept = match found {
        Ok(kept) => kept,
        Err(rusqlite::Error::QueryReturnedNoRows) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut seats = db.prepare_cached("SELECT player, token FROM seats WHERE id = ?1 ORDER BY seat")?;
    kept.seats = seats.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut steps = db.prepare_cached("SELECT text, seat, key FROM steps WHERE id = ?1 ORDER BY step")?;
    kept.steps = steps.query_map([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect::<Result<_, _>>()?;
    Ok(Some(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is not a hall's stays as it is, and one of a hall is whole by itself once the hall is closed.
    #[tokio::test]
    async fn the_file_is_the_halls_own_and_whole() {
        let folder = tempfile::tempdir().expect("a folder to work in");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("text"), "game g\n").expect("a text");
        let other = Connection::open(at("other")).expect("a database");
        other.execute_batch("CREATE TABLE mine (a INTEGER); PRAGMA user_version = 1;").expect("a table");
        other.close().expect("closed");
        for name in ["text", "other", "."] {
            let held = |name: &str| std::fs::read(at(name)).ok();
            let before = (held(name), std::fs::metadata(at(name)).expect("it is there").permissions());
            assert!(matches!(Store::open(&at(name), 64), Err(StoreError::Foreign(_))), "{name}");
            assert_eq!(before, (held(name), std::fs::metadata(at(name)).expect("it is there").permissions()), "{name}");
        }
        let store = Store::open(&at("games"), 64).expect("a file of games");
        assert!(matches!(Store::open(&at("games"), 64), Err(StoreError::Taken)));
        let kept = Kept { id: "one".to_owned(), rules: ("r".to_owned(), "{}".to_owned()), ..Kept::default() };
        store.write(Write::Table(Box::new(kept))).await.expect("kept");
        store.close().await.expect("closed");
        std::fs::copy(at("games"), at("copy")).expect("a copy of the one file");
        let copy = Store::open(&at("copy"), 64).expect("a file of games");
        assert_eq!(copy.count().await, Ok(1));
    }

    /// A table that was forgotten takes no answer, seat or next table any more: each write says so.
    #[tokio::test]
    async fn what_belongs_to_no_table_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder to work in");
        let store = Store::open(&folder.path().join("games"), 64).expect("a file of games");
        let id = || "forgotten".to_owned();
        let texts = vec!["a1".to_owned()];
        let steps = Write::Steps { id: id(), from: 0, texts, seat: None, key: None, now: 0 };
        let seat = Write::Seat { id: id(), seat: 0, player: "person".to_owned(), token: None };
        for what in [steps, seat] {
            assert!(matches!(store.write(what).await, Err(StoreError::Failed(_))));
        }
        assert_eq!(store.read("forgotten").await.map(|kept| kept.is_none()), Ok(true));
    }
}
