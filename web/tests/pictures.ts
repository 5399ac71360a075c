// Pictures of every game, to be looked at: npm run pictures. They lie in web/pictures.

import { mkdir } from "node:fs/promises";
import { choose, House, playOut, seat } from "./browser.ts";

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
await house.close();
for (const fault of house.faults) console.error(fault);
