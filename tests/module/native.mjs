// Whole random games of compiled modules in V8 beside those of the interpreter, row by row:
//   REGELWERK=target/release/regelwerk node tests/module/native.mjs [--games 100] [GAME …]
// Each number of players, variant and reading of every game that compiles. Two games of one seed are the same if they
// take as many plies and decisions, offer as many legal answers in all, and end alike: each answer is drawn from all that
// are legal, so that a difference anywhere leads to another game.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const regelwerk = process.env.REGELWERK ?? "target/release/regelwerk";
const args = process.argv.slice(2);
const at = args.indexOf("--games");
const games = at < 0 ? 100 : Number(args.splice(at, 2)[1]);
const CAP = 400, SEED = 11;
const folder = mkdtempSync(join(tmpdir(), "native-"));
const path = join(folder, "game.wasm");

const ask = (method, params) => {
  const input = `${JSON.stringify({ id: 1, method, params })}\n`;
  return JSON.parse(execFileSync(regelwerk, ["serve-stdio"], { input }).toString().trim().split("\n")[1]).result;
};

/** The flags of each setup that differs from the default in one thing. */
function setups(game) {
  const { player_counts: counts, readings, variants } = ask("describe", { rules: game });
  return [
    ...counts.map((count) => ["--players", String(count)]),
    ...variants.map((variant) => ["--variant", variant.name]),
    ...readings.flatMap(({ name, values, value }) =>
      values.filter((other) => other !== value).map((other) => ["--reading", `${name}=${other}`])),
  ];
}

const verdicts = ["undecided", "win", "draw", "loss"];

/** A module's games as rows of a table; null if the game cannot be compiled. */
async function rows(game, flags) {
  rmSync(path, { force: true });
  if (spawnSync(regelwerk, ["compile", game, ...flags, "-o", path]).status !== 0) return null;
  const { instance: { exports: play } } = await WebAssembly.instantiate(readFileSync(path));
  const module = new WebAssembly.Module(readFileSync(path));
  const [section] = WebAssembly.Module.customSections(module, "regelwerk");
  const { seats } = JSON.parse(new TextDecoder().decode(section));
  return Array.from({ length: games }, (_, number) => {
    play.seed(BigInt(SEED), 0n, BigInt(number));
    play.start();
    play.playout(CAP);
    const results = seats.map((_, seat) => verdicts[play.verdict(seat)]);
    const scores = seats.map((_, seat) => play.score(seat));
    return { numbers: [number, play.ply(), play.decisions(), play.answers()].join(), results, scores };
  });
}

let positions = 0, compared = 0;
const refused = [];
for (const game of args.length ? args : ask("games", {}).rules) {
  for (const flags of setups(game)) {
    const found = await rows(game, flags);
    const name = [game, ...flags].join(" ");
    if (found === null) {
      refused.push(name);
      continue;
    }
    const simulate = ["--format", "csv", "simulate", game, ...flags, "--games", String(games), "--cap", String(CAP), "--uniform"];
    const table = execFileSync(regelwerk, [...simulate, "--seed", String(SEED), "--no-invariants"]).toString().trim().split("\n");
    const head = table[0].split(",");
    table.slice(1).forEach((line, number) => {
      const row = line.split(",");
      const columns = (start) => row.filter((_, at) => head[at].startsWith(start));
      const [, plies, , decisions, answers] = row;
      const { numbers, results, scores } = found[number];
      const same = [number, plies, decisions, answers].join() === numbers
        && columns("verdict_").every((verdict, seat) => verdict === results[seat])
        && columns("score_").every((score, seat) => score === "" || score === String(scores[seat]));
      if (!same) throw new Error(`${name}: ${line}, and the module has ${numbers} ${results} ${scores}`);
      positions += Number(decisions);
    });
    compared += 1;
  }
}
rmSync(folder, { recursive: true });
console.log(`${compared} setups, ${positions} positions, no difference; ${refused.length} setups cannot be compiled yet`);
