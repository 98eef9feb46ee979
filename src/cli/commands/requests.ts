import { setTimeout as delay } from "node:timers/promises";
import type { Environment, JournalEntry, RequestFilter, RequestList } from "../../control.ts";
import { requestLine } from "../../request-line.ts";
import type { Command } from "../command.ts";
import { connect } from "../connection/connect.ts";
import { connectionFlags } from "../connection/connection-flags.ts";
import { JournalFollower } from "../connection/journal-follower.ts";
import { readConnected } from "../connection/read-connected.ts";
import { StopRequest } from "../serve/stop-request.ts";
import { style } from "../log/style.ts";
import { instant, onOrOff, text, wholeNumber } from "../settings/kinds.ts";
import { count } from "../show/count.ts";

const flags = {
  follow: { kind: onOrOff, short: "f", default: false, describe: "go on with those to come, until Ctrl-C" },
  path: {
    kind: text("pattern", "a path such as /api/v1/**"),
    describe: "only of this path; * is a segment, ** are any",
  },
  status: { kind: wholeNumber(100, 599), describe: "only those answered with this status" },
  "key-id": { kind: text("id", "the id of a key"), describe: "only those of this key" },
  since: { kind: instant, describe: "only those at this instant of the sandbox's clock or later" },
  limit: { kind: wholeNumber(0), describe: "only the last so many" },
} as const;

/** How often a journal is looked at, in milliseconds. */
const interval = 250;

/** Shows the journal of a running sandbox. */
export const requests: Command = {
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
