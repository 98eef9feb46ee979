/*
 * A request with a key arrives (`arrivals.ts`), perhaps while another request with its key is under way. Its entry in
 * the journal shows the behavior that it covers, and whether its client may react to the response (`entries.ts`). The
 * observer of the environment decides whether the request is itself a reaction, and counts both (`counts.ts`). A
 * process writes its counts to a folder (`sums.ts`); the counts of several processes are added. A report lists all
 * behaviors of the catalog (`catalog.ts`). Its verdict and its lines come from `report.ts`.
 */

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CoverageExample } from "../public/coverage-report.ts";
import { parameters } from "../model/operations.ts";
import { Arrivals } from "./arrivals.ts";
import type { RiskId } from "./catalog.ts";
import { behaviorOf, type CountedEntry, hasResponse, isUnknown, rememberedResponse, requestOf } from "./entries.ts";
import { CoverageCounts } from "./counts.ts";

/** The members of a call that a report needs in addition to its entry. */
interface CountedCall {
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The hints name parameters that its operation does not have. */
  readonly target: { readonly hints: readonly string[] };
}

/** A response to which its client may react. */
type RememberedResponse = NonNullable<ReturnType<typeof rememberedResponse>>;

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

/** The time after which a new connection counts as that of the client whose connection was closed. */
const maxOverlapMs = 250;

/** Milliseconds by which a timer may be early. */
const timerToleranceMs = 20;

/** A wait counts as longer if it is at least this many times the wait before, and at least this many milliseconds. */
const [minWaitFactor, minWaitMs] = [1.3, 50];

/** The number of 404s after which a client should know that a resource does not exist. */
const missesForRisk = 3;

/** Maximum number of remembered responses of one environment; the oldest response is dropped. */
const maxResponses = 500;

/** Counts the behaviors that requests to an environment cover. A reaction counts only if it certainly is one. */
export class Observer {
  counts = new CoverageCounts();
  readonly #environment: Pick<CoverageExample, "environment" | "test">;
  readonly #all: CoverageCounts;
  /** The last 401 or 429 of each key, and the last error of each request. */
  readonly #responses = new Map<string, RememberedResponse>();
  readonly #arrivals = new Map<string, Arrivals>();
  /** The generation of the environment at the last request. */
  #generation: object | undefined;

  /** Adds each count to `all` too. */
  constructor(environment: Pick<CoverageExample, "environment" | "test">, all: CoverageCounts) {
    this.#environment = environment;
    this.#all = all;
  }

  /** Notes the arrival of a request with a key. */
  arrive(key: string, res: ServerResponse): void {
    const arrivals = this.#arrivals.get(key) ?? new Arrivals();
    this.#arrivals.set(key, arrivals);
    for (const { id, entryId } of arrivals.note(res)) {
      this.#uncount(id, entryId);
      this.#noteUndecided();
    }
  }

  /**
   * Counts a call, with its entry in the journal, before its response is sent. Returns true if the response must wait:
   * see `Arrivals`. Another generation means that the environment was reset, so no call reacts to earlier responses.
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
    return key !== null && (this.#arrivals.get(key)?.mustWait(status) ?? false);
  }

  #observeReaction({ startedAt }: CountedCall, entry: CountedEntry, res: ServerResponse): void {
    const mayNeedReaction = entry.status === null || entry.status >= 400 || entry.connection !== null;
    // Most requests end here.
    if (!mayNeedReaction && this.#responses.size === 0) return;
    const { key_id: key, status, elapsed_ms, duration_ms: milliseconds } = entry;
    const request = requestOf(entry);
    if (key === null || request === undefined) return;
    const arrival = { entry, key, request, socket: res.req.socket, startedAt, arrivedAtMs: elapsed_ms - milliseconds };
    const keyResponse = this.#responses.get(key);
    const earlierResponse = this.#responses.get(request);
    const response = mayNeedReaction ? rememberedResponse(entry, request, res) : undefined;
    if (earlierResponse) this.#observeRepetition(arrival, earlierResponse, response);
    if (keyResponse?.status === 429) this.#observeWait(arrival, keyResponse);
    else if (keyResponse) this.#observeRefusedKey(arrival, keyResponse);
    if (response?.status === 401 && !keyResponse) {
      response.isLastUse = true;
      this.#count("reactions.stopped-401", entry);
    }
    if (response?.status === 401 || response?.status === 429) this.#remember(key, response);
    if (response && response.status !== 429) this.#remember(request, response);
    else if (status !== null) this.#responses.delete(request);
  }

  #observeWait(arrival: Arrival, before: RememberedResponse): void {
    const { entry, key, request, arrivedAtMs } = arrival;
    if (entry.status === null) return;
    if (arrivedAtMs < before.retryAtMs - timerToleranceMs) {
      // The limit was cleared or raised meanwhile.
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

  /** Observes a request with a key after a 401, by any client: the key is still in use. */
  #observeRefusedKey(arrival: Arrival, before: RememberedResponse): void {
    const { status } = arrival.entry;
    if (before.isLastUse) this.#uncount("reactions.stopped-401", before.id);
    before.isLastUse = false;
    // The key is valid again.
    if (status !== null && status !== 401) this.#responses.delete(arrival.key);
    else this.#isReaction(arrival, before);
  }

  #observeRepetition(arrival: Arrival, before: RememberedResponse, response: RememberedResponse | undefined): void {
    const { entry, arrivedAtMs } = arrival;
    const isSame = response?.isFinal === true && response.status === before.status;
    const isEarly = arrivedAtMs < before.retryAtMs - timerToleranceMs && entry.status !== null;
    if ((!before.isFailure && !isSame && !isEarly) || !this.#isReaction(arrival, before)) return;
    if (isEarly) this.#countRisk("too-early", arrival);
    if (before.isFailure) {
      const waitMs = arrivedAtMs - before.closedAtMs;
      this.#count("reactions.retried", entry);
      if (waitMs >= Math.max(minWaitMs, (before.waitMs ?? Infinity) * minWaitFactor))
        this.#count("reactions.backed-off", entry);
      if (response) response.waitMs = waitMs;
    } else if (isSame && entry.status === 404) {
      response.times = before.times + 1;
      if (response.times >= missesForRisk) this.#countRisk("not-found-again", arrival);
    } else if (isSame) this.#countRisk("refused-again", arrival);
  }

  #countRisk(id: RiskId, { entry, key }: Arrival): void {
    this.#count(id, entry);
    this.#arrivals.get(key)?.noteRisk({ id, entryId: entry.id });
  }

  /** Returns true if a client certainly had a response before its request. Otherwise counts it as undecided, once. */
  #isReaction({ key, socket, startedAt, arrivedAtMs }: Arrival, before: RememberedResponse): boolean {
    const earlierSocket = before.socket.deref();
    const isCertain =
      this.#arrivals.get(key)?.isParallel === false ||
      (startedAt >= before.closedAt &&
        (earlierSocket === socket ||
          ((earlierSocket?.destroyed ?? true) && arrivedAtMs - before.closedAtMs >= maxOverlapMs)));
    if (!isCertain && !before.isUndecided) this.#noteUndecided();
    if (!isCertain) before.isUndecided = true;
    return isCertain;
  }

  #remember(name: string, response: RememberedResponse): void {
    this.#responses.delete(name);
    this.#responses.set(name, response);
    if (this.#responses.size <= maxResponses) return;
    const [oldestName = name] = this.#responses.keys();
    this.#responses.delete(oldestName);
  }

  #uncount(id: string, entryId: number): void {
    for (const counts of [this.counts, this.#all]) counts.uncount(id, this.#environment.environment, entryId);
  }

  #noteUndecided(): void {
    for (const counts of [this.counts, this.#all]) counts.undecided += 1;
  }

  #count(id: string, entry: CountedEntry): void {
    const { environment, test } = this.#environment;
    // The totals have the first examples of each environment.
    const examples = this.counts.hasAllExamples(id)
      ? []
      : [{ test, request: `${entry.method} ${redactQuery(entry.path)}`, environment, id: entry.id }];
    this.counts.count(id, examples);
    this.#all.count(id, examples);
  }
}

/** Removes the values of parameters that section 4 does not name, because they may be personal data. */
function redactQuery(path: string): string {
  const [pathname = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return pathname;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(pair).keys();
    return Object.hasOwn(parameters, name) ? pair : pair.replace(/=.+/s, "=…");
  });
  return `${pathname}?${pairs.join("&")}`;
}
