import { render } from "preact";
import { App } from "./app.tsx";
import { layAside, recall, unpack } from "./share.ts";
import "./style.css";
import { speak } from "./words.ts";
import { Workshop } from "./workshop.ts";

const chosen = localStorage.getItem("regelwerk.language") ?? navigator.language;
speak(chosen.startsWith("de") ? "de" : "en");

const host = document.getElementById("app");
const workshop = new Workshop();
// For tests, and for whoever looks inside.
Object.assign(globalThis, { regelwerk: workshop });
let round = 0;

/** Drawn anew from the ground up when the language changes. */
function draw(): void {
  if (host) render(<App key={round} workshop={workshop} onSpeak={() => { round += 1; draw(); }} />, host);
}

draw();
const shared = await unpack(location.hash);
if (shared) layAside();
await workshop.begin(shared ?? recall(), shared !== undefined).catch((error: unknown) => workshop.tell(error));

// A link opened in a page that is open already.
addEventListener("hashchange", () => {
  void unpack(location.hash).then((saved) => {
    if (!saved) return;
    layAside();
    void workshop.restore(saved, true);
  });
});
