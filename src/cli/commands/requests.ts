import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Environment, JournalEntry, RequestFilter, RequestList, Requests } from "../../control.ts";
import { requestLine } from "../../request-line.ts";
import type { Command } from "../command-line.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { count, style } from "../output/text.ts";
import { StopRequest } from "../serve/process.ts";
import { instant, onOrOff, text, wholeNumber } from "../../settings/kinds.ts";

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

const flags = {
  follow: { kind: onOrOff, short: "f", default: false, words: "go on with those to come, until Ctrl-C" },
  path: {
    kind: text("pattern", "a path such as /api/v1/**"),
    words: "only of this path; * is a segment, ** are any",
  },
  status: { kind: wholeNumber(100, 599), words: "only those answered with this status" },
  "key-id": { kind: text("id", "the id of a key"), words: "only those of this key" },
  since: { kind: instant, words: "only those at this instant of the sandbox's clock or later" },
  limit: { kind: wholeNumber(0), words: "only the last so many" },
} as const;

/** How often a journal is looked at, in milliseconds. */
const interval = 250;

/** Shows the journal of a running sandbox. */
export const requests: Command = {
  name: "requests",
  summary: "Show what was asked of a running sandbox.",
  flags: { ...flags, ...connectionFlags },
  examples: [
    ["requests", "a line for each request that the sandbox remembers"],
    ["requests --follow --status 429", "those that met the rate limit, as they come"],
    ["requests --path '/api/v1/investments/**' --limit 10", "the last ten for investments"],
  ],
  async run({ given }) {
    const { flags: values, connection } = readConnected(flags, given);
    const { path, status, "key-id": key_id, since, limit } = values;
    const filter = { path, status, key_id, since, limit };
    const environment = await connect(connection);
    if (values.follow) {
      await follow(environment, filter, connection.json ? JSON.stringify : styledLine);
      return 0;
    }
    const list = await environment.requests.list(filter);
    console.log(connection.json ? JSON.stringify(list, null, 2) : listed(list));
    return 0;
  },
};

const styledLine = (entry: JournalEntry): string => requestLine(entry, style);

function listed({ data, dropped }: RequestList): string {
  const lines = data.map(styledLine);
  if (dropped > 0) lines.unshift(`${count(dropped, "older request")} dropped`);
  return lines.join("\n") || "No requests.";
}

/** Prints a line for each request, those that are there and those to come, until it is asked to stop. */
async function follow(
  environment: Environment,
  filter: RequestFilter,
  line: (entry: JournalEntry) => string,
): Promise<void> {
  const stop = new StopRequest();
  process.stdout.once("error", stop.ask);
  const stopped = stop.asked.then(() => true);
  const journal = new JournalFollower(environment.requests, filter);
  const print = (entries: readonly JournalEntry[]): void => {
    for (const entry of entries) console.log(line(entry));
  };
  print((await journal.begin()).data);
  while (!(await Promise.race([stopped, delay(interval, false)]))) {
    const { entries, missed } = await journal.look();
    if (missed > 0)
      console.error(`${count(missed, "request")} came and went unseen: faster than the journal keeps them`);
    print(entries);
  }
}
