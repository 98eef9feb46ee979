import { type Document, isScalar, type Node, parseDocument, type YAMLParseError } from "yaml";
import { syntaxMistakes } from "../fixture/mistakes/syntax.ts";
import { bounds } from "../model/bounds.ts";
import type { Finding, Path } from "../model/finding.ts";
import { type FileMistake, FileMistakes, withoutStacks } from "../model/mistakes.ts";
import { prefixLength } from "../model/order.ts";
import { hasTooManyParts, type OffsetMistake, YamlContent } from "./yaml-content.ts";

/** The text of a scenario file, YAML or JSON, which is YAML too. */
export class ScenarioText {
  readonly #file: string;
  readonly #lines: Lines;
  readonly #document: Document;
  readonly #content: YamlContent | undefined;
  /** Mistakes of YAML or JSON, and repeated members. */
  readonly mistakes: readonly FileMistake[];
  /** The content; undefined if the text is not readable. */
  readonly content: unknown;

  /** Throws FileMistakes if a JSON file is not JSON, or if the text is too long. */
  constructor(text: string, file: string) {
    this.#file = file;
    const refuse = (message: string): never => {
      throw new FileMistakes([{ file, line: 1, column: 1, message }]);
    };
    if (text.length > bounds.scenarioText) {
      refuse(`This is longer than ${bounds.scenarioText} characters; expected a scenario.`);
    }
    if (/\.json$/i.test(file) && !isJson(text)) throw syntaxMistakes(file, text);
    if (hasTooManyParts(text)) refuse("This has too many values and marks; expected a scenario.");
    this.#lines = new Lines(text);
    this.#document = withoutStacks(() =>
      parseDocument(text, {
        schema: "core",
        resolveKnownTags: false,
        stringKeys: true,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: "error",
      }),
    );
    this.#content = this.#document.errors.length === 0 ? new YamlContent(this.#document) : undefined;
    this.content = this.#content?.readable ? this.#content.value : undefined;
    const mistakes = [...formMistakes(this.#document), ...(this.#content?.mistakes ?? [])];
    this.mistakes = mistakes.map((mistake) => this.#place(mistake.offset, mistake));
  }

  /** Adds the position in the file to a finding. */
  locate(finding: Finding): FileMistake {
    const { path, at } = finding;
    return this.#place(this.#offset(path, at), finding, !path.includes("key"));
  }

  #place(offset: number, mistake: Pick<FileMistake, "message">, isShown = true): FileMistake {
    const { line, column, text } = this.#lines.at(offset);
    return {
      file: this.#file,
      line,
      column,
      get message() {
        return mistake.message;
      },
      excerpt: isShown ? excerpt(text, column) : undefined,
    };
  }

  /** The offset of the value, of the name before it, or of the nearest node around it. */
  #offset(path: Path, at: Finding["at"]): number {
    let node: unknown = this.#document.contents;
    let offset = start(node) ?? 0;
    for (const [index, segment] of path.entries()) {
      const below = this.#content?.below(node, segment);
      if (!below) return offset;
      const name = start(below.name);
      if (at === "name" && index === path.length - 1 && name !== undefined) return name;
      node = below.value;
      if (!isScalar(node) || node.value !== null) offset = start(node) ?? offset;
      else offset = name ?? offset;
    }
    return offset;
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
  const from = column > excerptWidth ? column - Math.floor(excerptWidth / 2) : 0;
  const shown = line.slice(from, from + excerptWidth).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  return `    ${shown.trimEnd()}\n    ${" ".repeat(column - 1 - from)}^`;
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

/** Finds mistakes of YAML. */
function formMistakes({ errors, warnings }: Document): OffsetMistake[] {
  const deepest = errors.findLast(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (deepest) return [{ offset: deepest.pos[0], message: "This is nested too deeply." }];
  // The others follow from these.
  const tabs = errors.filter(({ code }) => code === "TAB_AS_INDENT");
  return (tabs.length > 0 ? tabs : [...errors, ...warnings]).map(toMistake);
}

const words: { readonly [Code in YAMLParseError["code"]]?: string } = {
  BLOCK_AS_IMPLICIT_KEY: 'Expected one "name: value" on a line; text with a colon in it is put in "quotation marks".',
  MULTIPLE_DOCS: "Expected the end of the file: it holds one scenario.",
  NON_STRING_KEY: "Expected the name of a member, which is text.",
  TAB_AS_INDENT: "Expected spaces: YAML takes no tabs before a line.",
};

function toMistake({ code, message, pos }: Document["errors"][number] | Document["warnings"][number]): OffsetMistake {
  if (code === "TAG_RESOLVE_FAILED") return { offset: pos[0], message: "Expected a value without a tag." };
  return { offset: pos[0], message: words[code] ?? `This is not YAML: ${message.replace(/\.$/, "")}.` };
}
