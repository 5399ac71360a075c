// Many random games: figures as they come in, and two settings compared.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Difference, Figures, Selection, Share } from "./protocol.ts";
import { SetupForm } from "./settings.tsx";
import { seatColour } from "./table.tsx";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

interface Compared {
  readonly simulation: number;
  readonly games: number;
  readonly differences: readonly Difference[];
}

const percent = (share: number) => (share * 100).toFixed(1);
const number = (value: number | null) => (value === null || !Number.isFinite(value) ? "?" : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));

/** The lengths of games as columns. */
function Lengths({ figures }: { figures: Figures }) {
  const { min, max } = figures.plies;
  const wide = Math.max(1, Math.ceil((max - min + 1) / 40));
  const bins = new Array<number>(Math.floor((max - min) / wide) + 1).fill(0);
  for (const [length, games] of figures.lengths) {
    const at = Math.floor((length - min) / wide);
    bins[at] = (bins[at] ?? 0) + games;
  }
  const most = Math.max(...bins, 1);
  const [width, height] = [400, 120];
  const step = width / bins.length;
  return (
    <figure>
      <figcaption>{t("Length of games in plies")}</figcaption>
      <svg class="plot" viewBox={`0 0 ${width} ${height + 18}`} role="img" aria-label={t("from {0} to {1}, {2} on average", min, max, number(figures.plies.mean.value))}>
        {bins.map((games, at) => {
          const tall = (games / most) * height;
          return (
            <rect key={at} x={at * step + 0.5} y={height - tall} width={Math.max(step - 1, 1)} height={tall}>
              <title>{`${min + at * wide}${wide > 1 ? `–${min + (at + 1) * wide - 1}` : ""}: ${games}`}</title>
            </rect>
          );
        })}
        <line x1="0" x2={width} y1={height} y2={height} />
        <text x="2" y={height + 14}>{min}</text>
        <text x={width - 2} y={height + 14} text-anchor="end">{max}</text>
      </svg>
    </figure>
  );
}

/** A share with its interval as a bar. */
function Bar({ title, share, colour }: { title: string; share: Share; colour: string }) {
  return (
    <div class="bar">
      <span class="bar-title">{title}</span>
      <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rail" width="100" height="12" />
        <rect width={share.share * 100} height="12" fill={colour} />
        <rect class="interval" x={share.low * 100} y="5" width={Math.max((share.high - share.low) * 100, 0.4)} height="2" />
      </svg>
      <span class="bar-value">
        {percent(share.share)} % <small>[{percent(share.low)}–{percent(share.high)}]</small>
      </span>
    </div>
  );
}

function figureTitle(workshop: Workshop, one: Difference): string {
  switch (one.figure) {
    case "plies":
      return t("plies");
    case "turns":
      return t("turns");
    case "rounds":
      return t("rounds");
    case "branching":
      return t("answers to choose from");
    case "wins_of_seat":
      return t("{0} wins", workshop.title(one.seat));
    case "wins_by_turn_order":
      return t("seat {0} in turn order wins", one.place ?? 0);
    case "draws":
      return t("draws");
    default:
      return t("undecided");
  }
}

function Differences({ workshop, found }: { workshop: Workshop; found: Compared }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" />
          <th scope="col">{t("as set")}</th>
          <th scope="col">{t("other")}</th>
          <th scope="col">{t("difference")}</th>
        </tr>
      </thead>
      <tbody>
        {found.differences.map((one) => {
          const share = !["plies", "turns", "rounds", "branching"].includes(one.figure);
          const by = share ? 100 : 1;
          const unit = share ? " %" : "";
          const signed = (value: number | null) => (value === null ? "?" : `${value * by >= 0 ? "+" : ""}${(value * by).toFixed(1)}`);
          return (
            <tr key={`${one.figure}${one.seat ?? ""}${one.place ?? ""}`} class={one.differs ? "differs" : ""}>
              <th scope="row">{figureTitle(workshop, one)}</th>
              <td>{(one.first * by).toFixed(1)}{unit}</td>
              <td>{(one.second * by).toFixed(1)}{unit}</td>
              <td>
                {signed(one.difference.value)} <small>[{signed(one.difference.low)} … {signed(one.difference.high)}]</small>
                {one.differs && <b> {t("differs")}</b>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function Simulate({ workshop }: { workshop: Workshop }) {
  const [figures, setFigures] = useState<Figures | undefined>(undefined);
  const [compared, setCompared] = useState<Compared | undefined>(undefined);
  const [running, setRunning] = useState(false);
  const [fault, setFault] = useState("");
  const [games, setGames] = useState(1000);
  const [other, setOther] = useState<Omit<Selection, "rules">>({});
  const [against, setAgainst] = useState(false);
  const [ground, setGround] = useState(false);
  // A variant is compared with the game it extends, the other settings being that game's.
  const extended = /^game\s+\S+\s+"[^"]*"\s+extends\s+"([^"]+)"/m.exec(workshop.text)?.[1];
  const theirs = ground && extended !== undefined && workshop.games.includes(extended) ? extended : undefined;
  const going = useRef(0);
  useEffect(() => () => {
    going.current += 1;
  }, []);

  const run = async () => {
    const mine = ++going.current;
    setRunning(true);
    setFault("");
    setFigures(undefined);
    setCompared(undefined);
    const selection = workshop.selection();
    const opposite = theirs !== undefined ? { rules: theirs } : against ? { rules: selection.rules, ...other } : undefined;
    try {
      let simulation: number | undefined;
      // Portions grow until one takes about a third of a second, so that figures live and stopping is quick.
      let portion = 2;
      for (let done = 0; done < games && mine === going.current; ) {
        const began = performance.now();
        const count = Math.min(portion, games - done);
        const params = simulation === undefined ? { ...selection, seed: 1, games: count, ...(opposite ? { against: opposite } : {}) } : { simulation, games: count };
        const found = await workshop.ask<Figures & Compared>(workshop.lab, "simulate", params);
        if (mine !== going.current) return;
        ({ simulation, games: done } = found);
        if (opposite) setCompared(found);
        else setFigures(found);
        const took = performance.now() - began;
        portion = Math.max(1, Math.round(portion * Math.min(4, Math.max(0.25, 300 / Math.max(took, 1)))));
      }
    } catch (error) {
      if (mine === going.current) setFault(error instanceof Error ? error.message : String(error));
    }
    if (mine === going.current) setRunning(false);
  };
  const stop = () => {
    going.current += 1;
    setRunning(false);
    // Long games may take their time: the interpreter is stopped in the middle of them.
    workshop.halt(workshop.lab);
  };
  const done = figures?.games ?? compared?.games ?? 0;
  return (
    <div class="simulate">
      <p class="hint">{t("Random games by the settings as they are. Intervals hold with 95 %.")}</p>
      <div class="row">
        <label>
          {t("Games")}{" "}
          <select value={String(games)} onChange={(event) => setGames(Number(event.currentTarget.value))}>
            {[100, 1000, 10_000, 100_000].map((count) => (
              <option key={count} value={String(count)}>{count}</option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={against} onChange={(event) => { setAgainst(event.currentTarget.checked); setGround(false); }} />
          {t("Compare with other settings")}
        </label>
        {extended !== undefined && workshop.games.includes(extended) && (
          <label class="check">
            <input type="checkbox" checked={ground} onChange={(event) => { setGround(event.currentTarget.checked); setAgainst(false); }} />
            {t("Compare with {0}", extended)}
          </label>
        )}
        {running ? (
          <button type="button" class="primary" onClick={stop}>{t("Stop")}</button>
        ) : (
          <button type="button" class="primary" onClick={() => void run()} disabled={!workshop.description}>{t("Start")}</button>
        )}
      </div>
      {against && (
        <details open={!compared && !running}>
          <summary>{t("The other settings")}</summary>
          <SetupForm workshop={workshop} setup={other} onChange={setOther} />
        </details>
      )}
      {(running || done > 0) && (
        <div class="progress-line">
          <progress max={games} value={done} aria-label={t("Games played")} />
          <span>{t(against || theirs !== undefined ? "{0} pairs" : "{0} games", done)}</span>
        </div>
      )}
      {fault && <p class="notice error" role="alert">{fault}</p>}
      {figures && figures.games > 0 && (
        <>
          <Lengths figures={figures} />
          <div class="bars">
            {figures.seats.map((seat, at) => (
              <Bar key={seat.seat} title={t("{0} wins", workshop.title(seat.seat))} share={seat.win} colour={seatColour(at)} />
            ))}
            <Bar title={t("draws")} share={figures.draws} colour="var(--muted)" />
            {figures.capped.count > 0 && <Bar title={t("stopped")} share={figures.capped} colour="var(--muted)" />}
          </div>
          <dl class="values">
            <div><dt>{t("plies")}</dt><dd>{number(figures.plies.mean.value)} <small>[{number(figures.plies.mean.low)}–{number(figures.plies.mean.high)}]</small></dd></div>
            {figures.turns && <div><dt>{t("turns")}</dt><dd>{number(figures.turns.mean.value)} <small>[{number(figures.turns.mean.low)}–{number(figures.turns.mean.high)}]</small></dd></div>}
            <div><dt>{t("answers to choose from")}</dt><dd>{number(figures.branching.mean.value)}</dd></div>
          </dl>
        </>
      )}
      {compared && compared.games > 0 && <Differences workshop={workshop} found={compared} />}
    </div>
  );
}
