use std::collections::BTreeMap;

use fluent_bundle::FluentResource;

use super::{Arg, Lang};

/// The messages of a language: its ids, each with the names of its arguments.
fn messages(lang: Lang) -> BTreeMap<String, Vec<String>> {
    let parsed = FluentResource::try_new(lang.messages().to_owned());
    assert!(parsed.is_ok(), "{lang:?}: {:?}", parsed.err().map(|(_, errors)| errors));
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = String::new();
    for line in lang.messages().lines().filter(|line| !line.starts_with('#')) {
        let id = line.split(" =").next().unwrap_or_default();
        if !line.starts_with(' ') && !id.is_empty() {
            last = id.to_owned();
            assert!(found.insert(last.clone(), Vec::new()).is_none(), "{lang:?}: `{last}` is there twice");
        }
        let names = line.split('$').skip(1).map(|rest| rest.split([' ', '}', '-']).next().unwrap_or_default());
        found.entry(last.clone()).or_default().extend(names.map(str::to_owned));
    }
    for names in found.values_mut() {
        names.sort();
        names.dedup();
    }
    found.remove("");
    found
}

#[test]
fn every_message_exists_in_every_language_with_the_same_arguments() {
    let english = messages(Lang::En);
    assert!(english.len() > 50);
    for lang in Lang::ALL {
        assert_eq!(messages(lang), english, "{lang:?}");
    }
}

#[test]
fn numbers_are_inflected_and_names_stay_as_they_are() {
    let after = |lang: Lang, plies: u32| lang.say("moment", &[("plies", plies.into())]);
    assert_eq!(
        [after(Lang::En, 1), after(Lang::En, 2), after(Lang::En, 0)],
        ["After 1 ply", "After 2 plies", "After 0 plies"]
    );
    assert_eq!([after(Lang::De, 1), after(Lang::De, 2)], ["Nach 1 Halbzug", "Nach 2 Halbzügen"]);
    assert_eq!(Lang::De.say("ask-move", &[("who", Arg::Text("Weiß {x}"))]), "Weiß {x} ist am Zug.");
    assert_eq!(Lang::En.say("no-such-message", &[]), "no-such-message");
    assert_eq!(Lang::De.and(&["A", "B", "C"]), "A, B und C");
    assert_eq!([Lang::En.or(&["A"]), Lang::En.or(&[""; 0])], ["A", ""]);
}

#[test]
fn locales_name_languages() {
    let known = ["de", "de_DE.UTF-8", "DE-at", "en_GB", "C", "C.UTF-8", ""];
    let [de, en] = [Some(Lang::De), Some(Lang::En)];
    assert_eq!(known.map(Lang::of), [de, de, de, en, None, None, None]);
}
