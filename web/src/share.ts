// The whole state of the workshop as text: in the address of a link, and kept in the browser.

import type { Selection } from "./protocol.ts";

export interface Saved {
  readonly version: 1;
  /** The rule file as the interpreter calls it. */
  readonly file: string;
  /** Its text, unless it is that of a bundled file. */
  readonly text?: string;
  readonly setup: Omit<Selection, "rules">;
  readonly seats: Readonly<Record<string, string>>;
  readonly seed: number;
  /** The position the game began with, unless it is the start. */
  readonly position?: string;
  readonly steps: readonly string[];
}

const KEY = "regelwerk.workshop";

/** What was kept before something else took its place. */
const BEFORE = "regelwerk.before";

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** A fragment for the address of the page. */
export async function pack(saved: Saved): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(saved)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#1.${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** What a fragment holds; nothing if it is none of ours. */
export async function unpack(fragment: string): Promise<Saved | undefined> {
  if (!fragment.startsWith("#1.")) return undefined;
  try {
    const text = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const json = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    return saved(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** What was kept in this browser, now or before something else took its place. */
export function recall(before = false): Saved | undefined {
  try {
    const text = localStorage.getItem(before ? BEFORE : KEY);
    return text === null ? undefined : saved(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function keep(state: Saved): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A browser that keeps nothing is still good for playing.
  }
}

/** Lays aside a state, or what is kept, since something else takes its place. */
export function layAside(state?: Saved): void {
  try {
    const text = state ? JSON.stringify(state) : localStorage.getItem(KEY);
    if (text !== null) localStorage.setItem(BEFORE, text);
  } catch {
    // As above.
  }
}

/** Whether something read from outside has the form of a state. */
function saved(value: unknown): Saved | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const state = value as Partial<Saved>;
  const sound =
    state.version === 1 &&
    typeof state.file === "string" &&
    (state.text === undefined || typeof state.text === "string") &&
    typeof state.setup === "object" &&
    state.setup !== null &&
    typeof state.seats === "object" &&
    state.seats !== null &&
    typeof state.seed === "number" &&
    Array.isArray(state.steps) &&
    state.steps.every((step) => typeof step === "string");
  return sound ? (state as Saved) : undefined;
}
