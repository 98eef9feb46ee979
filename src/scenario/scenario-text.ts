import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { syntaxMistakes } from "../fixture/mistakes/syntax-mistakes.ts";
import { FileMistakes, type FileMistake } from "../model/file-mistakes.ts";
import type { Finding, Path } from "../model/finding.ts";
import { excerpt } from "./excerpt.ts";
import { Lines } from "./lines.ts";
import { formMistakes, type OffsetMistake } from "./mistakes/form-mistakes.ts";

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
    const tooMany = { offset: 0, message: `Aliases multiply this beyond reason; expected ${mostAliases} at most.` };
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
