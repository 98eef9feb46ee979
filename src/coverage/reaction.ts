import type { JournalEntry } from "../options.ts";

/** Counts a behaviour or a risk at a request. */
export type Count = (id: string, entry: JournalEntry) => void;

/** Whether a request may be a reaction to the answer of another: a good reaction counts, if nothing speaks against it. */
export function mayFollow(entry: JournalEntry, other: JournalEntry): boolean {
  return isAfter(entry, other) || cameAt(entry) >= other.elapsed_ms - 1;
}

/** Whether a request was certainly sent after the answer to another: a mistake is certain, or none. */
export function isAfter(entry: JournalEntry, other: JournalEntry): boolean {
  const isSameConnection = entry.connection_id !== null && entry.connection_id === other.connection_id;
  return isSameConnection || entry.sent_after >= other.id;
}

/** When a request came, in `elapsed_ms`. */
export function cameAt({ elapsed_ms, milliseconds }: JournalEntry): number {
  return elapsed_ms - milliseconds;
}

export function requestOf({ method, path }: JournalEntry): string {
  return `${method} ${path}`;
}

export function isSame(entry: JournalEntry, other: JournalEntry): boolean {
  return requestOf(entry) === requestOf(other);
}

/** A limit is that of the key; any other time to wait is that of the request. */
export function isOfWait(entry: JournalEntry, other: JournalEntry): boolean {
  return other.status === 429 || isSame(entry, other);
}
