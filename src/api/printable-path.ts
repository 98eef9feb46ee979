import { isInstant, parseIsoDate } from "../model/instant.ts";
import { isUuid } from "../model/uuid.ts";
import type { Query } from "./parameters.ts";

/** What stands for a part of a path or query that could be somebody's secret. */
const hidden = "…";

/** How many characters of a path are shown, and how many parameters. */
const [longest, most] = [300, 20];

/** A path and query as they may be shown: words, ids, numbers and dates, and what stands between them. */
export class PrintablePath {
  readonly #parts: readonly string[];
  readonly #text: string;

  constructor(path: string, query: Query | undefined) {
    const segments = path.slice(0, longest).split("/");
    const parts = segments.flatMap((segment) => ["/", isPlain(segment) ? segment : hidden]).slice(1);
    const shown = query?.slice(0, most) ?? [];
    const given = shown.flatMap(([name, value]) => [
      "&",
      isWord(name) ? name : hidden,
      "=",
      isPlainValue(value) ? value : hidden,
    ]);
    if (query) parts.push("?", ...given.slice(1));
    this.#parts = parts;
    this.#text = parts.join("");
  }

  /** The text without those of its parts that `isSecret` knows for a key. */
  without(isSecret: (text: string) => boolean): string {
    if (!this.#parts.some(isSecret)) return this.#text;
    return this.#parts.map((part) => (isSecret(part) ? hidden : part)).join("");
  }
}

function isPlain(segment: string): boolean {
  return isUuid(segment) || isWord(segment) || segment === "v1";
}

function isWord(text: string): boolean {
  return /^[a-z_.\-[\]]{0,24}$/i.test(text);
}

function isPlainValue(text: string): boolean {
  return /^-?\d{0,9}$/.test(text) || isInstant(text) || parseIsoDate(text) !== undefined;
}
