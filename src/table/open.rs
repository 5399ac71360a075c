//! Opening tables.

use std::net::IpAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::task::block_in_place;

use super::bundle::Bundle;
use super::hall::{Hall, key_of, now};
use super::message::{Choice, Refusal};
use super::play::Table;
use super::seats::Player;
use super::store::{Kept, Write};
use super::token::Token;
use super::trial::trial;
use crate::api::Rules;
use crate::bundled;
use crate::play::{Record, Seed};
use crate::say::Lang;
use crate::serve::{Hosted, offered};

/// Rules that have been chosen.
struct Chosen {
    bundle: Arc<Bundle>,
    /// The bundle as text, and its key.
    text: String,
    key: String,
    rules: Rules,
    lang: Lang,
}

fn no_randomness(_: getrandom::Error) -> Refusal {
    Refusal::limit("the system has no random numbers", "try again later")
}

/// A seed that nobody can guess.
fn seed() -> Result<Seed, Refusal> {
    let half = || getrandom::u64().map_err(no_randomness);
    Ok([half()?, half()?].into())
}

impl Hall {
    /// The games to choose from.
    pub(super) fn games(&self) -> Value {
        let titled = |names: Vec<&str>| -> Vec<Value> {
            names.into_iter().map(|name| json!({"name": name, "title": bundled::title(name)})).collect()
        };
        let own = self.own.as_ref().map(|(name, _)| json!({"name": name, "title": bundled::title(name)}));
        json!({
            "own": own, "games": titled(bundled::games()), "classics": titled(bundled::collected()),
            "strangers": self.config.strangers, "language": self.config.lang.tag(),
        })
    }

    /// What can be chosen.
    pub(super) async fn describe(&self, from: IpAddr, choice: &Choice) -> Result<Value, Refusal> {
        let Chosen { rules, lang, .. } = self.chosen(from, choice).await?;
        let mut found = json!({"title": rules.title(), "seats": rules.game().seats.len()});
        for (name, value) in offered(lang, rules.game(), rules.offer()) {
            found[name] = value;
        }
        Ok(found)
    }

    async fn chosen(&self, from: IpAddr, choice: &Choice) -> Result<Chosen, Refusal> {
        let lang = match &choice.language {
            None => self.config.lang,
            Some(tag) => {
                Lang::of(tag).ok_or_else(|| Refusal::new("bad-value", "no such language", "give `en` or `de`"))?
            }
        };
        let (bundle, foreign) = match (&choice.text, &choice.rules) {
            (Some(_), _) if !self.config.strangers => {
                return Err(Refusal::limit("rule files are not accepted here", "choose one of the games"));
            }
            (Some(text), None) => {
                self.may_open(from)?;
                let memory = trial(self, from, text, &choice.setup()).await?;
                (Arc::new(block_in_place(|| Bundle::of_stranger(text, memory))), true)
            }
            (None, Some(name)) => (self.named(name)?, false),
            (Some(_), Some(_)) => {
                return Err(Refusal::new("bad-value", "both `rules` and `text` are given", "remove one of the two"));
            }
            (None, None) => {
                let cure = "name a game with `rules`, or give the rules themselves as `text`";
                return Err(Refusal::new("bad-value", "neither `rules` nor `text` is given", cure));
            }
        };
        let text = serde_json::to_string(&*bundle).unwrap_or_default();
        // A stranger may choose texts with equal hashes, so a stranger's rules are nobody else's.
        let key = if foreign { Token::new().map_err(no_randomness)?.text().to_owned() } else { key_of(&text) };
        let rules = self.rules_for(from, (&key, &bundle), &choice.setup()).await?;
        Ok(Chosen { bundle, text, key, rules, lang })
    }

    fn named(&self, name: &str) -> Result<Arc<Bundle>, Refusal> {
        if let Some((own, bundle)) = &self.own
            && own == name
        {
            return Ok(Arc::clone(bundle));
        }
        let known = bundled::all().into_iter().chain(bundled::variants()).any(|known| known == name);
        let bundle = if known { block_in_place(|| Bundle::shipped(name)) } else { None };
        let none =
            || Refusal::new("unknown-rules", format!("there are no rules `{name}` here"), bundled::suggest(name));
        bundle.map(Arc::new).ok_or_else(none)
    }

    /// Opens a table; returns its name once it is kept.
    pub(super) async fn open_table(self: &Arc<Self>, from: IpAddr, choice: &Choice) -> Result<Value, Refusal> {
        if choice.text.is_none() {
            self.may_open(from)?;
        }
        let Chosen { bundle, text, key, rules, lang } = self.chosen(from, choice).await?;
        let seats = rules.game().seats.len();
        let most = self.config.limits.seats;
        if seats > most {
            return Err(Refusal::limit(
                format!("the game has {seats} seats, and a table {most}"),
                "choose fewer players",
            ));
        }
        self.has_place().await?;
        self.may_keep(from)?;
        let blank = blank(&rules, &bundle.label)?;
        let players = vec![Player::Free; seats];
        let (table, kept) = self.lay(&rules, (key, text, bundle.memory.unwrap_or_default()), &blank, lang, players)?;
        let bytes = kept.bytes();
        self.store.write(Write::Table(Box::new(kept))).await?;
        self.keeps_table(from, bytes);
        Ok(json!({"table": self.put(table).id.text()}))
    }

    /// Whether another table can be kept.
    async fn has_place(&self) -> Result<(), Refusal> {
        if self.store.count().await? < self.config.limits.tables {
            return Ok(());
        }
        Err(Refusal::limit("there are as many tables as this hall keeps", "come back another day"))
    }

    /// A game from its beginning, and what has to be kept of it.
    fn lay(
        &self,
        rules: &Rules,
        (key, text, memory): (String, String, usize),
        blank: &Record,
        lang: Lang,
        players: Vec<Player>,
    ) -> Result<(Table, Kept), Refusal> {
        let id = Token::new().map_err(no_randomness)?;
        let hosted = block_in_place(|| Hosted::begin(rules, blank.seed, lang, self.config.limits.steps))?;
        let kept = Kept {
            id: id.text().to_owned(),
            rules: (key, text),
            record: serde_json::to_string(blank).unwrap_or_default(),
            lang: lang.tag().to_owned(),
            played: now(),
            next: None,
            seats: players.iter().map(Player::kept).collect(),
            steps: hosted.texts(0).into_iter().map(|text| (text, None, None)).collect(),
        };
        Ok((Table::new(id, self.shared(&hosted, memory)?, hosted, players), kept))
    }

    /// The same people play the same game again, at another table with the same tokens.
    pub(super) async fn again(self: &Arc<Self>, from: IpAddr, table: &Table) -> Result<Value, Refusal> {
        let mut play = table.play.lock().await;
        if let Some(next) = &play.next {
            return Ok(json!({"table": next.text()}));
        }
        if !play.hosted.is_over() {
            return Err(Refusal::new("not-over", "this game is not over", "finish it, or open another table"));
        }
        // It is a table like any other.
        self.may_open(from)?;
        self.has_place().await?;
        self.may_keep(from)?;
        let lost = || Refusal::new("not-kept", "what was kept of this table cannot be read", "open another table");
        let kept = self.store.read(table.id.text()).await?.ok_or_else(lost)?;
        let record: Record = serde_json::from_str(&kept.record).map_err(|_| lost())?;
        let lang = Lang::of(&kept.lang).unwrap_or_default();
        let rules = play.hosted.session().rules().clone();
        let blank = Record { seed: seed()?, ..record };
        let bundle: Bundle = serde_json::from_str(&kept.rules.1).map_err(|_| lost())?;
        let (key, text) = kept.rules;
        let (again, next) =
            self.lay(&rules, (key, text, bundle.memory.unwrap_or_default()), &blank, lang, play.players.clone())?;
        let bytes = next.bytes();
        self.store.write(Write::Next { id: kept.id, next: Box::new(next) }).await?;
        self.keeps_table(from, bytes);
        let id = self.put(again).id.clone();
        play.next = Some(id.clone());
        drop(play);
        table.stir.send_modify(|stir| stir.people += 1);
        Ok(json!({"table": id.text()}))
    }
}

/// The record of a game that has not begun.
fn blank(rules: &Rules, label: &str) -> Result<Record, Refusal> {
    let setup = rules.setup().clone();
    Ok(Record {
        game: label.to_owned(),
        digest: rules.digest(),
        players: setup.players,
        variants: setup.variants,
        readings: setup.readings,
        options: setup.options,
        seed: seed()?,
        ..Record::default()
    })
}
