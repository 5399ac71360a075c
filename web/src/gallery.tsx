// All games that come along, each with a picture of its beginning.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Description, Opening } from "./protocol.ts";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

interface Shown {
  readonly name: string;
  readonly title: string;
  readonly players: readonly number[];
  readonly svg: string;
  readonly document: string;
}

const known = new Map<string, Shown>();

async function look(workshop: Workshop, name: string): Promise<Shown> {
  const { lab } = workshop;
  const found = known.get(name);
  if (found) return found;
  const about = await lab.call<Description>("describe", { rules: name });
  const opening = await lab.call<Opening>("new", { rules: name, seed: 1 });
  const { svg } = await lab.call<{ svg: string }>("picture", { game: opening.game, who: "spectator" });
  await lab.call("close", { game: opening.game });
  const shown = { name, title: about.title || name, players: [...about.player_counts].sort((a, b) => a - b), svg, document: about.documents[0] ?? "" };
  known.set(name, shown);
  return shown;
}

export function Gallery({ workshop, onClose, onChoose }: { workshop: Workshop; onClose(): void; onChoose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<readonly Shown[]>([...known.values()]);
  const [wanted, setWanted] = useState("");

  useEffect(() => {
    dialog.current?.showModal();
    let open = true;
    void (async () => {
      for (const name of workshop.games) {
        await look(workshop, name).catch(() => undefined);
        if (!open) return;
        setShown([...known.values()]);
      }
    })();
    return () => {
      open = false;
    };
  }, [workshop]);

  const names = workshop.games.filter((name) => {
    const title = known.get(name)?.title ?? "";
    return `${name} ${title}`.toLowerCase().includes(wanted.toLowerCase());
  });
  return (
    <dialog
      class="gallery"
      ref={dialog}
      aria-label={t("Games")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2>{t("Games")}</h2>
        <input
          type="search"
          placeholder={t("Search")}
          aria-label={t("Search")}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <button type="button" aria-label={t("Close")} onClick={() => dialog.current?.close()}>✕</button>
      </header>
      <ul>
        {names.map((name) => {
          const game = shown.find((one) => one.name === name);
          return (
            <li key={name}>
              <button
                type="button"
                data-game={name}
                onClick={() => {
                  void workshop.open(name);
                  onChoose();
                  dialog.current?.close();
                }}
              >
                <span class="thumb" aria-hidden="true" dangerouslySetInnerHTML={{ __html: game?.svg || "<span>§</span>" }} />
                <b>{game?.title ?? name}</b>
                <small>{game ? t(game.players.length === 1 && game.players[0] === 1 ? "{0} player" : "{0} players", spans(game.players)) : " "}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </dialog>
  );
}

/** Numbers in a row shortened: 2–4. */
function spans(numbers: readonly number[]): string {
  const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${first}–${last}`;
  return numbers.join(", ");
}
