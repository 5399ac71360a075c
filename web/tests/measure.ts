// What docs/web.md says about size and speed: npm run measure; with names of games, of these alone.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { choose, House } from "./browser.ts";

const dist = join(import.meta.dirname ?? "", "..", "dist");

async function size(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map((entry) => (entry.isDirectory() ? size(join(folder, entry.name)) : stat(join(folder, entry.name)).then((file) => file.size)));
  return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}

const middle = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

const house = await House.open();
console.log(`the page: ${await size(dist)} bytes, of them the interpreter: ${(await stat(join(dist, "regelwerk.gz"))).size}`);

// From an empty profile to the first board, as a person would see it.
const first: number[] = [];
for (let round = 0; round < 5; round += 1) {
  const context = await house.profile();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(house.address);
  await page.waitForSelector(".board svg g.site");
  first.push(performance.now() - began);
  await context.close();
}
console.log(`first board: ${middle(first).toFixed(0)} ms (${first.map((one) => one.toFixed(0)).join(", ")})`);

// From the end of a pause in typing to the table drawn by the changed rules, and to its faults in all setups.
const page = await house.page();
const games = await page.evaluate(() => (globalThis as unknown as { regelwerk: { games: string[] } }).regelwerk.games);
const wanted = process.argv.slice(2);
for (const game of games.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  await choose(page, game);
  await page.waitForFunction(() => (globalThis as unknown as { regelwerk: { checked: boolean } }).regelwerk.checked);
  const times: number[] = [];
  const checks: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const [drawn, checked] = await page.evaluate(
      () =>
        new Promise<[number, number]>((resolve) => {
          const workshop = (globalThis as unknown as { regelwerk: { text: string; checked: boolean; edit(text: string): void } }).regelwerk;
          const number = () => document.querySelector<HTMLElement>(".table")?.dataset["game"];
          const before = number();
          const began = performance.now();
          const since = () => performance.now() - began - 200;
          let drawn: number | undefined;
          const look = () => {
            if (number() !== before) drawn ??= since();
            if (drawn !== undefined && workshop.checked) resolve([drawn, since()]);
            else requestAnimationFrame(look);
          };
          workshop.edit(`${workshop.text}\n// a remark\n`);
          requestAnimationFrame(look);
        }),
    );
    times.push(drawn);
    checks.push(checked);
  }
  const most = Math.max(...times).toFixed(0);
  console.log(`redraw ${game}: ${middle(times).toFixed(0)} ms, at most ${most}; its faults after ${middle(checks).toFixed(0)}`);
}
await house.close();
