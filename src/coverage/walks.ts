import type { JournalEntry } from "../requests.ts";
import { type Count, isAnswered, listOf } from "./entries.ts";
import { Recent } from "./recent.ts";

/** The reading of a list, page by page. */
interface Walk {
  /** The page that was read last. */
  page: number;
  total: number;
  /** Number of pages from the first on of which each was read. */
  inRow: number;
  /** The places of pages that were read before others on the way to them. */
  readonly ahead: Set<number>;
  isAtEnd: boolean;
}

/** The most pages that are read before their turn: parallel requests arrive in any order. */
const mostAhead = 500;

/** The lists that clients read. */
export class Walks {
  readonly #count: Count;
  readonly #walks = new Recent<Walk>();

  constructor(count: Count) {
    this.#count = count;
  }

  /** Takes an entry; `first` is the number of the first page when it was answered. */
  observe(entry: JournalEntry, first: number): void {
    const { page, size, shown, total } = entry;
    if (!isAnswered(entry) || page === null || size === null || shown === null || total === null) return;
    const name = listOf(entry);
    const walk = this.#walks.get(name) ?? { page, total, inRow: 0, ahead: new Set(), isAtEnd: false };
    if (total > walk.total) this.#count("time.investment", entry);
    if (total !== walk.total && page !== walk.page) this.#count("time.list-moved", entry);
    Object.assign(walk, { page, total });
    this.#walks.set(name, walk);
    const pages = Math.ceil(total / size);
    if (shown > 0) this.#observePage(entry, walk, [page - first, pages]);
    if (walk.isAtEnd || pages < 2 || walk.inRow < pages) return;
    walk.isAtEnd = true;
    this.#count("reactions.walked-to-end", entry);
  }

  #observePage(entry: JournalEntry, walk: Walk, [place, pages]: readonly [place: number, pages: number]): void {
    if (place === 1) this.#count("pages.second", entry);
    if (place > 0 && place === pages - 1) this.#count("pages.last", entry);
    if (place === 0 && walk.isAtEnd) Object.assign(walk, { inRow: 0, isAtEnd: false });
    if (place === walk.inRow || (place > walk.inRow && walk.ahead.size < mostAhead)) walk.ahead.add(place);
    while (walk.ahead.delete(walk.inRow)) walk.inRow += 1;
  }
}
