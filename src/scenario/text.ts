import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import { syntaxMistakes } from "../fixture/mistakes/syntax.ts";
import type { Finding, Path } from "../model/finding.ts";
import { type FileMistake, FileMistakes } from "../model/mistakes.ts";

/** How much of a long line is shown. */
const width = 100;

/** A line of a file, or what is around a column of it, with a caret under the column. Undefined for an empty line. */
export function excerpt(line: string, column: number): string | undefined {
  if (line.trim() === "") return undefined;
  const printable = line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const from = column > width ? column - Math.floor(width / 2) : 0;
  return `    ${printable.slice(from, from + width)}\n    ${" ".repeat(column - 1 - from)}^`;
}

const lineBreak = /\r\n|\r|\n/g;

/** The lines of a text, to find where a character stands. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split(lineBreak);
    this.#starts = [0, ...Array.from(text.matchAll(lineBreak), (found) => found.index + found[0].length)];
  }

  /** The line of the character at an offset, what stands in it, and the column. Lines and columns count from 1. */
  at(offset: number): { readonly line: number; readonly column: number; readonly text: string } {
    let [from, to] = [0, this.#starts.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) from = middle;
      else to = middle - 1;
    }
    const text = this.#lines[from] ?? "";
    return { line: from + 1, column: Math.min(offset - (this.#starts[from] ?? 0), text.length) + 1, text };
  }
}

/** A mistake at a character of a text. */
export interface OffsetMistake {
  readonly offset: number;
  readonly message: string;
}

/** What is wrong with the form of a YAML document, and whether it still says what it means to say. */
export function formMistakes(document: Document): { mistakes: OffsetMistake[]; readable: boolean } {
  const { errors, warnings } = document;
  const mistakes = [...errors, ...warnings].map(toMistake);
  const readable = errors.every(({ code }) => code === "DUPLICATE_KEY");
  const aliases = readable ? aliasMistakes(document) : [];
  const first = errors.findLast(({ code }) => code === "RESOURCE_EXHAUSTION");
  return first
    ? { mistakes: [{ offset: first.pos[0], message: "This is nested too deeply." }], readable }
    : { mistakes: [...mistakes, ...aliases], readable: readable && aliases.length === 0 };
}

const words: { readonly [Code in YAMLParseError["code"]]?: string } = {
  BLOCK_AS_IMPLICIT_KEY: 'Expected one "name: value" on a line; text with a colon in it is put in "quotation marks".',
  DUPLICATE_KEY: "This member appears twice in its object; expected once.",
  MULTIPLE_DOCS: "Expected the end of the file: it holds one scenario.",
  NON_STRING_KEY: "Expected the name of a member, which is text.",
  TAB_AS_INDENT: "Expected spaces: YAML takes no tabs before a line.",
};

function toMistake({ code, message, pos }: Document["errors"][number] | Document["warnings"][number]): OffsetMistake {
  if (code === "TAG_RESOLVE_FAILED") return { offset: pos[0], message: "Expected a value without a tag." };
  return { offset: pos[0], message: words[code] ?? `This is not YAML: ${message.replace(/\.$/, "")}.` };
}

function aliasMistakes(document: Document): OffsetMistake[] {
  const mistakes: OffsetMistake[] = [];
  visit(document, {
    Alias(_, alias, path) {
      const anchored = alias.resolve(document);
      const offset = alias.range?.[0] ?? 0;
      if (!anchored) mistakes.push({ offset, message: `Nothing before this has the anchor &${alias.source}.` });
      else if (path.includes(anchored))
        mistakes.push({ offset, message: "This alias stands for something that contains it." });
    },
  });
  return mistakes;
}

/** A thousand ordinary steps, and no more than is parsed in a moment. */
const longestText = 100_000;

/** How much aliases may multiply what a file says. */
const mostAliases = 100;

/** The text of a scenario file, YAML or JSON, which is YAML too. */
export class ScenarioText {
  readonly #file: string;
  readonly #lines: Lines;
  readonly #document: Document;
  /** The members of each object that was looked into, by name: a file may be nothing but mistakes. */
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>();
  /** What keeps the text from saying anything, and what it says twice. */
  readonly mistakes: readonly FileMistake[];
  /** What the text says; undefined where that cannot be told. */
  readonly content: unknown;

  /** Throws FileMistakes when a file that is to be JSON is not, and when the text is too long. */
  constructor(text: string, file: string) {
    this.#file = file;
    this.#lines = new Lines(text);
    const tooLong = `This is longer than ${longestText} characters; expected a scenario.`;
    if (text.length > longestText) throw new FileMistakes([{ file, line: 1, column: 1, message: tooLong }]);
    if (/\.json$/i.test(file) && !isJson(text)) throw syntaxMistakes(file, text);
    this.#document = parseDocument(text, {
      schema: "core",
      resolveKnownTags: false,
      stringKeys: true,
      prettyErrors: false,
      logLevel: "error",
    });
    const { mistakes, readable } = formMistakes(this.#document);
    const tooMany = { offset: 0, message: `Aliases repeat too much of this file; expected at most ${mostAliases}.` };
    const content = readable ? this.#read() : undefined;
    this.content = content?.value;
    this.mistakes = [...mistakes, ...(readable && !content ? [tooMany] : [])].map((mistake) => this.#place(mistake));
  }

  /** The finding, where it stands in the file. */
  locate({ path, at, message }: Finding): FileMistake {
    const mistake = this.#place({ offset: this.#offset(path, at), message });
    return path.includes("key") ? { ...mistake, excerpt: undefined } : mistake;
  }

  #read(): { readonly value: unknown } | undefined {
    try {
      return { value: this.#document.toJS({ maxAliasCount: mostAliases }) as unknown };
    } catch (error) {
      if (error instanceof ReferenceError) return undefined;
      throw error;
    }
  }

  #place({ offset, message }: OffsetMistake): FileMistake {
    const { line, column, text } = this.#lines.at(offset);
    return { file: this.#file, line, column, message, excerpt: excerpt(text, column) };
  }

  /** Where the value stands, or the name before it, or the nearest thing around it that is there. */
  #offset(path: Path, at: Finding["at"]): number {
    let node: unknown = this.#document.contents;
    let offset = start(node) ?? 0;
    for (const [index, segment] of path.entries()) {
      const resolved = this.#resolved(node);
      if (isSeq(resolved)) {
        node = resolved.items[Number(segment)];
      } else if (isMap(resolved)) {
        const pair = this.#pair(resolved, segment);
        const name = start(pair?.key);
        if (at === "name" && index === path.length - 1 && name !== undefined) return name;
        node = pair?.value;
        if (isScalar(node) && node.value === null) offset = name ?? offset;
      } else {
        return offset;
      }
      if (!isScalar(node) || node.value !== null) offset = start(node) ?? offset;
    }
    return offset;
  }

  #pair(map: YAMLMap, name: string | number): Pair | undefined {
    let pairs = this.#pairs.get(map);
    if (!pairs) {
      pairs = new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair]));
      this.#pairs.set(map, pairs);
    }
    return pairs.get(name);
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }
}

function start(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
