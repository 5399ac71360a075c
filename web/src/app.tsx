// The page: rules on the left, what is done with them on the right; on a phone one at a time.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { Book } from "./book.tsx";
import { Document } from "./document.tsx";
import { Editor } from "./editor.tsx";
import { Gallery } from "./gallery.tsx";
import { Settings } from "./settings.tsx";
import { pack, recall } from "./share.ts";
import { Simulate } from "./simulate.tsx";
import { Table } from "./table.tsx";
import { speak, spoken, t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

const tabs = ["rules", "play", "settings", "simulate", "book", "document"] as const;
type Tab = (typeof tabs)[number];

function titleOf(tab: Tab): string {
  switch (tab) {
    case "rules":
      return t("Rules");
    case "play":
      return t("Play");
    case "settings":
      return t("Settings");
    case "simulate":
      return t("Simulate");
    case "book":
      return t("Rulebook");
    case "document":
      return t("Document");
  }
}

/** Hands a text to the person as a file. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Lets the person choose a file. */
function upload(accept: string, then: (name: string, text: string) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.onchange = () => {
    const file = input.files?.[0];
    if (file) void file.text().then((text) => then(file.name, text));
  };
  input.click();
}

/** A text to be taken along: copied or kept as a file. */
function Taken({ title, hint, name, text, onClose }: { title: string; hint: string; name: string; text: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState(text);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="taken" ref={dialog} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" aria-label={t("Close")} onClick={() => dialog.current?.close()}>✕</button>
      </header>
      <p class="hint">{hint}</p>
      <textarea rows={16} spellcheck={false} aria-label={title} value={said} onInput={(event) => setSaid(event.currentTarget.value)} />
      <div class="row">
        <button type="button" onClick={() => void navigator.clipboard.writeText(said).catch(() => undefined)}>{t("Copy")}</button>
        <button type="button" class="primary" onClick={() => download(name, said)}>{t("Save as {0}", name)}</button>
      </div>
    </dialog>
  );
}

export function shortName(file: string): string {
  return file.split("/").at(-1) ?? file;
}

export function App({ workshop, onSpeak }: { workshop: Workshop; onSpeak(): void }) {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const [tab, setTab] = useState<Tab>("play");
  const [jump, setJump] = useState<{ line: number } | undefined>(undefined);
  const [gallery, setGallery] = useState(false);
  const [menu, setMenu] = useState(false);
  const [made, setMade] = useState<string | undefined>(undefined);
  const [shared, setShared] = useState<string | undefined>(undefined);
  const [dark, setDark] = useState(() => localStorage.getItem("regelwerk.theme"));

  useEffect(() => workshop.subscribe(() => again(undefined as never)), [workshop]);
  useEffect(() => {
    if (dark) document.documentElement.dataset["theme"] = dark;
    else delete document.documentElement.dataset["theme"];
  }, [dark]);
  useEffect(() => {
    document.title = workshop.opening ? `${workshop.opening.title} · Regelwerk` : "Regelwerk";
  }, [workshop.opening]);
  useEffect(() => {
    if (!menu) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !(event.target as Element).closest(".menu")) setMenu(false);
    };
    addEventListener("keydown", close);
    addEventListener("pointerdown", close);
    return () => {
      removeEventListener("keydown", close);
      removeEventListener("pointerdown", close);
    };
  }, [menu]);

  const toLine = (line: number) => {
    setTab((now) => (matchMedia("(max-width: 899px)").matches ? "rules" : now));
    setJump({ line });
  };
  const errors = workshop.diagnostics.filter((one) => one.severity === "error").length;
  const warnings = workshop.diagnostics.length - errors;
  const first = workshop.diagnostics[0];

  const share = async () => {
    setMenu(false);
    const address = new URL(location.href);
    address.hash = await pack(await workshop.saved());
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address.href);
      setShared(t("The link has been copied. It holds the rules, the settings and the game."));
    } catch {
      setShared(t("The link is in the address bar. It holds the rules, the settings and the game."));
    }
    setTimeout(() => setShared(undefined), 6000);
  };
  const variant = () => {
    setMenu(false);
    const game = workshop.rules;
    if (!workshop.games.includes(game)) return;
    const name = `my-${game}`;
    const title = t("{0}, my variant", workshop.opening?.title ?? game);
    const comment = t("Everything is as in the other game, but for what is written here.");
    void workshop.take(`${name}.rules`, `// ${comment}\ngame ${name} "${title}" extends "${game}"\n\n`);
    setTab(matchMedia("(max-width: 899px)").matches ? "rules" : "play");
  };
  const entry = (title: string, action: () => void) => (
    <button type="button" role="menuitem" onClick={() => { setMenu(false); action(); }}>{title}</button>
  );

  return (
    <div class="page" data-tab={tab}>
      <header class="top">
        <span class="brand" aria-label="Regelwerk"><b>§</b> <span>Regelwerk</span></span>
        <button type="button" class="game" onClick={() => setGallery(true)} aria-haspopup="dialog">
          {workshop.opening?.title ?? t("Games")} <span aria-hidden="true">▾</span>
        </button>
        <span class="grow" />
        <button type="button" onClick={() => void share()}>{t("Share")}</button>
        <span class="menu">
          <button type="button" aria-haspopup="menu" aria-expanded={menu} aria-label={t("More")} onClick={() => setMenu(!menu)}>☰</button>
          {menu && (
            <div role="menu">
              {entry(t("New rule file"), () => void import("./start.ts").then(({ example }) => workshop.take("mine.rules", example)))}
              {workshop.games.includes(workshop.rules) && entry(t("A variant of this game"), variant)}
              {entry(t("Open a rule file …"), () => upload(".rules,text/plain", (name, text) => void workshop.take(name, text)))}
              {entry(t("Download the rule file"), () => download(shortName(workshop.file), workshop.text))}
              {workshop.own && workshop.base && entry(t("Undo all changes of the rules"), () => void workshop.take(workshop.file, workshop.base, workshop.base))}
              <hr />
              {recall(true) && entry(t("Back to my own work"), () => {
                const mine = recall(true);
                if (mine) void workshop.restore(mine);
              })}
              {entry(t("Load a record …"), () => upload(".ron,text/plain", (_, text) => void workshop.load(text)))}
              {workshop.opening && entry(t("Set up a position …"), () => { setTab("play"); workshop.arrange(true); })}
              {workshop.opening && entry(t("A case from this position …"), () => void workshop.asCase().then(setMade, (error: unknown) => workshop.tell(error)))}
              {entry(t("Save the record"), () => void workshop.record().then((text) => download(`${workshop.rules.replace(/\.rules$/, "").split("/").at(-1)}.ron`, text)))}
              <hr />
              {entry(spoken() === "de" ? "English" : "Deutsch", () => {
                speak(spoken() === "de" ? "en" : "de");
                localStorage.setItem("regelwerk.language", spoken());
                onSpeak();
              })}
              {entry(t("Light or dark"), () => {
                const now = dark ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
                const other = now === "dark" ? "light" : "dark";
                localStorage.setItem("regelwerk.theme", other);
                setDark(other);
              })}
            </div>
          )}
        </span>
      </header>
      {shared && <p class="toast" role="status">{shared}</p>}
      <nav class="tabs" aria-label={t("Views")}>
        {tabs.map((one) => (
          <button
            type="button"
            key={one}
            data-view={one}
            aria-current={tab === one ? "page" : undefined}
            onClick={() => setTab(one)}
          >
            {titleOf(one)}
            {one === "rules" && errors > 0 && <span class="badge">{errors}</span>}
          </button>
        ))}
      </nav>
      <main>
        <section class="rules" aria-label={t("Rules")}>
          <Editor workshop={workshop} jump={jump} />
          <button type="button" class={errors ? "status error" : "status"} disabled={!first} onClick={() => first && toLine(first.line)}>
            <span>{shortName(workshop.file)}{workshop.own && workshop.base ? ` · ${t("changed")}` : ""}</span>
            <span role="status">
              {!workshop.checked
                ? t("checking …")
                : errors + warnings === 0
                  ? t("no faults")
                  : [errors && t(errors === 1 ? "{0} error" : "{0} errors", errors), warnings && t(warnings === 1 ? "{0} warning" : "{0} warnings", warnings)].filter(Boolean).join(", ")}
            </span>
          </button>
        </section>
        <section class="side" aria-label={titleOf(tab)}>
          {(tab === "play" || tab === "rules") && <Table workshop={workshop} onJump={toLine} />}
          {tab === "settings" && <Settings workshop={workshop} />}
          {tab === "simulate" && <Simulate workshop={workshop} />}
          {tab === "book" && <Book workshop={workshop} />}
          {tab === "document" && <Document key={workshop.file} workshop={workshop} />}
        </section>
      </main>
      {made !== undefined && (
        <Taken
          title={t("A case from this position")}
          hint={t("The position, what was played after it, and what was refused last. `regelwerk test` runs it.")}
          name="case.ron"
          text={made}
          onClose={() => setMade(undefined)}
        />
      )}
      {gallery && <Gallery workshop={workshop} onClose={() => setGallery(false)} onChoose={() => setTab("play")} />}
    </div>
  );
}
