// The built page in Debian's chromium, served as any static host would.

import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const dist = join(import.meta.dirname ?? "", "..", "dist");

const root = join(import.meta.dirname ?? "", "..", "..");

/** The program, built with the table. */
export const program = process.env["REGELWERK"] ?? join(process.env["CARGO_TARGET_DIR"] ?? join(root, "target"), "debug", "regelwerk");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** What the page has on itself for whoever looks into it. */
export interface Inside {
  breath: number;
  state: { over: boolean; ask: string; asked: string | null; ply: number; steps: number; now: number; outcome: { text: string } | null } | undefined;
  viewer: string | undefined;
  thinking: boolean;
  checked: boolean;
  seed: number;
  legal: unknown;
  clicks: { all: readonly { move: string; tokens: readonly { sort: string; name: string }[] }[] };
  setPlayer(seat: string, player: string): void;
  chosen(seat: string, bot: string): Promise<{ move: string; time?: number } | undefined>;
}

export class House {
  private readonly server: Server;
  private readonly browser: Browser;
  readonly address: string;
  readonly faults: string[] = [];
  readonly strangers: string[] = [];

  private constructor(server: Server, browser: Browser, address: string) {
    this.server = server;
    this.browser = browser;
    this.address = address;
  }

  static async open(): Promise<House> {
    const server = createServer((request, response) => {
      const path = normalize(new URL(request.url ?? "/", "http://host").pathname);
      const file = join(dist, path.endsWith("/") ? `${path}index.html` : path);
      readFile(file).then(
        (bytes) => {
          response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
          response.end(bytes);
        },
        () => {
          response.writeHead(404);
          response.end();
        },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    return new House(server, browser, `http://127.0.0.1:${port}/`);
  }

  /** A fresh profile. */
  async profile(options: Parameters<Browser["newContext"]>[0] = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(60_000);
    return context;
  }

  /** The page, in a fresh profile unless one is given. */
  async page(context?: BrowserContext, hash = ""): Promise<Page> {
    const page = await (context ?? (await this.profile())).newPage();
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(message.text());
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(data|blob|about):/.test(url)) this.strangers.push(url);
    });
    await page.goto(this.address + hash);
    await page.waitForSelector(".prompt");
    await page.evaluate(() => {
      (globalThis as unknown as { regelwerk: Inside }).regelwerk.breath = 0;
    });
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}

/** Opens a bundled game by the gallery. */
export async function choose(page: Page, game: string): Promise<void> {
  await page.click(".top .game");
  await page.click(`[data-game="${game}"]`);
  await page.waitForFunction((name) => {
    const inside = (globalThis as unknown as { regelwerk: { rules: string; opening?: { rules: string; game: number } } }).regelwerk;
    const drawn = document.querySelector<HTMLElement>(".table")?.dataset["game"];
    return inside.rules === name && inside.opening?.rules === name && drawn === String(inside.opening.game);
  }, game);
}

/** Lets a seat be played by somebody, as a person at the page would. */
export async function seat(page: Page, name: string, player: string): Promise<void> {
  await page.selectOption(`.seat[data-seat="${name}"] select`, player);
}

/** What can be clicked now, as a selector each; nothing while a bot thinks. */
async function open(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all: string[] = [];
    const { state } = (globalThis as unknown as { regelwerk: Inside }).regelwerk;
    if (!state || state.over) return all;
    for (const element of document.querySelectorAll(".handover .primary")) {
      if (element) all.push(".handover .primary");
    }
    if (state.ask === "race") {
      const keys = [...document.querySelectorAll<HTMLButtonElement>(".key:not(:disabled)")];
      if (keys.length === 0 && document.querySelector(".race .primary")) all.push(".race .primary");
      return all.concat(keys.map((key) => `[data-act="${key.dataset["act"]}"]`));
    }
    for (const site of document.querySelectorAll<SVGGElement>("g.site.open")) all.push(`g.site[data-site="${site.dataset["site"]}"]`);
    for (const card of document.querySelectorAll<HTMLElement>(".card.open")) all.push(`.card.open[data-piece="${card.dataset["piece"]}"]`);
    for (const choice of document.querySelectorAll<HTMLElement>(".choice")) {
      const { choice: key, move } = choice.dataset;
      all.push(key !== undefined ? `[data-choice="${key}"]` : `[data-move="${move}"]`);
    }
    return all;
  });
}

export async function inside(page: Page): Promise<NonNullable<Inside["state"]>> {
  const state = await page.evaluate(() => (globalThis as unknown as { regelwerk: Inside }).regelwerk.state);
  if (!state) throw new Error("no game is played");
  return state;
}

/** Numbers that are the same in every run. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Plays by clicks alone: to the end, or so many clicks. */
export async function playOut(page: Page, clicks: number, seed: number): Promise<{ clicks: number; over: boolean }> {
  const roll = dice(seed);
  let idle = 0;
  for (let clicked = 0; clicked < clicks; ) {
    const state = await inside(page);
    if (state.over) return { clicks: clicked, over: true };
    const targets = await open(page);
    const target = targets[roll(targets.length)];
    if (target === undefined) {
      idle += 1;
      if (idle > 600) throw new Error(`nothing can be clicked: ${JSON.stringify(state)}`);
      await page.waitForTimeout(25);
      continue;
    }
    idle = 0;
    // The table may be drawn anew between looking and clicking; then the click meets nothing.
    const done = await page.evaluate((selector) => {
      const element = document.querySelector(selector);
      if (!element) return false;
      const event = selector.includes("data-act") ? new PointerEvent("pointerdown", { bubbles: true }) : new MouseEvent("click", { bubbles: true });
      element.dispatchEvent(event);
      return true;
    }, target);
    if (done) clicked += 1;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
  return { clicks, over: (await inside(page)).over };
}

/** Plays a person's seat by clicks to the end, each move as a bot advises it; how many clicks that took. */
export async function playWell(page: Page, seat: string, bot: string): Promise<number> {
  let clicks = 0;
  for (let idle = 0; idle < 3000 && !(await inside(page)).over; idle += 1) {
    const tokens = await page.evaluate(
      async ([seat, bot]) => {
        const workshop = (globalThis as unknown as { regelwerk: Inside }).regelwerk;
        // While a click is answered nothing is legal.
        if (workshop.state?.asked !== seat || workshop.legal === undefined || workshop.clicks.all.length === 0) return [];
        const found = await workshop.chosen(seat, bot);
        return workshop.clicks.all.find((one) => one.move === found?.move)?.tokens ?? [];
      },
      [seat, bot] as const,
    );
    for (const { sort, name } of tokens) {
      await page.evaluate(
        ([sort, name]) => {
          const selector = sort === "site" ? `g.site.open[data-site="${name}"]` : `[data-choice="${name}"]`;
          document.querySelector(selector)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        },
        [sort, name] as const,
      );
      clicks += 1;
    }
    if (tokens.length === 0) await page.waitForTimeout(10);
  }
  return clicks;
}

/** Plays races to the end, at a clock that runs faster: a person's keys are pressed when an attentive one would press them, and
 * what comes between is clicked; how many keys were pressed. */
export async function race(page: Page, seat: string): Promise<number> {
  let pressed = 0;
  let seen = -1;
  let plan: { act: string; left: number } | undefined;
  for (let turns = 0; turns < 5000; turns += 1) {
    const { over, ask, steps } = await inside(page);
    if (over) break;
    if (ask !== "race") {
      await playOut(page, 1, turns);
      continue;
    }
    if (steps !== seen) {
      seen = steps;
      const found = await page.evaluate(async (seat) => {
        const workshop = (globalThis as unknown as { regelwerk: Inside }).regelwerk;
        const act = await workshop.chosen(seat, "random");
        return act?.time === undefined ? undefined : { act: act.move.replace(/ @.*/, ""), left: act.time - (workshop.state?.now ?? 0) };
      }, seat);
      plan = found;
    }
    const step = Math.ceil(Math.min(plan?.left ?? 200, 400));
    await page.clock.runFor(Math.max(step, 1));
    if (!plan || (await inside(page)).steps !== seen) continue;
    plan.left -= step;
    if (plan.left > 0) continue;
    pressed += await page.evaluate((act) => {
      const key = document.querySelector(`[data-act="${act}"]:not(:disabled)`);
      key?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      return key ? 1 : 0;
    }, plan.act);
    plan = undefined;
  }
  return pressed;
}
