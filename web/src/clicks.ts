// From clicks to moves: every legal move is a row of things that can be clicked, and each click
// leaves the moves that go on with it.

import type { Components, Legal, Opening, Part, Parts } from "./protocol.ts";

export type Token =
  | { readonly sort: "site"; readonly name: string }
  | { readonly sort: "piece"; readonly name: string }
  | { readonly sort: "choice"; readonly name: string; readonly label: string; readonly of: string }
  | { readonly sort: "set"; readonly of: "site" | "piece"; readonly members: readonly string[] };

/** A move with what is clicked for it. */
export interface Path {
  readonly move: string;
  readonly action: string | null;
  readonly tokens: readonly Token[];
}

/** What can be clicked next. */
export interface Next {
  readonly sites: ReadonlySet<string>;
  readonly pieces: ReadonlySet<string>;
  readonly choices: readonly { readonly key: string; readonly label: string; readonly of: string }[];
  /** Whether sites or pieces are picked until a set is complete. */
  readonly set: boolean;
  /** A move that can be played as it stands. */
  readonly done: readonly Path[];
}

function token(part: Part): Token {
  if (part.type === "site") return { sort: "site", name: part.text };
  if (part.type === "way" && part.to) return { sort: "site", name: part.to };
  if (part.type === "piece") return { sort: "piece", name: part.text };
  if (part.type === "set" && part.members && (part.of === "site" || part.of === "piece")) {
    return { sort: "set", of: part.of, members: [...part.members].sort() };
  }
  return { sort: "choice", name: part.text, label: part.title ?? part.text, of: part.name ?? "" };
}

const words: Readonly<Record<string, string>> = { pass: "pass", decline: "decline", wait: "wait" };

/** The legal moves as rows of clicks; in a race those of one seat. */
export function paths(legal: Legal, opening: Opening, seat?: string): Path[] {
  const title = (action: string | null) => opening.moves.find((move) => move.name === action)?.title;
  return legal.moves.flatMap((move, at) => {
    const parts: Parts | undefined = legal.parts[at];
    if (!parts) return [];
    let args = parts.args;
    if (legal.ask === "race") {
      if (args[0]?.text !== seat) return [];
      args = args.slice(1);
    }
    const tokens = args.map(token);
    if (tokens.length === 0) {
      const label = title(parts.action) || parts.action?.replaceAll("_", " ") || words[move] || move;
      tokens.push({ sort: "choice", name: parts.action ?? move, label, of: "" });
    }
    return [{ move, action: parts.action, tokens }];
  });
}

const same = (one: Token | undefined, other: Token): boolean =>
  one !== undefined &&
  one.sort === other.sort &&
  (one.sort === "set" || other.sort === "set" ? JSON.stringify(one) === JSON.stringify(other) : one.name === other.name);

/** Whether a list has all members of another, copies counted. */
function holds(members: readonly string[], picked: readonly string[]): boolean {
  const left = [...members];
  return picked.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** How far the clicks have come. */
export class Clicks {
  readonly all: readonly Path[];
  /** Tokens that are settled. */
  readonly chosen: readonly Token[];
  /** Members picked of a set that is not complete. */
  readonly picked: readonly string[];

  constructor(all: readonly Path[], chosen: readonly Token[] = [], picked: readonly string[] = []) {
    this.all = all;
    this.chosen = chosen;
    this.picked = picked;
  }

  /** The moves that are still possible. */
  left(): Path[] {
    const fits = (path: Path) => this.chosen.every((token, at) => same(path.tokens[at], token));
    const picks = (path: Path) => {
      const token = path.tokens[this.chosen.length];
      return this.picked.length === 0 || (token?.sort === "set" && holds(token.members, this.picked));
    };
    return this.all.filter((path) => fits(path) && picks(path));
  }

  next(): Next {
    const depth = this.chosen.length;
    const sites = new Set<string>();
    const pieces = new Set<string>();
    const choices = new Map<string, { key: string; label: string; of: string }>();
    const done: Path[] = [];
    let set = false;
    for (const path of this.left()) {
      const token = path.tokens[depth];
      if (!token) done.push(path);
      else if (token.sort === "site") sites.add(token.name);
      else if (token.sort === "piece") pieces.add(token.name);
      else if (token.sort === "choice") {
        choices.set(token.name, { key: token.name, label: token.label, of: token.of });
      } else {
        set = true;
        if (token.members.length === this.picked.length) done.push(path);
        const rest = [...token.members];
        for (const one of this.picked) rest.splice(rest.indexOf(one), 1);
        for (const one of rest) (token.of === "site" ? sites : pieces).add(one);
      }
    }
    return { sites, pieces, choices: [...choices.values()], set, done };
  }

  /** The clicks after one more; none if no move goes on with it. */
  click(sort: "site" | "piece" | "choice", name: string): Clicks | undefined {
    const depth = this.chosen.length;
    const next = this.next();
    const known =
      sort === "site" ? next.sites.has(name) : sort === "piece" ? next.pieces.has(name) : next.choices.some((one) => one.key === name);
    if (!known) return undefined;
    const single = this.left().find((path) => {
      const token = path.tokens[depth];
      return token !== undefined && token.sort === sort && token.name === name;
    })?.tokens[depth];
    if (single) return new Clicks(this.all, [...this.chosen, single]).settled();
    return new Clicks(this.all, this.chosen, [...this.picked, name]).settled();
  }

  /** Goes on where there is nothing to choose. */
  private settled(): Clicks {
    const left = this.left();
    const depth = this.chosen.length;
    const first = left[0]?.tokens[depth];
    if (first?.sort === "choice" && left.every((path) => same(path.tokens[depth], first))) {
      return new Clicks(this.all, [...this.chosen, first]).settled();
    }
    if (first?.sort === "set" && left.length === 1 && first.members.length === this.picked.length) {
      return new Clicks(this.all, [...this.chosen, first]).settled();
    }
    return this;
  }

  /** The one move that is left, if all of it has been clicked. */
  move(): string | undefined {
    const left = this.left();
    const [only] = left;
    return left.length === 1 && only && this.chosen.length === only.tokens.length ? only.move : undefined;
  }

  /** Names clicked so far, for marking them. */
  names(sort: "site" | "piece"): string[] {
    return this.chosen
      .filter((token) => token.sort === sort)
      .map((token) => (token.sort === "set" ? "" : token.name))
      .concat(this.picked);
  }

  /** What would be meant by a click that no legal move has, to ask why, and whether that is a whole move. */
  meant(sort: "site" | "piece", name: string, opening: Opening): { move: string; whole: boolean } | undefined {
    const depth = this.chosen.length;
    const left = this.left();
    const fitting = left.find((path) => path.tokens[depth]?.sort === sort) ?? left[0] ?? this.all[0];
    const action = opening.moves.find((move) => move.name === fitting?.action) ?? opening.moves[0];
    if (!action) return undefined;
    const named = action.pattern.startsWith(`${action.name} `);
    const parameters = named ? action.pattern.slice(action.name.length + 1) : action.pattern;
    const count = parameters === action.name ? 0 : parameters.split("-").length;
    if (count === 0) return undefined;
    const said = (token: Token) => (token.sort === "set" ? `{${token.members.join(" ")}}` : token.name);
    const texts = [...this.chosen.map(said), name];
    const whole = texts.length >= count;
    const rest = fitting?.tokens.slice(texts.length).map(said) ?? [];
    while (texts.length < count && rest.length > 0) texts.push(rest.shift() ?? "");
    while (texts.length < count) texts.push(name);
    return { move: (named ? `${action.name} ` : "") + texts.slice(0, count).join("-"), whole };
  }
}

/** A piece as views write it, taken apart. */
export interface PieceText {
  readonly hidden: boolean;
  readonly kind: string;
  readonly owner: string | undefined;
  readonly fields: readonly string[];
}

export function pieceOf(text: string): PieceText {
  const [head = "", inner] = text.replace(/\}$/, "").split("{");
  const [kind = "", owner] = head.split(".");
  const fields = inner ? inner.split(",").map((field) => field.trim()) : [];
  return { hidden: kind === "?", kind, owner: owner && owner !== "-" ? owner : undefined, fields };
}

/** What a piece is called: the title of its kind, and the titles of its fields. */
export function pieceTitle(text: string, components: Components): { title: string; details: string[] } {
  const piece = pieceOf(text);
  const kind = components.kinds.find((one) => one.name === piece.kind);
  const members = Object.values(components.enums).flat();
  const details = piece.fields.map((field) => {
    const value = field.includes("=") ? (field.split("=")[1] ?? field) : field;
    const title = members.find((member) => member.name === value)?.title;
    return title || field.replace("=", " ");
  });
  return { title: kind?.title || kind?.name || piece.kind, details };
}
