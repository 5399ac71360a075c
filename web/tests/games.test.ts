// Every game that comes along is played by clicks against a bot.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { choose, House, type Inside, inside, playOut, playWell, race, seat } from "./browser.ts";

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

/** A position set up by hand. */
async function setUp(page: Page, change: (text: string) => string): Promise<void> {
  await page.click('.top [aria-haspopup="menu"]');
  await page.click('[role="menuitem"]:has-text("Set up a position")');
  const text = page.locator(".position-text textarea");
  await text.fill(change(await text.inputValue()));
  await page.click(".arrange .primary:not(:disabled)");
  await page.waitForFunction(() => !document.querySelector(".arrange") && document.querySelector(".prompt"));
}

/** Plays a variant, by the settings. */
async function settle(page: Page, variant: string): Promise<void> {
  const title = await page.evaluate(
    (name) =>
      (globalThis as unknown as { regelwerk: { description: { variants: { name: string; title: string }[] } } }).regelwerk.description.variants.find((one) => one.name === name)?.title,
    variant,
  );
  await page.click('.tabs [data-view="settings"]');
  await page.click(`label.check:has-text("${title}") input`);
  await page.waitForFunction((name) => (globalThis as unknown as { regelwerk: { setup: { variants?: string[] } } }).regelwerk.setup.variants?.includes(name), variant);
  await page.click('.tabs [data-view="play"]');
  await page.waitForSelector(".seat");
}

async function others(page: Page, player: string): Promise<void> {
  for (const other of await page.$$eval(".seat", (all) => all.map((one) => one.getAttribute("data-seat") ?? ""))) {
    if ((await page.inputValue(`.seat[data-seat="${other}"] select`)) !== "human") await seat(page, other, player);
  }
}

/** One step from home: who begins, all stones home but the last, its step, and where the other's stones are. */
const homes: readonly (readonly [string, string, string, string, string])[] = [
  ["halma", "mover=white\nstone.white: a5 a7 b7 a8 b8 c8 a9 b9 c9 d9 a10 b10 c10 d10 e10\nstone.black: f1 g2 h3 i4 j5 e5", "a5", "a6", "Weiß"],
  ["sternhalma", "mover=north\nstone.north: p6 q2 q3 q4 q5 r1 r2 r3 r4 s1 s2 s3 t1 t2 u1\nstone.south: f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15", "p6", "q1", "Nord"],
];
for (const [game, position, from, to, winner] of homes) {
  test(`${game} is played to its end by clicks`, async () => {
    const page = await house.page();
    await choose(page, game);
    await setUp(page, (text) => `${text.split("\n")[0]}\n${position}`);
    await others(page, "random");
    await page.click(`.board g.site[data-site="${from}"]`);
    await page.click(`.board g.site[data-site="${to}"]`);
    await page.waitForFunction(() => (globalThis as unknown as { regelwerk: Inside }).regelwerk.state?.over);
    await page.locator(".prompt", { hasText: winner }).waitFor();
    await page.context().close();
  });
}

/** Whole games against a bot that searches: with which variant, and how they end. In Sternhalma as it is, those who search block each
 * other (docs/bots.md). */
const whole: readonly (readonly [string, string | undefined, RegExp])[] = [
  ["halma", undefined, /wins by (arrived|one_at_home|none_at_home)|draw/i],
  ["sternhalma", "parlett", /wins by arrived/],
];
for (const [game, variant, end] of whole) {
  test(`a whole game of ${game} is played by clicks`, async () => {
    const page = await house.page();
    await choose(page, game);
    if (variant) await settle(page, variant);
    await others(page, "mcts:50");
    const seat = await page.getAttribute(".seat", "data-seat");
    const clicks = await playWell(page, seat ?? "", "alphabeta:1");
    const state = await inside(page);
    assert.ok(state.over, `not over after ${clicks} clicks and ${state.ply} plies`);
    assert.ok(clicks * 2 >= state.ply - 1 && state.ply > 15, `${clicks} clicks, ${state.ply} plies`);
    assert.match(((await page.textContent(".prompt")) ?? "").replaceAll("`", ""), end);
    await page.context().close();
  });
}

test("a whole game of halli-galli is played by keys and clicks", async () => {
  const page = await house.page();
  await choose(page, "halli-galli");
  await page.click('.tabs [data-view="settings"]');
  await page.click('.pill:has-text("3")');
  await page.click('.tabs [data-view="play"]');
  await page.waitForFunction(() => document.querySelectorAll(".seat").length === 3);
  await settle(page, "small_deck");
  await others(page, "random");
  // Five minutes by the clock of the race.
  await page.clock.install();
  await page.click(".race .primary");
  const pressed = await race(page, "s1");
  const state = await inside(page);
  assert.ok(state.over, JSON.stringify(state));
  assert.ok(pressed > 20 && state.ply > 100, `${pressed} keys in ${state.ply} plies`);
  await page.context().close();
});

test("halli-galli is played to its end by keys and clicks", async () => {
  const page = await house.page();
  await choose(page, "halli-galli");
  await page.click('.tabs [data-view="settings"]');
  await page.click('.pill:has-text("3")');
  await page.click('.tabs [data-view="play"]');
  // A game of a whole deck takes an evening: each has two cards left.
  await setUp(page, (text) => text.replaceAll(/^(stock\(\w+\)): .*?(\S+ \S+)$/gm, "$1: $2"));
  await others(page, "random");
  const played = await playOut(page, 600, 11);
  assert.ok(played.over, JSON.stringify(await inside(page)));
  await page.context().close();
});

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
