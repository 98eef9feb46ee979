import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Arrivals } from "./arrivals.ts";
import type { RiskId } from "./catalogue.ts";
import { type CountedEntry, failureOf, isAnswered, requestOf } from "./entries.ts";

export interface Counts {
  /** Counts a reaction or a risk at a request. */
  count(id: RiskId | `reactions.${string}`, entry: CountedEntry): void;
  /** Undoes the count of a reaction at the request with an id. */
  uncount(id: string, entryId: number): void;
  /** Counts a pair of requests where it is unknown whether the second reacts to the first. */
  noteUndecided(): void;
}

/** An answer to which its client may react. */
type Answer = NonNullable<ReturnType<typeof rememberedAnswer>>;

interface Arrival {
  readonly entry: CountedEntry;
  readonly socket: Socket;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly start: number;
  /** When the request arrived, in `elapsed_ms`. */
  readonly cameAt: number;
}

/**
 * Milliseconds after which a request on a new connection counts as from the client whose connection was closed,
 * although requests of its key overlap.
 */
const pause = 250;

/** Milliseconds by which a timer may be early. */
const tolerance = 20;

/** A wait counts as longer if it is at least this many times the wait before, and at least this many milliseconds. */
const [longer, minWait] = [1.3, 50];

/** From this number of 404s on, a client should know that a thing is not there. */
const missesForRisk = 3;

/** Maximum number of remembered answers of one environment: beyond it, the oldest is forgotten. */
const maxAnswers = 500;

/** How the clients of an environment react to their answers. Only certain reactions count. */
export class Reactions {
  readonly #counts: Counts;
  /** The last 401 or 429 of each key, and the last error of each request. */
  readonly #answers = new Map<string, Answer>();
  readonly #arrivals = new Map<string, Arrivals>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  arrive(key: string, response: ServerResponse): void {
    const arrivals = this.#arrivals.get(key) ?? new Arrivals();
    this.#arrivals.set(key, arrivals);
    for (const { id, entryId } of arrivals.note(response)) {
      this.#counts.uncount(id, entryId);
      this.#counts.noteUndecided();
    }
  }

  delays({ key_id: key, status }: CountedEntry): boolean {
    return key !== null && (this.#arrivals.get(key)?.delays(status) ?? false);
  }

  /** Nothing reacts to earlier answers. */
  reset(): void {
    this.#answers.clear();
  }

  /** Takes the request of an entry, which arrived at a `start` of `performance.now()`, before its answer goes out. */
  observe(entry: CountedEntry, response: ServerResponse, start: number): void {
    const mayMatter = entry.status === null || entry.status >= 400 || entry.connection !== null;
    // Nearly all requests of nearly all clients end here.
    if (!mayMatter && this.#answers.size === 0) return;
    const { key_id: key, status, elapsed_ms, milliseconds } = entry;
    const request = requestOf(entry);
    if (key === null || request === undefined) return;
    const arrival = { entry, socket: response.req.socket, start, cameAt: elapsed_ms - milliseconds };
    const ofKey = this.#answers.get(key);
    const ofRequest = this.#answers.get(request);
    const answer = mayMatter ? rememberedAnswer(arrival, request, response) : undefined;
    if (ofRequest) this.#observeRepetition(arrival, ofRequest, answer);
    if (ofKey?.status === 429) this.#observeWait(arrival, key, ofKey);
    else if (ofKey) this.#observeRefusedKey(arrival, key, ofKey);
    if (answer?.status === 401 && !ofKey) {
      answer.isLastUse = true;
      this.#counts.count("reactions.stopped-401", entry);
    }
    if (answer?.status === 401 || answer?.status === 429) this.#remember(key, answer);
    if (answer && answer.status !== 429) this.#remember(request, answer);
    else if (status !== null) this.#answers.delete(request);
  }

  #observeWait(arrival: Arrival, key: string, before: Answer): void {
    const { entry, cameAt } = arrival;
    if (entry.status === null) return;
    if (cameAt < before.until - tolerance) {
      // The limiter let the request pass: the limit was cleared or raised meanwhile.
      if (before.isLimit && entry.status !== 429) this.#answers.delete(key);
      else if (this.#isReaction(arrival, before)) this.#countRisk("too-early", entry);
      return;
    }
    if (!this.#isReaction(arrival, before)) return;
    if (!before.hasWaited) this.#counts.count("reactions.waited", entry);
    before.hasWaited = true;
    if (!isAnswered(entry) || before.request !== requestOf(entry)) return;
    this.#counts.count("reactions.came-back", entry);
    this.#answers.delete(key);
  }

  /** A key that is used again, by whatever client, was not put away. */
  #observeRefusedKey(arrival: Arrival, key: string, before: Answer): void {
    const { status } = arrival.entry;
    if (before.isLastUse) this.#counts.uncount("reactions.stopped-401", before.id);
    before.isLastUse = false;
    // Somebody made the key valid again.
    if (status !== null && status !== 401) this.#answers.delete(key);
    else this.#isReaction(arrival, before);
  }

  #observeRepetition(arrival: Arrival, before: Answer, answer: Answer | undefined): void {
    const { entry, cameAt } = arrival;
    const isSame = entry.status === before.status && answer !== undefined && isFinal(entry);
    const isEarly = cameAt < before.until - tolerance && entry.status !== null;
    if ((!before.isFailure && !isSame && !isEarly) || !this.#isReaction(arrival, before)) return;
    if (isEarly) this.#countRisk("too-early", entry);
    if (before.isFailure) {
      const wait = cameAt - before.elapsed;
      this.#counts.count("reactions.retried", entry);
      if (wait >= Math.max(minWait, (before.wait ?? Infinity) * longer))
        this.#counts.count("reactions.backed-off", entry);
      if (answer) answer.wait = wait;
    } else if (isSame && entry.status === 404) {
      answer.times = before.times + 1;
      if (answer.times >= missesForRisk) this.#countRisk("not-found-again", entry);
    } else if (isSame) this.#countRisk("refused-again", entry);
  }

  #countRisk(id: RiskId, entry: CountedEntry): void {
    this.#counts.count(id, entry);
    this.#arrivals.get(entry.key_id ?? "")?.noteRisk({ id, entryId: entry.id });
  }

  /** Whether a request was certainly sent after its client had an answer. If unsure, the answer is undecided, once. */
  #isReaction({ entry, socket, start, cameAt }: Arrival, before: Answer): boolean {
    const other = before.socket.deref();
    const isCertain =
      this.#arrivals.get(entry.key_id ?? "")?.isParallel === false ||
      (start >= before.outAt && (other === socket || ((other?.destroyed ?? true) && cameAt - before.elapsed >= pause)));
    if (!isCertain && !before.isUndecided) this.#counts.noteUndecided();
    if (!isCertain) before.isUndecided = true;
    return isCertain;
  }

  #remember(name: string, answer: Answer): void {
    this.#answers.delete(name);
    this.#answers.set(name, answer);
    if (this.#answers.size <= maxAnswers) return;
    const [oldest = name] = this.#answers.keys();
    this.#answers.delete(oldest);
  }
}

/** Whether an answer stays the same as long as nobody changes the key or the data. */
function isFinal({ status, operation, code }: CountedEntry): boolean {
  if (status === 401 || status === 403) return true;
  // A page after the last is not a resource, and an unknown path is a separate risk.
  return status === 404 && operation !== null && code !== "page_not_found";
}

/** The answer to a request, to be remembered; undefined for an answer to which no client needs to react. */
function rememberedAnswer({ entry, socket }: Arrival, request: string, response: ServerResponse) {
  const { id, status, code, elapsed_ms, retry_after_seconds: seconds } = entry;
  const isFailure = failureOf(entry) !== undefined;
  if (!isFailure && !isFinal(entry) && (seconds === null || status === null)) return undefined;
  const answer = {
    id,
    status,
    request,
    isFailure,
    /** Whether the rate limit refused the request, not a fault. */
    isLimit: code === "rate_limit_exceeded",
    /** Weak, because a closed connection need not stay in memory as long as the answer. */
    socket: new WeakRef(socket),
    /** The time in `elapsed_ms` that `Retry-After` names; 0 without one. */
    until: seconds === null ? 0 : elapsed_ms + seconds * 1000,
    /** When the answer was out, in milliseconds of `performance.now()`; Infinity until then. */
    outAt: Infinity,
    /** When the answer was out, in `elapsed_ms`. */
    elapsed: elapsed_ms,
    /** How many times in a row its client certainly got this answer. */
    times: 1,
    /** Milliseconds between the failure before and this request; undefined for the first failure. */
    wait: undefined as number | undefined,
    hasWaited: false,
    /** Whether the answer counts as a 401 after which the key was not used again. */
    isLastUse: false,
    isUndecided: false,
  };
  const made = performance.now();
  response.once("close", () => {
    answer.outAt = performance.now();
    answer.elapsed += answer.outAt - made;
  });
  return answer;
}
