//! The language for people who play and read.

use std::env;

use crate::say::Lang;

/// A language on the command line.
pub(super) fn parse(tag: &str) -> Result<Lang, String> {
    let known: Vec<&str> = Lang::ALL.iter().map(|lang| lang.tag()).collect();
    Lang::of(tag).ok_or_else(|| format!("the languages are {}", known.join(" and ")))
}

/// The language of the environment: the first variable that is set decides, as in POSIX. One that names a language
/// without messages gives English.
pub(super) fn of_environment() -> Lang {
    let set = |name: &&str| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
    locale.and_then(|locale| Lang::of(&locale)).unwrap_or_default()
}
