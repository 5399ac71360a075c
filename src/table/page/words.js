// What the page says, in two languages. What rules say comes from them.

const words = {
  en: {
    other: "Deutsch", games: "Games", classics: "Classics", own: "A rule file of your own", open: "Open a table",
    players: "Players", variants: "Variants", options: "Options", readings: "Readings", file: "Open a file", back: "Other games",
    seats: "Seats", free: "free", person: "a person", bot: "a bot", sit: "Sit here", letbot: "Let a bot play", spectators: "Looking on",
    you: "you", gone: "not here", link: "Link of this table", copy: "Copy", copied: "Copied", mylink: "Link of my seat (keep it to yourself)",
    wait: "Waiting for the free seats", over: "The game is over", again: "Play again", moved: "They play again", go: "Go there",
    log: "What happened", values: "Values", line: "Connected", lost: "No connection – trying again", other_moves: "Other moves",
    undo: "Other choice", done: "Play this", cannot: "That is not possible: {because}.", claim: "Claim", offer: "Offer", accept: "Accept", pass: "pass",
    decline: "decline", facedown: "face down", delay: "line", first: "Beginning", prev: "Earlier", next: "Later", now: "Now",
    looking: "You look on.", text: "A move in words", pieces: "pieces", past: "This was before step {n} of {all}.", empty: "empty",
    race: "Everybody may act: the first counts.", keys: "Keys", leave: "Let a bot play for me", nothing: "nothing yet",
  },
  de: {
    other: "English", games: "Spiele", classics: "Klassiker", own: "Eine eigene Regeldatei", open: "Tisch eröffnen",
    players: "Spieler", variants: "Varianten", options: "Einstellungen", readings: "Lesarten", file: "Datei öffnen", back: "Andere Spiele",
    seats: "Plätze", free: "frei", person: "ein Mensch", bot: "ein Bot", sit: "Hier sitzen", letbot: "Bot spielen lassen", spectators: "Zuschauer",
    you: "du", gone: "nicht da", link: "Link dieses Tisches", copy: "Kopieren", copied: "Kopiert", mylink: "Link meines Platzes (nur für dich)",
    wait: "Es sind noch Plätze frei", over: "Das Spiel ist zu Ende", again: "Noch einmal", moved: "Es wird noch einmal gespielt", go: "Dorthin",
    log: "Was geschah", values: "Werte", line: "Verbunden", lost: "Keine Verbindung – neuer Versuch", other_moves: "Weitere Züge",
    undo: "Andere Wahl", done: "So spielen", cannot: "Das geht nicht: {because}.", claim: "Beanspruchen", offer: "Anbieten", accept: "Annehmen", pass: "passen",
    decline: "ablehnen", facedown: "verdeckt", delay: "Leitung", first: "Anfang", prev: "Früher", next: "Später", now: "Jetzt",
    looking: "Du schaust zu.", text: "Ein Zug in Worten", pieces: "Steine", past: "So war es vor Schritt {n} von {all}.", empty: "leer",
    race: "Alle dürfen handeln: Der Erste zählt.", keys: "Tasten", leave: "Bot für mich spielen lassen", nothing: "noch nichts",
  },
};

export let lang = localStorage.getItem("language") ?? (navigator.language.startsWith("de") ? "de" : "en");

export function change() {
  lang = lang === "de" ? "en" : "de";
  localStorage.setItem("language", lang);
}

/** A word of the page, with what is put into it. */
export function t(key, given = {}) {
  const text = words[lang][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(given[name] ?? ""));
}
