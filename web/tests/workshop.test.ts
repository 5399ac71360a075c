// What authors and players do in the page.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { choose, House, inside, playOut, program, seat } from "./browser.ts";

let house: House;
before(async () => {
  house = await House.open();
});
after(async () => {
  await house.close();
  assert.deepEqual(house.faults, []);
  assert.deepEqual(house.strangers, [], "nothing is fetched from elsewhere");
});

async function menu(page: Page, entry: string): Promise<void> {
  await page.click('.top [aria-haspopup="menu"]');
  await page.click(`[role="menuitem"]:has-text("${entry}")`);
}

/** Writes a whole rule file, as typing would. */
async function write(page: Page, text: string): Promise<void> {
  await page.click(".cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

async function status(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector(".status [role=status]")?.textContent === wanted, text);
}

test("a click that is not legal says why, with the clause, and leads to the line", async () => {
  const page = await house.page();
  await choose(page, "halma");
  // What can be claimed is said in the rules' words.
  assert.match((await page.textContent(".declarations")) ?? "", /Remis durch Zugwiederholung/);
  await page.click('g.site[data-site="e1"]');
  const notice = page.locator(".notice.why");
  await notice.waitFor();
  assert.match((await notice.textContent()) ?? "", /^That is not possible: e1 is empty\./);
  assert.match((await notice.textContent()) ?? "", /§ziehen\/1 In each move a player moves one of his own stones/);
  const link = notice.locator("button.link").first();
  const line = Number(/line (\d+)/.exec((await link.textContent()) ?? "")?.[1]);
  await link.click();
  await page.waitForFunction(
    (wanted) => document.querySelector(".cm-activeLineGutter.cm-gutterElement:not(.cm-lint-marker)")?.textContent === wanted,
    String(line),
  );
  assert.match((await page.textContent(".cm-activeLine")) ?? "", /choose from in own stone/);
  await page.context().close();
});

test("the variant of the tutorial is made in the editor", async () => {
  const page = await house.page();
  await choose(page, "hai-noon");
  await menu(page, "A variant of this game");
  const tutorial = await readFile(join(import.meta.dirname ?? "", "..", "..", "docs", "tutorial.md"), "utf8");
  const texts = [...tutorial.matchAll(/```rules save:hungry-sea\/hungry-sea\.rules\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  const [wrong = "", right = ""] = texts;
  await write(page, wrong);
  await status(page, "1 error");
  // What is wrong stands beside the game as well, and leads to its line.
  await page.locator(".table > .notice.error button", { hasText: "line 3: there is no option or reading side_sise to set; did you mean side_size?" }).click();
  // The fix that is offered is the tutorial's next step.
  await page.hover(".cm-lintRange-error");
  await page.click(".cm-diagnosticAction");
  await status(page, "no faults");
  assert.equal(await page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text), right);
  await page.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Hungry sea"));
  assert.equal(await page.locator(".table > .notice.error").count(), 0);
  // All sharks are hungry from the start.
  const hungry = await page.$$eval('g.site[data-site^="h"] .piece text', (all) => all.map((one) => one.textContent));
  assert.deepEqual(hungry, new Array(12).fill("H+"));
  const played = await playOut(page, 6, 5);
  assert.ok(played.clicks > 0 && (await inside(page)).ply > 0);
  await page.context().close();
});

test("a broken file is mended, and the game goes on where it was", async () => {
  const page = await house.page();
  await menu(page, "New rule file");
  await status(page, "no faults");
  await seat(page, "o", "human");
  for (const site of ["b2", "a1"]) await page.click(`g.site[data-site="${site}"]`);
  await page.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 2);
  const text = await page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text);
  await write(page, text.replace("line(own mark, 3)", "line(own mrak, 3)"));
  await status(page, "1 error");
  assert.match((await page.textContent(".table > .notice.error")) ?? "", /played by those before/);
  await page.click('g.site[data-site="c3"]');
  await page.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 3);
  await write(page, text);
  await status(page, "no faults");
  await page.waitForFunction(() => !document.querySelector(".table > .notice.error"));
  assert.equal(await page.locator("g.site .piece").count(), 3, "the position was kept");
  assert.equal((await inside(page)).ply, 3, "and so was the game");
  // A larger board: the marks stay where they are.
  await write(page, text.replace("3 x 3", "4 x 4"));
  await page.waitForFunction(() => document.querySelectorAll("g.site").length === 16);
  assert.equal(await page.locator("g.site .piece").count(), 3);
  await page.click('.tools button:has-text("Undo")');
  await page.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 2);
  await page.context().close();
});

test("completion and hover know the rules", async () => {
  const page = await house.page();
  await menu(page, "New rule file");
  await status(page, "no faults");
  await page.hover('.cm-line:has-text("when line(own mark, 3)") >> text=§2');
  await page.locator(".hover", { hasText: "Three in a row win." }).waitFor();
  await page.click('.cm-line:has-text("put own mark on square")');
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("put own ma");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "mark" }).first().waitFor();
  // Keys that come too soon after the list are not meant for it.
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text.includes("put own mark\n"));
  await page.context().close();
});

test("a shared link opens in a fresh profile, and a reload loses nothing", async () => {
  const page = await house.page();
  await menu(page, "New rule file");
  await status(page, "no faults");
  const text = await page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text);
  const wider = text.replace("3 x 3", "5 x 4").replace("Three in a row", "Drei in einer Reihe – ohne Rand");
  await write(page, wider);
  await page.waitForFunction(() => document.querySelectorAll("g.site").length === 20);
  await seat(page, "o", "human");
  for (const site of ["e4", "a1", "c2"]) {
    await page.click(`g.site[data-site="${site}"]`);
    await page.waitForFunction((name) => document.querySelector(`g.site[data-site="${name}"] .piece`) !== null, site);
  }
  await page.click('.top button:has-text("Share")');
  await page.waitForFunction(() => location.hash.startsWith("#1."));
  const hash = await page.evaluate(() => location.hash);
  const same = async (other: Page) => {
    await other.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 3);
    assert.equal(await other.locator("g.site").count(), 20);
    assert.equal(await other.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text), wider);
    assert.equal(await other.locator('.seat[data-seat="o"] select').inputValue(), "human");
    assert.equal((await inside(other)).ply, 3);
  };
  const other = await house.page(undefined, hash);
  await same(other);
  // From the link it goes its own way, which a reload keeps.
  await other.click('g.site[data-site="b3"]');
  await other.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 4 && location.hash === "");
  await other.waitForFunction(() => localStorage.getItem("regelwerk.workshop")?.includes('"b3"'));
  await other.reload();
  await other.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 4);
  await same(await house.page(undefined, hash));
  await other.context().close();
  await page.context().close();
});

test("a link does not lose what was there before", async () => {
  const context = await house.profile();
  const page = await house.page(context);
  await choose(page, "kalaha");
  await page.click('.top button:has-text("Share")');
  await page.waitForFunction(() => location.hash.startsWith("#1."));
  const hash = await page.evaluate(() => location.hash);
  await choose(page, "reversi");
  await page.waitForFunction(() => localStorage.getItem("regelwerk.workshop")?.includes("reversi"));
  const linked = await house.page(context, hash);
  await linked.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Kalaha"));
  await menu(linked, "Back to my own work");
  await linked.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Reversi"));
  await context.close();
});

test("another game does not lose what has been written", async () => {
  const page = await house.page();
  await choose(page, "kalaha");
  await menu(page, "A variant of this game");
  await status(page, "no faults");
  const mine = 'game small-kalaha "Small Kalaha" extends "kalaha"\n\nset fields = 3\n';
  await write(page, mine);
  await page.waitForFunction(() => document.querySelectorAll("g.site").length === 8);
  await choose(page, "halma");
  // A variant that was only begun takes nobody's place.
  await menu(page, "A variant of this game");
  await page.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Halma, my variant"));
  await choose(page, "reversi");
  await menu(page, "Back to my own work");
  await page.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Small Kalaha"));
  assert.equal(await page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text), mine);
  // Nor is it lost after a reload, unchanged since.
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".top .game")?.textContent?.startsWith("Small Kalaha"));
  await choose(page, "halma");
  await menu(page, "Back to my own work");
  await page.waitForFunction(() => document.querySelectorAll("g.site").length === 8);
  await page.context().close();
});

test("a variant is compared with the game it extends", async () => {
  const page = await house.page();
  await choose(page, "kalaha");
  await page.click('.tabs [data-view="simulate"]');
  assert.equal(await page.locator("text=Compare with kalaha").count(), 0);
  await menu(page, "A variant of this game");
  await write(page, 'game small-kalaha "Small Kalaha" extends "kalaha"\n\nset fields = 2\n');
  await status(page, "no faults");
  await page.click('.tabs [data-view="simulate"]');
  await page.click("text=Compare with kalaha");
  await page.selectOption(".simulate select", "100");
  await page.click('.simulate .primary:has-text("Start")');
  await page.waitForFunction(() => document.querySelector(".progress-line span")?.textContent === "100 pairs");
  const turns = await page.$$eval("tr.differs:first-child td", (cells) => cells.slice(0, 2).map((cell) => Number.parseFloat(cell.textContent ?? "")));
  assert.ok((turns[0] ?? 0) < (turns[1] ?? 0), `two fields each are played out sooner than six: ${turns.join(" and ")}`);
  await page.context().close();
});

test("Tab goes through the rules and changes nothing, but indents what is written", async () => {
  const page = await house.page();
  await choose(page, "kalaha");
  const text = () => page.evaluate(() => (globalThis as unknown as { regelwerk: { text: string } }).regelwerk.text);
  const before = await text();
  await page.focus('.tabs [data-view="document"]');
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")), true);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")), false);
  assert.equal(await text(), before);
  await page.click(".cm-content");
  await page.keyboard.press("Tab");
  assert.notEqual(await text(), before);
  await page.context().close();
});

test("what a click brings is in sight where the hand lies below the board", async () => {
  const page = await house.page(await house.profile({ viewport: { width: 400, height: 700 } }));
  await choose(page, "hai-noon");
  await page.click('.seat[data-seat="p1"] .card.open');
  const choice = page.locator(".choice").first();
  await choice.waitFor();
  const box = await choice.boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 700, JSON.stringify(box));
  await page.context().close();
});

test("hidden hands: the second seat's page has nothing of the first's", async () => {
  const page = await house.page();
  await choose(page, "hai-noon");
  await page.click('.tabs [data-view="settings"]');
  await page.click('.pill:has-text("2")');
  await page.click('.tabs [data-view="play"]');
  await seat(page, "p2", "human");
  const hand = (seat: string) => page.$$eval(`.seat[data-seat="${seat}"] [data-zone^="hand"] [data-piece]`, (all) => all.map((one) => one.getAttribute("data-piece") ?? ""));
  // With two at the page, each takes the screen before anything is shown.
  await page.waitForSelector(".handover");
  assert.equal(await page.locator("[data-piece]").count(), 0);
  await page.click(".handover .primary");
  await page.waitForSelector('.seat[data-seat="p1"] [data-piece]');
  const first = await hand("p1");
  assert.ok(first.length > 0);
  assert.deepEqual(await hand("p2"), []);
  for (let clicks = 0; clicks < 30 && !(await page.locator(".handover").count()); clicks += 1) {
    const open = page.locator("g.site.open, .card.open, .choice").first();
    await open.click().catch(() => undefined);
    await page.waitForTimeout(150);
  }
  assert.equal(await page.locator(".handover").count(), 1);
  assert.equal(await page.locator("[data-piece]").count(), 0, "nothing is shown while the screen is handed over");
  await page.click(".handover .primary");
  await page.waitForSelector('.seat[data-seat="p2"] [data-piece]');
  assert.deepEqual(await hand("p1"), []);
  const backs = await page.locator('.seat[data-seat="p1"] [data-zone^="hand"] .card.back').count();
  assert.ok(backs > 0, "the other hand is seen from the back");
  // Of earlier steps the second seat is shown no more.
  await page.click('[aria-label="To the beginning"]');
  await page.waitForTimeout(300);
  assert.deepEqual(await hand("p1"), []);
  const own = await hand("p2");
  const elsewhere = await page.$$eval("[data-piece]", (all) => all.length);
  assert.equal(elsewhere, own.length, "before the first card only one's own are seen");
  await page.context().close();
});

test("the race runs in real time, with keys", async () => {
  const page = await house.page();
  await choose(page, "halli-galli");
  await page.click(".race .primary");
  const key = await page.textContent(".key kbd");
  const mine = await page.textContent(".seat .seat-title");
  assert.ok(key && mine);
  const told = () => page.$$eval(".moves button", (all) => all.map((one) => one.textContent ?? ""));
  let own = false;
  let others = false;
  let refused = false;
  // Bots act by themselves; a key acts when it is one's turn, and is refused with the clause when it is not.
  for (let tries = 0; tries < 200 && !(own && others && refused); tries += 1) {
    await page.keyboard.press(key);
    refused ||= /Play goes clockwise/.test((await page.locator(".notice.why").allTextContents()).join());
    await page.waitForTimeout(300);
    own ||= (await told()).some((text) => text.startsWith(`${mine}:`));
    others ||= (await told()).some((text) => !text.startsWith(`${mine}:`));
    refused ||= /Play goes clockwise/.test((await page.locator(".notice.why").allTextContents()).join());
  }
  assert.ok(own, "the key has acted");
  assert.ok(refused, "out of turn it is refused");
  assert.ok(others, "so have bots");
  const events = await told();
  const times = events.map((text) => Number(/@(\d+)/.exec(text)?.[1] ?? Number.NaN)).filter((time) => !Number.isNaN(time));
  assert.deepEqual(times, [...times].sort((a, b) => a - b), "the clock goes on");
  await page.click('.race button:has-text("Pause")');
  await page.waitForSelector(".race .primary");
  await page.context().close();
});

test("settings come from the file, and figures from random games", async () => {
  const page = await house.page();
  await choose(page, "kalaha");
  await page.click('.tabs [data-view="settings"]');
  assert.match((await page.textContent('.setting:has(#readings-capturing_stone)')) ?? "", /where the capturing stone goes.*§annahme\/1/);
  await page.fill("#options-fields", "4");
  await page.press("#options-fields", "Enter");
  await page.waitForFunction(() => document.querySelector(".setting.altered") !== null);
  await page.click('.tabs [data-view="play"]');
  await page.waitForFunction(() => document.querySelectorAll("g.site").length === 10);
  await page.click('.tabs [data-view="simulate"]');
  await page.click('.simulate .primary:has-text("Start")');
  await page.waitForFunction(() => /1000 games/.test(document.querySelector(".progress-line span")?.textContent ?? ""));
  assert.ok((await page.locator(".plot rect").count()) > 3);
  assert.equal(await page.locator(".bar").count(), 3);
  await page.click("text=Compare with other settings");
  await page.fill(".simulate #options-seeds", "2");
  await page.press(".simulate #options-seeds", "Enter");
  await page.click('.simulate .primary:has-text("Start")');
  await page.waitForSelector("tr.differs");
  await page.waitForFunction(() => /1000 pairs/.test(document.querySelector(".progress-line span")?.textContent ?? ""));
  // A long run can be stopped.
  await page.selectOption(".simulate select", "100000");
  await page.click('.simulate .primary:has-text("Start")');
  await page.waitForFunction(() => Number(document.querySelector("progress")?.value) > 0);
  await page.click('.simulate .primary:has-text("Stop")');
  await page.waitForSelector('.simulate .primary:has-text("Start")');
  await page.context().close();
});

test("the rulebook, the history and records", async () => {
  const page = await house.page();
  await choose(page, "halma");
  await seat(page, "black", "random");
  await playOut(page, 12, 2);
  await page.waitForFunction(() => document.querySelectorAll(".moves li").length >= 6);
  const now = await page.innerHTML(".board svg");
  await page.click('[aria-label="To the beginning"]');
  await page.waitForFunction((drawn) => document.querySelector(".board svg")?.innerHTML !== drawn, now);
  assert.equal(await page.locator(".board .mark.source").count(), 0, "the past is only looked at");
  await page.click('[aria-label="To the present"]');
  await page.waitForFunction(() => document.querySelector('[aria-label="To the present"]')?.hasAttribute("disabled"));
  const saved = page.waitForEvent("download");
  await menu(page, "Save the record");
  const path = await (await saved).path();
  const record = await readFile(path, "utf8");
  assert.match(record, /game: "halma"/);
  const steps = (await inside(page)).steps;
  await choose(page, "kalaha");
  const chooser = page.waitForEvent("filechooser");
  await menu(page, "Load a record");
  await (await chooser).setFiles(path);
  await page.waitForFunction((count) => (globalThis as unknown as { regelwerk: { rules: string; state: { steps: number } } }).regelwerk.rules === "halma" && (globalThis as unknown as { regelwerk: { state: { steps: number } } }).regelwerk.state.steps >= count, steps);
  await page.click('.tabs [data-view="book"]');
  await page.frameLocator(".book iframe").locator("h1", { hasText: "Halma" }).waitFor();
  await page.context().close();
});

test("a position is set up by hand, played from, and turned into a case that passes", async () => {
  const page = await house.page();
  await choose(page, "halma");
  await seat(page, "black", "human");
  await menu(page, "Set up a position");
  await page.waitForSelector(".arrange g.site");
  // Everything off two corners, then two stones face to face.
  await page.fill(".position-text textarea", "halma 2\nmover=white\nstone.black: e6");
  await page.waitForFunction(() => document.querySelectorAll(".arrange g.site .piece").length === 1);
  await page.selectOption('[data-tool="owner"]', "white");
  await page.click('.arrange g.site[data-site="e5"]');
  await page.click('.arrange g.site[data-site="a1"]');
  await page.waitForFunction(() => document.querySelectorAll(".arrange g.site .piece").length === 3);
  await page.click('.arrange [data-tool="empty"]');
  await page.click('.arrange g.site[data-site="a1"]');
  await page.waitForFunction(() => document.querySelectorAll(".arrange g.site .piece").length === 2);
  // What is no position says so, and cannot be played from.
  const text = await page.inputValue(".position-text textarea");
  assert.match(text, /stone\.white: e5/);
  await page.fill(".position-text textarea", `${text}\nstone.white: z9`);
  await page.waitForSelector(".arrange .notice.error");
  assert.ok(await page.isDisabled(".arrange .primary"));
  await page.fill(".position-text textarea", text);
  await page.waitForFunction(() => !document.querySelector(".arrange .notice.error"));
  await page.click(".arrange .primary");
  await page.waitForFunction(() => !document.querySelector(".arrange") && document.querySelectorAll(".board g.site .piece").length === 2);
  // White jumps over black.
  await page.click('.board g.site[data-site="e5"]');
  await page.click('.board g.site[data-site="e7"]');
  await page.waitForFunction(() => document.querySelector('.board g.site[data-site="e7"] .piece') !== null);
  await page.click('.board g.site[data-site="a10"]');
  await page.waitForSelector(".notice.why");
  await menu(page, "A case from this position");
  const made = await page.inputValue(".taken textarea");
  assert.match(made, /given: Position\("halma 2 \| mover=white \| stone\.white: e5 \| stone\.black: e6"\)/);
  assert.match(made, /Play\(\["e5-e7"\]\)/);
  assert.match(made, /Illegal\("/);
  assert.match(made, /Asked\("black"\)/);
  const saved = page.waitForEvent("download");
  await page.click(".taken .primary");
  const folder = await mkdtemp(join(tmpdir(), "case-"));
  const file = join(folder, "case.ron");
  await (await saved).saveAs(file);
  const { stdout } = await promisify(execFile)(program, ["test", file]);
  assert.match(stdout, /1 passed, 0 failed/);
  await rm(folder, { recursive: true });
  await page.context().close();
});

test("cards are dealt by hand as well", async () => {
  const page = await house.page();
  await choose(page, "hai-noon");
  await menu(page, "Set up a position");
  await page.waitForSelector(".arrange .zone-list");
  const cards = () => page.locator('.zone-list li:has(b:text-is("hand(p1)")) .chip:not(.add)').count();
  assert.equal(await cards(), 3);
  await page.selectOption('[aria-label="A card for a zone"]', "joker");
  await page.click('[aria-label="Put it into hand(p1)"]');
  await page.waitForFunction(() => [...document.querySelectorAll(".zone-list li")].some((one) => one.querySelector("b")?.textContent === "hand(p1)" && one.querySelectorAll(".chip:not(.add)").length === 4));
  await page.click('.zone-list li:has(b:text-is("hand(p1)")) .chip:has-text("Joker")');
  await page.waitForFunction(() => [...document.querySelectorAll(".zone-list li")].some((one) => one.querySelector("b")?.textContent === "hand(p1)" && one.querySelectorAll(".chip:not(.add)").length === 3));
  await page.click('.arrange button:has-text("Cancel")');
  await page.waitForSelector(".surround .board");
  await page.context().close();
});

test("a pasted document is held against the registry, with its findings in the text", async () => {
  const page = await house.page();
  await choose(page, "kalaha");
  await page.click('.tabs [data-view="document"]');
  await page.fill(".document textarea", "Kalaha\n\nZiel\n\nA sentence that no clause claims (and a bracket that is not closed.\n");
  await page.click('.document .primary:has-text("Compare")');
  await page.waitForSelector(".copy li.found");
  assert.match((await page.textContent('.document [role="status"]')) ?? "", /^0 of \d+ clauses found/);
  // Each is where it belongs: those about a sentence with its line, those about what is not there above.
  const found = await page.$$eval(".copy li .finding", (all) => all.map((one) => one.getAttribute("data-check")));
  assert.ok(found.includes("unclaimed") && found.includes("pair"), found.join());
  assert.ok((await page.locator('.document > .finding[data-check="missing"], .document > .finding[data-check="changed"]').count()) > 0);
  assert.match((await page.textContent(".document > .finding")) ?? "", /kalaha\.rules:\d+/);
  // Rules without a document say so, with the cure.
  await menu(page, "New rule file");
  await page.click('.tabs [data-view="document"]');
  await page.waitForSelector(".document textarea");
  await page.fill(".document textarea", "Anything.");
  await page.click('.document .primary:has-text("Compare")');
  await page.locator(".document .notice.error", { hasText: "name no document" }).waitFor();
  await page.context().close();
});

test("what people lay round a table lies round it", async () => {
  const page = await house.page();
  await choose(page, "hai-noon");
  const box = async (selector: string) => {
    const found = await page.locator(selector).first().boundingBox();
    assert.ok(found, selector);
    return { x: found.x + found.width / 2, y: found.y + found.height / 2 };
  };
  const board = await box(".board svg");
  assert.ok((await box('[data-zone="side(upper)"]')).y < board.y);
  assert.ok((await box('[data-zone="side(lower)"]')).y > board.y);
  assert.ok((await box('[data-zone="side(left)"]')).x < board.x);
  assert.ok((await box('[data-zone="side(right)"]')).x > board.x);
  // Clockwise from the first seat, with what all share in their midst.
  await choose(page, "halli-galli");
  const midst = await box(".midst");
  const around: { x: number; y: number }[] = [];
  for (const name of ["s1", "s2", "s3", "s4", "s5", "s6"]) around.push(await box(`.seat[data-seat="${name}"]`));
  const [s1, s2, s3, s4, s5, s6] = around;
  assert.ok(s1 && s2 && s3 && s4 && s5 && s6);
  assert.ok(s1.y > midst.y && s2.x < midst.x && s3.x < midst.x && s3.y < midst.y && s4.y < midst.y);
  assert.ok(s5.x > midst.x && s5.y < midst.y && s6.x > midst.x);
  await page.context().close();
});

test("the table is played by keys alone", async () => {
  const page = await house.page();
  await menu(page, "New rule file");
  await status(page, "no faults");
  await seat(page, "o", "human");
  await page.focus('g.site[tabindex="0"]');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("g.site .piece").length === 2);
  assert.ok(await page.$('g.site[data-site="b2"] .piece, g.site[data-site="b1"] .piece, g.site[data-site="b3"] .piece'));
  await page.context().close();
});

test("on a phone one view at a time, and nothing sticks out", async () => {
  const context = await house.profile({ viewport: { width: 400, height: 800 } });
  const page = await house.page(context);
  for (const game of ["halma", "hai-noon", "halli-galli", "chess"]) {
    await choose(page, game);
    for (const tab of ["play", "rules", "settings", "simulate", "book", "document"]) {
      await page.click(`.tabs [data-view="${tab}"]`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 400, `${game}, ${tab}: ${wide} pixels wide`);
    }
    await page.click('.tabs [data-view="play"]');
  }
  await context.close();
});
