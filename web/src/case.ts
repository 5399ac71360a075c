// A position as a conformance case, as docs/cases.md describes them.

import type { GameRecord, State, Why } from "./protocol.ts";

/** What a case is made of. */
export interface Case {
  readonly game: string;
  readonly position: string;
  readonly played: readonly string[];
  readonly record: GameRecord;
  /** The move that was refused last. */
  readonly refused: Why | undefined;
  /** What has come of it; none if chance has answered since. */
  readonly after: State | undefined;
}

const quoted = (text: string) => JSON.stringify(text);
const list = (texts: readonly string[]) => `[${texts.map(quoted).join(", ")}]`;
const pairs = (all: readonly (readonly [string, string])[]) => `[${all.map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`).join(", ")}]`;

function setup({ record }: Case): string {
  const parts = [
    record.players === null ? "" : `players: ${record.players}`,
    record.variants.length > 0 ? `variants: ${list(record.variants)}` : "",
    record.readings.length > 0 ? `readings: ${pairs(record.readings)}` : "",
    record.options.length > 0 ? `options: ${pairs(record.options)}` : "",
  ].filter(Boolean);
  return parts.length > 0 ? `            setup: (${parts.join(", ")}),\n` : "";
}

/** The clauses that a refusal names. */
function named(why: Why): string[] {
  const known = Object.keys(why.clauses);
  return [...new Set(why.rules.flatMap((rule) => rule.clauses))].filter((clause) => known.includes(clause));
}

function ended(state: State): string[] {
  const { outcome } = state;
  if (!outcome) return state.asked === null ? ["GoesOn"] : [`Asked(${quoted(state.asked)})`];
  const seats = Object.entries(outcome.seats);
  const winners = seats.filter(([, seat]) => seat.verdict === "win").map(([name]) => name);
  const ranks = seats.flatMap(([name, seat]) => (seat.rank === null ? [] : [`(${quoted(name)}, ${seat.rank})`]));
  if (winners.length > 0) return [`Won(${list(winners)}, ${list(outcome.clauses)})`];
  if (seats.every(([, seat]) => seat.verdict === "draw")) return [`Drawn(${list(outcome.clauses)})`];
  return ranks.length > 0 ? [`Ranks([${ranks.join(", ")}])`] : [];
}

/** The text of a file with this one case. */
export function written(one: Case): string {
  const clauses = one.refused ? named(one.refused) : (one.after?.outcome?.clauses ?? []);
  const steps = [
    ...(one.played.length > 0 ? [`Play(${list(one.played)})`] : []),
    ...(one.refused ? [`Illegal(${quoted(one.refused.move)}, ${list(named(one.refused))})`] : []),
    ...(one.after ? ended(one.after) : []),
  ];
  // A file of one's own lies beside its cases; a bundled game is known by its name.
  const game = one.game.endsWith(".rules") ? (one.game.split("/").at(-1) ?? one.game) : one.game;
  return `Cases(
    game: ${quoted(game)},
    cases: [
        Case(
            clauses: ${list(clauses)},
            name: "what this shows, in a few words",
${setup(one)}            given: Position(${quoted(one.position)}),
            steps: [
${steps.map((step) => `                ${step},\n`).join("")}            ],
        ),
    ],
)
`;
}
