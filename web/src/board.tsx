// The boards as the interpreter draws them, with what can be clicked.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

const SVG = "http://www.w3.org/2000/svg";

interface Props {
  readonly svg: string;
  readonly sources: ReadonlySet<string>;
  readonly chosen: readonly string[];
  readonly last: readonly string[];
  /** Whether a first click has been made, so that the rest are targets. */
  readonly begun: boolean;
  readonly active: boolean;
  /** What stands on a site, in words. */
  readonly standing: Readonly<Record<string, string>>;
  onSite(name: string): void;
}

/** The middle of a site by its shape, and how big it is. */
function middle(site: Element): { x: number; y: number; size: number } {
  const shape = site.querySelector("rect, circle, polygon");
  const number = (name: string) => Number(shape?.getAttribute(name) ?? 0);
  if (shape?.tagName === "rect") {
    const [width, height] = [number("width"), number("height")];
    return { x: number("x") + width / 2, y: number("y") + height / 2, size: Math.min(width, height) / 2 };
  }
  if (shape?.tagName === "circle") return { x: number("cx"), y: number("cy"), size: number("r") };
  const points = (shape?.getAttribute("points") ?? "").split(" ").map((pair) => pair.split(",").map(Number));
  const mean = (at: number) => points.reduce((sum, point) => sum + (point[at] ?? 0), 0) / Math.max(points.length, 1);
  return { x: mean(0), y: mean(1), size: 22 };
}

export type Edge = "top" | "right" | "bottom" | "left";

/** At which edge of the drawing some sites are; none if they are not in it. */
export function edgeOf(svg: string, names: readonly string[]): Edge | undefined {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [, , width = 1, height = 1] = (drawing.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const found = [...drawing.querySelectorAll("g.site")].filter((site) => names.includes(site.getAttribute("data-site") ?? "")).map(place);
  if (found.length === 0) return undefined;
  const mean = (of: (at: { x: number; y: number }) => number) => found.reduce((sum, at) => sum + of(at), 0) / found.length;
  const [across, down] = [mean(({ x }) => x) / width - 0.5, mean(({ y }) => y) / height - 0.5];
  if (Math.abs(across) > Math.abs(down)) return across < 0 ? "left" : "right";
  return down < 0 ? "top" : "bottom";
}

/** The whole way from a site to the drawing: boards lie below each other in groups. */
function place(site: Element): { x: number; y: number } {
  const { x, y } = middle(site);
  const shift = /translate\((-?\d+) (-?\d+)\)/.exec(site.parentElement?.getAttribute("transform") ?? "");
  return { x: x + Number(shift?.[1] ?? 0), y: y + Number(shift?.[2] ?? 0) };
}

/** Takes away what is empty around the drawing; while it is out of sight its size is not known. */
function trim(drawing: SVGSVGElement): void {
  const { x, y, width, height } = drawing.getBBox();
  if (!(width > 0 && height > 0)) return;
  const [left, top] = [Math.floor(x) - RIM, Math.floor(y) - RIM];
  drawing.setAttribute("viewBox", `${left} ${top} ${Math.ceil(x + width) + RIM - left} ${Math.ceil(y + height) + RIM - top}`);
}

/** The space around the drawing, in its own units. */
const RIM = 8;

/** As small as names may get on the screen, and as big as they are made where there is room. */
const [READABLE, COMFORTABLE] = [5.5, 9];

/** Makes names larger where the board is small, as far as there is room; those that nobody could read are left out. */
function letter(drawing: SVGSVGElement): void {
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  if (!(scale > 0)) return;
  for (const text of drawing.querySelectorAll<SVGTextElement>("svg > g > text, g.site > text")) {
    const site = text.closest("g.site");
    const own = Number(text.getAttribute("font-size"));
    const letters = text.textContent?.length ?? 1;
    const inside = site !== null && !site.querySelector(".piece, .tokens") && !text.classList.contains("under");
    // A letter is about three fifths as wide as it is high.
    const room = site === null ? 22 : inside ? Math.max(own, Math.floor(40 / (0.6 * Math.max(letters, 2)))) : own;
    const size = Math.min(Math.max(own, COMFORTABLE / scale), Math.max(own, room));
    text.style.fontSize = `${size}px`;
    text.style.visibility = size * scale < READABLE ? "hidden" : "";
  }
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function Board({ svg, sources, chosen, last, begun, active, standing, onSite }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const focus = useRef<string | undefined>(undefined);
  const held = useRef(false);

  useLayoutEffect(() => {
    if (!host.current) return;
    held.current = host.current.contains(document.activeElement);
    host.current.innerHTML = svg;
    const drawing = host.current.querySelector("svg");
    if (drawing) {
      for (const text of drawing.querySelectorAll("g.site > circle ~ text")) {
        const y = (element: Element | null | undefined, name: string) => Number(element?.getAttribute(name));
        if (y(text, "y") > y(text.parentElement?.querySelector("circle"), "cy") + 20) text.classList.add("under");
      }
      trim(drawing);
      // As big as there is room for, but small boards not too big, and all of it in sight.
      const { width, height } = drawing.viewBox.baseVal;
      drawing.style.width = `min(100%, ${Math.round(width * 1.35)}px, calc(68vh * ${(width / height).toFixed(4)}))`;
      drawing.removeAttribute("height");
      letter(drawing);
    }
  }, [svg]);

  useEffect(() => {
    if (!host.current) return;
    const watcher = new ResizeObserver(() => {
      const drawing = host.current?.querySelector("svg");
      if (drawing) letter(drawing);
    });
    watcher.observe(host.current);
    return () => watcher.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (!host.current) return;
    const sites = [...host.current.querySelectorAll<SVGGElement>("g.site")];
    const tabbed = sites.find((site) => site.dataset["site"] === focus.current) ?? sites[0];
    for (const site of sites) {
      const name = site.dataset["site"] ?? "";
      for (const mark of site.querySelectorAll(".mark")) mark.remove();
      site.setAttribute("role", "button");
      site.setAttribute("tabindex", active && site === tabbed ? "0" : "-1");
      const what = standing[name] ?? site.querySelector(".tokens text")?.textContent;
      const label = what ? `${name}: ${what}` : name;
      site.setAttribute("aria-label", label);
      const title = site.querySelector("title");
      if (title) title.textContent = label;
      site.classList.toggle("open", sources.has(name));
      const { x, y, size } = middle(site);
      const put = (kind: string, radius: number) => {
        const circle = document.createElementNS(SVG, "circle");
        circle.setAttribute("class", `mark ${kind}`);
        circle.setAttribute("cx", String(x));
        circle.setAttribute("cy", String(y));
        circle.setAttribute("r", String(radius));
        site.append(circle);
      };
      if (last.includes(name)) put("last", size - 2);
      if (chosen.includes(name)) put("chosen", size - 3);
      else if (sources.has(name)) {
        // Rings are for what stands somewhere; on empty sites they would hide the board.
        const empty = !site.querySelector(".piece, .tokens");
        if (empty && (begun || !site.querySelector("text"))) put("target", size / 4);
        else put("source", size - 3);
      }
    }
    // Whoever plays by keys goes on where he was.
    if (held.current) tabbed?.focus({ preventScroll: true });
    held.current = false;
  }, [svg, sources, chosen, last, begun, active, standing]);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const named = (event: Event) => (event.target as Element).closest<SVGGElement>("g.site");
    const click = (event: MouseEvent) => {
      const name = named(event)?.dataset["site"];
      if (name === undefined) return;
      focus.current = name;
      onSite(name);
    };
    const press = (event: KeyboardEvent) => {
      const site = named(event);
      const name = site?.dataset["site"];
      if (!site || name === undefined) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        focus.current = name;
        onSite(name);
        return;
      }
      const way = arrows[event.key];
      if (!way) return;
      event.preventDefault();
      // The nearest site that way; being beside it counts twice.
      const from = place(site);
      let best: { site: SVGGElement; cost: number } | undefined;
      for (const other of element.querySelectorAll<SVGGElement>("g.site")) {
        const { x, y } = place(other);
        const along = (x - from.x) * way[0] + (y - from.y) * way[1];
        const across = Math.abs((x - from.x) * way[1]) + Math.abs((y - from.y) * way[0]);
        if (other === site || along <= 2 || across > along * 1.2) continue;
        const cost = along + 2 * across;
        if (!best || cost < best.cost) best = { site: other, cost };
      }
      if (best) {
        site.setAttribute("tabindex", "-1");
        best.site.setAttribute("tabindex", "0");
        focus.current = best.site.dataset["site"];
        best.site.focus();
      }
    };
    element.addEventListener("click", click);
    element.addEventListener("keydown", press);
    return () => {
      element.removeEventListener("click", click);
      element.removeEventListener("keydown", press);
    };
  }, [onSite]);

  return <div class={active ? "board active" : "board"} ref={host} />;
}
