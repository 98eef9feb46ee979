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
import { count } from "../output/text.ts";
import { StopRequest } from "../serve/process.ts";

/** Follows a journal: returns each matching entry once, even across a reset. */
export function followJournal(requests: Pick<Requests, "list">, { limit, after, ...filter }: RequestFilter) {
  const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined);
  /** The id of the newest entry that was returned. */
  let newest = after;
  const next = async (maxEntries?: number): Promise<RequestList> => {
    const list = await requests.list({ ...filter, after: newest, limit: maxEntries });
    newest = list.data.at(-1)?.id ?? newest ?? 0;
    return list;
  };
  return {
    /** Returns the entries so far, up to the limit of the filter. */
    async begin(): Promise<readonly JournalEntry[]> {
      // The newest entry is needed even with a limit of 0, to know which entries are new.
      const { data } = await next(limit === 0 ? 1 : limit);
      return limit === 0 ? [] : data;
    },
    /** Returns the new entries, oldest first, and how many were dropped unseen: 0 with a filter, which hides gaps. */
    async look(): Promise<{ readonly entries: readonly JournalEntry[]; readonly missed: number }> {
      const { data: entries, dropped } = await next();
      return { entries, missed: isFiltered ? 0 : dropped };
    },
  };
}

const requestFlags = {
  follow: { kind: onOrOff, short: "f", default: false, help: "keep printing new requests until Ctrl-C" },
  ...requestFilter,
} as const;

/** Milliseconds between two polls of a journal. */
const pollInterval = 250;

const listCommand: Command = {
  name: "requests",
  summary: "Show the requests to a running sandbox.",
  flags: { ...requestFlags, ...connectionFlags },
  examples: [
    ["requests", "one line per request in the journal"],
    ["requests --follow --status 4xx", "refused requests as they come, with the reason"],
    ["requests --path '/api/v1/investments/**' --limit 10", "the last ten for investments"],
  ],
  async run({ given }) {
    const {
      flags: { follow: isFollowing, ...filter },
      connection,
    } = readConnected(requestFlags, given);
    const sandbox = await connect(connection);
    const lines = connection.json ? jsonLines : styledLines;
    if (isFollowing) return followRequests(sandbox, filter, lines);
    const list = await sandbox.requests.list(filter);
    if (connection.json) printJson(list);
    else print(listedRequests(list));
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
    if (same === null) return `${status ?? "No response"}\nThe response cannot be repeated: ${reason}.`;
    return [`${status}`, ...fields, "", body, ...(same ? [] : ["", "Another response was sent."])].join("\n");
  },
});

export const requestCommands = [listCommand, showCommand];

const jsonLines = (entries: readonly JournalEntry[]): string[] => entries.map((entry) => JSON.stringify(entry));

/** Lines such as `14:02:11.123Z  GET   200 …`. Their times are real, because the clock of the sandbox may be frozen. */
function styledLines(entries: readonly JournalEntry[]): string[] {
  const times = entries.map(({ recorded_at }) => style("dim", recorded_at.slice(11)));
  return entryLines(entries, style).map((line, at) => `${times[at]}  ${line}`);
}

function listedRequests({ data, dropped, waiting }: RequestList): string {
  const lines = [...styledLines(data), ...waiting.map((one) => waitingLine(one, style))];
  if (dropped > 0) lines.unshift(`${count(dropped, "older request")} dropped`);
  return lines.join("\n") || "No requests.";
}

/** Prints a line for each request, past and upcoming, until it is stopped. */
async function followRequests(
  sandbox: Sandbox,
  filter: RequestFilter,
  lines: (entries: readonly JournalEntry[]) => string[],
): Promise<void> {
  const stop = new StopRequest();
  process.stdout.once("error", stop.ask);
  const stopped = stop.signal.then(() => true);
  const journal = followJournal(sandbox.requests, filter);
  const printAll = (entries: readonly JournalEntry[]): void => {
    for (const line of lines(entries)) print(line);
  };
  const look = async (): Promise<void> => {
    printAll(await journal.begin());
    while (!(await Promise.race([stopped, delay(pollInterval, false)]))) {
      const { entries, missed } = await journal.look();
      if (missed > 0) printError(`${count(missed, "request")} missed: the journal dropped them unread`);
      printAll(entries);
    }
  };
  await Promise.race([stopped, look()]);
  await sandbox.close();
}
