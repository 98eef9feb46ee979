import type { JournalEntry } from "../../src/public/control.ts";

/** The filter of the journal, as in the address. An empty member does not filter. */
export const emptyFilter = {
  /** Words to find in path, reason, code, operation or key label; `*` stands for any characters. */
  search: "",
  /** `4xx`, `429`, or `none` for a connection without a response. */
  status: "",
  /** A key's id, or `none`. */
  key: "",
  method: "",
  code: "",
  /** `hint`, `fault`, or the id of a fault. */
  has: "",
  /** The id of an assumption on which the response depended. */
  assumption: "",
  /** The id of an entry: only requests with the same failure. */
  like: "",
};

export type RequestFilter = Readonly<typeof emptyFilter>;

/** A request, or the newest of several equal failures. */
export interface JournalRow {
  readonly entry: JournalEntry;
  readonly times: number;
}

export function isFailure({ status }: JournalEntry): boolean {
  return status === null || status >= 400;
}

/** Returns the matching entries, newest first. */
export function findMatches(entries: readonly JournalEntry[], filter: RequestFilter): readonly JournalEntry[] {
  const model = entries.find(({ id }) => String(id) === filter.like);
  return entries
    .filter((entry) => matches(entry, filter) && (filter.like === "" || (model && isSameFailure(entry, model))))
    .toReversed();
}

/** Returns one row for each request, or for each kind of failure at the position of its newest request. */
export function rowsOf(entries: readonly JournalEntry[], isGrouped: boolean): readonly JournalRow[] {
  const rows = new Map<string, { entry: JournalEntry; times: number }>();
  for (const entry of entries) {
    const name = isGrouped && isFailure(entry) ? kindOf(entry) : String(entry.id);
    const row = rows.get(name);
    if (row) row.times++;
    else rows.set(name, { entry, times: 1 });
  }
  return [...rows.values()];
}

export function isSameFailure(left: JournalEntry, right: JournalEntry): boolean {
  return kindOf(left) === kindOf(right);
}

function kindOf({ status, connection, code, operation, key_id }: JournalEntry): string {
  return JSON.stringify([status, connection, code, operation, key_id]);
}

function matches(entry: JournalEntry, { search, status, key, method, code, has, assumption }: RequestFilter): boolean {
  return (
    (status === "" || isOfStatus(entry.status, status)) &&
    (key === "" || entry.key_id === (key === "none" ? null : key)) &&
    (method === "" || entry.method === method) &&
    (code === "" || entry.code === code) &&
    (has === "" || (has === "hint" ? entry.hints.length > 0 : hasFault(entry, has))) &&
    (assumption === "" || entry.assumptions.some((id) => id === assumption)) &&
    (search === "" || contains(searchTextOf(entry), search.toLowerCase()))
  );
}

function isOfStatus(status: number | null, filter: string): boolean {
  return status === null ? filter === "none" : filter === String(status) || filter === `${String(status)[0]}xx`;
}

function hasFault({ fault_id }: JournalEntry, filter: string): boolean {
  return filter === "fault" ? fault_id !== null : fault_id === filter;
}

function searchTextOf({ path, code, operation, key_label, hints }: JournalEntry): string {
  return [path, code, operation, key_label, ...hints].join("\n").toLowerCase();
}

/** Whether a string has the parts between the asterisks of a pattern, in their order. */
function contains(text: string, pattern: string): boolean {
  let from = 0;
  for (const part of pattern.split("*")) {
    const index = text.indexOf(part, from);
    if (index === -1) return false;
    from = index + part.length;
  }
  return true;
}
