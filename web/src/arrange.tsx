// A position set up by hand: pieces and tokens by clicks, all else by its text.

import { useEffect, useRef, useState } from "preact/hooks";
import { Board } from "./board.tsx";
import { pieceTitle } from "./clicks.ts";
import { Draft } from "./position.ts";
import { type Components, Refused, type View } from "./protocol.ts";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

/** What a draft looks like. */
interface Looked {
  readonly view: View;
  readonly svg: string;
}

/** What a click on a site does: puts a piece, more tokens or fewer, or empties the site. */
type Tool = { readonly sort: "piece"; readonly kind: string } | { readonly sort: "token"; readonly name: string; readonly by: number } | { readonly sort: "empty" };

const none: ReadonlySet<string> = new Set();

/** The kinds that may stand on a board: those that belong to a zone alone do not. */
function standing(components: Components, view: View): Components["kinds"] {
  const zoned = new Set(Object.values(components.zones).flatMap((zone) => zone.kinds));
  const seen = new Set(Object.values(view.pieces).map((text) => text.split(/[.{]/)[0]));
  return components.kinds.filter((kind) => !zoned.has(kind.name) || seen.has(kind.name));
}

export function Arrange({ workshop, onDone }: { workshop: Workshop; onDone(): void }) {
  const { components, opening } = workshop;
  const [draft, setDraft] = useState<Draft | undefined>(undefined);
  const [looked, setLooked] = useState<Looked | undefined>(undefined);
  const [fault, setFault] = useState("");
  /** The text as it is being typed; it is put in order when something else is done. */
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [tool, setTool] = useState<Tool | undefined>(undefined);
  const [owner, setOwner] = useState(opening?.seats[0]?.name ?? "");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const asked = useRef(0);

  useEffect(() => {
    let open = true;
    void workshop.whole().then((text) => open && setDraft(Draft.of(text)));
    return () => {
      open = false;
    };
  }, [workshop]);
  const text = draft?.line();
  useEffect(() => {
    if (text === undefined) return;
    const mine = ++asked.current;
    workshop.preview(text).then(
      (found) => {
        if (mine !== asked.current) return;
        setLooked(found);
        setFault("");
      },
      (error: unknown) => {
        if (mine === asked.current) setFault(error instanceof Refused ? `${error.message}. ${error.cure}` : String(error));
      },
    );
  }, [text]);
  if (!components || !opening || !draft || !looked) {
    return fault ? <p class="notice error" role="alert">{fault}</p> : <p class="loading">{t("checking …")}</p>;
  }

  const { view, svg } = looked;
  const kinds = standing(components, view);
  const chosen: Tool = tool ?? (kinds[0] ? { sort: "piece", kind: kinds[0].name } : { sort: "empty" });
  const kind = chosen.sort === "piece" ? components.kinds.find((one) => one.name === chosen.kind) : undefined;
  const fields = kind?.fields.flatMap((field) => {
    const value = values[`${kind.name} ${field.name}`];
    if (field.type === "bool") return value === "true" ? [field.name] : [];
    if (field.type === "enum") return [value ?? ""].filter(Boolean);
    return value === undefined || value === "" ? [] : [`${field.name}=${value}`];
  });
  const piece = kind && `${kind.name}${kind.owned ? `.${owner}` : ""}${fields && fields.length > 0 ? `{${fields.join(",")}}` : ""}`;
  const change = (next: Draft) => {
    setTyped(undefined);
    setDraft(next);
  };
  const site = (name: string) => {
    if (chosen.sort === "token") change(draft.count(chosen.name, name, chosen.by));
    else if (chosen.sort === "empty") change(draft.put(name, undefined, view.pieces));
    else if (piece) change(draft.put(name, view.pieces[name] === piece ? undefined : piece, view.pieces));
  };
  const pill = (key: string, title: string, is: boolean, next: Tool) => (
    <button type="button" class="tool" key={key} aria-pressed={is} data-tool={key} onClick={() => setTool(next)}>{title}</button>
  );
  const owned = components.tokens.flatMap((token) => {
    const pools = Object.keys(view.tokens).filter((name) => name.startsWith(`${token.name}.`));
    return pools.length > 0 ? opening.seats.map((seat) => ({ name: `${token.name}.${seat.name}`, title: `${token.title || token.name} (${seat.title})` })) : [{ name: token.name, title: token.title || token.name }];
  });
  // Cards are put where they belong; a piece of the board is no card.
  const zones = Object.entries(components.zones);
  const cards = zones.length > 0 ? components.kinds.filter((one) => !kinds.includes(one)) : [];

  return (
    <div class="arrange" role="group" aria-label={t("Set up a position")}>
      <p class="hint">{t("Choose a piece, then click where it stands. All else is in the text below.")}</p>
      <div class="row tools-row">
        {kinds.map((one) => pill(one.name, one.title || one.name, chosen.sort === "piece" && chosen.kind === one.name, { sort: "piece", kind: one.name }))}
        {cards.length > 0 && (
          <select
            aria-label={t("A card for a zone")}
            value={kind && cards.includes(kind) ? kind.name : ""}
            onChange={(event) => event.currentTarget.value && setTool({ sort: "piece", kind: event.currentTarget.value })}
          >
            <option value="">{t("A card for a zone")}</option>
            {cards.map((one) => <option key={one.name} value={one.name}>{one.title || one.name}</option>)}
          </select>
        )}
        {owned.flatMap(({ name, title }) => [
          pill(`${name}+`, `${title} +1`, chosen.sort === "token" && chosen.name === name && chosen.by > 0, { sort: "token", name, by: 1 }),
          pill(`${name}-`, `${title} −1`, chosen.sort === "token" && chosen.name === name && chosen.by < 0, { sort: "token", name, by: -1 }),
        ])}
        {kinds.length > 0 && pill("empty", t("Empty"), chosen.sort === "empty", { sort: "empty" })}
      </div>
      {kind && (kind.owned || kind.fields.length > 0) && (
        <div class="row">
          {kind.owned && (
            <label>
              {t("of")}{" "}
              <select data-tool="owner" value={owner} onChange={(event) => setOwner(event.currentTarget.value)}>
                {opening.seats.map((seat) => <option key={seat.name} value={seat.name}>{seat.title || seat.name}</option>)}
              </select>
            </label>
          )}
          {kind.fields.map((field) => {
            const key = `${kind.name} ${field.name}`;
            const enter = (value: string) => setValues({ ...values, [key]: value });
            const members = Object.values(components.enums).flat();
            if (field.type === "bool") {
              return (
                <label key={key} class="check">
                  <input type="checkbox" checked={values[key] === "true"} onChange={(event) => enter(String(event.currentTarget.checked))} /> {field.name}
                </label>
              );
            }
            return (
              <label key={key}>
                {field.name}{" "}
                {field.type === "enum" ? (
                  <select value={values[key] ?? ""} onChange={(event) => enter(event.currentTarget.value)}>
                    <option value="" />
                    {members.map((member) => <option key={member.name} value={member.name}>{member.title || member.name}</option>)}
                  </select>
                ) : (
                  <input size={5} value={values[key] ?? ""} onInput={(event) => enter(event.currentTarget.value)} />
                )}
              </label>
            );
          })}
        </div>
      )}
      {svg && <Board svg={svg} sources={none} chosen={[]} last={[]} begun={false} active standing={view.pieces} onSite={site} />}
      {zones.length > 0 && (
        <ul class="zone-list">
          {zones.map(([name]) => (
            <li key={name}>
              <b>{name}</b>{" "}
              {(view.zones[name] ?? []).map((one, at) => {
                const { title, details } = pieceTitle(one, components);
                const rest = (view.zones[name] ?? []).filter((_, other) => other !== at);
                return (
                  <button type="button" class="chip" key={`${one} ${at}`} title={t("Take it away")} onClick={() => change(draft.fill(name, rest))}>
                    {[title, ...details].join(", ")}
                  </button>
                );
              })}
              {piece && cards.some((one) => one.name === kind?.name) && (
                <button type="button" class="chip add" aria-label={t("Put it into {0}", name)} onClick={() => change(draft.fill(name, [...(view.zones[name] ?? []), piece]))}>+</button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <label>
          {t("Whose turn")}{" "}
          <select data-tool="mover" value={draft.mover() ?? ""} onChange={(event) => change(draft.moved(event.currentTarget.value))}>
            {opening.seats.map((seat) => <option key={seat.name} value={seat.name}>{seat.title || seat.name}</option>)}
          </select>
        </label>
        <span class="grow" />
        <button type="button" onClick={onDone}>{t("Cancel")}</button>
        <button
          type="button"
          class="primary"
          disabled={fault !== ""}
          onClick={() => void workshop.from(draft.line()).then((taken) => taken && onDone())}
        >
          {t("Play from here")}
        </button>
      </div>
      {fault && <p class="notice error" role="alert">{fault}</p>}
      <label class="position-text">
        {t("The position as text")}
        <textarea rows={Math.min(14, draft.segments.length + 2)} spellcheck={false} value={typed ?? draft.lines()} onInput={(event) => { setTyped(event.currentTarget.value); setDraft(Draft.of(event.currentTarget.value)); }} />
      </label>
    </div>
  );
}
