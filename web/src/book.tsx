// The rulebook that the rules make.

import { useEffect, useState } from "preact/hooks";
import { spoken, t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

export function Book({ workshop }: { workshop: Workshop }) {
  const [html, setHtml] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState("");
  const [language, setLanguage] = useState<string>(spoken());
  const key = JSON.stringify([workshop.selection(), workshop.text, language]);
  useEffect(() => {
    let open = true;
    workshop
      .ask<{ html: string }>(workshop.desk, "book", { ...workshop.selection(), language })
      .then((book) => {
        if (!open) return;
        setHtml(book.html);
        setFault("");
      })
      .catch((error: Error) => open && setFault(error.message));
    return () => {
      open = false;
    };
  }, [key]);
  return (
    <div class="book">
      <div class="row">
        <label>
          {t("Language")}{" "}
          <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
            <option value="en">English</option>
            <option value="de">Deutsch</option>
          </select>
        </label>
      </div>
      {fault && <p class="notice error" role="alert">{fault}</p>}
      {html !== undefined && <iframe title={t("Rulebook")} sandbox="" srcdoc={html} />}
    </div>
  );
}
