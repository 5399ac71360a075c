// What the editor and the screen do besides: renaming, declarations, formatting, secret choices, light and dark.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { choose, House, seat } from "./browser.ts";

let house: House;
before(async () => {
  house = await House.open();
});
after(async () => {
  await house.close();
  assert.deepEqual(house.faults, []);
});

async function fresh(): Promise<Page> {
  const page = await house.page();
  await page.click('.top [aria-haspopup="menu"]');
  await page.click('[role="menuitem"]:has-text("New rule file")');
  await page.waitForFunction(() => document.querySelector(".status [role=status]")?.textContent === "no faults");
  return page;
}

const text = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text);

test("a name is renamed everywhere, declared where F12 leads, and the file formatted", async () => {
  const page = await fresh();
  page.on("dialog", (dialog) => void dialog.accept("stone"));
  await page.click('.cm-line:has-text("put own mark on square")');
  await page.keyboard.press("Home");
  for (let step = 0; step < "put own m".length; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F12");
  await page.waitForFunction(() => document.querySelector(".cm-activeLine")?.textContent?.startsWith("piece mark"));
  await page.keyboard.press("F2");
  await page.waitForFunction(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text.includes("put own stone on square"));
  const renamed = await text(page);
  assert.match(renamed, /piece stone "Mark" owned/);
  assert.match(renamed, /line\(own stone, 3\)/);
  assert.doesNotMatch(renamed, /own mark|piece mark/);
  await page.click('.cm-line:has-text("put own stone on square")');
  await page.keyboard.press("Home");
  await page.keyboard.type("      ");
  await page.keyboard.press("Shift+Alt+F");
  await page.waitForFunction(() => /\n  put own stone on square/.test((globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text));
  await page.context().close();
});

test("words of the language are coloured", async () => {
  const page = await fresh();
  // Words are coloured a moment after the text is there.
  const colour = (selector: string) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).color);
  const keyword = await colour('.cm-line:has-text("board square 3 x 3") span:text-is("board")');
  const clause = await colour('.cm-line:has-text("put own mark on square") >> xpath=.. >> span:has-text("§2")');
  const plain = await colour(".cm-content");
  assert.ok(new Set([keyword, clause, plain]).size === 3, [keyword, clause, plain].join());
  await page.context().close();
});

test("a choice in secret is told nobody before all have chosen", async () => {
  const page = await house.page();
  await choose(page, "goofspiel");
  const [first = "", second = ""] = await page.$$eval(".seat", (all) => all.map((one) => one.getAttribute("data-seat") ?? ""));
  await seat(page, second, "human");
  await page.click(".handover .primary");
  const card = page.locator(`.seat[data-seat="${first}"] .card.open`).first();
  const title = (await card.textContent()) ?? "";
  await card.click();
  await page.waitForSelector(".handover");
  await page.click(".handover .primary");
  await page.waitForSelector(`.seat[data-seat="${second}"] .card.open`);
  const told = await page.$$eval(".moves button", (all) => all.map((one) => one.textContent ?? ""));
  assert.equal(told.length, 1);
  assert.ok(!told[0]?.includes(title), told.join());
  await page.locator(`.seat[data-seat="${second}"] .card.open`).first().click();
  await page.click(".handover .primary");
  await page.waitForFunction(() => [...document.querySelectorAll(".moves button")].length >= 2);
  const open = await page.$$eval(".moves button", (all) => all.map((one) => one.textContent ?? ""));
  assert.ok(open.some((one) => one.includes(title)), open.join());
  await page.context().close();
});

test("light and dark", async () => {
  const page = await house.page(await house.profile({ colorScheme: "dark" }));
  const ground = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
  const dark = await ground();
  await page.click('.top [aria-haspopup="menu"]');
  await page.click('[role="menuitem"]:has-text("Light or dark")');
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, dark);
  const light = await ground();
  await page.reload();
  await page.waitForSelector(".prompt");
  assert.equal(await ground(), light, "the choice is kept");
  await page.context().close();
});
