// The table: whose turn it is, the board, cards and piles, what can be done, and what happened.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Arrange } from "./arrange.tsx";
import { Board, type Edge, edgeOf } from "./board.tsx";
import { pieceOf, pieceTitle } from "./clicks.ts";
import type { Components, View } from "./protocol.ts";
import { t } from "./words.ts";
import { HUMAN, type Workshop } from "./workshop.ts";

/** Colours that words in rules name, in the languages rules are written in here. */
const dyes: Readonly<Record<string, string>> = {
  red: "#c62828", rot: "#c62828", hearts: "#c62828", diamonds: "#c62828", herz: "#c62828", karo: "#c62828",
  green: "#2e7d32", gruen: "#2e7d32", grün: "#2e7d32",
  blue: "#1565c0", blau: "#1565c0",
  yellow: "#b7860b", gelb: "#b7860b",
  orange: "#d2691e", purple: "#6a1b9a", lila: "#6a1b9a", violet: "#6a1b9a", pink: "#c2185b",
  white: "#8d8d8d", weiß: "#8d8d8d", weiss: "#8d8d8d", black: "#222", schwarz: "#222", spades: "#222", clubs: "#222", pik: "#222", kreuz: "#222",
  brown: "#6d4c41", braun: "#6d4c41",
};

const suits: Readonly<Record<string, string>> = {
  hearts: "♥", diamonds: "♦", spades: "♠", clubs: "♣", herz: "♥", karo: "♦", pik: "♠", kreuz: "♣",
};

const seatColours = ["#1f6f8b", "#c77c02", "#8e44ad", "#2e7d32", "#3f51b5", "#b3261e"];

export function seatColour(at: number): string {
  return seatColours[at % seatColours.length] ?? "#6b7280";
}

function Card({ text, components, open, chosen, onClick }: {
  text: string;
  components: Components;
  open: boolean;
  chosen: boolean;
  onClick(): void;
}) {
  const piece = pieceOf(text);
  if (piece.hidden) return <span class="card back" role="img" aria-label={t("face down")} />;
  const { title, details } = pieceTitle(text, components);
  const words = [...piece.fields, ...details, piece.kind, title].map((word) => word.toLowerCase());
  const dye = words.map((word) => dyes[word]).find((one) => one !== undefined);
  const suit = words.map((word) => suits[word]).find((one) => one !== undefined);
  const label = [title, ...details].join(", ");
  return (
    <button
      type="button"
      class={`card${width(details, components)}${open ? " open" : ""}${chosen ? " chosen" : ""}`}
      style={dye ? { "--dye": dye } : {}}
      aria-label={label}
      aria-pressed={chosen}
      title={label}
      data-piece={text}
      onClick={onClick}
    >
      <span class="face">{breakable(title)}</span>
      {details.map((detail) => (
        <span class="detail" key={detail}>{detail}</span>
      ))}
      {suit && <span class="suit" aria-hidden="true">{suit}</span>}
    </button>
  );
}

/** Where the cards of a game have little on them they are narrower, so that a hand takes fewer rows. */
function width(details: readonly string[], components: Components): string {
  const longest = Math.max(...components.kinds.map((kind) => (kind.title || kind.name).length));
  if (longest <= 5 && details.length === 0) return " bare";
  return longest <= 8 && details.every((detail) => detail.length <= 8) ? " short" : "";
}

/** A title that may also be broken after a stroke. */
function breakable(title: string): ComponentChildren {
  return title.split(/(?<=\/)/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}

const truths: Readonly<Record<string, () => string>> = { true: () => t("yes"), false: () => t("no") };

/** A value as people say it: seats and members of lists by their titles. */
function said(value: string, components: Components): string {
  const titled = [...components.seats, ...Object.values(components.enums).flat()];
  const one = (word: string) => titled.find((other) => other.name === word)?.title || truths[word]?.() || word;
  if (!/^\{.*\}$/.test(value)) return one(value);
  const members = value.slice(1, -1).split(/\s+/).filter(Boolean);
  return members.length > 0 ? members.map(one).join(", ") : "–";
}

/** A name without a title, as words. */
function plain(name: string): string {
  return name.replaceAll("_", " ");
}

/** What people call a zone; whose it is need not be said where it lies with its seat. */
function zoneTitle(name: string, components: Components): string {
  const info = components.zones[name];
  const [zone = name, inner = ""] = name.replace(/\)$/, "").split("(");
  const members = Object.values(components.enums).flat();
  const indices = inner.split(",").map((one) => one.trim()).filter((one) => one && one !== info?.seat);
  const said = indices.map((one) => members.find((member) => member.name === one)?.title || one);
  return [info?.title || plain(zone), ...said].join(" ");
}

/** Hidden cards beyond so many are only counted. */
const SHOWN = 12;

function Zone({ name, pieces, workshop, open, choosable }: {
  name: string;
  pieces: readonly string[];
  workshop: Workshop;
  open: ReadonlySet<string>;
  choosable: boolean;
}) {
  const components = workshop.components;
  const info = components?.zones[name];
  if (!components || !info) return null;
  const title = zoneTitle(name, components);
  const covered = pieces.every((piece) => pieceOf(piece).hidden);
  const picked = [...workshop.clicks.names("piece")];
  const card = (piece: string, at: number) => {
    const chosen = choosable && picked.includes(piece);
    if (chosen) picked.splice(picked.indexOf(piece), 1);
    return (
      <Card
        key={`${piece} ${at}`}
        text={piece}
        components={components}
        open={choosable && open.has(piece)}
        chosen={chosen}
        onClick={() => void workshop.click("piece", piece)}
      />
    );
  };
  const piled = info.form === "pile";
  const shown = piled ? pieces.slice(-1) : covered ? pieces.slice(0, SHOWN) : pieces;
  return (
    <div class={piled ? "zone pile" : "zone"} data-zone={name}>
      <span class="zone-name">
        {title}
        <span class="count">{pieces.includes("?*") ? "?" : pieces.length}</span>
      </span>
      <div class={covered && !piled ? "cards tight" : "cards"}>{shown.map(card)}</div>
    </div>
  );
}

/** The zones that lie beside sites of the board, by the edge they lie at. */
function besides(components: Components | undefined, svg: string): Map<string, Edge> {
  const found = new Map<string, Edge>();
  for (const [name, zone] of Object.entries(components?.zones ?? {})) {
    const edge = zone.beside.length > 0 && svg ? edgeOf(svg, zone.beside) : undefined;
    if (edge) found.set(name, edge);
  }
  return found;
}

function Zones({ workshop, view, names, open }: { workshop: Workshop; view: View; names: readonly string[]; open: ReadonlySet<string> }) {
  const components = workshop.components;
  if (!components) return null;
  const asked = workshop.state?.asked;
  // A card in one's own hand is meant before one like it that lies elsewhere.
  const held = new Set(
    Object.entries(view.zones)
      .filter(([name]) => asked && components.zones[name]?.seat === asked)
      .flatMap(([, pieces]) => pieces),
  );
  const zones = names.filter((name) => (view.zones[name]?.length ?? 0) > 0 || components.zones[name]?.form === "pile" || components.zones[name]?.beside.length);
  if (zones.length === 0) return null;
  return (
    <div class="zones">
      {zones.map((name) => {
        const pieces = view.zones[name] ?? [];
        const mine = components.zones[name]?.seat === asked;
        const meant = new Set([...open].filter((piece) => mine || !held.has(piece)));
        return <Zone key={name} name={name} pieces={pieces} workshop={workshop} open={meant} choosable={meant.size > 0 || mine} />;
      })}
    </div>
  );
}

/** Variables that have a title and a value worth showing; those of a seat stand with the seat. */
function variables(workshop: Workshop, view: View, seat: string | null): { key: string; title: string; value: string }[] {
  const { components, opening } = workshop;
  if (!components || !opening) return [];
  const seats = opening.seats.map((one) => one.name);
  return Object.entries(view.variables).flatMap(([key, value]) => {
    const [name = "", index] = key.replace(/\)$/, "").split("(");
    const title = components.variables[name];
    if (!title || value === "?") return [];
    const whose = index !== undefined && seats.includes(index) ? index : null;
    if (whose !== seat) return [];
    return [{ key, title: index !== undefined && whose === null ? `${title} ${said(`{${index.replaceAll(",", " ")}}`, components)}` : title, value: said(value, components) }];
  });
}

export const bots: readonly (readonly [string, string])[] = [
  [HUMAN, "Person"],
  ["random", "Bot: any move"],
  ["mcts:50", "Bot: quick"],
  ["mcts:200", "Bot: steady"],
  ["mcts:1000", "Bot: strong"],
];

function Seat({ workshop, at, open, area }: { workshop: Workshop; at: number; open: ReadonlySet<string>; area: string | undefined }) {
  const seat = workshop.opening?.seats[at];
  const view = workshop.shown?.view;
  if (!seat || !view) return null;
  const turn = view.state.asked === seat.name;
  const result = view.state.outcome?.seats[seat.name];
  const player = workshop.seats[seat.name] ?? HUMAN;
  const verdicts: Readonly<Record<string, string>> = { win: t("wins"), draw: t("draws"), loss: t("loses") };
  return (
    <section class={`seat${turn ? " turn" : ""}${workshop.opening?.secrets && player === HUMAN ? " person" : ""}`} style={{ "--seat": seatColour(at), ...(area ? { "grid-area": area } : {}) }} aria-label={seat.title} data-seat={seat.name}>
      <header>
        <span class="disc" aria-hidden="true">{workshop.components?.seats[at]?.symbol ?? ""}</span>
        <span class="seat-title">{seat.title || seat.name}</span>
        {result && verdicts[result.verdict] && (
          <span class={`verdict ${result.verdict}`}>
            {verdicts[result.verdict]}
            {result.score !== null && ` (${result.score})`}
          </span>
        )}
        {turn && workshop.thinking && <span class="thinking">{t("thinks …")}</span>}
        <select
          aria-label={t("Who plays {0}", seat.title || seat.name)}
          value={player}
          onChange={(event) => workshop.setPlayer(seat.name, event.currentTarget.value)}
        >
          {bots.map(([spec, title]) => (
            <option key={spec} value={spec}>{t(title)}</option>
          ))}
        </select>
      </header>
      <Values list={variables(workshop, view, seat.name)} />
      <Zones workshop={workshop} view={view} names={Object.keys(view.zones).filter((name) => workshop.components?.zones[name]?.seat === seat.name)} open={open} />
    </section>
  );
}

/** Where the others sit, clockwise from whoever is at the screen, by how many they are. */
const places: readonly (readonly string[])[] = [[], ["1 / 1 / 2 / 4"], ["l", "r"], ["l", "t", "r"], ["l", "tl", "tr", "r"], ["l", "tl", "t", "tr", "r"]];

/** Everybody round the table: without a board what all share lies in their midst. */
function Seats({ workshop, open, round, children }: { workshop: Workshop; open: ReadonlySet<string>; round: boolean; children: ComponentChildren }) {
  const seats = workshop.opening?.seats ?? [];
  const mine = workshop.viewer ?? workshop.humans()[0];
  const me = Math.max(0, seats.findIndex((seat) => seat.name === mine));
  const areas = places[seats.length - 1];
  if (!round || !areas || seats.length < 2) {
    return (
      <>
        {children}
        <div class="seats">{seats.map((seat, at) => <Seat key={seat.name} workshop={workshop} at={at} open={open} area={undefined} />)}</div>
      </>
    );
  }
  const others = areas.map((area, number) => ({ area, at: (me + 1 + number) % seats.length }));
  const one = (at: number, area: string) => <Seat key={seats[at]?.name} workshop={workshop} at={at} open={open} area={area} />;
  return (
    <div class="seats round">
      <div class={seats.length === 2 ? "midst wide" : "midst"}>{children}</div>
      {one(me, "me")}
      {others.map(({ area, at }) => one(at, area))}
    </div>
  );
}

function Values({ list }: { list: readonly { key: string; title: string; value: string }[] }) {
  if (list.length === 0) return null;
  return (
    <dl class="values">
      {list.map(({ key, title, value }) => (
        <div key={key}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What stands on the sites, in words. */
function standing(workshop: Workshop, view: View): Record<string, string> {
  const { components } = workshop;
  if (!components) return {};
  return Object.fromEntries(
    Object.entries(view.pieces).map(([site, text]) => {
      const piece = pieceOf(text);
      const { title, details } = pieceTitle(text, components);
      const owner = piece.owner ? workshop.title(piece.owner) : "";
      const words = piece.hidden ? [t("face down"), owner] : [title, owner, ...details];
      return [site, words.filter(Boolean).join(", ")];
    }),
  );
}

/** What the letters on the board stand for, where there are several. */
function Legend({ workshop, view }: { workshop: Workshop; view: View }) {
  const lying = new Set(Object.values(view.pieces).map((text) => pieceOf(text).kind));
  const kinds = workshop.components?.kinds.filter((kind) => lying.has(kind.name) && kind.symbol && kind.title) ?? [];
  if (kinds.length < 2) return null;
  return (
    <p class="legend">
      {kinds.map((kind) => (
        <span key={kind.name}><b>{kind.symbol}</b> {kind.title}</span>
      ))}
    </p>
  );
}

/** That the rules as written cannot be played, and the first reason, which leads to its line. */
function Stale({ workshop, onJump }: { workshop: Workshop; onJump(line: number): void }) {
  const first = workshop.diagnostics.find((one) => one.severity === "error");
  return (
    <div class="notice error" role="status">
      <p>{t("The rules have errors; the game is played by those before.")}</p>
      {first && (
        <button type="button" class="link" onClick={() => onJump(first.line)}>
          {first.file === workshop.file ? t("line {0}", first.line) : first.file}: {[first.message, first.help].filter(Boolean).join("; ").replaceAll("`", "")}
        </button>
      )}
    </div>
  );
}

function Why({ workshop, onJump }: { workshop: Workshop; onJump(line: number): void }) {
  const { notice } = workshop;
  if (!notice) return null;
  const rules = notice.why?.rules ?? [];
  return (
    <div class={`notice ${notice.sort}`} role="alert">
      <p>{notice.text.replaceAll("`", "")}</p>
      {rules.length > 0 && (
        <ul>
          {rules.map((rule) => (
            <li key={`${rule.file}:${rule.line}:${rule.kind}`}>
              {rule.clauses.filter((clause) => notice.why?.clauses[clause]).map((clause) => (
                <p key={clause} class="clause">
                  <b>§{clause}</b> {notice.why?.clauses[clause]}
                </p>
              ))}
              {rule.clauses.some((clause) => !notice.why?.clauses[clause]) && (
                <p class="clause"><b>{rule.clauses.filter((clause) => !notice.why?.clauses[clause]).map((clause) => `§${clause}`).join(", ")}</b></p>
              )}
              {rule.file === workshop.file ? (
                <button type="button" class="link" onClick={() => onJump(rule.line)}>
                  {t("line {0}", rule.line)}: <code>{rule.text.trim()}</code>
                </button>
              ) : (
                <code>{rule.text.trim()}</code>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Actions({ workshop }: { workshop: Workshop }) {
  const { legal, clicks, opening, shown, state } = workshop;
  if (!legal || !opening || shown?.step != null || legal.ask === "race" || !state?.asked) return null;
  const next = clicks.next();
  const begun = clicks.chosen.length > 0 || clicks.picked.length > 0;
  const title = (action: string | null) => opening.moves.find((move) => move.name === action)?.title ?? "";
  // Several ways may lead to one site: then they are told apart in words.
  const done = next.done.length > 1 || next.choices.length + next.sites.size + next.pieces.size > 0 ? next.done : [];
  return (
    <div class="actions" role="group" aria-label={t("What can be done")}>
      {next.choices.map((choice) => (
        <button type="button" class="choice" key={choice.key} data-choice={choice.key} onClick={() => void workshop.click("choice", choice.key)}>
          {choice.label}
        </button>
      ))}
      {done.map((path) => (
        <button type="button" class="choice done" key={path.move} data-move={path.move} onClick={() => void workshop.finish(path.move)}>
          {next.done.length > 1 ? plain(path.move) : title(path.action) || t("Done")}
        </button>
      ))}
      {begun && (
        <button type="button" class="quiet" onClick={() => workshop.unclick()}>{t("Take the choice back")}</button>
      )}
    </div>
  );
}

function Declarations({ workshop }: { workshop: Workshop }) {
  const { opening, state, shown } = workshop;
  const [claim, setClaim] = useState("");
  if (!opening || !state || state.over || shown?.step != null || workshop.humans().length === 0) return null;
  if (opening.claims.length + opening.offers.length === 0) return null;
  const plain = opening.claims.filter((one) => one.pattern === `claim ${one.name}`);
  const others = opening.claims.filter((one) => one.pattern !== `claim ${one.name}`);
  return (
    <div class="declarations">
      {plain.map((one) => (
        <button type="button" class="quiet" key={one.name} onClick={() => void workshop.declare(`claim ${one.name}`)}>
          {t("Claim: {0}", one.title || one.name)}
        </button>
      ))}
      {opening.offers.map((one) => {
        const open = (state.offers[one.name]?.length ?? 0) > 0;
        return (
          <button type="button" class="quiet" key={one.name} onClick={() => void workshop.declare(`${open ? "accept" : "offer"} ${one.name}`)}>
            {open ? t("Accept: {0}", one.title || one.name) : t("Offer: {0}", one.title || one.name)}
          </button>
        );
      })}
      {others.length > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (claim.trim()) void workshop.declare(claim.trim());
          }}
        >
          <span>{others.map((one) => one.title || one.name).join(", ")}</span>
          <input
            value={claim}
            aria-label={t("Claim")}
            title={others.map((one) => one.pattern).join(", ")}
            placeholder={others.map((one) => one.pattern).join(", ")}
            onInput={(event) => setClaim(event.currentTarget.value)}
          />
          <button type="submit" class="quiet">{t("Claim")}</button>
        </form>
      )}
    </div>
  );
}

/** A column of keys for each of several people at one keyboard. */
const columns = ["1qay", "2wsx", "3edc", "4rfv", "5tgb", "6zhn"];

interface Key {
  readonly key: string;
  readonly seat: string;
  readonly action: string;
}

/** The keys of the people in a race, with what they do. */
function keys(workshop: Workshop): Key[] {
  const humans = workshop.humans();
  const actions = [...new Set(workshop.legal?.parts.map((parts) => parts.action))].filter((action) => action !== null);
  const all = workshop.opening?.moves.filter((move) => move.pattern === move.name).map((move) => move.name) ?? [];
  const racing = all.filter((name) => actions.includes(name));
  const found: Key[] = [];
  humans.forEach((seat, person) => {
    racing.forEach((action, at) => {
      const column = columns[person % columns.length] ?? "";
      const own = [...action].find((letter) => found.every((one) => one.key !== letter));
      const key = humans.length === 1 ? own : column[at];
      if (key) found.push({ key, seat, action });
    });
  });
  return found;
}

function Race({ workshop }: { workshop: Workshop }) {
  const { state, opening, shown } = workshop;
  const on = state?.ask === "race" && shown?.step == null && !state.over;
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest("input, select, textarea, .cm-editor")) return;
      if (!workshop.racing && (event.key === " " || event.key === "Enter") && !target.closest("button")) {
        event.preventDefault();
        workshop.startRace();
        return;
      }
      const found = keys(workshop).find((one) => one.key === event.key.toLowerCase());
      if (!found) return;
      event.preventDefault();
      void workshop.press(found.seat, found.action);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [on, workshop]);
  if (!on || !opening) return null;
  const humans = workshop.humans();
  const title = (action: string) => opening.moves.find((move) => move.name === action)?.title || action;
  return (
    <div class="race">
      {!workshop.racing && humans.length > 0 && (
        <p>
          {t("This is a race in real time: whoever acts first is first.")}{" "}
          <button type="button" class="primary" onClick={() => workshop.startRace()}>{t("Ready")}</button>
        </p>
      )}
      {humans.map((seat) => (
        <div class="keys" key={seat}>
          {humans.length > 1 && <span>{workshop.title(seat)}</span>}
          {keys(workshop)
            .filter((one) => one.seat === seat)
            .map((one) => (
              <button
                type="button"
                class="key"
                key={one.action}
                disabled={!workshop.racing}
                data-act={`${seat} ${one.action}`}
                onPointerDown={() => void workshop.press(seat, one.action)}
              >
                <kbd>{one.key}</kbd> {title(one.action)}
              </button>
            ))}
        </div>
      ))}
      {workshop.racing && (
        <button type="button" class="quiet" onClick={() => workshop.pauseRace()}>{t("Pause")}</button>
      )}
    </div>
  );
}

function History({ workshop }: { workshop: Workshop }) {
  const { events, shown, state } = workshop;
  const steps = state?.steps ?? 0;
  const at = shown?.step ?? steps;
  // The deal before the first decision is one stop, not a hundred.
  const stops = [...new Set([...events.filter((event) => event.seat !== null).map((event) => event.step), steps])].sort((a, b) => a - b);
  const show = (step: number) => void workshop.look(step >= steps ? null : Math.max(step, 0));
  const before = stops.filter((stop) => stop < at).at(-1);
  const after = stops.find((stop) => stop > at);
  const told = events.filter((event) => event.seat !== null);
  return (
    <section class="history" aria-label={t("History")}>
      <div class="steps">
        <button type="button" aria-label={t("To the beginning")} title={t("To the beginning")} disabled={before === undefined} onClick={() => show(stops[0] ?? 0)}>«</button>
        <button type="button" aria-label={t("One step back")} title={t("One step back")} disabled={before === undefined} onClick={() => show(before ?? 0)}>‹</button>
        <span>
          {t("{0} of {1}", stops.indexOf(at) >= 0 ? stops.indexOf(at) : stops.length - 1, stops.length - 1)}
        </span>
        <button type="button" aria-label={t("One step on")} title={t("One step on")} disabled={after === undefined} onClick={() => show(after ?? steps)}>›</button>
        <button type="button" aria-label={t("To the present")} title={t("To the present")} disabled={shown?.step == null} onClick={() => show(steps)}>»</button>
      </div>
      <ol class="moves">
        {told.map((event, number) => (
          <li key={`${event.step} ${number}`}>
            <button type="button" class={event.step < at && (stops.find((stop) => stop > event.step) ?? steps) >= at ? "current" : ""} onClick={() => show(stops.find((stop) => stop > event.step) ?? steps)}>
              {plain(event.text)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The sites that the last step names. */
function lastSites(workshop: Workshop): string[] {
  const { events, shown, components, state } = workshop;
  const at = shown?.step ?? state?.steps ?? 0;
  const last = events.filter((event) => event.step < at && event.seat !== null).at(-1);
  if (!last || !components) return [];
  const words = last.move.split(/[^\p{L}\p{N}_]+/u);
  return components.sites.map((site) => site.name).filter((name) => words.includes(name));
}

export function Table({ workshop, onJump }: { workshop: Workshop; onJump(line: number): void }) {
  const { shown, opening, state } = workshop;
  const beside = useMemo(() => besides(workshop.components, shown?.svg ?? ""), [workshop.components, shown?.svg === undefined]);
  if (workshop.arranging) return <div class="table"><Arrange workshop={workshop} onDone={() => workshop.arrange(false)} /></div>;
  if (!shown || !opening || !state) {
    return (
      <div class="table empty">
        <Why workshop={workshop} onJump={onJump} />
        {!workshop.notice && !opening && <p class="loading">{t("The interpreter is loaded …")}</p>}
      </div>
    );
  }
  const handover = workshop.handover();
  const { view } = shown;
  const next = workshop.clicks.next();
  const begun = workshop.clicks.chosen.length > 0 || workshop.clicks.picked.length > 0;
  const live = shown.step === null;
  const none: ReadonlySet<string> = new Set();
  const human = state.asked !== null && workshop.seats[state.asked] === HUMAN;
  const open = live ? next.pieces : none;
  const shared = Object.keys(view.zones).filter((name) => (workshop.components?.zones[name]?.seat ?? null) === null);
  const lying = (edge: Edge) => shared.filter((name) => beside.get(name) === edge);
  const board = shown.svg && (
    <Board
      svg={shown.svg}
      sources={live ? next.sites : none}
      chosen={workshop.clicks.names("site")}
      last={lastSites(workshop)}
      begun={begun}
      active={live && human}
      standing={standing(workshop, view)}
      onSite={(name) => void workshop.click("site", name)}
    />
  );
  const said = (view.state.outcome?.text ?? view.prompt).replaceAll("`", "");
  const [question = "", ...clause] = said.split(/ (?=\(?§)/);
  return (
    <div class="table" data-game={view.state.game}>
      {workshop.stale && <Stale workshop={workshop} onJump={onJump} />}
      <div class="prompt-line">
        <p class="prompt" aria-live="polite">
          {question}
          {clause.length > 0 && <span class="asked-by"> {clause.join(" ")}</span>}
        </p>
        <div class="tools">
          <button type="button" onClick={() => void workshop.undo()} disabled={state.steps === 0 || !live}>{t("Undo")}</button>
          <button type="button" onClick={() => void workshop.again()}>{t("New game")}</button>
        </div>
      </div>
      {handover ? (
        <div class="handover" role="dialog" aria-label={t("Hand over")}>
          <p>{t("{0} is next. Hand the screen over; nothing hidden is shown before.", workshop.title(handover))}</p>
          <button type="button" class="primary" onClick={() => workshop.takeScreen(handover)}>{t("I am {0}", workshop.title(handover))}</button>
        </div>
      ) : (
        <>
          <div class="answers">
            <Actions workshop={workshop} />
            <Why workshop={workshop} onJump={onJump} />
          </div>
          <Seats workshop={workshop} open={open} round={!shown.svg}>
            <Race workshop={workshop} />
            {beside.size === 0 ? board : (
              <div class="surround">
                {(["top", "left", "right", "bottom"] as const).map((edge) => (
                  <div class={`edge at-${edge}`} key={edge}>
                    <Zones workshop={workshop} view={view} names={lying(edge)} open={open} />
                  </div>
                ))}
                {board}
              </div>
            )}
            {shown.svg && <Legend workshop={workshop} view={view} />}
            <Zones workshop={workshop} view={view} names={shared.filter((name) => !beside.has(name))} open={open} />
            <Values list={variables(workshop, view, null)} />
          </Seats>
          <Declarations workshop={workshop} />
          {opening.secrets && (
            <label class="openly">
              <input type="checkbox" checked={workshop.openly} onChange={(event) => workshop.setOpenly(event.currentTarget.checked)} />
              {t("Show everything, hands as well")}
            </label>
          )}
          <History workshop={workshop} />
        </>
      )}
    </div>
  );
}
