// The page speaks English and German, and says everything in both.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { House } from "./browser.ts";

const source = join(import.meta.dirname ?? "", "..", "src");

test("every text has its German", async () => {
  const words = await readFile(join(source, "words.ts"), "utf8");
  const german = new Set([...words.matchAll(/^ {2}"([^"]+)": "/gm)].map((match) => match[1]));
  const said = new Set<string>();
  for (const file of await readdir(source)) {
    const text = await readFile(join(source, file), "utf8");
    // What is said is a text, or one of two.
    for (const match of text.matchAll(/\bt\(\s*(?:[^"()]*\? )?"([^"]+)"(?: : "([^"]+)")?/g)) {
      for (const one of [match[1], match[2]]) if (one !== undefined) said.add(one);
    }
  }
  assert.ok(said.size > 80, `${said.size} texts`);
  assert.deepEqual([...said].filter((text) => !german.has(text)), []);
});

test("the page speaks the language of the browser, and the other one when asked", async () => {
  const house = await House.open();
  const page = await house.page(await house.profile({ locale: "de-DE" }));
  assert.equal(await page.textContent('.tabs [data-view="play"]'), "Spielen");
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await page.click('.top [aria-haspopup="menu"]');
  await page.click('[role="menuitem"]:has-text("English")');
  await page.waitForFunction(() => document.querySelector('.tabs [data-view="play"]')?.textContent === "Play");
  await page.reload();
  await page.waitForSelector(".prompt");
  assert.equal(await page.textContent('.tabs [data-view="play"]'), "Play");
  await house.close();
  assert.deepEqual(house.faults, []);
});
