// Pictures of every game, in the workshop and at the table, to be looked at: npm run pictures. They lie in web/pictures.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, House, playOut, program, seat } from "./browser.ts";

const house = await House.open();
const wanted = process.argv.slice(2);
await mkdir("pictures", { recursive: true });
for (const [width, height] of [[1280, 900], [400, 800]] as const) {
  const context = await house.profile({ viewport: { width, height } });
  const page = await house.page(context);
  const games = await page.evaluate(() => (globalThis as unknown as { regelwerk: { games: string[] } }).regelwerk.games);
  for (const game of games.filter((name) => wanted.length === 0 || wanted.includes(name))) {
    await choose(page, game);
    for (const other of await page.$$eval(".seat", (all) => all.slice(1).map((one) => one.getAttribute("data-seat") ?? ""))) {
      await seat(page, other, "random");
    }
    await playOut(page, 7, 4).catch((error: Error) => console.error(game, error.message));
    await page.waitForTimeout(200);
    await page.screenshot({ path: `pictures/${game}-${width}.png` });
  }
  await context.close();
}

// The table, with bots on all other seats.
const folder = await mkdtemp(join(tmpdir(), "pictures-"));
const limits = ["--bot-time", "1", "--max-openings", "1000"];
const hall = spawn(program, ["serve", "--lang", "en", "--port", "0", "--file", join(folder, "games"), ...limits]);
const address = await new Promise<string>((resolve) => hall.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString().trim())));
const context = await house.profile();
const page = await context.newPage();
await page.goto(address);
await page.waitForSelector("[data-game]");
await page.screenshot({ path: "pictures/table-1280.png" });
const games = await page.$$eval("[data-game]", (all) => all.map((one) => one.getAttribute("data-game") ?? ""));
for (const game of games.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  await page.goto(address);
  await page.click(`[data-game="${game}"]`);
  await page.click("#open");
  await page.waitForSelector("li[data-seat]");
  const [first = "", ...others] = await page.locator("li[data-seat]").evaluateAll((all) => all.map((one) => one.getAttribute("data-seat") ?? ""));
  await page.click(`li[data-seat="${first}"] button.main`);
  await page.waitForSelector("li.me");
  for (const other of others) await page.click(`li[data-seat="${other}"] button`);
  for (let clicks = 0; clicks < 7; clicks += 1) {
    await page.evaluate((number) => {
      const all = document.querySelectorAll(".site.open, .card.open, #choices button");
      all[(number * 7) % Math.max(1, all.length)]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }, clicks);
    await page.waitForTimeout(150);
  }
  for (const [width, height] of [[1280, 900], [400, 800]] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `pictures/table-${game}-${width}.png`, fullPage: width === 400 });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
hall.kill();
await house.close();
await rm(folder, { recursive: true });
for (const fault of house.faults) console.error(fault);
