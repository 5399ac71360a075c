// Every game that comes along is played by clicks against a bot.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, House, inside, playOut, seat } from "./browser.ts";

let house: House;
before(async () => {
  house = await House.open();
});
after(async () => {
  await house.close();
  assert.deepEqual(house.faults, []);
  assert.deepEqual(house.strangers, [], "nothing is fetched from elsewhere");
});

/** Games of documents: how many clicks, and whether they are over by then. A game of Halma or Sternhalma between players who
 * move at random is not over in a thousand moves. */
const games: readonly (readonly [string, number, boolean])[] = [
  ["halma", 60, false],
  ["sternhalma", 60, false],
  ["kalaha", 400, true],
  ["halali", 400, true],
  ["hai-noon", 400, true],
  ["halli-galli", 60, false],
];

for (const [game, clicks, over] of games) {
  test(`${game} is played by clicks`, async () => {
    const page = await house.page();
    await choose(page, game);
    for (const other of await page.$$eval(".seat", (all) => all.slice(1).map((one) => one.getAttribute("data-seat") ?? ""))) {
      await seat(page, other, "random");
    }
    const played = await playOut(page, clicks, 7);
    const state = await inside(page);
    assert.ok(state.ply > 5, `${state.ply} plies after ${played.clicks} clicks`);
    if (over) {
      assert.ok(played.over, `not over after ${played.clicks} clicks`);
      assert.ok(state.outcome?.text);
      const said = await page.textContent(".prompt");
      assert.ok(state.outcome && said && state.outcome.text.replaceAll("`", "") === said);
    }
    await page.context().close();
  });
}

test("the classics are played by clicks", async () => {
  const page = await house.page();
  const names = await page.evaluate(() => (globalThis as unknown as { regelwerk: { games: string[] } }).regelwerk.games);
  const classics = names.filter((name) => !games.some(([game]) => game === name));
  assert.ok(classics.length > 25);
  for (const game of classics) {
    await choose(page, game);
    const before = await inside(page);
    for (const other of await page.$$eval(".seat", (all) => all.slice(1).map((one) => one.getAttribute("data-seat") ?? ""))) {
      await seat(page, other, "random");
    }
    await playOut(page, 8, 3);
    const state = await inside(page);
    assert.ok(state.over || state.steps > before.steps, `${game}: nothing was played`);
    const notice = await page.$eval(".table", (table) => table.querySelector(".notice.error")?.textContent ?? "");
    assert.equal(notice, "", game);
  }
  await page.context().close();
});
