// The table's own page in chromium: two people at it, hidden hands, a race, reloads, a kill.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { program } from "./browser.ts";

let browser: Browser;
let folder: string;
let hall: ChildProcess;
let address: string;
const faults: string[] = [];

async function start(port: string): Promise<void> {
  hall = spawn(program, ["serve", "--lang", "en", "--port", port, "--file", join(folder, "games"), "--bot-time", "1", "--max-openings", "1000"]);
  address = await new Promise((resolve, reject) => {
    hall.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString().trim()));
    hall.once("error", reject);
    hall.once("exit", () => reject(new Error("the hall does not start")));
  });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "hall-"));
  await start("0");
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
});

after(async () => {
  await browser.close();
  hall.kill("SIGKILL");
  await rm(folder, { recursive: true });
  assert.deepEqual(faults, []);
});

/** A page in a profile of its own, with all that it receives. */
async function visit(path = "/"): Promise<{ page: Page; heard: string[] }> {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const heard: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|ws):/.test(request.url())) faults.push(`${request.url()} is elsewhere`);
  });
  page.on("websocket", (line) => line.on("framereceived", ({ payload }) => heard.push(payload.toString())));
  await page.goto(address + path);
  return { page, heard };
}

/** Opens a table by the page. */
async function open(page: Page, game: string, players?: string): Promise<string> {
  await page.click(`.games [data-game="${game}"]`);
  await page.waitForSelector("#open");
  if (players) {
    await page.selectOption("select", players);
  }
  await page.click("#open");
  await page.waitForSelector("#prompt");
  return new URL(page.url()).pathname;
}

async function sit(page: Page, seat: string): Promise<void> {
  await page.click(`li[data-seat="${seat}"] button.main`);
  await page.waitForSelector(`li.me[data-seat="${seat}"]`);
}

/** Clicks something that can be clicked; false if there is nothing. */
async function click(page: Page, at: number): Promise<boolean> {
  return page.evaluate((number) => {
    const all = [...document.querySelectorAll(".site.open, .card.open, #choices button")];
    const one = all[number % Math.max(1, all.length)];
    one?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return one !== undefined;
  }, at);
}

const log = (page: Page): Promise<string[]> => page.$$eval("#log li", (all) => all.map((one) => one.textContent ?? ""));

/** Waits until a page shows so many entries. */
async function entries(page: Page, count: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelectorAll("#log li").length >= wanted, count);
}

test("a game is played to its end by two, and again", async () => {
  const { page: cross } = await visit();
  const table = await open(cross, "tic-tac-toe");
  const { page: nought } = await visit(table);
  const { page: guest } = await visit(table);
  await sit(cross, "cross");
  await sit(nought, "nought");
  const fields = ["a1", "b2", "a2", "c3", "a3"];
  for (const [at, field] of fields.entries()) {
    const page = at % 2 === 0 ? cross : nought;
    await page.waitForSelector(`.site.open[data-site="${field}"]`);
    await page.click(`.site.open[data-site="${field}"]`);
    await entries(guest, at + 1);
  }
  for (const page of [cross, nought, guest]) {
    assert.match((await page.textContent("#outcome")) ?? "", /Crosses/);
  }
  // The earlier positions can be looked at.
  await guest.click("text=Beginning");
  await guest.waitForFunction(() => document.querySelectorAll(".board .piece").length === 0);
  await nought.click("#again");
  for (const page of [cross, nought]) {
    await page.click("text=They play again");
    await page.waitForFunction((before) => location.pathname !== before && document.querySelector("li.me"), table);
  }
  await cross.waitForSelector(".site.open");
});

test("the second seat's page hears nothing of the first's hand", async () => {
  const { page: ann, heard: first } = await visit();
  const table = await open(ann, "crazy-eights", "2");
  const { page: ben, heard: second } = await visit(table);
  await sit(ann, "ann");
  await sit(ben, "ben");
  for (let at = 0; at < 40; at += 1) {
    await click(ann, at);
    await click(ben, at);
    await ann.waitForTimeout(30);
  }
  const token = new URL(ann.url()).hash.slice(1);
  assert.equal(token.length, 32);
  assert.ok(first.some((text) => text.includes(token)));
  let scenes = 0;
  for (const text of second) {
    assert.ok(!text.includes(token), "the first's token");
    const { scene } = JSON.parse(text) as { scene?: { zones: Record<string, string[]> } };
    if (!scene) continue;
    scenes += 1;
    for (const card of scene.zones["hand(ann)"] ?? []) assert.ok(card.startsWith("?"), card);
  }
  assert.ok(scenes > 5, `${scenes} scenes`);
  assert.ok(!(await ben.content()).includes(token));
});

test("a kill, a reload and a second window show the same", async () => {
  const { page: one } = await visit();
  const table = await open(one, "kalaha");
  const { page: other } = await visit(table);
  await sit(one, "a");
  await sit(other, "b");
  for (let made = 0; made < 6; made = (await log(one)).length) {
    if (!(await click(one, made))) await click(other, made);
    await one.waitForTimeout(100);
  }
  await entries(other, (await log(one)).length);
  const before = await log(one);
  hall.kill("SIGKILL");
  await one.waitForFunction(() => document.querySelector("#status")?.textContent?.includes("No connection"));
  await start(new URL(address).port);
  await one.waitForFunction(() => document.querySelector("#status")?.textContent === "Connected");
  await entries(one, before.length);
  assert.deepEqual(await log(one), before);
  const tab = await one.context().newPage();
  await tab.goto(one.url());
  await entries(tab, before.length);
  await other.reload();
  await other.waitForSelector("li.me");
  await entries(other, before.length);
  const board = (page: Page) => page.innerHTML(".board svg title + g");
  const drawn = (html: string) => html.replaceAll(/ (class|tabindex|role|aria-label)="[^"]*"/g, "");
  const shown = drawn(await board(one));
  for (const page of [tab, other]) assert.equal(drawn(await board(page)), shown);
  // And it goes on.
  for (let at = 0; (await log(one)).length === before.length && at < 50; at += 1) {
    if (!(await click(tab, at))) await click(other, at);
    await one.waitForTimeout(100);
  }
  assert.ok((await log(one)).length > before.length);
});

test("games are chosen by their titles, and a press outlasts the news", async () => {
  const { page } = await visit();
  assert.equal(await page.textContent('[data-game="hai-noon"]'), "Hai Noon");
  const table = await open(page, "tic-tac-toe");
  await sit(page, "cross");
  await page.hover('li[data-seat="nought"] button');
  await page.mouse.down();
  // Somebody looks on meanwhile.
  await visit(table);
  await page.locator(".panel small", { hasText: /: 1$/ }).waitFor();
  await page.mouse.up();
  await page.locator('li[data-seat="nought"]', { hasText: "a bot" }).waitFor();
});

test("a click that is not legal says why", async () => {
  const { page } = await visit();
  await open(page, "halma");
  await sit(page, "white");
  await page.click('li[data-seat="black"] button');
  await page.waitForSelector(".site.open");
  await page.click('.site[data-site="e1"]');
  await page.waitForSelector(".why");
  const said = (await page.textContent(".why")) ?? "";
  assert.match(said, /^That is not possible: e1 is empty\.\n\s*§ziehen\/1: /);
  // A whole move is named.
  await page.click('.site[data-site="j5"]');
  await page.click('.site[data-site="a10"]');
  await page.waitForFunction((before) => document.querySelector(".why")?.textContent !== before && document.querySelector(".why"), said);
  assert.match((await page.textContent(".why")) ?? "", /^j5-a10 is not legal: .*\n\s*§/);
});

test("what lies beside the board lies at its edge", async () => {
  const { page: one } = await visit();
  const table = await open(one, "hai-noon", "2");
  const { page: two } = await visit(table);
  await sit(one, "p1");
  await sit(two, "p2");
  const sides = () => one.$$eval(".surround > div .zone", (all) => all.map((zone) => `${zone.closest(".surround > div")?.className} ${zone.querySelector("span")?.textContent?.split(" · ")[0]}`));
  // Which sides are used is chance; two of them will do where the third is slow to come.
  for (let at = 0; at < 400 && new Set(await sides()).size < 3; at += 1) {
    if (!(await click(one, at))) await click(two, at);
    await one.waitForTimeout(50);
  }
  const where: Readonly<Record<string, string>> = { "Seite oben": "top", "Seite unten": "bottom", "Seite links": "left", "Seite rechts": "right" };
  const found = await sides();
  assert.ok(new Set(found).size >= 2, found.join());
  for (const one of found) {
    const [side = "", ...title] = one.split(" ");
    assert.equal(side, where[title.join(" ")], one);
  }
});

test("a race is run by two pages and a bot", async () => {
  const { page: one } = await visit();
  const table = await open(one, "halli-galli", "3");
  const { page: two } = await visit(table);
  await sit(one, "s1");
  await sit(two, "s2");
  await one.click('li[data-seat="s3"] button');
  await one.waitForSelector("#choices kbd");
  const key = await one.textContent("#choices kbd");
  await one.keyboard.press(key ?? "");
  await entries(two, 1);
  for (let at = 0; at < 10; at += 1) {
    await click(two, at);
    await two.waitForTimeout(50);
  }
  const times = (await log(two)).map((text) => Number(text.match(/@(\d+)/)?.[1] ?? Number.NaN)).filter((time) => !Number.isNaN(time));
  assert.ok(times.length >= 2, String(times));
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
});

test("an illegal text is answered with the clause, and the page fits a phone", async () => {
  const { page } = await visit();
  const table = await open(page, "halma");
  const { page: other } = await visit(table);
  const seats = await page.$$eval("li[data-seat]", (all) => all.map((one) => one.getAttribute("data-seat") ?? ""));
  await sit(page, seats[0] ?? "");
  await sit(other, seats[1] ?? "");
  const asked = (await page.$("li.me.asked")) ? page : other;
  await asked.fill("#text", "a1-j10");
  await asked.press("#text", "Enter");
  await asked.waitForSelector(".why");
  assert.match((await asked.textContent(".why")) ?? "", /§/);
  await asked.setViewportSize({ width: 400, height: 800 });
  assert.ok(await asked.evaluate(() => document.documentElement.scrollWidth <= 400), "nothing is cut off");
});
