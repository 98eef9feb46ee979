import type { JournalEntry } from "../options.ts";
import type { RiskId } from "./risks.ts";
import { isAnswered, isBroken } from "./from-entries.ts";
import { cameAt, type Count, isAfter, isOfWait, isSame, mayFollow, requestOf } from "./reaction.ts";
import { Walks } from "./walks.ts";

/** A time to wait, named by `Retry-After`. */
interface Wait {
  readonly entry: JournalEntry;
  /** In `elapsed_ms`. */
  readonly until: number;
  /** Whether somebody asked before. */
  isBroken: boolean;
  isOver: boolean;
}

/** A request that failed, the last time. */
interface Failure {
  readonly entry: JournalEntry;
  /** Milliseconds from the failure before it to its own coming; undefined for the first. */
  readonly wait: number | undefined;
}

/** Milliseconds by which a timer may be early. */
const tolerance = 20;

/** Waits after a 429 that are remembered: parallel requests get one each. */
const maxWaits = 50;

/** A wait that is longer by less, or shorter than this, in milliseconds, says nothing. */
const [longer, leastWait] = [1.3, 50];

/** The answers that make a thing missing for a client, by then. */
const missesForRisk = 3;

/**
 * The requests with one key, and how their client reacted to the answers. Time is that of the limiter.
 */
export class Conversation {
  readonly #count: Count;
  readonly #walks: Walks;
  #waits: Wait[] = [];
  /** The first 401, until the key is used again. */
  #refusedKey: JournalEntry | undefined;
  #isUsedOn = false;
  readonly #forbidden = new Map<string, JournalEntry>();
  readonly #missing = new Map<string, { readonly entry: JournalEntry; readonly times: number }>();
  readonly #failed = new Map<string, Failure>();
  /** The last 404 for an investment, until a list is read. */
  #lost: JournalEntry | undefined;

  /** `firstPage` as for `Walks`. */
  constructor(count: Count, firstPage: (entry: JournalEntry) => number) {
    this.#count = count;
    this.#walks = new Walks(count, firstPage);
  }

  /** Takes the entries in the order of the journal. */
  hear(entry: JournalEntry): void {
    this.#hearWaits(entry);
    this.#hearRefusals(entry);
    this.#hearMisses(entry);
    this.#hearFailures(entry);
    if (entry.operation === "listInvestments" && isAnswered(entry)) this.#walks.hear(entry);
  }

  /** Lets nothing from now on be a reaction to anything before. A client goes on along its lists. */
  settle(): void {
    this.#endRefusal(this.#count);
    this.#waits = [];
    this.#refusedKey = undefined;
    this.#isUsedOn = false;
    this.#lost = undefined;
    for (const map of [this.#forbidden, this.#missing, this.#failed]) map.clear();
  }

  /** Counts all that only the end shows. */
  end(count: Count): void {
    this.#endRefusal(count);
    this.#walks.end(count);
  }

  #endRefusal(count: Count): void {
    // Without a key, there is none to stop using.
    if (this.#refusedKey && this.#refusedKey.code !== "key_missing" && !this.#isUsedOn)
      count("reactions.stopped-401", this.#refusedKey);
  }

  #hearWaits(entry: JournalEntry): void {
    const open = this.#waits.filter(({ entry: other }) => mayFollow(entry, other) && isOfWait(entry, other));
    const early = open.filter(({ until }) => cameAt(entry) < until - tolerance);
    // The limiter let it pass: somebody cleared or raised the limit meanwhile.
    const lifted = entry.status === 429 ? [] : early.filter(({ entry: other }) => other.code !== null);
    const broken = early.filter((wait) => !lifted.includes(wait));
    if (broken.some((wait) => isAfter(entry, wait.entry))) this.#risk("too-early", entry);
    // Where nobody can tell whether it was early, it is no good reaction either.
    for (const wait of broken) wait.isBroken = true;
    for (const wait of open) {
      if (early.includes(wait) || wait.isBroken || wait.entry.status !== 429) continue;
      if (!wait.isOver) this.#count("reactions.waited", entry);
      wait.isOver = true;
      if (isSame(entry, wait.entry) && isAnswered(entry)) this.#count("reactions.came-back", entry);
    }
    const isDone = (wait: Wait): boolean =>
      lifted.includes(wait) ||
      (open.includes(wait) && !early.includes(wait) && (wait.isBroken || isSame(entry, wait.entry)));
    this.#waits = this.#waits.filter((wait) => !isDone(wait));
    const { retry_after_seconds: seconds, elapsed_ms } = entry;
    if (seconds === null || (entry.status ?? 0) < 400) return;
    this.#waits.push({ entry, until: elapsed_ms + seconds * 1000, isBroken: false, isOver: false });
    this.#waits = this.#waits.slice(-maxWaits);
  }

  #hearRefusals(entry: JournalEntry): void {
    const { status } = entry;
    if (this.#refusedKey && mayFollow(entry, this.#refusedKey)) {
      this.#isUsedOn = true;
      if (status === 401 && isAfter(entry, this.#refusedKey)) this.#risk("refused-again", entry);
    }
    if (status === 401) this.#refusedKey ??= entry;
    const forbidden = this.#forbidden.get(requestOf(entry));
    if (status === 403 && forbidden && isAfter(entry, forbidden)) this.#risk("refused-again", entry);
    if (status === 403 && !forbidden) this.#forbidden.set(requestOf(entry), entry);
  }

  #hearMisses(entry: JournalEntry): void {
    const request = requestOf(entry);
    const before = this.#missing.get(request);
    if (entry.status !== 404) this.#missing.delete(request);
    else if (!before || isAfter(entry, before.entry)) {
      const times = (before?.times ?? 0) + 1;
      this.#missing.set(request, { entry, times });
      if (times >= missesForRisk) this.#risk("not-found-again", entry);
    }
    if (this.#lost && entry.operation === "listInvestments" && isAnswered(entry) && mayFollow(entry, this.#lost)) {
      this.#count("reactions.list-anew", entry);
      this.#lost = undefined;
    }
    if (entry.status === 404 && isOfInvestment(entry)) this.#lost = entry;
  }

  #hearFailures(entry: JournalEntry): void {
    const request = requestOf(entry);
    const before = this.#failed.get(request);
    const isRetry = before !== undefined && mayFollow(entry, before.entry);
    const wait = isRetry ? cameAt(entry) - before.entry.elapsed_ms : undefined;
    if (isRetry) this.#count("reactions.retried", entry);
    const earlier = isRetry ? before.wait : undefined;
    if (wait !== undefined && earlier !== undefined && wait >= Math.max(leastWait, earlier * longer)) {
      this.#count("reactions.backed-off", entry);
    }
    if (isBroken(entry)) this.#failed.set(request, { entry, wait });
    else this.#failed.delete(request);
  }

  #risk(id: RiskId, entry: JournalEntry): void {
    this.#count(id, entry);
  }
}

function isOfInvestment({ operation }: JournalEntry): boolean {
  return operation !== null && operation !== "getOffering" && operation !== "listInvestments";
}
