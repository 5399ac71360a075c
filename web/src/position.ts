// The text of a position, taken apart so that it can be changed by hand.

/** What stands in a position that begins a turn; all else says where in a turn it is, and is left out. */
const midway = /^(actor|given|phase|at|ask|result|history|local\..*)=/;

export class Draft {
  /** The game and its seats. */
  readonly head: string;
  /** The other segments: pieces with their sites, tokens, zones, variables. */
  readonly segments: readonly string[];

  constructor(head: string, segments: readonly string[]) {
    this.head = head;
    this.segments = segments;
  }

  /** Reads what is on one line, or a segment on each. */
  static of(text: string): Draft {
    const [head = "", ...rest] = text.split(/\s*\|\s*|\s*\n\s*/).filter(Boolean);
    return new Draft(head, rest.filter((segment) => !midway.test(segment)));
  }

  /** For the interpreter. */
  line(): string {
    return [this.head, ...this.segments].join(" | ");
  }

  /** For people: a segment on each line. */
  lines(): string {
    return [this.head, ...this.segments].join("\n");
  }

  private entries(key: string): string[] {
    const found = this.segments.find((segment) => segment.startsWith(`${key}:`));
    return found ? found.slice(key.length + 1).trim().split(/\s+/).filter(Boolean) : [];
  }

  /** With other entries under a key; a segment without any is left out. */
  private with(key: string, entries: readonly string[]): Draft {
    const at = this.segments.findIndex((segment) => segment.startsWith(`${key}:`));
    const segment = entries.length > 0 ? [`${key}: ${entries.join(" ")}`] : [];
    if (at < 0) return new Draft(this.head, [...this.segments, ...segment]);
    return new Draft(this.head, [...this.segments.slice(0, at), ...segment, ...this.segments.slice(at + 1)]);
  }

  /** Puts a piece on a site in place of what stands there; none empties it.
   *
   * `standing` is what stands on the sites: of the segments those are of pieces. */
  put(site: string, piece: string | undefined, standing: Readonly<Record<string, string>>): Draft {
    const before = standing[site];
    const cleared = before === undefined ? this : this.with(before, this.entries(before).filter((one) => one !== site));
    return piece === undefined ? cleared : cleared.with(piece, [...cleared.entries(piece), site]);
  }

  /** Changes how many tokens lie on a site. */
  count(token: string, site: string, by: number): Draft {
    const entries = this.entries(token).map((one) => {
      const [name = "", times = "1"] = one.split("*");
      return [name, Number(times)] as [string, number];
    });
    const known = entries.find(([name]) => name === site);
    if (known) known[1] += by;
    else entries.push([site, by]);
    const left = entries.filter(([, times]) => times > 0);
    return this.with(token, left.map(([name, times]) => (times === 1 ? name : `${name}*${times}`)));
  }

  /** With other pieces in a zone, the top one last. */
  fill(zone: string, pieces: readonly string[]): Draft {
    return this.with(zone, pieces);
  }

  mover(): string | undefined {
    return this.segments.find((segment) => segment.startsWith("mover="))?.slice(6);
  }

  moved(seat: string): Draft {
    const rest = this.segments.filter((segment) => !segment.startsWith("mover="));
    return new Draft(this.head, [`mover=${seat}`, ...rest]);
  }
}
