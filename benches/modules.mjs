// Random games of compiled modules in V8 beside the interpreter, in one run:
//   REGELWERK=target/release/regelwerk node benches/modules.mjs [--seconds 1] [GAME …]
// Both by processor time on one thread, the best of three rounds, taken in turn. A game is at most 2000 plies long.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const regelwerk = process.env.REGELWERK ?? "target/release/regelwerk";
const args = process.argv.slice(2);
const at = args.indexOf("--seconds");
const seconds = at < 0 ? 1 : Number(args.splice(at, 2)[1]);
const all = ["halma", "sternhalma", "kalaha", "breakthrough", "connect-four", "chess", "reversi", "quoridor", "lines-of-action",
  "nine-mens-morris", "oware", "amazons", "liars-dice", "hex", "tests/fixtures/nested.rules", "gomoku", "dots-and-boxes",
  "hnefatafl", "ludo", "pig", "tic-tac-toe"];
const folder = mkdtempSync(join(tmpdir(), "modules-"));

async function compiled(game) {
  const path = join(folder, "game.wasm");
  rmSync(path, { force: true });
  execFileSync(regelwerk, ["compile", game, "-o", path], { stdio: "ignore" });
  const bytes = readFileSync(path);
  const { instance: { exports: play } } = await WebAssembly.instantiate(bytes);
  let number = 0n;
  const round = () => {
    let answers = 0, used = 0;
    const begin = process.cpuUsage();
    while (used < seconds * 1e6) {
      for (let game = 0; game < 10; game++) {
        play.seed(7n, 0n, number++);
        play.start();
        play.playout(2000);
        answers += Number(play.decisions());
      }
      const { user, system } = process.cpuUsage(begin);
      used = user + system;
    }
    return answers / used;
  };
  round(); // V8 compiles while it runs
  return { round, bytes: bytes.length };
}

function interpreted(game) {
  const bench = ["--format", "json", "bench", game, "--seconds", String(seconds)];
  const said = JSON.parse(execFileSync(regelwerk, bench, { stdio: ["ignore", "pipe", "ignore"] }));
  return said.decisions_per_second / 1e6;
}

console.log("| game | interpreter | module | ratio | bytes |\n|---|--:|--:|--:|--:|");
for (const game of args.length ? args : all) {
  const { round, bytes } = await compiled(game);
  let [slow, fast] = [0, 0];
  for (let nth = 0; nth < 3; nth++) {
    slow = Math.max(slow, interpreted(game));
    fast = Math.max(fast, round());
  }
  console.log(`| ${game} | ${slow.toFixed(3)} | ${fast.toFixed(3)} | ${(fast / slow).toFixed(1)} | ${bytes} |`);
}
rmSync(folder, { recursive: true });
