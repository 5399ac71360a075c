// Colours of the editor, from the repository's own TextMate grammar: the one that the extension for
// VS Code has and that tests hold against the checker.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import grammar from "../../editors/vscode/syntaxes/regelwerk.tmLanguage.json";

interface Captures {
  readonly [number: string]: { readonly name: string };
}

interface Pattern {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly include?: string;
  readonly captures?: Captures;
  readonly patterns?: readonly Pattern[];
}

interface Rule {
  readonly match: RegExp;
  readonly name: string | undefined;
  readonly captures: Captures | undefined;
  /** What is looked for behind the match, to the end of the line. */
  readonly inside: readonly Rule[] | undefined;
}

interface Stretch {
  readonly end: number;
  readonly style: string | null;
}

const styles: readonly (readonly [string, string])[] = [
  ["comment", "comment"],
  ["string", "string"],
  ["constant.other.clause", "clause"],
  ["constant.numeric", "number"],
  ["constant.language", "bool"],
  ["keyword.operator", "operatorKeyword"],
  ["keyword", "keyword"],
  ["entity.name.function", "function"],
  ["entity.name", "definition"],
  ["variable.other.property", "propertyName"],
  ["variable", "variableName"],
];

function style(scope: string | undefined): string | null {
  return styles.find(([prefix]) => scope?.startsWith(prefix))?.[1] ?? null;
}

function expression(source: string): RegExp {
  // The grammar escapes quotes, which JavaScript refuses where letters of all scripts count.
  return new RegExp(source.replaceAll('\\"', '"'), "dgu");
}

const repository = grammar.repository as unknown as Readonly<Record<string, Pattern>>;

function rules(patterns: readonly Pattern[]): Rule[] {
  return patterns.flatMap((pattern) => {
    if (pattern.include) {
      const named = repository[pattern.include.slice(1)];
      return named ? rules([named]) : [];
    }
    const source = pattern.match ?? pattern.begin;
    if (source === undefined) return rules(pattern.patterns ?? []);
    const inside = pattern.begin === undefined ? undefined : rules(pattern.patterns ?? []);
    return [{ match: expression(source), name: pattern.name, captures: pattern.captures, inside }];
  });
}

const all = rules(grammar.patterns as unknown as Pattern[]);

/** A line as stretches of one colour. */
function stretches(line: string): Stretch[] {
  const found: Stretch[] = [];
  const put = (end: number, style: string | null) => {
    if (end > (found.at(-1)?.end ?? 0)) found.push({ end, style });
  };
  let at = 0;
  let active: readonly Rule[] = all;
  while (at < line.length) {
    let best: { rule: Rule; match: RegExpExecArray } | undefined;
    for (const rule of active) {
      rule.match.lastIndex = at;
      const match = rule.match.exec(line);
      const longer = match && (match[0].length > 0 || rule.inside);
      if (longer && (!best || match.index < best.match.index)) best = { rule, match };
    }
    if (!best) break;
    const { rule, match } = best;
    put(match.index, null);
    const end = match.index + match[0].length;
    if (rule.inside) {
      put(end, style(rule.name));
      active = rule.inside;
    } else if (rule.captures) {
      for (const [number, { name }] of Object.entries(rule.captures)) {
        const [from, to] = match.indices?.[Number(number)] ?? [0, 0];
        put(from, null);
        put(to, style(name));
      }
      put(end, null);
    } else {
      put(end, style(rule.name));
    }
    at = end;
  }
  put(line.length, null);
  return found;
}

const parser: StreamParser<{ line: Stretch[] }> = {
  name: "regelwerk",
  startState: () => ({ line: [] }),
  token(stream, state) {
    if (stream.sol()) state.line = stretches(stream.string);
    const next = state.line.find((stretch) => stretch.end > stream.pos);
    if (!next) {
      stream.skipToEnd();
      return null;
    }
    stream.pos = next.end;
    return next.style;
  },
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "{", '"'] } },
  tokenTable: {
    clause: tags.labelName,
    function: tags.function(tags.variableName),
    definition: tags.definition(tags.variableName),
  },
};

export const language = StreamLanguage.define(parser);
