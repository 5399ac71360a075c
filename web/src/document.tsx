// A copy of the source document, held against the registry of the rules: its findings stand in the text.

import { useState } from "preact/hooks";
import { type Compared, type Finding, Refused } from "./protocol.ts";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

/** What was found, and in which text. */
interface Held {
  readonly text: string;
  readonly found: Compared;
}

function One({ finding, found }: { finding: Finding; found: Compared }) {
  const rules = found.impact.filter((one) => finding.clauses.includes(one.clause));
  return (
    <div class={finding.why === undefined ? "finding" : "finding known"} data-check={finding.check}>
      <p>
        <b>{finding.check}</b> {finding.message}
      </p>
      {finding.why === undefined ? <p class="hint">{finding.cure}</p> : <p class="hint">{t("settled: {0}", finding.why)}</p>}
      {rules.map((one) => (
        <p class="hint" key={one.clause}>
          §{one.clause}: {one.rules.length > 0 ? one.rules.join(", ") : t("no rule depends on it")}
        </p>
      ))}
    </div>
  );
}

function Findings({ held }: { held: Held }) {
  const { found, text } = held;
  const all = [...found.findings, ...found.known];
  const at = (line: number) => all.filter((one) => one.line === line);
  const lines = text.split(/\r?\n/);
  return (
    <>
      <p role="status" class={found.findings.length > 0 ? "notice error" : "notice info"}>
        {t("{0} of {1} clauses found in {2} sentences; {3} findings, {4} known.", found.found, found.clauses, found.sentences, found.findings.length, found.known.length)}
      </p>
      {at(0).map((one, number) => <One key={number} finding={one} found={found} />)}
      <ol class="copy">
        {lines.map((line, number) => {
          const here = at(number + 1);
          return (
            <li key={number} class={here.length === 0 ? "" : here.some((one) => one.why === undefined) ? "found" : "settled"}>
              <span>{line || "\u00a0"}</span>
              {here.map((one, which) => <One key={which} finding={one} found={found} />)}
            </li>
          );
        })}
      </ol>
    </>
  );
}

export function Document({ workshop }: { workshop: Workshop }) {
  const [text, setText] = useState("");
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const hold = async () => {
    setBusy(true);
    setFault("");
    try {
      const found = await workshop.ask<Compared>(workshop.lab, "document", { file: workshop.own ? workshop.file : workshop.rules, text });
      setHeld({ text, found });
    } catch (error) {
      setHeld(undefined);
      setFault(error instanceof Refused ? `${error.message}. ${error.cure}` : String(error));
    }
    setBusy(false);
  };
  return (
    <div class="document">
      <p class="hint">{t("Paste a copy of the document that the rules were made from. It stays in this page: only fingerprints of its sentences are compared.")}</p>
      {!held && (
        <textarea
          rows={12}
          aria-label={t("Document")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div class="row">
        {held ? (
          <button type="button" onClick={() => setHeld(undefined)}>{t("Change the text")}</button>
        ) : (
          <button type="button" class="primary" disabled={busy || text.trim() === ""} onClick={() => void hold()}>{busy ? t("checking …") : t("Compare")}</button>
        )}
      </div>
      {fault && <p class="notice error" role="alert">{fault}</p>}
      {held && <Findings held={held} />}
    </div>
  );
}
