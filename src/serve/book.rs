//! Rulebooks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::request::Fields;
use crate::api::checked;
use crate::book::{BookInput, book, html};
use crate::load::RuleFile;
use crate::model::Viewer;
use crate::play::{Match, Stream, Who, deal};

impl Server<'_> {
    pub(super) fn book(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let lang = fields.lang()?;
        let rules = self.rules(fields)?;
        let Some((file, text)) = self.texts.find(rules.name()) else {
            let message = format!("the text of `{}` is not here", rules.name());
            return Err(Fault::new(Code::UnknownRules, message, "`write` it first"));
        };
        let (loaded, _) = checked(rules.name(), &RuleFile::read(&file, &text, &self.texts), rules.setup())?;
        let engine = rules.engine();
        let opening = deal(engine, engine.start(), &mut Stream::new(0, "deal", 0));
        let opening = Match::new(engine, opening).door(Who::Viewer(Viewer::Spectator)).position();
        let (game, altered) = (rules.game(), BTreeMap::new());
        let input =
            BookInput { game, items: &loaded.items, offer: &loaded.offer, opening: &opening, altered: &altered, lang };
        Ok(json!({"title": game.title, "language": lang.tag(), "html": html(&book(&input))}))
    }
}
