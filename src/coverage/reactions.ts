import type { JournalEntry } from "../requests.ts";
import { type Count, isAnswered, isBroken, requestOf } from "./entries.ts";
import { Recent } from "./recent.ts";

/** An answer to which its client may react. */
interface Answer {
  readonly entry: JournalEntry;
}

/** A time to wait, named by `Retry-After`. */
interface Wait extends Answer {
  /** In `elapsed_ms`. */
  readonly until: number;
  /** Whether somebody asked before, perhaps without knowing. */
  isBroken: boolean;
  isOver: boolean;
}

/** A request for nothing. */
interface Miss extends Answer {
  /** How often its client asked, each time with the answer before in hand. */
  readonly times: number;
}

/** A request that failed. */
interface Failure extends Answer {
  /** Milliseconds from the failure before it; undefined for the first. */
  readonly wait: number | undefined;
}

/** The answers to one key or request that are remembered. */
const mostAnswers = 8;

/** The connections that a client uses in turn; with more, it sends in parallel, and requests wait for a free connection. */
const mostInTurn = 2;

/** Milliseconds by which a timer may be early. */
const tolerance = 20;

/** A wait that is longer by less, or shorter than this, in milliseconds, says nothing. */
const [longer, leastWait] = [1.3, 50];

/** The requests that make a thing missing for a client. */
const missesForRisk = 3;

/** Answers of one kind, by the keys or requests that got them. */
class Answers<Kind extends Answer> {
  readonly #byName = new Recent<readonly Kind[]>();

  of(name: string): readonly Kind[] {
    return this.#byName.get(name) ?? [];
  }

  /** Keeps the first, to which the most can be reactions, and the latest. */
  add(name: string, answer: Kind): void {
    const [first, ...others] = [...this.of(name), answer];
    this.#byName.set(name, first ? [first, ...others.slice(1 - mostAnswers)] : []);
  }

  /** Puts one in place of all: its client knew those. */
  begin(name: string, answer: Kind): void {
    this.#byName.set(name, [answer]);
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }

  values(): Iterable<readonly Kind[]> {
    return this.#byName.values();
  }
}

/** How clients react to what they were answered. Only what is certain counts; time to wait is that of the limiter. */
export class Reactions {
  readonly #count: Count;
  readonly #noteUndecided: () => void;
  /** Requests of a key that used more connections than in turn, without a pause. */
  #parallel: ReadonlySet<JournalEntry> = new Set();
  readonly #waits = new Answers<Wait>();
  /** The 401 of a key that was not accepted since. */
  readonly #refusedKeys = new Answers<Answer>();
  readonly #refused = new Answers<Answer>();
  readonly #missing = new Answers<Miss>();
  readonly #failed = new Answers<Failure>();
  /** The 404 for an investment that a key got, until it reads a list. */
  readonly #lost = new Answers<Answer>();

  /** `noteUndecided` is called for each pair of requests of which nobody can tell whether one reacts to the other. */
  constructor(count: Count, noteUndecided: () => void) {
    this.#count = count;
    this.#noteUndecided = noteUndecided;
  }

  /** Takes entries in the order of the journal, before each of them is observed. */
  begin(entries: readonly JournalEntry[]): void {
    this.#parallel = new Set(burstsIn(entries).flatMap((burst) => (isParallel(burst) ? burst : [])));
  }

  observe(entry: JournalEntry): void {
    const { key_id: key } = entry;
    if (key === null) return;
    const request = requestOf(entry);
    if (entry.method !== "GET" || request === undefined) return;
    this.#observeWaits(entry, key, request);
    this.#observeRefusals(entry, key, request);
    this.#observeMisses(entry, key, request);
    this.#observeFailures(entry, request);
  }

  /** Counts all that only the end shows. */
  end(count: Count): void {
    for (const [first, ...others] of this.#refusedKeys.values()) {
      if (first && others.length === 0) count("reactions.stopped-401", first.entry);
    }
  }

  #observeWaits(entry: JournalEntry, key: string, request: string): void {
    // A limit is that of the key; any other time to wait is that of the request.
    for (const name of [key, request]) {
      const waits = this.#waits.of(name);
      const early = waits.filter(({ until }) => cameAt(entry) < until - tolerance);
      if (early.length > 0) this.#observeEarly(entry, name, early);
      else if (waits.length > 0) this.#observePatient(entry, name, waits);
    }
    const { status, retry_after_seconds: seconds, elapsed_ms } = entry;
    if (status === null || status < 400 || seconds === null) return;
    const wait = { entry, until: elapsed_ms + seconds * 1000, isBroken: false, isOver: false };
    this.#waits.add(status === 429 ? key : request, wait);
  }

  #observeEarly(entry: JournalEntry, name: string, waits: readonly Wait[]): void {
    if (entry.status === null) return;
    const isLimit = waits.some(({ entry: { code } }) => code === "rate_limit_exceeded");
    // The limiter let it pass: somebody cleared or raised the limit meanwhile.
    if (isLimit && entry.status !== 429) return this.#waits.forget(name);
    for (const wait of waits) wait.isBroken = true;
    if (!this.#isReaction(entry, waits)) return;
    this.#count("too-early", entry);
    if (entry.status === 429) this.#waits.forget(name);
  }

  #observePatient(entry: JournalEntry, name: string, waits: readonly Wait[]): void {
    const kept = waits.filter(({ isBroken: broken, entry: { status } }) => !broken && status === 429);
    if (kept.length === 0) return this.#waits.forget(name);
    if (!this.#isReaction(entry, kept)) return;
    if (kept.some(({ isOver }) => !isOver)) this.#count("reactions.waited", entry);
    for (const wait of kept) wait.isOver = true;
    if (!isAnswered(entry) || kept.every((wait) => requestOf(wait.entry) !== requestOf(entry))) return;
    this.#count("reactions.came-back", entry);
    this.#waits.forget(name);
  }

  #observeRefusals(entry: JournalEntry, key: string, request: string): void {
    const { status } = entry;
    const isRefused = status === 401 || status === 403;
    const same = isRefused ? this.#refused.of(request).filter((one) => one.entry.status === status) : [];
    const before = this.#refusedKeys.of(key);
    const isAgain = this.#isReaction(entry, same.length > 0 ? same : before) && same.length > 0;
    if (isAgain) this.#count("refused-again", entry);
    if (isAgain) this.#refused.begin(request, { entry });
    else if (isRefused) this.#refused.add(request, { entry });
    else this.#refused.forget(request);
    if (status === 401 || before.length > 0) this.#refusedKeys.add(key, { entry });
    // Somebody made the key valid again.
    if (status !== null && status !== 401) this.#refusedKeys.forget(key);
  }

  #observeMisses(entry: JournalEntry, key: string, request: string): void {
    const { operation, status, code } = entry;
    if (operation === "listInvestments" && isAnswered(entry) && this.#isReaction(entry, this.#lost.of(key))) {
      this.#count("reactions.list-anew", entry);
      this.#lost.forget(key);
    }
    // A page after the last is no thing, and an unknown path is a risk of its own.
    if (status !== 404 || operation === null || code === "page_not_found") return this.#missing.forget(request);
    if (operation !== "getOffering" && operation !== "listInvestments") this.#lost.add(key, { entry });
    const before = this.#missing.of(request);
    if (!this.#isReaction(entry, before)) return this.#missing.add(request, { entry, times: 1 });
    const times = 1 + Math.max(...before.map((miss) => (this.#isAfter(entry, miss) ? miss.times : 0)));
    if (times >= missesForRisk) this.#count("not-found-again", entry);
    this.#missing.begin(request, { entry, times });
  }

  #observeFailures(entry: JournalEntry, request: string): void {
    const failures = this.#failed.of(request);
    const last = failures.at(-1);
    const isRetry = this.#isReaction(entry, failures);
    const wait = isRetry && last && this.#isAfter(entry, last) ? cameAt(entry) - last.entry.elapsed_ms : undefined;
    if (isRetry) this.#count("reactions.retried", entry);
    if (wait !== undefined && last?.wait !== undefined && wait >= Math.max(leastWait, last.wait * longer)) {
      this.#count("reactions.backed-off", entry);
    }
    if (!isBroken(entry)) this.#failed.forget(request);
    else if (isRetry) this.#failed.begin(request, { entry, wait });
    else this.#failed.add(request, { entry, wait });
  }

  /** Whether a request was certainly sent with one of these answers in hand. */
  #isReaction(entry: JournalEntry, answers: readonly Answer[]): boolean {
    const isCertain = answers.some((answer) => this.#isAfter(entry, answer));
    if (!isCertain && answers.length > 0) this.#noteUndecided();
    return isCertain;
  }

  /** Whether a request was certainly sent after an answer: after a pause, or on the same connection. */
  #isAfter(entry: JournalEntry, { entry: other }: Answer): boolean {
    if (entry.sent_after >= other.id) return true;
    const isSameConnection = entry.connection_id !== null && entry.connection_id === other.connection_id;
    return isSameConnection && !this.#parallel.has(entry);
  }
}

/** The requests of each key that follow each other without a pause. */
function burstsIn(entries: readonly JournalEntry[]): JournalEntry[][] {
  const bursts: JournalEntry[][] = [];
  const latest = new Map<string | null, JournalEntry[]>();
  for (const entry of entries) {
    let burst = latest.get(entry.key_id);
    if (!burst || entry.sent_after >= (burst.at(-1)?.id ?? 0)) {
      burst = [];
      bursts.push(burst);
      latest.set(entry.key_id, burst);
    }
    burst.push(entry);
  }
  return bursts;
}

function isParallel(burst: readonly JournalEntry[]): boolean {
  return new Set(burst.map(({ connection_id, id }) => connection_id ?? -id)).size > mostInTurn;
}

/** When a request came, in `elapsed_ms`. */
function cameAt({ elapsed_ms, milliseconds }: JournalEntry): number {
  return elapsed_ms - milliseconds;
}
