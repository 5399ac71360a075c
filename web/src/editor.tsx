// The rule file: colours, faults with fixes, completion, hover, renaming; all answers are the interpreter's.

import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import { markdown } from "./markdown.ts";
import { type Diagnostic, type Place, Refused } from "./protocol.ts";
import { language } from "./textmate.ts";
import { t } from "./words.ts";
import type { Workshop } from "./workshop.ts";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.labelName, color: "var(--code-clause)" },
  { tag: [tags.number, tags.bool], color: "var(--code-number)" },
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--code-keyword)" },
  { tag: tags.definition(tags.variableName), color: "var(--code-definition)", fontWeight: "600" },
  { tag: tags.function(tags.variableName), color: "var(--code-definition)" },
]);

/** Offsets of the interpreter count bytes, those of the editor UTF-16. */
const encoder = new TextEncoder();

export function bytes(text: string, at: number): number {
  return encoder.encode(text.slice(0, at)).length;
}

export function units(text: string, offset: number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bytes(text, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function range(text: string, place: Place): { from: number; to: number } {
  return { from: units(text, place.offset), to: units(text, place.offset + place.length) };
}

function marks(text: string, file: string, list: readonly Diagnostic[]): Mark[] {
  return list.map((one) => {
    const here = one.file === file;
    const { from, to } = here ? range(text, one) : { from: 0, to: 0 };
    const { fix } = one;
    return {
      from,
      to,
      severity: one.severity,
      source: one.code,
      message: (here ? one.message : `${one.file}: ${one.message}`) + (one.help ? `\n${one.help}` : ""),
      actions:
        fix && fix.file === file
          ? [
              {
                name: fix.message,
                apply: (view: EditorView) => {
                  const { from, to } = range(view.state.doc.toString(), fix);
                  view.dispatch({ changes: { from, to, insert: fix.text }, selection: { anchor: from + fix.text.length } });
                  view.focus();
                },
              },
            ]
          : [],
    };
  });
}

const sorts: Readonly<Record<string, string>> = {
  keyword: "keyword",
  name: "variable",
  local: "variable",
  "built-in": "constant",
  attribute: "property",
  type: "type",
  action: "function",
  clause: "text",
};

/** Who comes by Tab passes through by Tab, and changes nothing; it indents once somebody has clicked or typed here. */
let pointed = false;
const passing = EditorView.domEventHandlers({
  mousedown: (_, editor) => {
    pointed = true;
    editor.setTabFocusMode(false);
  },
  focus: (_, editor) => {
    if (!pointed) editor.setTabFocusMode(true);
  },
  blur: () => {
    pointed = false;
  },
});

interface Offered {
  readonly offset: number;
  readonly length: number;
  readonly list: readonly { text: string; sort: string; detail: string; remark: string; rank: number }[];
}

export function Editor({ workshop, jump }: { workshop: Workshop; jump: { line: number } | undefined }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);

  useEffect(() => {
    if (!host.current) return;
    const file = () => (workshop.own ? workshop.file : workshop.rules);
    const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const word = context.matchBefore(/[\p{L}\p{N}_.§/-]+/u);
      if (!word && !context.explicit) return null;
      const text = context.state.doc.toString();
      workshop.edit(text);
      try {
        const found = await workshop.ask<Offered>(workshop.desk, "complete", { file: file(), at: bytes(text, context.pos) });
        if (context.aborted) return null;
        return {
          from: units(text, found.offset),
          options: found.list.map((one) => ({
            label: one.text,
            type: sorts[one.sort] ?? "text",
            detail: one.detail.length > 60 ? `${one.detail.slice(0, 58)}…` : one.detail,
            boost: -10 * one.rank,
            ...(one.remark ? { info: () => markdown(one.remark) } : {}),
          })),
          validFor: /^[\p{L}\p{N}_§./-]*$/u,
        };
      } catch {
        return null;
      }
    };
    const hover = hoverTooltip(async (editor, at) => {
      const text = editor.state.doc.toString();
      if (text !== workshop.text) return null;
      const found = await workshop
        .ask<{ text: string | null; offset: number; length: number }>(workshop.desk, "hover", { file: file(), at: bytes(text, at) })
        .catch(() => undefined);
      const said = found?.text;
      if (!found || said == null) return null;
      const { from, to } = range(text, { file: "", offset: found.offset, length: found.length });
      return {
        pos: from,
        end: to,
        create: () => {
          const dom = markdown(said);
          dom.classList.add("hover");
          return { dom };
        },
      };
    });
    const definition = (editor: EditorView): boolean => {
      const text = editor.state.doc.toString();
      const at = bytes(text, editor.state.selection.main.head);
      void workshop
        .ask<{ place: Place | null }>(workshop.desk, "definition", { file: file(), at })
        .then(({ place }) => {
          if (place && place.file === workshop.file) {
            const { from, to } = range(text, place);
            editor.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
          }
        })
        .catch(() => undefined);
      return true;
    };
    const rename = (editor: EditorView): boolean => {
      const text = editor.state.doc.toString();
      const word = editor.state.wordAt(editor.state.selection.main.head);
      if (!word) return false;
      const name = prompt(t("New name"), text.slice(word.from, word.to));
      if (!name) return true;
      void (async () => {
        try {
          // Only what has been written can be changed, so that text is written first.
          await workshop.ask(workshop.desk, "write", { file: workshop.file, text });
          const { places } = await workshop.desk.call<{ places: Place[] }>("rename", {
            file: workshop.file,
            at: bytes(text, word.from),
            name,
          });
          editor.dispatch({ changes: places.map((place) => ({ ...range(text, place), insert: name })) });
        } catch (error) {
          workshop.tell(error);
          if (error instanceof Refused) alert(error.message);
        } finally {
          if (!workshop.own) await workshop.desk.call("write", { file: workshop.file });
        }
      })();
      return true;
    };
    const format = (editor: EditorView): boolean => {
      const text = editor.state.doc.toString();
      workshop.edit(text);
      void workshop.ask<{ text: string | null }>(workshop.desk, "format", { file: file() }).then((laid) => {
        if (laid.text !== null && laid.text !== text && editor.state.doc.toString() === text) {
          editor.dispatch({ changes: { from: 0, to: text.length, insert: laid.text } });
        }
      });
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: workshop.text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          EditorState.tabSize.of(2),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          language,
          syntaxHighlighting(colours),
          autocompletion({ override: [complete], activateOnTypingDelay: 150 }),
          hover,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": t("Rule file") }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            workshop.edit(update.state.doc.toString());
            if (update.transactions.some((one) => one.isUserEvent("input"))) update.view.setTabFocusMode(false);
          }),
          passing,
          keymap.of([
            { key: "F12", run: definition },
            { key: "F2", run: rename },
            { key: "Shift-Alt-f", run: format },
            ...completionKeymap,
            ...lintKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            // After Escape, Tab leaves the editor again.
            indentWithTab,
          ]),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [workshop]);

  // Another file was opened.
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (editor && text !== workshop.text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: workshop.text }, selection: { anchor: 0 } });
      editor.scrollDOM.scrollTop = 0;
    }
  }, [workshop.text]);

  useEffect(() => {
    const editor = view.current;
    if (editor && workshop.checked) {
      editor.dispatch(setDiagnostics(editor.state, marks(workshop.text, workshop.file, workshop.diagnostics)));
    }
  }, [workshop.diagnostics]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !jump) return;
    const line = editor.state.doc.line(Math.min(Math.max(jump.line, 1), editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    editor.focus();
  }, [jump]);

  return <div class="code" ref={host} />;
}
