//! What is said to people who play and read, in their language.
//!
//! Each language has a file of messages in the syntax of [Fluent](https://projectfluent.org); the code names a message
//! and its arguments. A message is a whole sentence or a whole entry of a list, so that each language inflects and
//! orders its words by its own rules. Names and titles of games are arguments, and stay as their authors wrote them.
//!
//! **Invariant:** every message exists in every language with the same arguments; nothing here knows a game.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

/// A language that messages are available in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// German.
    De,
    /// English.
    #[default]
    En,
}

/// An argument of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arg<'a> {
    /// A name, a title, or another text that is shown as it is.
    Text(&'a str),
    /// A number; a message may depend on whether it is one or more.
    Number(u64),
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Arg<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Arg<'_> {
    fn from(number: u32) -> Self {
        Self::Number(u64::from(number))
    }
}

impl From<u8> for Arg<'_> {
    fn from(number: u8) -> Self {
        Self::Number(u64::from(number))
    }
}

impl From<usize> for Arg<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::De, Self::En];

    /// Its language tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::En => "en",
        }
    }

    /// The language of a tag or locale such as `de`, `de-AT` or `de_DE.UTF-8`.
    #[must_use]
    pub fn of(locale: &str) -> Option<Self> {
        let tag = locale.split(['-', '_', '.', '@']).next().unwrap_or(locale);
        Self::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(tag))
    }

    /// Its messages, as written in its file.
    #[must_use]
    pub fn messages(self) -> &'static str {
        match self {
            Self::De => include_str!("de.ftl"),
            Self::En => include_str!("en.ftl"),
        }
    }

    /// A message. One that does not exist is shown by its id.
    #[must_use]
    pub fn say(self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        let bundle = match self {
            Self::De => &BUNDLES[0],
            Self::En => &BUNDLES[1],
        };
        let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else {
            return id.to_owned();
        };
        let mut named = FluentArgs::with_capacity(args.len());
        for (name, arg) in args {
            named.set(
                *name,
                match arg {
                    Arg::Text(text) => FluentValue::from(*text),
                    Arg::Number(number) => FluentValue::from(*number),
                },
            );
        }
        bundle.format_pattern(pattern, Some(&named), &mut Vec::new()).into_owned()
    }

    /// Some texts as a list, with the language's word for “and” before the last.
    #[must_use]
    pub fn and(self, texts: &[impl AsRef<str>]) -> String {
        self.list("list-and", texts)
    }

    /// Some texts as a list, with the language's word for “or” before the last.
    #[must_use]
    pub fn or(self, texts: &[impl AsRef<str>]) -> String {
        self.list("list-or", texts)
    }

    fn list(self, id: &str, texts: &[impl AsRef<str>]) -> String {
        let Some((last, before)) = texts.split_last() else { return String::new() };
        let Some((first, more)) = before.split_first() else { return last.as_ref().to_owned() };
        let mut head = first.as_ref().to_owned();
        for text in more {
            head = format!("{head}, {}", text.as_ref());
        }
        self.say(id, &[("head", Arg::Text(&head)), ("last", Arg::Text(last.as_ref()))])
    }
}

/// The messages of each language, parsed.
static BUNDLES: LazyLock<[FluentBundle<FluentResource>; 2]> = LazyLock::new(|| Lang::ALL.map(bundle));

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new_concurrent(vec![lang.tag().parse().unwrap_or_default()]);
    // Arguments are not wrapped in marks of direction: terminals show them.
    bundle.set_use_isolating(false);
    // What cannot be parsed is left out and then shown by its id; a test finds it.
    let resource = FluentResource::try_new(lang.messages().to_owned()).unwrap_or_else(|(parsed, _)| parsed);
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests;
