import { isDeepStrictEqual } from "node:util";
import type { JournalEntry, RequestFilter, RequestList, Requests } from "../../control.ts";

/** What came into a journal since it was last looked at. */
export interface Arrivals {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** How many the journal dropped before they could be seen, as far as that can be told: not when only some are looked for. */
  readonly missed: number;
}

/** As many as usually come between two looks; where more came, all are asked for. */
const few = 50;

/** Follows a journal: every entry that passes the filter is seen once, even when a reset lets the journal begin anew. */
export class JournalFollower {
  readonly #requests: Requests;
  readonly #filter: Omit<RequestFilter, "limit">;
  readonly #limit: number | undefined;
  /** The newest entry that was seen. */
  #last: JournalEntry | undefined;

  /** The filter's limit is for what is there at the beginning. */
  constructor(requests: Requests, { limit, ...filter }: RequestFilter) {
    this.#requests = requests;
    this.#filter = filter;
    this.#limit = limit;
  }

  /** What is there already. */
  async begin(): Promise<RequestList> {
    // Even who wants to see nothing of it needs the newest entry, to know what is new.
    const limit = this.#limit === 0 ? 1 : this.#limit;
    const list = await this.#requests.list({ ...this.#filter, limit });
    this.#last = list.data.at(-1);
    return this.#limit === 0 ? { ...list, data: [] } : list;
  }

  /** What came since. */
  async look(): Promise<Arrivals> {
    let { data } = await this.#requests.list({ ...this.#filter, limit: few });
    if (data.length === few && !this.#isIn(data)) ({ data } = await this.#requests.list(this.#filter));
    // A journal without the newest entry that was seen has dropped it, was cleared or began anew: all in it is new.
    const entries = this.#isIn(data) ? data.filter(({ id }) => id > (this.#last?.id ?? 0)) : data;
    const missed = this.#missed(entries);
    this.#last = entries.at(-1) ?? this.#last;
    return { entries, missed };
  }

  #isIn(entries: readonly JournalEntry[]): boolean {
    return entries.some((entry) => isDeepStrictEqual(entry, this.#last));
  }

  #missed([first]: readonly JournalEntry[]): number {
    const isFiltered = Object.values(this.#filter).some((wanted) => wanted !== undefined);
    if (!first || !this.#last || isFiltered) return 0;
    return first.id - 1 - (first.id > this.#last.id ? this.#last.id : 0);
  }
}
