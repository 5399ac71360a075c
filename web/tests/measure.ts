// What docs/web.md says about size and speed: npm run measure.

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

// From the end of a pause in typing to the table drawn by the changed rules.
const page = await house.page();
const games = await page.evaluate(() => (globalThis as unknown as { regelwerk: { games: string[] } }).regelwerk.games);
for (const game of games) {
  await choose(page, game);
  await page.waitForFunction(() => (globalThis as unknown as { regelwerk: { checked: boolean } }).regelwerk.checked);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const workshop = (globalThis as unknown as { regelwerk: { text: string; edit(text: string): void } }).regelwerk;
            const number = () => document.querySelector<HTMLElement>(".table")?.dataset["game"];
            const before = number();
            const began = performance.now();
            const look = () => {
              if (number() === before) requestAnimationFrame(look);
              else resolve(performance.now() - began - 200);
            };
            workshop.edit(`${workshop.text}\n// a remark\n`);
            requestAnimationFrame(look);
          }),
      ),
    );
  }
  console.log(`redraw ${game}: ${middle(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)}`);
}
await house.close();
