import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { JournalEntry, RequestFilter, RequestList, Requests, Sandbox } from "../../control.ts";
import { requestLine } from "../../request-line.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { requestFilter } from "../../settings/request-filter.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { print, printError, style } from "../output/terminal.ts";
import { count } from "../output/text.ts";
import { StopRequest } from "../serve/process.ts";

/** Enough for the requests between two polls; if more came, all are fetched. */
const pageSize = 50;

/** Follows a journal: returns every entry that passes the filter once, even after a reset restarts the journal. */
export class JournalFollower {
  readonly #requests: Requests;
  readonly #filter: Omit<RequestFilter, "limit">;
  readonly #limit: number | undefined;
  /** The newest entry returned so far. */
  #last: JournalEntry | undefined;

  /** The limit of the filter applies to the first entries only. */
  constructor(requests: Requests, { limit, ...filter }: RequestFilter) {
    this.#requests = requests;
    this.#filter = filter;
    this.#limit = limit;
  }

  /** The entries so far. */
  async begin(): Promise<RequestList> {
    // The newest entry is needed even with a limit of 0, to tell which entries are new.
    const limit = this.#limit === 0 ? 1 : this.#limit;
    const list = await this.#requests.list({ ...this.#filter, limit });
    this.#last = list.data.at(-1);
    return this.#limit === 0 ? { ...list, data: [] } : list;
  }

  /**
   * The entries since the last call, oldest first, and how many the journal dropped unseen: always 0 with a filter, which
   * hides the gaps.
   */
  async look(): Promise<{ readonly entries: readonly JournalEntry[]; readonly missed: number }> {
    let { data } = await this.#requests.list({ ...this.#filter, limit: pageSize });
    if (data.length === pageSize && !this.#isIn(data)) ({ data } = await this.#requests.list(this.#filter));
    // A journal without the newest entry known has dropped it, or was cleared or reset: all of its entries are new.
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

const flags = {
  follow: { kind: onOrOff, short: "f", default: false, words: "keep printing new requests until Ctrl-C" },
  ...requestFilter,
} as const;

/** Milliseconds between two polls of a journal. */
const interval = 250;

export const requests: Command = {
  name: "requests",
  summary: "Show the requests to a running sandbox.",
  flags: { ...flags, ...connectionFlags },
  examples: [
    ["requests", "one line per request in the journal"],
    ["requests --follow --status 429", "requests over the rate limit, as they come"],
    ["requests --path '/api/v1/investments/**' --limit 10", "the last ten for investments"],
  ],
  async run({ given }) {
    const {
      flags: { follow: isFollowing, ...filter },
      connection,
    } = readConnected(flags, given);
    const sandbox = await connect(connection);
    if (isFollowing) return follow(sandbox, filter, connection.json ? JSON.stringify : styledLine);
    const list = await sandbox.requests.list(filter);
    print(connection.json ? JSON.stringify(list, null, 2) : listed(list));
  },
};

const styledLine = (entry: JournalEntry): string => requestLine(entry, style);

function listed({ data, dropped }: RequestList): string {
  const lines = data.map(styledLine);
  if (dropped > 0) lines.unshift(`${count(dropped, "older request")} dropped`);
  return lines.join("\n") || "No requests.";
}

/** Prints a line for each request, past and to come, until it is stopped. */
async function follow(sandbox: Sandbox, filter: RequestFilter, line: (entry: JournalEntry) => string): Promise<void> {
  const stop = new StopRequest();
  process.stdout.once("error", stop.ask);
  const stopped = stop.asked.then(() => true);
  const journal = new JournalFollower(sandbox.requests, filter);
  const printAll = (entries: readonly JournalEntry[]): void => {
    for (const entry of entries) print(line(entry));
  };
  const look = async (): Promise<void> => {
    printAll((await journal.begin()).data);
    while (!(await Promise.race([stopped, delay(interval, false)]))) {
      const { entries, missed } = await journal.look();
      if (missed > 0) printError(`${count(missed, "request")} missed: they came faster than the journal keeps them`);
      printAll(entries);
    }
  };
  await Promise.race([stopped, look()]);
  await sandbox.close();
}
