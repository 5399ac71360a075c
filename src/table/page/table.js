// The page of the table. It holds nothing but what its line was told, and decides nothing.

import { Clicks, rows } from "./clicks.js";
import { change, lang, t } from "./words.js";

const main = document.getElementById("main");
const say = (id, text) => { document.getElementById(id).textContent = text; };

/** An element with properties and children; what it does is a property as well, so that it can be told anew. */
function el(name, props = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const acts = ["onclick", "onkeydown", "onsubmit", "onchange"];

/** Makes what is shown like what was made, changing only what differs: a press of the button that is half done, the focus and words
 * that are being typed survive. */
function morph(shown, made) {
  if (shown.nodeName !== made.nodeName || shown.id !== made.id) return shown.replaceWith(made);
  if (shown.nodeType === Node.TEXT_NODE) {
    if (shown.data !== made.data) shown.data = made.data;
    return undefined;
  }
  for (const { name } of [...shown.attributes]) if (!made.hasAttribute(name)) shown.removeAttribute(name);
  for (const { name, value } of made.attributes) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const act of acts) shown[act] = made[act];
  const [have, want] = [[...shown.childNodes], [...made.childNodes]];
  want.forEach((child, number) => (have[number] ? morph(have[number], child) : shown.append(child)));
  for (const rest of have.slice(want.length)) rest.remove();
  return undefined;
}

// ---- the line ----

let socket;
let last = 0;
let pause = 500;
const waiting = new Map();

/** Asks the hall for something. */
function ask(what) {
  return new Promise((fulfil, refuse) => {
    if (socket?.readyState !== WebSocket.OPEN) return refuse({ code: "no-line", message: t("lost") });
    last += 1;
    waiting.set(last, { fulfil, refuse });
    socket.send(JSON.stringify({ id: last, ...what }));
  });
}

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/line`);
  socket.onopen = () => {
    pause = 500;
    say("status", t("line"));
    begin().catch(notice);
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.scene || message.people) return told(message);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) (asked?.refuse ?? notice)(message.error);
    else asked?.fulfil(message.ok);
  };
  socket.onclose = () => {
    say("status", t("lost"));
    for (const { refuse } of waiting.values()) refuse({ code: "no-line", message: t("lost") });
    waiting.clear();
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 10_000);
  };
}

let hiding;
function notice(error) {
  const place = document.getElementById("notice");
  place.textContent = [error.message, error.cure].filter(Boolean).join(" – ");
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, 8000);
}

// ---- the lobby ----

async function begin() {
  const table = location.pathname.match(/^\/t\/([0-9a-f]{32})$/)?.[1];
  if (table) return enter(table);
  const games = await ask({ do: "games" });
  if (!localStorage.getItem("language") && games.language !== lang) change();
  lobby(games);
}

function lobby(games) {
  say("title", "");
  const button = ({ name, title }) => el("button", { type: "button", "data-game": name, onclick: () => settings({ rules: name }).catch(notice) }, title);
  const list = (title, all) => [el("h2", {}, title), el("div", { class: "games" }, all.map(button))];
  const text = el("textarea", { spellcheck: false, "aria-label": t("own") });
  const file = el("input", { type: "file", "aria-label": t("file"), onchange: async () => { text.value = await file.files[0].text(); } });
  const own = [
    el("h2", {}, t("own")), file, text,
    el("button", { type: "button", onclick: () => settings({ text: text.value }).catch(notice) }, t("open")),
  ];
  main.replaceChildren(
    ...(games.own ? [el("div", { class: "games" }, button(games.own))] : []),
    ...list(t("games"), games.games), ...list(t("classics"), games.classics), ...(games.strangers ? own : []),
  );
}

/** What can be chosen for a game; a choice that changes what there is asks again. */
async function settings(choice) {
  const offer = await ask({ do: "describe", language: lang, ...choice });
  const set = (change) => {
    // Until it is known what there is now, nothing can be opened.
    document.getElementById("open").disabled = true;
    settings({ ...choice, ...change }).catch(notice);
  };
  const pick = (label, values, value, onchange, remark) => el("label", {}, label,
    el("select", { onchange: ({ target }) => onchange(target.value) },
      values.map((one) => el("option", { value: one, selected: String(one) === String(value) }, String(one)))),
    remark ? el("small", {}, remark) : null);
  const chosen = (kind) => (one) => pick(one.text || one.name, one.values.length ? one.values : [one.value], one.value,
    (value) => set({ [kind]: { ...choice[kind], [one.name]: value } }), one.clauses.map((id) => `§${id}`).join(" "));
  const variants = choice.variants ?? [];
  const variant = (one) => el("label", { class: "check" },
    el("input", { type: "checkbox", checked: one.played, onchange: ({ target }) =>
      set({ variants: target.checked ? [...variants, one.name] : variants.filter((name) => name !== one.name) }) }),
    one.title || one.name);
  const group = (title, items) => (items.length ? [el("h2", {}, title), el("div", { class: "settings" }, items)] : []);
  say("title", offer.title);
  main.replaceChildren(
    el("p", {}, el("button", { type: "button", class: "main", id: "open", onclick: () => open(choice).catch(notice) }, t("open")), " ",
      el("button", { type: "button", onclick: () => begin().catch(notice) }, t("back"))),
    ...(offer.player_counts.length > 1
      ? group(t("players"), [pick("", offer.player_counts, offer.seats, (value) => set({ players: Number(value) }))]) : []),
    ...group(t("variants"), offer.variants.map(variant)),
    ...group(t("options"), offer.options.map(chosen("options"))),
    ...group(t("readings"), offer.readings.map(chosen("readings"))),
  );
}

async function open(choice) {
  const { table } = await ask({ do: "open", language: lang, ...choice });
  history.pushState(null, "", `/t/${table}`);
  await enter(table);
}

// ---- the table ----

/** What is known of the table; null in the lobby. */
let at = null;

async function enter(table) {
  const token = location.hash.slice(1) || localStorage.getItem(`seat ${table}`) || null;
  let told;
  try {
    told = await ask({ do: "enter", table, token });
  } catch (error) {
    if (error.code !== "no-seat") throw error;
    notice(error);
    localStorage.removeItem(`seat ${table}`);
    told = await ask({ do: "enter", table, token: null });
  }
  if (token && told.seat !== null) history.replaceState(null, "", `/t/${table}#${token}`);
  seated(table, told);
}

function seated(table, { opening, components, seat }) {
  const before = at?.table === table ? at : {};
  at = { table, opening, components, seat, log: [], scene: before.scene ?? null, people: before.people ?? null, step: null };
  at.clicks = new Clicks([]);
  say("title", opening.title);
  draw();
}

async function sit(name) {
  const told = await ask({ do: "sit", seat: name });
  localStorage.setItem(`seat ${at.table}`, told.token);
  history.replaceState(null, "", `/t/${at.table}#${told.token}`);
  seated(at.table, told);
}

function told({ scene, people }) {
  if (!at) return;
  if (people) at.people = people;
  if (scene) {
    // A line that is told from the beginning is told everything.
    at.log = scene.from === 0 ? scene.events : [...at.log, ...scene.events];
    at.scene = scene;
    at.clicks = new Clicks(rows(scene.legal, at.opening, t));
    at.why = null;
    at.step = null;
  }
  draw();
}

const me = () => (at.seat === null ? undefined : at.opening.seats[at.seat].name);

/** An answer, sent until it is acknowledged: its key makes sure that it is played once. */
async function play(move) {
  const step = at.scene.state.steps;
  const key = `${step}-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  const text = at.scene.legal.ask === "race" ? move.replace(/ @.*/, "").replace(/^\S+ /, "") : move;
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask({ do: "play", move: text, step, key });
    } catch (error) {
      if (error.code === "illegal") at.why = error.why?.text ?? null;
      if (error.code !== "no-line" || tries >= 20) {
        draw();
        if (error.code !== "late") notice(error);
        return undefined;
      }
      await new Promise((wake) => { setTimeout(wake, 500); });
    }
  }
}

function click(sort, name) {
  const next = at.clicks.click(sort, name) ?? new Clicks(at.clicks.all).click(sort, name);
  at.why = null;
  if (!next) void explain(at.clicks.meant(sort, name, at.opening));
  at.clicks = next ?? new Clicks(at.clicks.all);
  const whole = at.clicks.move();
  if (whole) {
    at.clicks = new Clicks(at.clicks.all);
    void play(whole.move);
  }
  draw();
}

/** Says why nothing can be done with what was clicked. */
async function explain(meant) {
  if (!meant) return;
  const { steps } = at.scene.state;
  const why = await ask({ do: "why", move: meant.move }).catch(() => null);
  if (!why || why.legal || at?.scene.state.steps !== steps) return;
  const [first, ...clauses] = why.text.split("\n");
  // Who has clicked half a move has not said the other half.
  at.why = [meant.whole || !why.because ? first : t("cannot", { because: why.because }), ...clauses].join("\n").replaceAll("`", "");
  draw();
}

async function look(step) {
  const steps = at.scene.state.steps;
  at.step = step >= steps ? null : { step: Math.max(0, step), sight: await ask({ do: "look", step: Math.max(0, step) }) };
  draw();
}

// ---- drawing ----

function draw() {
  if (!at?.scene) return;
  const { scene } = at;
  const sight = at.step?.sight ?? scene;
  const playing = at.step === null && !at.people?.seats.some((seat) => seat.player === "free");
  const next = playing ? at.clicks.next() : new Clicks([]).next();
  const left = el("div", {}, prompt(sight, playing), ...laid(sight, next), choices(next, playing), past());
  const right = el("div", {}, outcome(), seats(), values(sight), log(), links());
  const made = el("div", { class: "table" }, left, right);
  const shown = main.querySelector(":scope > .table");
  const told = shown?.querySelector("#log")?.children.length;
  if (shown) morph(shown, made);
  else main.replaceChildren(made);
  const list = main.querySelector("#log");
  if (list && list.children.length !== told) list.scrollTop = list.scrollHeight;
}

function prompt(sight, playing) {
  let text = sight.prompt;
  if (at.step) text = t("past", { n: at.step.step + 1, all: at.scene.state.steps });
  else if (!playing) text = t("wait");
  else if (at.scene.state.ask === "race") text = t("race");
  return el("p", { class: "prompt", id: "prompt" }, text);
}

function board(sight, next) {
  const place = el("div", { class: "panel board" });
  if (!sight.svg) return null;
  place.innerHTML = sight.svg;
  for (const site of place.querySelectorAll(".site")) {
    const { site: name } = site.dataset;
    const open = next.sites.has(name);
    site.classList.toggle("open", open);
    site.classList.toggle("chosen", at.clicks.has("site", name));
    // One that is not open says why.
    if (at.clicks.all.length > 0) site.onclick = () => click("site", name);
    if (!open) continue;
    site.setAttribute("tabindex", "0");
    site.setAttribute("role", "button");
    site.setAttribute("aria-label", name);
    site.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); click("site", name); } };
  }
  return place;
}

/** A piece as people call it: its kind, and its fields. */
function words(text) {
  const [head = "", inner] = text.replace(/\}$/, "").split("{");
  const kind = at.components.kinds.find((one) => one.name === head.split(".")[0]);
  const members = Object.values(at.components.enums).flat();
  const fields = (inner ? inner.split(",") : []).map((field) => {
    const value = field.trim().split("=").pop();
    return members.find((one) => one.name === value)?.title || value;
  });
  return { title: kind?.title || kind?.name || head, fields };
}

/** Where the others sit, clockwise from whoever looks, by how many they are. */
const places = [[], ["1 / 1 / 2 / 4"], ["l", "r"], ["l", "t", "r"], ["l", "tl", "tr", "r"], ["l", "tl", "t", "tr", "r"]];

/** At which edge of the drawing some sites are. */
function edge(drawn, names) {
  const box = drawn.querySelector("svg").viewBox.baseVal;
  const at = [...drawn.querySelectorAll(".site")].filter((site) => names.includes(site.dataset.site)).map((site) => {
    const shape = site.querySelector("rect, circle, polygon");
    const number = (name) => Number(shape.getAttribute(name) ?? 0);
    const [, x = 0, y = 0] = /translate\((-?\d+) (-?\d+)\)/.exec(site.parentElement.getAttribute("transform") ?? "") ?? [];
    const [first = "0,0"] = (shape.getAttribute("points") ?? "").split(" ");
    const [px = 0, py = 0] = first.split(",").map(Number);
    return [Number(x) + number("x") + number("cx") + number("width") / 2 + px, Number(y) + number("y") + number("cy") + number("height") / 2 + py];
  });
  if (at.length === 0) return null;
  const mean = (which) => at.reduce((sum, one) => sum + one[which], 0) / at.length;
  const [across, down] = [mean(0) / box.width - 0.5, mean(1) / box.height - 0.5];
  if (Math.abs(across) > Math.abs(down)) return across < 0 ? "left" : "right";
  return down < 0 ? "top" : "bottom";
}

/** The board with what lies beside it; without a board what all share, and the seats around it. */
function laid(sight, next) {
  const names = Object.keys(sight.zones ?? {}).filter((name) => sight.zones[name].length > 0);
  const { components, opening } = at;
  const drawn = board(sight, next);
  if (drawn) {
    const edges = new Map(names.map((name) => [name, edge(drawn, components.zones[name]?.beside ?? [])]));
    const lying = ["top", "left", "right", "bottom"].map((one) => el("div", { class: one }, zones(sight, next, names.filter((name) => edges.get(name) === one))));
    const beside = [...edges.values()].some(Boolean) ? el("div", { class: "surround" }, lying, drawn) : drawn;
    return [beside, zones(sight, next, names.filter((name) => !edges.get(name)))];
  }
  const count = opening.seats.length;
  const areas = places[count - 1];
  if (!areas || count < 2) return [zones(sight, next, names)];
  const first = at.seat ?? 0;
  const seat = (number, area) => {
    const { name, title } = opening.seats[number % count];
    const own = names.filter((zone) => components.zones[zone]?.seat === name);
    return el("div", { class: "place", style: `grid-area: ${area}` }, el("b", {}, title || name), zones(sight, next, own, true));
  };
  const shared = names.filter((zone) => !components.zones[zone]?.seat);
  return [el("div", { class: "round" }, areas.map((area, number) => seat(first + 1 + number, area)),
    el("div", { class: "midst" }, zones(sight, next, shared)), seat(first, "me"))];
}

/** What people call a zone, with its indices but the seat. */
function zoneTitle(name, info) {
  const inner = /\((.*)\)$/.exec(name)?.[1] ?? "";
  const members = Object.values(at.components.enums).flat();
  const said = inner.split(",").map((one) => one.trim()).filter((one) => one && one !== info?.seat);
  return [info?.title || info?.zone || name, ...said.map((one) => members.find((member) => member.name === one)?.title || one)].join(" ");
}

/** A value as people say it: seats and members of lists by their titles. */
function said(value) {
  const titled = [...at.opening.seats, ...Object.values(at.components.enums).flat()];
  const one = (word) => titled.find((other) => other.name === word)?.title || word;
  if (!/^\{.*\}$/.test(value)) return one(value);
  return value.slice(1, -1).split(/\s+/).filter(Boolean).map(one).join(", ") || "–";
}

/** Zones with what lies there; whose they are need not be said at a place of one's own. */
function zones(sight, next, names, placed = false) {
  const zone = ([name, pieces]) => {
    const info = at.components.zones[name];
    const owner = at.opening.seats.find((seat) => seat.name === info?.seat);
    const piled = info?.form === "pile";
    const card = (piece) => {
      if (piece.startsWith("?")) return el("span", { class: "card back", role: "img", "aria-label": t("facedown") });
      const open = next.pieces.has(piece);
      const { title, fields } = words(piece);
      return el("button", {
        type: "button", class: `card${open ? " open" : ""}${at.clicks.has("piece", piece) ? " chosen" : ""}`, disabled: !open,
        onclick: () => click("piece", piece), "data-piece": piece,
      }, title, fields.map((field) => el("small", {}, field)));
    };
    const shown = piled ? pieces.slice(-1) : pieces;
    return el("div", { class: "zone" },
      el("span", {}, `${zoneTitle(name, info)}${owner && !placed ? ` · ${owner.title || owner.name}` : ""} · ${pieces.includes("?*") ? "?" : pieces.length}`),
      el("div", { class: "cards" }, shown.map(card)));
  };
  const all = Object.entries(sight.zones ?? {}).filter(([name]) => names.includes(name));
  // One's own cards come first.
  const mine = ([name]) => (at.components.zones[name]?.seat === me() ? 0 : 1);
  all.sort((one, other) => mine(one) - mine(other));
  return all.length ? el("div", { class: "panel zones" }, all.map(zone)) : null;
}

/** The keys of a race, each with its act. */
function keys(choices) {
  const found = new Map();
  for (const [name] of choices) {
    const letter = [...name.toLowerCase()].find((one) => /[a-z0-9]/.test(one) && ![...found.values()].includes(one));
    if (letter) found.set(name, letter);
  }
  return found;
}

function choices(next, playing) {
  if (!playing || at.seat === null) return at.seat === null ? el("p", { class: "dim" }, t("looking")) : null;
  const race = at.scene.legal.ask === "race";
  at.keys = race ? keys(next.choices) : new Map();
  const button = ([name, label]) => el("button", { type: "button", "data-choice": name, onclick: () => click("choice", name) },
    label, at.keys.has(name) ? el("kbd", {}, at.keys.get(name)) : null);
  const begun = at.clicks.chosen.length + at.clicks.picked.length > 0;
  const text = el("input", { placeholder: t("text"), "aria-label": t("text"), id: "text" });
  const answer = (event) => {
    event.preventDefault();
    const said = event.currentTarget.querySelector("input").value.trim();
    if (said) void play(race ? `${me()} ${said}` : said);
  };
  const words = el("form", { onsubmit: answer }, text);
  const { claims, offers } = at.opening;
  const open = at.scene.state.offers;
  return el("div", {},
    el("div", { class: "choices", id: "choices" }, [...next.choices].map(button),
      next.done.map((row) => el("button", { type: "button", class: "main", "data-move": row.move, onclick: () => play(row.move) }, t("done"))),
      begun ? el("button", { type: "button", onclick: () => { at.clicks = new Clicks(at.clicks.all); draw(); } }, t("undo")) : null),
    el("div", { class: "choices" },
      claims.map((one) => el("button", { type: "button", onclick: () => play(`claim ${one.name}`) }, `${t("claim")}: ${one.title || one.name}`)),
      offers.map((one) => {
        const answer = open[one.name] && !open[one.name].includes(me());
        return el("button", { type: "button", onclick: () => play(`${answer ? "accept" : "offer"} ${one.name}`) }, `${t(answer ? "accept" : "offer")}: ${one.title || one.name}`);
      })),
    at.scene.legal.count > 0 ? words : null,
    at.why ? el("p", { class: "panel why" }, at.why) : null);
}

/** Steps through what was. */
function past() {
  const steps = at.scene.state.steps;
  const shown = at.step?.step ?? steps;
  const go = (label, step, off) => el("button", { type: "button", disabled: off, onclick: () => look(step).catch(notice) }, label);
  return el("div", { class: "choices" }, go(t("first"), 0, shown === 0), go(t("prev"), shown - 1, shown === 0),
    go(t("next"), shown + 1, shown === steps), go(t("now"), steps, shown === steps));
}

function outcome() {
  const { over, outcome: found } = at.scene.state;
  const next = at.people?.next;
  if (!over && !next) return null;
  const to = () => {
    const token = localStorage.getItem(`seat ${at.table}`) ?? location.hash.slice(1);
    if (token) localStorage.setItem(`seat ${next}`, token);
    history.pushState(null, "", `/t/${next}${token ? `#${token}` : ""}`);
    at = null;
    enter(next).catch(notice);
  };
  return el("div", { class: "panel over", id: "outcome" }, el("h2", {}, t("over")), el("p", {}, found?.text ?? ""),
    next ? el("button", { type: "button", class: "main", onclick: to }, `${t("moved")}: ${t("go")}`)
      : at.seat === null ? null : el("button", { type: "button", class: "main", id: "again", onclick: () => ask({ do: "again" }).catch(notice) }, t("again")));
}

function seats() {
  const { state } = at.scene;
  const seat = (one, number) => {
    const here = at.people?.seats[number];
    const [kind, bot] = (here?.player ?? "free").split(" ");
    const mine = number === at.seat;
    const title = one.title || one.name;
    const { symbol } = at.components.seats[number];
    const details = [
      mine ? t("you") : kind === "bot" ? `${t("bot")} (${bot})` : t(kind),
      kind === "person" && here.lines === 0 ? t("gone") : null,
      here?.delay !== null && here?.delay !== undefined ? `${t("delay")} ${here.delay} ms` : null,
    ];
    const letBot = () => ask({ do: "bot", seat: one.name }).catch(notice);
    return el("li", { class: `${mine ? "me " : ""}${state.asked === one.name ? "asked" : ""}`, "data-seat": one.name },
      symbol && !title.startsWith(symbol) ? `${symbol} ${title}` : title, el("small", {}, details.filter(Boolean).join(" · ")),
      kind === "free" && at.seat === null ? el("button", { type: "button", class: "main", onclick: () => sit(one.name).catch(notice) }, t("sit")) : null,
      at.seat !== null && (kind === "free" || (kind === "person" && !mine && here.lines === 0)) ? el("button", { type: "button", onclick: letBot }, t("letbot")) : null,
      mine && kind === "person" ? el("button", { type: "button", onclick: letBot }, t("leave")) : null);
  };
  return el("div", { class: "panel" }, el("h2", {}, t("seats")), el("ul", { class: "seats" }, at.opening.seats.map(seat)),
    el("small", { class: "dim" }, `${t("spectators")}: ${at.people?.spectators ?? 0}`));
}

function values(sight) {
  const shown = Object.entries(sight.variables ?? {}).flatMap(([key, value]) => {
    const [name, index] = key.replace(/\)$/, "").split("(");
    const title = at.components.variables[name];
    const whose = at.opening.seats.find((seat) => seat.name === index);
    return title ? [[`${title}${index ? ` · ${whose?.title || index}` : ""}`, said(String(value))]] : [];
  });
  if (shown.length === 0) return null;
  return el("div", { class: "panel" }, el("h2", {}, t("values")),
    el("dl", { class: "values" }, shown.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
}

function log() {
  const shown = at.log.slice(-200);
  const list = el("ol", { class: "log", id: "log", start: Math.max(1, at.log.length - 199) }, shown.map((one) => el("li", {}, one.text)));
  return el("div", { class: "panel" }, el("h2", {}, t("log")), shown.length ? list : el("small", { class: "dim" }, t("nothing")));
}

function links() {
  const link = (label, address) => el("p", {}, label, " ",
    el("button", { type: "button", onclick: async ({ target }) => {
      try {
        await navigator.clipboard.writeText(address);
        target.textContent = t("copied");
      } catch {
        window.prompt(label, address);
      }
    } }, t("copy")));
  const table = `${location.origin}/t/${at.table}`;
  const token = location.hash.slice(1);
  return el("div", { class: "panel" }, link(t("link"), table), at.seat !== null && token ? link(t("mylink"), `${table}#${token}`) : null);
}

document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey || !at?.keys) return;
  const found = [...at.keys].find(([, key]) => key === event.key.toLowerCase());
  if (found) click("choice", found[0]);
});

function speak() {
  document.documentElement.lang = lang;
  say("language", t("other"));
}
document.getElementById("language").addEventListener("click", () => {
  change();
  speak();
  if (at) draw();
  else begin().catch(notice);
});
window.addEventListener("popstate", () => { at = null; begin().catch(notice); });
speak();
connect();
