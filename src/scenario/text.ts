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
import { prefixLength } from "../model/order.ts";

/** The largest length of a text in characters: a thousand ordinary steps, parsed in a moment. */
const maximumLength = 100_000;

/** The largest number of nodes that aliases repeat. */
const maximumAliases = 100;

/** The text of a scenario file, YAML or JSON, which is YAML too. */
export class ScenarioText {
  readonly #file: string;
  readonly #lines: Lines;
  readonly #document: Document;
  /** Caches the members of objects by name: a file may have thousands of mistakes. */
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>();
  /** Mistakes of YAML or JSON, and repeated members. */
  readonly mistakes: readonly FileMistake[];
  /** The content; undefined if the text is not readable. */
  readonly content: unknown;

  /** Throws FileMistakes if a JSON file is not JSON, or if the text is too long. */
  constructor(text: string, file: string) {
    this.#file = file;
    this.#lines = new Lines(text);
    const tooLong = `This is longer than ${maximumLength} characters; expected a scenario.`;
    if (text.length > maximumLength) throw new FileMistakes([{ file, line: 1, column: 1, message: tooLong }]);
    if (/\.json$/i.test(file) && !isJson(text)) throw syntaxMistakes(file, text);
    this.#document = parseDocument(text, {
      schema: "core",
      resolveKnownTags: false,
      stringKeys: true,
      prettyErrors: false,
      logLevel: "error",
    });
    const { mistakes, readable } = formMistakes(this.#document);
    const tooMany = { offset: 0, message: `Aliases repeat too much of this file; expected at most ${maximumAliases}.` };
    const content = readable ? this.#read() : undefined;
    this.content = content?.value;
    this.mistakes = [...mistakes, ...(readable && !content ? [tooMany] : [])].map((mistake) => this.#place(mistake));
  }

  /** Adds the position in the file to a finding. */
  locate({ path, at, message }: Finding): FileMistake {
    const mistake = this.#place({ offset: this.#offset(path, at), message });
    return path.includes("key") ? { ...mistake, excerpt: undefined } : mistake;
  }

  #read(): { readonly value: unknown } | undefined {
    try {
      return { value: this.#document.toJS({ maxAliasCount: maximumAliases }) as unknown };
    } catch (error) {
      if (error instanceof ReferenceError) return undefined;
      throw error;
    }
  }

  #place({ offset, message }: OffsetMistake): FileMistake {
    const { line, column, text } = this.#lines.at(offset);
    return { file: this.#file, line, column, message, excerpt: excerpt(text, column) };
  }

  /** The offset of the value, of the name before it, or of the nearest node around it. */
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

/** The number of characters shown of a long line. */
const excerptWidth = 100;

/** A line of a file, or a part of it, with a caret under the column. Undefined for an empty line. */
function excerpt(line: string, column: number): string | undefined {
  if (line.trim() === "") return undefined;
  const printable = line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const from = column > excerptWidth ? column - Math.floor(excerptWidth / 2) : 0;
  return `    ${printable.slice(from, from + excerptWidth)}\n    ${" ".repeat(column - 1 - from)}^`;
}

const lineBreak = /\r\n|\r|\n/g;

/** The lines of a text, to find the position of a character. */
class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split(lineBreak);
    this.#starts = [0, ...Array.from(text.matchAll(lineBreak), (found) => found.index + found[0].length)];
  }

  /** The line and column of the character at an offset, counted from 1, and the text of the line. */
  at(offset: number): { readonly line: number; readonly column: number; readonly text: string } {
    const line = prefixLength(this.#starts, (lineStart) => lineStart <= offset);
    const text = this.#lines[line - 1] ?? "";
    return { line, column: Math.min(offset - (this.#starts[line - 1] ?? 0), text.length) + 1, text };
  }
}

interface OffsetMistake {
  readonly offset: number;
  readonly message: string;
}

/** Finds mistakes of YAML. A document with repeated members only is still readable. */
function formMistakes(document: Document): { mistakes: OffsetMistake[]; readable: boolean } {
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
