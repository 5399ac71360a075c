// The protocol of docs/protocol.md, as far as the page uses it.

export interface State {
  readonly game: number;
  readonly steps: number;
  readonly ply: number;
  readonly turn: number;
  readonly now: number;
  readonly phase: string | null;
  readonly mover: string;
  readonly ask: "choose" | "pick" | "race" | "chance" | "over";
  readonly asked: string | null;
  readonly offers: Readonly<Record<string, readonly string[]>>;
  readonly over: boolean;
  readonly outcome: Outcome | null;
}

export interface Outcome {
  readonly text: string;
  readonly clauses: readonly string[];
  readonly seats: Readonly<Record<string, { verdict: string; rank: number | null; score: number | null }>>;
}

export interface Written {
  readonly name: string;
  readonly title: string;
  readonly pattern: string;
}

export interface Opening {
  readonly game: number;
  readonly state: State;
  readonly rules: string;
  readonly title: string;
  readonly seats: readonly { name: string; title: string; symbol: string }[];
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: boolean;
  readonly moves: readonly Written[];
  readonly claims: readonly Written[];
  readonly offers: readonly { name: string; title: string }[];
}

export interface Components {
  readonly seats: readonly { name: string; title: string; symbol: string }[];
  readonly sites: readonly { name: string; board: string; at: readonly [number, number]; seat: string | null }[];
  readonly kinds: readonly Kind[];
  readonly enums: Readonly<Record<string, readonly { name: string; title: string }[]>>;
  readonly tokens: readonly { name: string; title: string }[];
  readonly variables: Readonly<Record<string, string>>;
  readonly zones: Readonly<Record<string, { zone: string; title: string; form: "pile" | "row" | "set"; seat: string | null; kinds: readonly string[]; beside: readonly string[] }>>;
}

export interface Kind {
  readonly name: string;
  readonly title: string;
  readonly symbol: string;
  readonly owned: boolean;
  readonly fields: readonly { name: string; symbol: string; type: string }[];
}

export interface View {
  readonly state: State;
  readonly prompt: string;
  readonly position: string;
  readonly pieces: Readonly<Record<string, string>>;
  readonly zones: Readonly<Record<string, readonly string[]>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface Part {
  readonly name: string | null;
  readonly type: string;
  readonly text: string;
  readonly title?: string;
  readonly to?: string;
  readonly over?: readonly string[];
  readonly takes?: readonly string[];
  readonly of?: string;
  readonly members?: readonly string[];
}

export interface Parts {
  readonly action: string | null;
  readonly args: readonly Part[];
}

export interface Legal {
  readonly ask: State["ask"];
  readonly asked: string | null;
  readonly count: number;
  readonly moves: readonly string[];
  readonly parts: readonly Parts[];
}

export interface Why {
  readonly legal: boolean;
  readonly move: string;
  readonly reason: string | null;
  /** What was found, as half a sentence. */
  readonly because: string | null;
  readonly rules: readonly { kind: string; name: string; clauses: readonly string[]; file: string; line: number; text: string }[];
  readonly clauses: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Event {
  readonly step: number;
  readonly seat: string | null;
  readonly move: string;
  readonly text: string;
}

export interface Choice {
  readonly name: string;
  readonly text: string;
  readonly default: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly clauses: readonly string[];
}

export interface Description {
  readonly title: string;
  readonly documents: readonly string[];
  readonly player_counts: readonly number[];
  readonly variants: readonly { name: string; title: string; clauses: readonly string[] }[];
  readonly options: readonly Choice[];
  readonly readings: readonly Choice[];
}

export interface Place {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

export interface Diagnostic extends Place {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  readonly line: number;
  readonly column: number;
  readonly fix: (Place & { message: string; text: string }) | null;
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Share {
  readonly count: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

export interface Lengths {
  readonly mean: Estimate;
  readonly sd: number;
  readonly min: number;
  readonly max: number;
  readonly median: Estimate;
}

export interface Figures {
  readonly simulation: number;
  readonly games: number;
  readonly plies: Lengths;
  readonly turns: Lengths | null;
  readonly branching: Lengths;
  readonly lengths: readonly (readonly [number, number])[];
  readonly seats: readonly { seat: string; win: Share; draw: Share; loss: Share; open: Share }[];
  readonly draws: Share;
  readonly capped: Share;
}

export interface Difference {
  readonly figure: string;
  readonly seat: string | null;
  readonly place: number | null;
  readonly first: number;
  readonly second: number;
  readonly difference: Estimate;
  readonly differs: boolean;
}

/** Something found in a copy of a source document. */
export interface Finding {
  readonly check: string;
  readonly line: number;
  readonly heading: string;
  readonly subject: string;
  readonly message: string;
  readonly cure: string;
  readonly clauses: readonly string[];
  readonly why?: string;
}

export interface Compared {
  readonly document: string;
  readonly clauses: number;
  readonly found: number;
  readonly elsewhere: number;
  readonly sentences: number;
  readonly findings: readonly Finding[];
  readonly known: readonly Finding[];
  readonly impact: readonly { clause: string; rules: readonly string[] }[];
}

export interface Selection {
  readonly rules: string;
  readonly players?: number;
  readonly variants?: readonly string[];
  readonly readings?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
}

export interface GameRecord {
  readonly game: string;
  readonly digest: string;
  readonly players: number | null;
  readonly variants: readonly string[];
  readonly readings: readonly (readonly [string, string])[];
  readonly options: readonly (readonly [string, string])[];
  readonly seed: number;
  readonly position: string | null;
  readonly steps: readonly string[];
}

/** What the interpreter refuses. */
export class Refused extends Error {
  readonly code: string;
  readonly cure: string;
  readonly why: Why | undefined;
  constructor(fault: { code: string; message: string; cure: string; why?: Why }) {
    super(fault.message);
    this.code = fault.code;
    this.cure = fault.cure;
    this.why = fault.why;
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

let loading: Promise<WebAssembly.Module> | undefined;

function load(): Promise<WebAssembly.Module> {
  loading ??= (async () => {
    const response = await fetch(new URL("regelwerk.gz", document.baseURI));
    if (!response.ok) throw new Error(`the interpreter cannot be loaded (${response.status})`);
    const bytes = await response.arrayBuffer();
    // A host that says it is compressed has let the browser unpack it.
    const [first, second] = new Uint8Array(bytes);
    if (first !== 0x1f || second !== 0x8b) return WebAssembly.compile(bytes);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  })();
  return loading;
}

/** An interpreter in a worker of its own. */
export class Interpreter {
  private worker: Worker | undefined;
  private last = 0;
  private waiting = new Map<number, Waiting>();

  private begin(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<{ id: number; text?: string; broken?: string }>) => {
      const { id, text, broken } = event.data;
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (broken !== undefined || text === undefined) {
        waiting?.reject(new Error(`the interpreter broke down: ${broken}`));
        this.stop();
        return;
      }
      const response = JSON.parse(text);
      if (response.error) waiting?.reject(new Refused(response.error));
      else waiting?.resolve(response.result);
    };
    load().then(
      (module) => worker.postMessage(module),
      (error: Error) => {
        for (const waiting of this.waiting.values()) waiting.reject(error);
        this.stop();
      },
    );
    this.worker = worker;
    return worker;
  }

  /** One request. */
  call<Result>(method: string, params: object = {}): Promise<Result> {
    const worker = this.begin();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      worker.postMessage({ id, text: JSON.stringify({ id, method, params }) });
    });
  }

  /** Gives up whatever it is doing, and all it knows. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(new Error("stopped"));
  }
}
