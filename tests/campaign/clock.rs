//! What single calls cost: the slowest one, and the most memory taken.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The slowest call, what it was, and the input that is being tried.
#[derive(Default)]
struct Clock {
    slowest: Duration,
    call: String,
    input: String,
}

thread_local! {
    static CLOCK: RefCell<Clock> = RefCell::default();
}

/// Says what the next calls are about.
pub(super) fn about(input: String) {
    CLOCK.with_borrow_mut(|clock| clock.input = input);
}

/// The time for which a processor worked on this thread, where the system says so: other programs do not count.
pub(super) fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Makes a call and remembers it if none was slower.
pub(super) fn timed<T>(call: &str, make: impl FnOnce() -> T) -> T {
    let (begun, before) = (Instant::now(), worked());
    let made = make();
    let took = match (before, worked()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        (_, _) => begun.elapsed(),
    };
    CLOCK.with_borrow_mut(|clock| {
        if took > clock.slowest {
            clock.slowest = took;
            clock.call = format!("{call}, {}", clock.input);
        }
    });
    made
}

/// The slowest call since the last time this was asked.
pub(super) fn slowest() -> (Duration, String) {
    CLOCK.with_borrow_mut(|clock| {
        let Clock { slowest, call, .. } = std::mem::take(clock);
        (slowest, call)
    })
}

/// The most memory that this process had, in MiB, since the last time this was asked; none where the system does not say.
pub(super) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    // From now on it counts anew.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
}
