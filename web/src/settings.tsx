// What can be settled before a game, made from what the rule file offers.

import type { Choice, Selection } from "./protocol.ts";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

type Setup = Omit<Selection, "rules">;

/** The setup with one thing changed; what has its default is left out. */
function settled(setup: Setup, list: "options" | "readings", choice: Choice, value: string): Setup {
  const all = { ...setup[list], [choice.name]: value };
  if (value === choice.default) delete all[choice.name];
  return { ...setup, [list]: all };
}

function One({ choice, list, setup, onChange }: {
  choice: Choice;
  list: "options" | "readings";
  setup: Setup;
  onChange(setup: Setup): void;
}) {
  const value = setup[list]?.[choice.name] ?? choice.value;
  const numbers = choice.values.map(Number);
  const steady = choice.values.length > 8 && numbers.every((number, at) => Number.isInteger(number) && (at === 0 || number === (numbers[at - 1] ?? 0) + 1));
  const id = `${list}-${choice.name}`;
  const change = (value: string) => onChange(settled(setup, list, choice, value));
  return (
    <div class={value === choice.default ? "setting" : "setting altered"}>
      <label for={id}>
        <code>{choice.name}</code> {choice.text}
        {choice.clauses.length > 0 && <span class="cited">{choice.clauses.map((clause) => `§${clause}`).join(", ")}</span>}
      </label>
      {choice.values.length === 0 ? (
        <input id={id} value={value} onChange={(event) => change(event.currentTarget.value)} />
      ) : steady ? (
        <input
          id={id}
          type="number"
          value={value}
          min={String(numbers[0])}
          max={String(numbers.at(-1))}
          onChange={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={(event) => change(event.currentTarget.value)}>
          {choice.values.map((one) => (
            <option key={one} value={one}>
              {one === choice.default ? t("{0} (usual)", one) : one}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The fields of a setup; also for the second side of a comparison. */
export function SetupForm({ workshop, setup, onChange }: { workshop: Workshop; setup: Setup; onChange(setup: Setup): void }) {
  const offer = workshop.description;
  if (!offer) return null;
  const chosen = setup.variants ?? [];
  const players = setup.players ?? offer.player_counts[0];
  return (
    <div class="setup">
      {offer.player_counts.length > 1 && (
        <fieldset>
          <legend>{t("Players")}</legend>
          <div class="row">
            {[...offer.player_counts].sort((a, b) => a - b).map((count) => (
              <label key={count} class="pill">
                <input type="radio" checked={players === count} onChange={() => onChange({ ...setup, players: count })} />
                {count}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {offer.variants.length > 0 && (
        <fieldset>
          <legend>{t("Variants")}</legend>
          {offer.variants.map((variant) => (
            <label key={variant.name} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(variant.name)}
                onChange={(event) => {
                  const others = chosen.filter((name) => name !== variant.name);
                  onChange({ ...setup, variants: event.currentTarget.checked ? [...others, variant.name] : others });
                }}
              />
              <span>
                {variant.title || variant.name}
                {variant.clauses.length > 0 && <span class="cited">{variant.clauses.map((clause) => `§${clause}`).join(", ")}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {offer.options.length > 0 && (
        <fieldset>
          <legend>{t("Options")}</legend>
          {offer.options.map((choice) => (
            <One key={choice.name} choice={choice} list="options" setup={setup} onChange={onChange} />
          ))}
        </fieldset>
      )}
      {offer.readings.length > 0 && (
        <fieldset>
          <legend>{t("Readings: what the document leaves open")}</legend>
          {offer.readings.map((choice) => (
            <One key={choice.name} choice={choice} list="readings" setup={setup} onChange={onChange} />
          ))}
        </fieldset>
      )}
    </div>
  );
}

export function Settings({ workshop }: { workshop: Workshop }) {
  const offer = workshop.description;
  if (!offer) return <p class="hint">{t("The rules have to be sound before there is something to settle.")}</p>;
  const plain = offer.player_counts.length <= 1 && offer.variants.length + offer.options.length + offer.readings.length === 0;
  return (
    <div class="settings">
      <h2>{offer.title}</h2>
      {offer.documents.map((document) => (
        <p key={document} class="hint">{document}</p>
      ))}
      {plain && <p class="hint">{t("These rules have nothing to settle.")}</p>}
      {workshop.notice?.sort === "error" && <p class="notice error" role="alert">{workshop.notice.text}</p>}
      <SetupForm workshop={workshop} setup={workshop.setup} onChange={(setup) => void workshop.settle(setup)} />
      {!plain && (
        <p>
          <button type="button" class="quiet" onClick={() => void workshop.settle({})}>{t("As usual")}</button>
          <span class="hint"> {t("A changed setting begins a new game.")}</span>
        </p>
      )}
    </div>
  );
}
