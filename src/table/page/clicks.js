// From clicks to moves: every legal move is a row of things to click, and each click leaves the moves that go on with it.

function token(part) {
  if (part.type === "site") return { sort: "site", name: part.text };
  if (part.type === "way" && part.to) return { sort: "site", name: part.to };
  if (part.type === "piece") return { sort: "piece", name: part.text };
  if (part.type === "set" && part.members && (part.of === "site" || part.of === "piece")) {
    return { sort: "set", of: part.of, members: [...part.members].sort(), name: part.text };
  }
  return { sort: "choice", name: part.text, label: part.title ?? part.text };
}

/** The legal moves as rows of clicks. */
export function rows(legal, opening, words) {
  return (legal.moves ?? []).flatMap((move, at) => {
    const parts = legal.parts?.[at];
    if (!parts) return [];
    // In a race the first is the seat.
    const tokens = (legal.ask === "race" ? parts.args.slice(1) : parts.args).map(token);
    if (tokens.length === 0) {
      const title = opening.moves.find((one) => one.name === parts.action)?.title;
      const bare = move.replace(/ @.*/, "");
      tokens.push({ sort: "choice", name: parts.action ?? bare, label: title || parts.action || words(bare) });
    }
    return [{ move, action: parts.action, tokens }];
  });
}

const same = (one, other) => one !== undefined && one.sort === other.sort && one.name === other.name;

/** Whether a list has all members of another, copies counted. */
function holds(members, picked) {
  const left = [...members];
  return picked.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** How far the clicks have come: what is settled, and the members picked of a set that is not complete. */
export class Clicks {
  constructor(all, chosen = [], picked = []) {
    Object.assign(this, { all, chosen, picked });
  }

  left() {
    return this.all.filter((row) => {
      const next = row.tokens[this.chosen.length];
      return this.chosen.every((token, at) => same(row.tokens[at], token))
        && (this.picked.length === 0 || (next?.sort === "set" && holds(next.members, this.picked)));
    });
  }

  /** What can be clicked next. */
  next() {
    const found = { sites: new Set(), pieces: new Set(), choices: new Map(), done: [] };
    for (const row of this.left()) {
      const token = row.tokens[this.chosen.length];
      if (!token) found.done.push(row);
      else if (token.sort === "site") found.sites.add(token.name);
      else if (token.sort === "piece") found.pieces.add(token.name);
      else if (token.sort === "choice") found.choices.set(token.name, token.label);
      else {
        if (token.members.length === this.picked.length) found.done.push(row);
        const rest = [...token.members];
        for (const one of this.picked) rest.splice(rest.indexOf(one), 1);
        for (const one of rest) (token.of === "site" ? found.sites : found.pieces).add(one);
      }
    }
    return found;
  }

  /** The clicks after one more; none if no move goes on with it. */
  click(sort, name) {
    const next = this.next();
    const known = { site: next.sites, piece: next.pieces, choice: next.choices }[sort];
    if (!known.has(name)) return undefined;
    const at = this.chosen.length;
    const single = this.left().map((row) => row.tokens[at]).find((token) => token?.sort === sort && token.name === name);
    if (single) return new Clicks(this.all, [...this.chosen, single]);
    return new Clicks(this.all, this.chosen, [...this.picked, name]);
  }

  /** The one move that is left, if all of it has been clicked. */
  move() {
    const left = this.left();
    const [only] = left;
    if (left.length !== 1) return undefined;
    const at = this.chosen.length;
    const rest = only.tokens[at];
    const whole = at === only.tokens.length || (at === only.tokens.length - 1 && rest.sort === "set" && rest.members.length === this.picked.length);
    return whole ? only : undefined;
  }

  /** What would be meant by a click that no legal move has, to ask why, and whether that is a whole move. */
  meant(sort, name, opening) {
    const depth = this.chosen.length;
    const left = this.left();
    const fitting = left.find((row) => row.tokens[depth]?.sort === sort) ?? left[0] ?? this.all[0];
    const action = opening.moves.find((move) => move.name === fitting?.action) ?? opening.moves[0];
    if (!action) return undefined;
    const named = action.pattern.startsWith(`${action.name} `);
    const parameters = named ? action.pattern.slice(action.name.length + 1) : action.pattern;
    const count = parameters === action.name ? 0 : parameters.split("-").length;
    const texts = [...this.chosen.map((token) => token.name), name];
    const whole = texts.length >= count;
    for (const rest of fitting?.tokens.slice(texts.length) ?? []) texts.push(rest.name);
    while (texts.length < count) texts.push(name);
    return count === 0 ? undefined : { move: (named ? `${action.name} ` : "") + texts.slice(0, count).join("-"), whole };
  }

  /** Whether a name has been clicked. */
  has(sort, name) {
    return this.picked.includes(name) || this.chosen.some((token) => token.sort === sort && token.name === name);
  }
}
