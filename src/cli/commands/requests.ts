import { setTimeout as delay } from "node:timers/promises";
import type { JournalEntry, RequestFilter, RequestList, Requests, Sandbox } from "../../public/control.ts";
import { entryLines, waitingLine } from "../../testing/request-lines.ts";
import { ValidationError } from "../../validation/errors.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { requestFilter } from "../../settings/queries.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { StopRequest } from "../serve/process.ts";
import { formatCount } from "../../text/text.ts";

/** Follows a journal: returns each matching entry exactly once, even after a reset. */
export function followJournal(requests: Pick<Requests, "list">, { limit, after, ...filter }: RequestFilter) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  /** The id of the newest entry that was returned. */
  let newestId = after;
  const next = async (maxEntries?: number): Promise<RequestList> => {
    const list = await requests.list({ ...filter, after: newestId, limit: maxEntries });
    newestId = list.data.at(-1)?.id ?? newestId ?? 0;
    return list;
  };
  return {
    /** Returns the entries so far, up to the limit of the filter. */
    async begin(): Promise<readonly JournalEntry[]> {
      // The newest entry is needed even with a limit of 0, to know which entries are new.
      const { data } = await next(limit === 0 ? 1 : limit);
      return limit === 0 ? [] : data;
    },
    /** Returns the new entries, oldest first, and how many were dropped unread; 0 with a filter, which hides them. */
    async poll(): Promise<{ readonly entries: readonly JournalEntry[]; readonly missedCount: number }> {
      const { data: entries, dropped } = await next();
      return { entries, missedCount: isFiltered ? 0 : dropped };
    },
  };
}

const requestFlags = {
  follow: { kind: onOrOff, short: "f", default: false, help: "continue to print new requests until Ctrl-C" },
  ...requestFilter,
} as const;

/** The interval between two polls of a journal. */
const pollIntervalMs = 250;

const listCommand: Command = {
  name: "requests",
  summary: "Show the requests that a running sandbox received.",
  flags: { ...requestFlags, ...connectionFlags },
  examples: [
    ["requests", "one line per request in the journal"],
    ["requests --follow --status 4xx", "prints refused requests when they arrive, with the reason"],
    ["requests --path '/api/v1/investments/**' --limit 10", "the last ten requests for investments"],
  ],
  async run({ flagValues }) {
    const { flags, connection } = readConnected(requestFlags, flagValues);
    const { follow: isFollowing, ...filter } = flags;
    const sandbox = await connect(connection);
    const formatLines = connection.json ? formatJsonLines : formatEntries;
    if (isFollowing) return followRequests(sandbox, filter, formatLines);
    const list = await sandbox.requests.list(filter);
    if (connection.json) printJson(list);
    else print(formatRequests(list));
  },
};

const showCommand = operationCommand("requests show", "getResponse", {
  operand: "id",
  examples: [["requests show 17", "the number is in requests --json, and in the portal's journal"]],
  request: async (sandbox, _, id = "") => {
    if (!/^\d+$/.test(id)) throw new ValidationError("requests show needs the number of a request, such as 17.");
    return sandbox.call("getResponse", { id });
  },
  render: ({ status, headers, body, same, reason }) => {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    if (same === null) return `${status ?? "No response"}\nThe response cannot be replayed: ${reason}.`;
    return [`${status}`, ...fields, "", body, ...(same ? [] : ["", "A different response was sent."])].join("\n");
  },
});

export const requestCommands = [listCommand, showCommand];

const formatJsonLines = (entries: readonly JournalEntry[]): string[] => entries.map((entry) => JSON.stringify(entry));

/** Formats entries as `14:02:11.123Z  GET   200 …`, with real times, because the clock of the sandbox may be paused. */
function formatEntries(entries: readonly JournalEntry[]): string[] {
  const times = entries.map(({ recorded_at }) => style("dim", recorded_at.slice(11)));
  return entryLines(entries, style).map((line, index) => `${times[index]}  ${line}`);
}

function formatRequests({ data, dropped, waiting }: RequestList): string {
  const lines = [...formatEntries(data), ...waiting.map((request) => waitingLine(request, style))];
  if (dropped > 0) lines.unshift(`${formatCount(dropped, "older request")} dropped`);
  return lines.join("\n") || "No requests.";
}

/** Prints a line for each past and new request until it is stopped. */
async function followRequests(
  sandbox: Sandbox,
  filter: RequestFilter,
  formatLines: (entries: readonly JournalEntry[]) => string[],
): Promise<void> {
  const stop = new StopRequest();
  process.stdout.once("error", stop.request);
  const pendingStop = stop.signal.then(() => true);
  const journal = followJournal(sandbox.requests, filter);
  const printAll = (entries: readonly JournalEntry[]): void => formatLines(entries).forEach(print);
  const pollUntilStopped = async (): Promise<void> => {
    printAll(await journal.begin());
    while (!(await Promise.race([pendingStop, delay(pollIntervalMs, false)]))) {
      const { entries, missedCount } = await journal.poll();
      if (missedCount > 0)
        printError(`${formatCount(missedCount, "request")} missed: the journal dropped them before they were read`);
      printAll(entries);
    }
  };
  await Promise.race([pendingStop, pollUntilStopped()]);
  await sandbox.close();
}
