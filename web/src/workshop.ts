// The state of the workshop: a rule file, how it is settled, a game that is played with it.

import { Clicks, paths, pieceOf, pieceTitle } from "./clicks.ts";
import { spoken, t } from "./words.ts";
import { type Case, written } from "./case.ts";
import {
  type Components,
  type Description,
  type Diagnostic,
  type Event,
  type GameRecord,
  Interpreter,
  type Legal,
  type Opening,
  Refused,
  type Selection,
  type State,
  type View,
  type Why,
} from "./protocol.ts";
import { keep, layAside, type Saved } from "./share.ts";

export const HUMAN = "human";

/** What is said about something that went wrong, or why a move is not legal. */
export interface Notice {
  readonly sort: "error" | "why" | "info";
  readonly text: string;
  readonly why?: Why;
}

/** What is known of the position that is shown. */
export interface Shown {
  readonly view: View;
  readonly svg: string;
  /** The number of the step before which it stands; none for the present. */
  readonly step: number | null;
}

/** An act of a bot in a race, and when it is due. */
interface Planned {
  readonly seat: string;
  readonly move: string;
  readonly time: number;
}

/** How long a pause in typing is. */
const PAUSE = 200;

/** What somebody sees who comes for the first time: a game most know. */
const FIRST = "halma";

export class Workshop {
  /** Plays; looks at texts; thinks for bots; plays many games. Each is busy with its own. */
  readonly table = new Interpreter();
  readonly desk = new Interpreter();
  readonly bots = new Interpreter();
  readonly lab = new Interpreter();

  games: readonly string[] = [];
  file = "";
  text = "";
  /** The text of the bundled file of this name; empty if there is none. */
  base = "";
  /** The text of one's own that nobody would miss: as it was begun, or as a link brought it. */
  private begun = "";
  setup: Omit<Selection, "rules"> = {};
  seed = 1;
  seats: Record<string, string> = {};

  description: Description | undefined;
  opening: Opening | undefined;
  components: Components | undefined;
  state: State | undefined;
  shown: Shown | undefined;
  events: readonly Event[] = [];
  legal: Legal | undefined;
  clicks = new Clicks([]);
  notice: Notice | undefined;
  diagnostics: readonly Diagnostic[] = [];
  checked = false;
  /** Whether the rules as they are written cannot be played, so that the game has those before. */
  stale = false;
  /** Who has taken the screen in a game with secrets. */
  viewer: string | undefined;
  /** Whether everything is shown, whoever looks. */
  openly = false;
  /** Whether the race is on; it waits until somebody is ready. */
  racing = false;
  thinking = false;
  /** Whether a position is being set up by hand. */
  arranging = false;
  position: string | undefined;
  /** How long a bot's move is waited for at least, so that it can be followed, in milliseconds. */
  breath = 450;

  private listeners = new Set<() => void>();
  private written = new Map<Interpreter, string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes with everything that makes answers to earlier questions worthless. */
  private turn = 0;
  private raceBegan = 0;
  private planned: Planned | undefined;
  private raceTimer: ReturnType<typeof setTimeout> | undefined;

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** The name of the rules for requests. */
  get rules(): string {
    const plain = this.file.replace(/^shipped:(?:.*\/)?([^/]+)\.rules$/, "$1");
    return this.text === this.base && this.games.includes(plain) ? plain : this.file;
  }

  get own(): boolean {
    return this.text !== this.base;
  }

  selection(): Selection {
    return { rules: this.rules, ...this.setup };
  }

  /** A request of an interpreter that knows the text as it is. */
  async ask<Result>(interpreter: Interpreter, method: string, params: object = {}): Promise<Result> {
    const now = this.own ? `${this.file}\n${this.text}` : "";
    const before = this.written.get(interpreter) ?? "";
    if (now !== before) {
      this.written.set(interpreter, now);
      const [file = ""] = before.split("\n", 1);
      // Both are under way before anything else can be asked.
      const forgotten = file && (file !== this.file || !now) ? interpreter.call("write", { file }) : undefined;
      const kept = now ? interpreter.call("write", { file: this.file, text: this.text }) : undefined;
      await Promise.all([forgotten, kept]);
    }
    // What people are told about a game is in the language of the page.
    const told = ["new", "load", "describe"].includes(method) ? { ...params, language: spoken() } : params;
    return interpreter.call<Result>(method, told);
  }

  /** Lets an interpreter stop whatever it does. */
  halt(interpreter: Interpreter): void {
    interpreter.stop();
    this.written.delete(interpreter);
  }

  // ---- files ---------------------------------------------------------------

  async begin(saved: Saved | undefined, link = false): Promise<void> {
    const { rules } = await this.table.call<{ rules: string[] }>("games");
    this.games = rules;
    if (saved && (await this.restore(saved, link))) return;
    await this.open(rules.includes(FIRST) ? FIRST : (rules[0] ?? ""));
  }

  /** Opens a bundled game. */
  async open(game: string): Promise<void> {
    const { file, text } = await this.table.call<{ file: string; text: string }>("text", { file: game });
    await this.take(file, text, text);
  }

  /** Lays aside what somebody has written, since something else takes its place. */
  private leave(): void {
    if (this.own && this.text !== this.begun) void this.saved().then(layAside, () => undefined);
  }

  /** Opens a rule file of one's own. */
  async take(file: string, text: string, base = ""): Promise<void> {
    this.leave();
    this.file = file;
    this.text = text;
    this.base = base;
    this.begun = text;
    this.setup = {};
    this.seats = {};
    this.position = undefined;
    this.seed = Math.floor(Math.random() * 1e9);
    await this.restart();
  }

  /** The text was changed in the editor. */
  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.checked = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), PAUSE);
  }

  /** Looks at the changed text: its faults, and the game with it as far as it goes on. */
  private async refresh(): Promise<void> {
    await this.play(async (record) => {
      try {
        return await this.carry(record);
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== "bad-selection") throw error;
        // What was settled is no longer offered.
        this.setup = {};
        return this.fresh();
      }
    });
    // All setups are gone through afterwards: the two would take time from each other.
    void this.check();
    this.save();
  }

  private async check(): Promise<void> {
    const text = this.text;
    try {
      const { list } = await this.ask<{ list: Diagnostic[] }>(this.desk, "check", { file: this.own ? this.file : this.rules });
      if (text !== this.text) return;
      this.diagnostics = list;
      this.checked = true;
      this.changed();
    } catch (error) {
      this.tell(error);
    }
  }

  // ---- games ---------------------------------------------------------------

  /** Begins anew. */
  async restart(): Promise<void> {
    this.position = undefined;
    void this.check();
    await this.play(() => this.fresh());
    this.save();
  }

  /** Another deal of chance, and another game. */
  async again(): Promise<void> {
    this.seed = Math.floor(Math.random() * 1e9);
    await this.restart();
  }

  async settle(setup: Omit<Selection, "rules">): Promise<void> {
    const before = this.setup;
    this.setup = setup;
    try {
      await this.ask(this.table, "describe", this.selection());
    } catch (error) {
      this.setup = before;
      this.tell(error);
      return;
    }
    await this.restart();
  }

  private fresh(): Promise<Opening> {
    return this.ask<Opening>(this.table, "new", { ...this.selection(), seed: this.seed });
  }

  /** The game so far under the rules as they are now: its record if every step is still legal, its
   * position if that is still one, else a new game. */
  private async carry(record: GameRecord | undefined): Promise<Opening> {
    if (record && record.steps.length > 0) {
      const again = { ...record, game: this.rules };
      const refused = (error: unknown) => {
        if (error instanceof Refused && (error.code === "bad-record" || error.code === "bad-position")) return undefined;
        throw error;
      };
      const whole = await this.ask<Opening>(this.table, "load", { record: again }).catch(refused);
      if (whole) return whole;
      const view = await this.table.call<View>("view", { game: this.opening?.game, who: "referee" });
      const params = { ...this.selection(), position: view.position, seed: this.seed };
      const position = await this.ask<Opening>(this.table, "load", params).catch(refused);
      if (position) {
        this.position = view.position;
        return position;
      }
    }
    this.position = undefined;
    return this.fresh();
  }

  /** Opens a game and closes the one before; if that fails, the one before goes on. */
  private async play(how: (record: GameRecord | undefined) => Promise<Opening>): Promise<void> {
    const turn = this.stopTurn();
    const before = this.opening;
    try {
      const kept = before && (await this.table.call<{ record: GameRecord }>("record", { game: before.game, who: "referee" }));
      const opening = await how(kept?.record);
      const [description, components] = await Promise.all([
        this.ask<Description>(this.table, "describe", this.selection()),
        this.table.call<Components>("components", { game: opening.game }),
      ]);
      // The text may have changed again meanwhile; then whoever noticed that goes on from the game before.
      if (turn !== this.turn) {
        await this.table.call("close", { game: opening.game });
        return;
      }
      if (before) void this.table.call("close", { game: before.game });
      if (before?.rules !== opening.rules) this.shown = undefined;
      this.opening = opening;
      this.description = description;
      this.components = components;
      this.stale = false;
      this.seatPlayers(opening);
      this.notice = undefined;
      this.events = [];
      this.viewer = this.humans().length === 1 ? this.humans()[0] : undefined;
      this.racing = false;
      this.state = opening.state;
      await this.look(null);
    } catch (error) {
      if (error instanceof Refused && (error.code === "bad-rules" || error.code === "unknown-rules") && before) {
        this.stale = true;
        await this.look(null);
      } else {
        this.stale = error instanceof Refused && error.code === "bad-rules";
        this.tell(error);
      }
    }
    this.changed();
  }

  /** Who plays: a person on the first seat, bots on the others, unless it was settled before. */
  private seatPlayers(opening: Opening): void {
    const names = opening.seats.map((seat) => seat.name);
    if (names.every((name) => this.seats[name] !== undefined)) return;
    this.seats = Object.fromEntries(names.map((name, at) => [name, at === 0 ? HUMAN : "mcts:200"]));
  }

  humans(): string[] {
    return this.opening?.seats.map((seat) => seat.name).filter((name) => this.seats[name] === HUMAN) ?? [];
  }

  title(seat: string | null | undefined): string {
    return this.opening?.seats.find((one) => one.name === seat)?.title || seat || "";
  }

  setPlayer(seat: string, player: string): void {
    this.seats = { ...this.seats, [seat]: player };
    const humans = this.humans();
    this.viewer = humans.length === 1 ? humans[0] : undefined;
    this.stopTurn();
    this.racing = false;
    this.events = [];
    this.save();
    void this.look(null);
  }

  /** Who looks at the table: with secrets a seat, and nobody's before somebody has taken the screen. */
  who(): string {
    if (!this.opening?.secrets || this.openly || this.state?.over) return "referee";
    if (this.humans().length === 0) return "spectator";
    return this.viewer ?? "spectator";
  }

  /** The seat that has to take the screen before it is shown anything. */
  handover(step = this.shown?.step ?? null): string | undefined {
    if (!this.opening?.secrets || this.openly || step !== null || this.state?.over) return undefined;
    const asked = this.state?.asked;
    if (!asked || this.seats[asked] !== HUMAN || this.viewer === asked) return undefined;
    return this.humans().length > 1 ? asked : undefined;
  }

  takeScreen(seat: string): void {
    this.viewer = seat;
    this.events = [];
    void this.look(null);
  }

  setOpenly(openly: boolean): void {
    this.openly = openly;
    this.events = [];
    void this.look(this.shown?.step ?? null);
  }

  /** Shows the game to whoever looks, now or before a step; then it goes on. */
  async look(step: number | null): Promise<void> {
    const game = this.opening?.game;
    if (game === undefined || !this.state) return;
    const turn = this.turn;
    try {
      // Before the screen is handed over, the next seat's things are nobody's business, and the last one's neither.
      if (this.handover(step)) this.viewer = undefined;
      const who = this.who();
      const params = step === null ? { game, who } : { game, who, step };
      // Asked all at once, so that no answer waits for the one before to be read.
      const [view, { svg }, events, legal] = await Promise.all([
        this.table.call<View>("view", params),
        this.table.call<{ svg: string }>("picture", params),
        this.news(game, who),
        step === null ? this.moves(game) : undefined,
      ]);
      if (turn !== this.turn) return;
      this.events = events;
      this.shown = { view, svg, step };
      this.legal = legal;
      this.clicks = new Clicks(legal && legal.ask !== "race" && this.opening ? paths(legal, this.opening) : []);
      this.changed();
      if (step === null) this.goOn(turn);
    } catch (error) {
      this.tell(error);
    }
  }

  private async news(game: number, who: string): Promise<readonly Event[]> {
    const steps = this.state?.steps ?? 0;
    const known = this.events.filter((event) => event.step < steps);
    const from = known.length > 0 ? (known.at(-1)?.step ?? -1) + 1 : 0;
    const more = await this.table.call<{ events: Event[] }>("events", { game, who, from, limit: 1_000_000 });
    return [...known, ...more.events];
  }

  /** What may be played by whoever is at the screen. */
  private async moves(game: number): Promise<Legal | undefined> {
    const state = this.state;
    if (!state || state.over) return undefined;
    if (state.ask === "race") return this.table.call<Legal>("legal", { game, who: "referee", parts: true, limit: 5000 });
    if (!state.asked || this.seats[state.asked] !== HUMAN || this.handover(null)) return undefined;
    return this.table.call<Legal>("legal", { game, who: state.asked, parts: true, limit: 50_000 });
  }

  private stopTurn(): number {
    clearTimeout(this.raceTimer);
    this.planned = undefined;
    this.thinking = false;
    this.turn += 1;
    return this.turn;
  }

  /** Lets whoever is next play, if that is a bot. */
  private goOn(turn: number): void {
    const state = this.state;
    if (!state || state.over || !this.opening) return;
    if (state.ask === "race") {
      if (this.racing) void this.race(turn);
      else if (this.humans().length === 0) this.startRace();
      return;
    }
    const asked = state.asked;
    if (!asked || this.seats[asked] === HUMAN) return;
    void this.think(asked, turn);
  }

  private async think(seat: string, turn: number): Promise<void> {
    const began = performance.now();
    this.thinking = true;
    this.changed();
    try {
      const move = await this.chosen(seat, this.seats[seat] ?? "random");
      const rest = this.breath - (performance.now() - began);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (turn !== this.turn) return;
      this.thinking = false;
      if (move) await this.apply(seat, move.move);
    } catch (error) {
      if (turn === this.turn) this.tell(error);
    }
  }

  /** What a bot would play; it thinks elsewhere, so that the table can be looked at meanwhile. */
  private async chosen(seat: string, bot: string): Promise<{ move: string; time?: number } | undefined> {
    const game = this.opening?.game;
    const { position } = await this.table.call<View>("view", { game, who: "referee" });
    const selection = this.selection();
    const seed = Math.floor(Math.random() * 1e9);
    const loaded = await this.ask<Opening>(this.bots, "load", { ...selection, position, seed, chance: "client" });
    try {
      const found = await this.bots.call<{ move: string | null; time?: number }>("choose", { game: loaded.game, who: seat, bot });
      return found.move === null ? undefined : { move: found.move, ...(found.time === undefined ? {} : { time: found.time }) };
    } finally {
      await this.bots.call("close", { game: loaded.game });
    }
  }

  /** Plays a move of a seat. */
  async apply(seat: string, move: string, time?: number): Promise<boolean> {
    const turn = this.stopTurn();
    this.notice = undefined;
    // Until the answer is there, nothing more can be clicked.
    this.legal = undefined;
    try {
      const params = { game: this.opening?.game, who: seat, move, ...(time === undefined ? {} : { time }) };
      const { state } = await this.table.call<{ state: State }>("apply", params);
      if (turn !== this.turn) return false;
      this.state = state;
      this.save();
      await this.look(null);
      return true;
    } catch (error) {
      if (turn === this.turn) {
        this.tell(error);
        await this.look(null);
      }
      return false;
    }
  }

  /** A click on the table: it leads on, plays, or is told why not. */
  async click(sort: "site" | "piece" | "choice", name: string): Promise<void> {
    const { legal, opening, state } = this;
    if (!legal || !opening || !state?.asked || this.shown?.step != null) return;
    const fresh = new Clicks(this.clicks.all);
    const again = sort !== "choice" && this.clicks.names(sort).at(-1) === name && !this.clicks.click(sort, name);
    const next = again ? fresh : (this.clicks.click(sort, name) ?? fresh.click(sort, name));
    this.notice = undefined;
    if (next) {
      this.clicks = next;
      const move = next.move();
      if (move !== undefined) await this.apply(state.asked, move);
      else this.changed();
      return;
    }
    if (sort === "choice") return;
    const meant = this.clicks.meant(sort, name, opening);
    await this.explain(state.asked, meant, name);
  }

  async finish(move: string): Promise<void> {
    if (this.state?.asked) await this.apply(this.state.asked, move);
  }

  unclick(): void {
    this.clicks = new Clicks(this.clicks.all);
    this.notice = undefined;
    this.changed();
  }

  /** Says why something cannot be played. */
  private async explain(seat: string, meant: { move: string; whole: boolean } | undefined, name: string): Promise<void> {
    const piece = this.components?.kinds.some((kind) => kind.name === pieceOf(name).kind) ? pieceTitle(name, this.components) : undefined;
    const said = piece ? [piece.title, ...piece.details].join(", ") : name;
    const plain: Notice = { sort: "why", text: t("Nothing can be done with this now: {0}", said) };
    this.notice = plain;
    if (meant) {
      try {
        const why = await this.table.call<Why>("why", { game: this.opening?.game, who: seat, move: meant.move });
        // Who has clicked half a move has not said the other half.
        const text = meant.whole || !why.because ? (why.text.split("\n")[0] ?? "") : t("That is not possible: {0}.", why.because);
        if (!why.legal) this.notice = { sort: "why", text, why };
      } catch {
        // It cannot even be read as a move: the plain sentence stands.
      }
    }
    this.changed();
  }

  /** A claim or an offer. */
  async declare(text: string): Promise<void> {
    const seat = this.state?.asked ?? this.humans()[0];
    if (seat) await this.apply(seat, text);
  }

  async undo(): Promise<void> {
    this.stopTurn();
    this.racing = false;
    const game = this.opening?.game;
    try {
      for (let first = true; ; first = false) {
        if (!first && (!this.state?.asked || this.seats[this.state.asked] === HUMAN || this.humans().length === 0)) break;
        const { state } = await this.table.call<{ state: State }>("undo", { game, who: "referee" });
        this.state = state;
      }
    } catch (error) {
      if (!(error instanceof Refused && error.code === "nothing-to-undo")) this.tell(error);
    }
    this.notice = undefined;
    this.events = [];
    if (this.humans().length > 1) this.viewer = undefined;
    this.save();
    await this.look(null);
  }

  // ---- races ---------------------------------------------------------------

  startRace(): void {
    this.racing = true;
    void this.race(this.stopTurn());
    this.changed();
  }

  pauseRace(): void {
    this.racing = false;
    this.stopTurn();
    this.changed();
  }

  /** The race is on: bots mean to act at times, people press when they like. */
  private async race(turn: number): Promise<void> {
    const now = this.state?.now ?? 0;
    this.raceBegan = performance.now();
    const seats = this.opening?.seats.map((seat) => seat.name).filter((name) => this.seats[name] !== HUMAN) ?? [];
    try {
      let first: Planned | undefined;
      for (const seat of seats) {
        const act = await this.chosen(seat, "random");
        if (act?.time !== undefined && (!first || act.time < first.time)) first = { seat, move: act.move, time: act.time };
      }
      if (turn !== this.turn || !first) return;
      const due: Planned = first;
      this.planned = due;
      const rest = due.time - now - (performance.now() - this.raceBegan);
      this.raceTimer = setTimeout(() => void this.apply(due.seat, due.move), Math.max(rest, 0));
    } catch (error) {
      if (turn === this.turn) this.tell(error);
    }
  }

  /** Somebody has pressed a key in the race. */
  async press(seat: string, action: string): Promise<void> {
    const state = this.state;
    if (!state || state.ask !== "race" || !this.racing || this.shown?.step != null) return;
    const time = state.now + Math.max(1, Math.round(performance.now() - this.raceBegan));
    // The clock decides, not who is told first.
    if (this.planned && this.planned.time <= time) return;
    const legal = this.legal?.parts.some((parts) => parts.action === action && parts.args[0]?.text === seat);
    if (legal) await this.apply(seat, `${seat} ${action}`, time);
    else await this.explain(seat, { move: `${seat} ${action}`, whole: true }, action);
  }

  // ---- keeping -------------------------------------------------------------

  async saved(): Promise<Saved> {
    const game = this.opening?.game;
    // Another file may be opened while the record is fetched.
    const { file, own, text, setup, seats, seed } = this;
    const kept = game === undefined ? undefined : await this.table.call<{ record: GameRecord }>("record", { game, who: "referee" });
    return {
      version: 1,
      file,
      ...(own ? { text } : {}),
      setup,
      seats,
      seed: kept?.record.seed ?? seed,
      ...(kept?.record.position ? { position: kept.record.position } : {}),
      steps: kept?.record.steps ?? [],
    };
  }

  save(): void {
    // A link was where the game came from; from here on it goes its own way.
    if (location.hash.startsWith("#1.")) history.replaceState(null, "", location.pathname + location.search);
    void this.saved().then(keep, () => undefined);
  }

  /** Takes a state that was kept or came with a link; false if its file is not there. */
  async restore(saved: Saved, link = false): Promise<boolean> {
    let base = "";
    try {
      ({ text: base } = await this.table.call<{ text: string }>("text", { file: saved.file }));
    } catch {
      if (saved.text === undefined) return false;
    }
    this.leave();
    this.file = saved.file;
    this.base = base;
    this.text = saved.text ?? base;
    this.begun = link ? this.text : "";
    this.setup = saved.setup;
    this.seats = { ...saved.seats };
    this.seed = saved.seed;
    void this.check();
    await this.play(async () => {
      const settled = (choices: Readonly<Record<string, string>> | undefined) => Object.entries(choices ?? {});
      const record = {
        game: this.rules,
        digest: "",
        players: this.setup.players ?? null,
        variants: this.setup.variants ?? [],
        readings: settled(this.setup.readings),
        options: settled(this.setup.options),
        seed: saved.seed,
        position: saved.position ?? null,
        steps: saved.steps,
      };
      try {
        return await this.ask<Opening>(this.table, "load", { record });
      } catch {
        return this.fresh();
      }
    });
    this.save();
    return true;
  }

  /** Takes a record from a file; its game is opened if it is a bundled one. */
  async load(text: string): Promise<void> {
    const game = /game:\s*"([^"]+)"/.exec(text)?.[1] ?? "";
    try {
      if (game !== this.rules) {
        if (!this.games.includes(game)) {
          const names = t("The record is of {0}; open that file first.", game);
          this.notice = { sort: "error", text: names };
          this.changed();
          return;
        }
        await this.open(game);
      }
      await this.play(async () => {
        const opening = await this.ask<Opening>(this.table, "load", { record: text });
        const { record } = await this.table.call<{ record: GameRecord }>("record", { game: opening.game, who: "referee" });
        this.setup = {
          ...(record.players === null ? {} : { players: record.players }),
          variants: record.variants,
          readings: Object.fromEntries(record.readings),
          options: Object.fromEntries(record.options),
        };
        this.seed = record.seed;
        this.seats = {};
        return opening;
      });
      // A game that was taken in is looked at first; nobody goes on with it unasked.
      this.save();
    } catch (error) {
      this.tell(error);
    }
  }

  // ---- positions set up by hand --------------------------------------------

  arrange(on: boolean): void {
    this.arranging = on;
    this.changed();
  }

  /** The position that is shown, with all that is hidden. */
  async whole(): Promise<string> {
    const step = this.shown?.step;
    const params = { game: this.opening?.game, who: "referee", ...(step == null ? {} : { step }) };
    return (await this.table.call<View>("view", params)).position;
  }

  /** What a position would look like; nothing is played. */
  async preview(position: string): Promise<{ view: View; svg: string }> {
    const params = { ...this.selection(), position, seed: 1, chance: "client" };
    const { game } = await this.ask<Opening>(this.lab, "load", params);
    try {
      const view = await this.lab.call<View>("view", { game, who: "referee" });
      const { svg } = await this.lab.call<{ svg: string }>("picture", { game, who: "referee" });
      return { view, svg };
    } finally {
      void this.lab.call("close", { game });
    }
  }

  /** Plays on from a position; false if it is refused. */
  async from(position: string): Promise<boolean> {
    let taken = false;
    await this.play(async () => {
      const opening = await this.ask<Opening>(this.table, "load", { ...this.selection(), position, seed: this.seed });
      this.position = position;
      taken = true;
      return opening;
    });
    this.save();
    return taken;
  }

  /** A conformance case: the position that is shown, or the one set up by hand; what was played after it; what was
   * refused last; and what is so now. */
  async asCase(): Promise<string> {
    const game = this.opening?.game;
    const { record } = await this.table.call<{ record: GameRecord }>("record", { game, who: "referee" });
    const shown = this.shown?.step;
    const begun = shown ?? (record.position === null ? record.steps.length : 0);
    const view = await this.table.call<View>("view", { game, who: "referee", step: begun });
    const events = await this.table.call<{ events: Event[] }>("events", { game, who: "referee", from: begun, limit: 1_000_000 });
    const drawn = events.events.find((event) => event.seat === null)?.step ?? record.steps.length;
    const whole = drawn === record.steps.length;
    const played = record.steps.slice(begun, drawn);
    const after = whole ? this.state : undefined;
    const refused = whole && this.notice?.why && !this.notice.why.legal ? this.notice.why : undefined;
    const one: Case = { game: record.game, position: view.position, played, record, refused, after };
    return written(one);
  }

  async record(): Promise<string> {
    const { text } = await this.table.call<{ text: string }>("record", { game: this.opening?.game, who: "referee" });
    return text;
  }

  tell(error: unknown): void {
    if (error instanceof Refused) {
      this.notice = { sort: error.why ? "why" : "error", text: `${error.message}. ${error.cure}`, ...(error.why ? { why: error.why } : {}) };
    } else if (error instanceof Error && error.message !== "stopped") {
      this.notice = { sort: "error", text: error.message };
    }
    this.changed();
  }
}
