import { isMembers } from "../../src/validation/members.ts";
import { parsedJson } from "../../src/text/json-text.ts";
import { IdRegistry } from "../responses/memory.ts";
import { probeOrigin, type RawResponse, type Shape, shapeOf } from "../responses/shape.ts";
import { typeDifferences } from "../responses/types.ts";
import { ProbeResponses } from "../rows/seen.ts";
import { type Probe, probe, type ProbeId } from "./probes.ts";
import { type Outgoing, type Sender, NoResponseError } from "./send.ts";

/** The clock of a session: real, or a sandbox's in tests. */
export interface SessionClock {
  /** The time in milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

export interface SessionOptions {
  /** Ends in `/api/v1`. */
  readonly url: URL;
  readonly offering: string;
  readonly keys: readonly string[];
  /** Milliseconds between the starts of two requests. */
  readonly pace: number;
  /** The maximum number of requests. */
  readonly maxRequests: number;
  readonly userAgent: string;
  readonly sender: Sender;
  readonly clock: SessionClock;
  /** Called before each request and each wait of several seconds, with the number of requests sent and the wait. */
  readonly onProgress?: ((sent: number, waiting: number) => void) | undefined;
}

/** An early end, before every probe was sent. */
export interface EarlyEnd {
  readonly reason: string;
  /** True if the service failed; false if a limit of the user was reached. */
  readonly failed: boolean;
}

/** Fills the placeholders of a probe. */
export interface ProbeParameters {
  readonly sample?: string;
  readonly page?: number;
  readonly size?: number;
  readonly day?: string;
  /** The key to send in place of the session's usual one. */
  readonly key?: number;
}

/** The longest wait for a 429, in milliseconds. */
const maxWait = 120_000;
/** This many 429s in a row end a session, and so do this many failures. */
const [max429s, maxFailures] = [4, 3];
/** The last requests, each of which repeats an earlier one. */
const confirmations = [
  { id: "control", first: "offering" },
  { id: "list_again", first: "list" },
  { id: "error_again", first: "unknown_investment" },
] as const satisfies readonly { id: ProbeId; first: ProbeId }[];

/** Sends requests one after the other, no faster than its pace, and keeps the shapes of their responses. */
export class Session {
  readonly seen = new ProbeResponses();
  readonly memory = new IdRegistry();
  readonly options: SessionOptions;
  sent = 0;
  /** How many 429s were waited out. */
  waited = 0;
  /** How many requests got no useful response. */
  failed = 0;
  ended: EarlyEnd | undefined;
  /** The index of the key for probes that do not name another. */
  reader = 0;
  marketing: number | undefined;
  #failures = 0;
  #lastStart = -Infinity;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Sends a probe, and keeps and returns its shape; undefined if there is no response or the session has ended. */
  async ask(id: ProbeId, filling: ProbeParameters = {}): Promise<Shape | undefined> {
    const { maxRequests } = this.options;
    const isLast = this.sent > 0 && this.sent >= maxRequests - confirmations.length;
    if (!this.ended && isLast) this.#end(`the limit of ${maxRequests} requests`, false);
    if (this.ended) return undefined;
    const shape = await this.#responseTo(id, filling);
    if (shape) this.seen.add(id, shape);
    return shape;
  }

  /**
   * Asks for the offering, the list and an unknown investment again. If a response differs from the first one, it is
   * unknown which responds are the service's own: the session has failed, and forgets them all.
   */
  async confirm(): Promise<void> {
    for (const { id, first } of confirmations) {
      const before = this.seen.all(first).find(({ asked }) => asked.key === this.reader);
      if (!before || this.ended?.failed) continue;
      const now = await this.#responseTo(id, {});
      const change = now ? changeIn(before, now) : "no useful response";
      if (now && change === undefined) this.seen.add(id, now);
      else {
        this.fail(`request ${this.sent} asked for the ${first.replace("_", " ")} again and got ${change}`);
      }
    }
  }

  /** Ends the session as failed, and forgets all responses. */
  fail(reason: string): void {
    this.ended = { reason, failed: true };
    this.seen.clear();
  }

  /** Asks until the response is not a 429; undefined without a useful response. */
  async #responseTo(id: ProbeId, filling: ProbeParameters): Promise<Shape | undefined> {
    const definition = probe(id);
    const { page, size } = filling;
    const key = this.#keyFor(id, filling);
    if (definition.holds === "list" && !definition.continues) this.memory.series.length = 0;
    for (let count429 = 1; ; count429++) {
      const response = await this.#exchange(this.#outgoing(id, filling), definition, filling);
      if (!response) return undefined;
      const shape = shapeOf(response.raw, definition.holds ?? "other", { page, size, key }, this.memory, response.json);
      if (shape.status !== 429) return shape;
      this.seen.limited ??= shape;
      if (!(await this.#waitOut(shape, count429))) return undefined;
    }
  }

  #keyFor(id: ProbeId, { key }: ProbeParameters): number {
    return key ?? (probe(id).key === "marketing" ? this.marketing : undefined) ?? this.reader;
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    if (milliseconds >= 5000) this.options.onProgress?.(this.sent, milliseconds);
    await this.options.clock.wait(milliseconds);
  }

  #outgoing(id: ProbeId, filling: ProbeParameters): Outgoing {
    const { path, key: use, origin, method } = probe(id);
    const { url, offering, keys, userAgent } = this.options;
    const key = keys[this.#keyFor(id, filling)];
    const headers: Record<string, string> = { "User-Agent": userAgent, Accept: "application/json" };
    if (use !== "none") headers["Authorization"] = `${use === "lower-case scheme" ? "bearer" : "Bearer"} ${key}`;
    if (origin) headers["Origin"] = probeOrigin;
    return { method: method ?? "GET", url: new URL(url.href + fill(path, { ...filling, offering })), headers };
  }

  /** Sends a request when its time has come; undefined without a useful response. */
  async #exchange(
    outgoing: Outgoing,
    definition: Probe,
    filling: ProbeParameters,
  ): Promise<{ raw: RawResponse; json: unknown } | undefined> {
    const { method } = definition;
    const { clock, sender, onProgress, pace, maxRequests } = this.options;
    if (this.sent >= maxRequests) return this.#end(`the limit of ${maxRequests} requests`, false);
    await this.#wait(this.#lastStart + pace - clock.now());
    this.#lastStart = clock.now();
    this.sent++;
    onProgress?.(this.sent, 0);
    let failure: string;
    let isServerError = false;
    try {
      const raw = await sender.send(outgoing);
      // The service sent a page for people instead of data, such as for maintenance or a login.
      const json = parsedJson(raw.body);
      const isPage = raw.status === 200 && !method && json === undefined;
      const isOther = raw.status === 200 && !method && !isPage && !isRequested(json, definition, filling, this.options);
      if (raw.status < 500 && !isPage && !isOther) {
        this.#failures = 0;
        return { raw, json };
      }
      failure = `it returned ${raw.status}${isPage ? " without JSON" : ""}${isOther ? " with another document than the requested one" : ""}`;
      isServerError = raw.status >= 500;
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      failure = error.message;
    }
    this.failed++;
    this.#failures++;
    if (this.#failures === maxFailures) this.#end(`${failure}, the third failure in a row`, true);
    else if (this.sent === 1 && !isServerError) this.#end(failure, true);
    return undefined;
  }

  /** Waits as long as a 429 asks to; false if that is too long or too often. */
  async #waitOut({ retryIn = 60_000 }: Shape, count429: number): Promise<boolean> {
    const time = retryIn > 86_400_000 ? "more than a day" : `${Math.round(retryIn / 1000)} s`;
    if (retryIn > maxWait) this.#end(`a 429 asks to wait ${time}`, true);
    else if (count429 === max429s) this.#end(`${max429s} 429s in a row`, true);
    if (this.ended) return false;
    this.waited++;
    await this.#wait(Math.max(1000, retryIn));
    return true;
  }

  #end(reason: string, failed: boolean): undefined {
    this.ended ??= { reason, failed };
  }
}

/**
 * Returns false for a document of another resource than the one whose id is in the path, and for one that is not of the
 * form of section 4. The forms of offerings, lists and statuses are not known, so a list may have any.
 */
function isRequested(
  json: unknown,
  { path, holds, key }: Probe,
  { sample }: ProbeParameters,
  { offering }: SessionOptions,
): boolean {
  // Any response to a request without a key says enough, and a wrong first response is a wrong address.
  if (key === "none") return true;
  if (!isMembers(json)) return key === "each" && holds === undefined;
  const expected = path.endsWith("/{offering}") ? offering : path.includes("{") ? sample : undefined;
  const data = isMembers(json["data"]) ? json["data"] : {};
  const isOfAnother = (item: unknown): boolean => typeof offeringOf(item) === "string" && offeringOf(item) !== offering;
  if (holds === "list" && Array.isArray(json["data"]) && json["data"].some(isOfAnother)) return false;
  const isSpecified = holds === "investment" || holds === "events";
  if (isSpecified && !(typeof data["id"] === "string" && isMembers(data["attributes"] ?? {}))) return false;
  if (holds === "events" && !Array.isArray(json["included"])) return false;
  const { id = expected } = data;
  return expected === undefined || String(id).toLowerCase() === expected.toLowerCase();
}

/** The id of the offering to which an investment of a list belongs, as far as it says so. */
function offeringOf(item: unknown): unknown {
  let value = item;
  for (const name of ["relationships", "offering", "data", "id"]) value = isMembers(value) ? value[name] : undefined;
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

/** Returns how a response differs from an earlier one to the same request, apart from its data; undefined if alike. */
function changeIn(before: Shape, now: Shape): string | undefined {
  const isRefused = now.status === 401 || now.status === 403;
  if (now.status !== before.status) return `${now.status}${isRefused ? ", a refusal of the key" : ""}`;
  if (now.mediaType !== before.mediaType) return "another Content-Type";
  if (now.subject !== before.subject) return "another resource";
  if (before.list?.count && now.list?.count === 0) return "an empty list";
  if (!before.isWhole || !now.isWhole) return undefined;
  // Two responses with a list may have different items, and so different members.
  const isAlike = before.list
    ? Object.keys(before.types ?? {}).join() === Object.keys(now.types ?? {}).join()
    : typeDifferences(before.types ?? "text", now.types ?? "text").length === 0;
  return isAlike ? undefined : "a document of another form";
}

/** Fills the placeholders of a path. Throws for one without a value. */
function fill(path: string, { sample, ...values }: ProbeParameters & { readonly offering: string }): string {
  const texts: Record<string, string | number | undefined> = { ...values, sample, SAMPLE: sample?.toUpperCase() };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`nothing fills {${name}}`);
    return encodeURIComponent(String(text));
  });
}
