import type { JournalEntry } from "../options.ts";
import { filterOf } from "./from-entries.ts";
import { type Count, isAfter } from "./reaction.ts";

/** The pages that were read of a list, from its first page on. */
interface Walk {
  /** The number of the first page. */
  readonly first: number;
  /** The first request of each page. */
  readonly pages: Map<number, JournalEntry>;
  /** Investments on them. */
  shown: number;
  total: number;
  isAtEnd: boolean;
}

/** The lists that a client reads page by page. */
export class Walks {
  readonly #count: Count;
  readonly #firstPage: (entry: JournalEntry) => number;
  readonly #open = new Map<string, Walk>();
  /** Lists of which more than the first page was read, of any size. */
  readonly #beyond = new Set<string>();

  /** `firstPage` tells the number of the first page of a list at the time of an entry. */
  constructor(count: Count, firstPage: (entry: JournalEntry) => number) {
    this.#count = count;
    this.#firstPage = firstPage;
  }

  /** Takes an answered page. */
  hear(entry: JournalEntry): void {
    const { page, shown, total } = entry;
    if (page === null || shown === null || total === null) return;
    // Another size makes other pages.
    const list = `${filterOf(entry)} ${entry.size}`;
    const first = this.#firstPage(entry);
    const before = this.#open.get(list);
    const again = before?.pages.get(page);
    const isAgain = again !== undefined && isAfter(entry, again);
    const begins = !before || (isAgain && page === first);
    // A client that asks for the first page again has not stopped there.
    if (before && begins && before.pages.size > 1) this.#judge(before, this.#count);
    const walk = begins ? { first, pages: new Map<number, JournalEntry>(), shown: 0, total, isAtEnd: false } : before;
    this.#open.set(list, walk);
    if (page > first || shown === total) this.#beyond.add(filterOf(entry));
    if (shown > 0 && page === first + 1) this.#count("pages.second", entry);
    if (shown > 0 && page > first && isLast(entry, page - first)) this.#count("pages.last", entry);
    if (walk.pages.has(page)) {
      if (isAgain && !begins) this.#count("page-lost", entry);
      return;
    }
    if (total !== walk.total) this.#count("time.list-moved", entry);
    walk.pages.set(page, entry);
    walk.shown += shown;
    walk.total = total;
    if (walk.isAtEnd || walk.pages.size === 1 || walk.shown < total) return;
    walk.isAtEnd = true;
    this.#count("reactions.walked-to-end", entry);
  }

  /** Counts all that only the end of a walk shows. */
  end(count: Count): void {
    for (const walk of this.#open.values()) this.#judge(walk, count);
  }

  #judge({ first, pages, shown, total }: Walk, count: Count): void {
    const [entry] = pages.values();
    const read = [...pages].flatMap(([page, { shown: some }]) => (some === 0 ? [] : [page - first]));
    if (!entry || read.length === 0) return;
    if (read.length <= Math.max(...read)) count("page-lost", entry);
    else if (read.join() === "0" && shown < total && !this.#beyond.has(filterOf(entry)))
      count("first-page-only", entry);
  }
}

/** Whether a page is the last; its place counts from 0. */
function isLast({ size, total }: JournalEntry, place: number): boolean {
  return place === Math.ceil((total ?? 0) / (size ?? 1)) - 1;
}
