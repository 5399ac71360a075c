// Plays a compiled game: node examples/module/host.mjs GAME.wasm
import { readFileSync } from "node:fs";

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const [section] = WebAssembly.Module.customSections(module, "regelwerk");
const game = JSON.parse(new TextDecoder().decode(section));
const { exports: play } = await WebAssembly.instantiate(module);

const shown = (type, n) => (type === "site" ? game.sites[n] : type === "seat" ? game.seats[n] : n);
function answer(n) {
  const number = play.action(n);
  if (number < 0) return number === -1 ? "decline" : number === -2 ? "pass" : `pick ${play.argument(n, 0)}`;
  const action = game.actions[number];
  const values = action.parameters.map(({ type }, k) => shown(type, Number(play.argument(n, k))));
  return [action.name, ...values].join(" ");
}

// One game: the seats answer by a rule of their own, chance by the seed.
play.seed(1n, 0n, 0n);
play.start();
while (play.ask() !== 0 && play.ply() < 30) {
  if (play.ask() === 3) play.draw();
  else {
    const chosen = (7 * play.ply() + 3) % play.count();
    console.log(`${play.ply()} ${game.seats[play.seat()]}: ${answer(chosen)}`);
    play.apply(chosen);
  }
}

// A thousand random games, and who won.
const won = game.seats.map(() => 0);
for (let number = 0; number < 1000; number++) {
  play.seed(1n, 0n, BigInt(number));
  play.start();
  play.playout(200);
  game.seats.forEach((_, seat) => { if (play.verdict(seat) === 1) won[seat] += 1; });
}
console.log(game.seats.map((seat, n) => `${seat} ${won[n]}`).join(", "));
