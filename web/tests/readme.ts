// The pictures of the README: npm run readme. They lie in docs/images.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { choose, House, program } from "./browser.ts";

const images = join(import.meta.dirname ?? "", "..", "..", "docs", "images");

/** What the terminal shows. */
function typed(game: readonly string[], lines: readonly string[]): string {
  const found = spawnSync(program, ["--lang", "en", "play", ...game], {
    input: `${lines.join("\n")}\n`,
    env: { ...process.env, CLICOLOR_FORCE: "1", COLUMNS: "100" },
    encoding: "utf8",
  });
  return found.stdout;
}

const colours: Readonly<Record<string, string>> = { 31: "#e5786d", 32: "#95c76f", 33: "#e6c24a", 34: "#7da3e8", 35: "#c58fd8", 36: "#5cc2d6" };

/** Escapes for colours as HTML. */
function html(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  let open = false;
  return safe.replaceAll(/\u001b\[([0-9;]*)m/g, (_, codes: string) => {
    const all = codes.split(";");
    const style = [
      all.includes("1") ? "font-weight:700" : "",
      all.includes("2") ? "opacity:.6" : "",
      ...all.map((code) => (colours[code] ? `color:${colours[code]}` : "")),
    ].filter(Boolean);
    const end = open ? "</span>" : "";
    open = style.length > 0;
    return end + (open ? `<span style="${style.join(";")}">` : "");
  });
}

const house = await House.open();
const context = await house.profile({ deviceScaleFactor: 1 });

const page = await house.page(context);
await choose(page, "halma");
await page.click('g.site[data-site="e1"]');
await page.waitForSelector(".notice.why button.link");
await page.click(".notice.why button.link");
await page.waitForTimeout(300);
await page.screenshot({ path: join(images, "workshop.png") });

const terminal = await context.newPage();
const seats = ["2", "3", "4"].flatMap((seat) => ["--seat", `${seat}=random`]);
const text = typed(["hai-noon", "--seed", "5", ...seats], ["?", "why joker-upper", "1", "quit"]);
const shown = text.split(/^.*> quit/m)[0] ?? text;
await terminal.setContent(
  `<pre style="margin:0;padding:14px 18px;display:inline-block;background:#1d1f24;color:#e8e6e1;font:14px/1.35 'DejaVu Sans Mono',monospace">${html(shown.trimEnd())}</pre>`,
);
await terminal.locator("pre").screenshot({ path: join(images, "terminal.png") });
await house.close();
