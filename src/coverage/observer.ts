/*
 * A request with a key arrives (`arrivals.ts`), perhaps while another of its key is under way. When it gets its
 * response, its entry in the journal shows which behavior it met, and what its client may react to (`entries.ts`). The
 * observer of its environment finds out here whether it reacts to an earlier response, and counts both (`tally.ts`). A
 * process writes its counts to a folder (`sums.ts`), and those of many are added up. A report names what was covered
 * and what was not (`catalog.ts`). It is judged by what a job requires, and told in lines (`report.ts`).
 */

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CoverageExample } from "../public/coverage-report.ts";
import { parameters } from "../model/operations.ts";
import { Arrivals } from "./arrivals.ts";
import type { RiskId } from "./catalog.ts";
import { behaviorOf, type CountedEntry, hasResponse, isUnknown, rememberedResponse, requestOf } from "./entries.ts";
import { CoverageCounts } from "./counts.ts";

/** What a report needs of a call in addition to its entry. */
interface CountedCall {
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The hints name parameters that its operation does not have. */
  readonly target: { readonly hints: readonly string[] };
}

/** A response to which its client may react. */
type TestResponse = NonNullable<ReturnType<typeof rememberedResponse>>;

/** A GET with a key. */
interface Arrival {
  readonly entry: CountedEntry;
  readonly key: string;
  /** The key, path and query. */
  readonly request: string;
  readonly socket: Socket;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** When the request arrived, in `elapsed_ms`. */
  readonly arrivedAtMs: number;
}

/** After an overlap: milliseconds until a new connection counts as of the client whose connection was closed. */
const maxOverlapMs = 250;

/** Milliseconds by which a timer may be early. */
const timerToleranceMs = 20;

/** A wait counts as longer if it is at least this many times the wait before, and at least this many milliseconds. */
const [longerFactor, minWaitMs] = [1.3, 50];

/** From this number of 404s on, a client should know that a thing is not there. */
const missesForRisk = 3;

/** Maximum number of remembered responses of one environment: beyond it, the oldest is forgotten. */
const maxResponses = 500;

/** Counts what the requests to an environment meet, and how its clients react. Only certain reactions count. */
export class Observer {
  counts = new CoverageCounts();
  readonly #environment: Pick<CoverageExample, "environment" | "test">;
  readonly #all: CoverageCounts;
  /** The last 401 or 429 of each key, and the last error of each request. */
  readonly #responses = new Map<string, TestResponse>();
  readonly #arrivals = new Map<string, Arrivals>();
  /** The generation of the environment at the last request. */
  #generation: object | undefined;

  /** `all` gets the same counts. */
  constructor(environment: Pick<CoverageExample, "environment" | "test">, all: CoverageCounts) {
    this.#environment = environment;
    this.#all = all;
  }

  /** Takes the arrival of a request with a key. */
  arrive(key: string, res: ServerResponse): void {
    const arrivals = this.#arrivals.get(key) ?? new Arrivals();
    this.#arrivals.set(key, arrivals);
    for (const { id, entryId } of arrivals.note(res)) {
      this.#uncount(id, entryId);
      this.#noteUndecided();
    }
  }

  /**
   * Takes a call and its entry in the journal before its response goes out. Returns whether the response has to wait:
   * see `Arrivals`. Another generation means that the environment was reset: then nothing reacts to earlier responses.
   */
  observe(call: CountedCall, entry: CountedEntry, res: ServerResponse, generation: object): boolean {
    if (this.#generation === undefined) {
      this.counts.environments = 1;
      this.#all.environments += 1;
    }
    if (generation !== this.#generation) this.#responses.clear();
    this.#generation = generation;
    this.counts.requests += 1;
    this.#all.requests += 1;
    const behavior = behaviorOf(entry);
    if (behavior !== undefined) this.#count(behavior, entry);
    if (isUnknown(entry, call.target.hints)) this.#count("unknown-request", entry);
    this.#observeReaction(call, entry, res);
    const { key_id: key, status } = entry;
    return key !== null && (this.#arrivals.get(key)?.delays(status) ?? false);
  }

  #observeReaction({ startedAt }: CountedCall, entry: CountedEntry, res: ServerResponse): void {
    const mayMatter = entry.status === null || entry.status >= 400 || entry.connection !== null;
    // Nearly all requests of nearly all clients end here.
    if (!mayMatter && this.#responses.size === 0) return;
    const { key_id: key, status, elapsed_ms, duration_ms: milliseconds } = entry;
    const request = requestOf(entry);
    if (key === null || request === undefined) return;
    const arrival = { entry, key, request, socket: res.req.socket, startedAt, arrivedAtMs: elapsed_ms - milliseconds };
    const ofKey = this.#responses.get(key);
    const ofRequest = this.#responses.get(request);
    const response = mayMatter ? rememberedResponse(entry, request, res) : undefined;
    if (ofRequest) this.#observeRepetition(arrival, ofRequest, response);
    if (ofKey?.status === 429) this.#observeWait(arrival, ofKey);
    else if (ofKey) this.#observeRefusedKey(arrival, ofKey);
    if (response?.status === 401 && !ofKey) {
      response.isLastUse = true;
      this.#count("reactions.stopped-401", entry);
    }
    if (response?.status === 401 || response?.status === 429) this.#remember(key, response);
    if (response && response.status !== 429) this.#remember(request, response);
    else if (status !== null) this.#responses.delete(request);
  }

  #observeWait(arrival: Arrival, before: TestResponse): void {
    const { entry, key, request, arrivedAtMs } = arrival;
    if (entry.status === null) return;
    if (arrivedAtMs < before.until - timerToleranceMs) {
      // The limiter let the request pass: the limit was cleared or raised meanwhile.
      if (before.isLimit && entry.status !== 429) this.#responses.delete(key);
      else if (this.#isReaction(arrival, before)) this.#countRisk("too-early", arrival);
      return;
    }
    if (!this.#isReaction(arrival, before)) return;
    if (!before.hasWaited) this.#count("reactions.waited", entry);
    before.hasWaited = true;
    if (!hasResponse(entry) || before.request !== request) return;
    this.#count("reactions.came-back", entry);
    this.#responses.delete(key);
  }

  /** A key that is used again, by whatever client, was not put away. */
  #observeRefusedKey(arrival: Arrival, before: TestResponse): void {
    const { status } = arrival.entry;
    if (before.isLastUse) this.#uncount("reactions.stopped-401", before.id);
    before.isLastUse = false;
    // The key is valid again.
    if (status !== null && status !== 401) this.#responses.delete(arrival.key);
    else this.#isReaction(arrival, before);
  }

  #observeRepetition(arrival: Arrival, before: TestResponse, response: TestResponse | undefined): void {
    const { entry, arrivedAtMs } = arrival;
    const isSame = response?.isFinal === true && response.status === before.status;
    const isEarly = arrivedAtMs < before.until - timerToleranceMs && entry.status !== null;
    if ((!before.isFailure && !isSame && !isEarly) || !this.#isReaction(arrival, before)) return;
    if (isEarly) this.#countRisk("too-early", arrival);
    if (before.isFailure) {
      const wait = arrivedAtMs - before.elapsed;
      this.#count("reactions.retried", entry);
      if (wait >= Math.max(minWaitMs, (before.wait ?? Infinity) * longerFactor))
        this.#count("reactions.backed-off", entry);
      if (response) response.wait = wait;
    } else if (isSame && entry.status === 404) {
      response.times = before.times + 1;
      if (response.times >= missesForRisk) this.#countRisk("not-found-again", arrival);
    } else if (isSame) this.#countRisk("refused-again", arrival);
  }

  #countRisk(id: RiskId, { entry, key }: Arrival): void {
    this.#count(id, entry);
    this.#arrivals.get(key)?.noteRisk({ id, entryId: entry.id });
  }

  /**
   * Whether a request was certainly sent after its client had a response. If unsure, the response is undecided, once.
   */
  #isReaction({ key, socket, startedAt, arrivedAtMs }: Arrival, before: TestResponse): boolean {
    const earlierSocket = before.socket.deref();
    const isCertain =
      this.#arrivals.get(key)?.isParallel === false ||
      (startedAt >= before.outAt &&
        (earlierSocket === socket ||
          ((earlierSocket?.destroyed ?? true) && arrivedAtMs - before.elapsed >= maxOverlapMs)));
    if (!isCertain && !before.isUndecided) this.#noteUndecided();
    if (!isCertain) before.isUndecided = true;
    return isCertain;
  }

  #remember(name: string, response: TestResponse): void {
    this.#responses.delete(name);
    this.#responses.set(name, response);
    if (this.#responses.size <= maxResponses) return;
    const [oldest = name] = this.#responses.keys();
    this.#responses.delete(oldest);
  }

  #uncount(id: string, entryId: number): void {
    for (const tally of [this.counts, this.#all]) tally.uncount(id, this.#environment.environment, entryId);
  }

  #noteUndecided(): void {
    for (const tally of [this.counts, this.#all]) tally.undecided += 1;
  }

  #count(id: string, entry: CountedEntry): void {
    const { environment, test } = this.#environment;
    // The totals have the first examples of each environment.
    const examples = this.counts.hasAllExamples(id)
      ? []
      : [{ test, request: `${entry.method} ${redactedEntryPath(entry.path)}`, environment, id: entry.id }];
    this.counts.count(id, examples);
    this.#all.count(id, examples);
  }
}

/** A path without the values of parameters that section 4 does not name: they may be personal data. */
function redactedEntryPath(path: string): string {
  const [place = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return place;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(pair).keys();
    return Object.hasOwn(parameters, name) ? pair : pair.replace(/=.+/s, "=…");
  });
  return `${place}?${pairs.join("&")}`;
}
