import { isMembers } from "../../src/validation/members.ts";
import { parsedJson } from "../../src/text/json-text.ts";
import { IdRegistry } from "../responses/registry.ts";
import { probeOrigin, type RawResponse, type Shape, shapeOf } from "../responses/shape.ts";
import { typeDifferences } from "../responses/types.ts";
import { Observations } from "../rows/observations.ts";
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
  /** The time between the starts of two requests. */
  readonly paceMs: number;
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
  /** Whether the service failed; otherwise a limit of the user was reached. */
  readonly isFailure: boolean;
}

/** Fills the placeholders of a probe. */
export interface ProbeParameters {
  readonly sample?: string;
  readonly page?: number;
  readonly size?: number;
  readonly day?: string;
  /** The index of the key to send instead of the `readerKey` of the session. */
  readonly key?: number;
}

/** The longest wait for a 429, in milliseconds. */
const maxWaitMs = 120_000;
/** The numbers of 429s and of failures in a row that end a session. */
const [max429s, maxFailures] = [4, 3];
/** The last requests, each of which repeats an earlier one. */
const confirmations = [
  { id: "control", repeatedProbe: "offering" },
  { id: "list_again", repeatedProbe: "list" },
  { id: "error_again", repeatedProbe: "unknown_investment" },
] as const satisfies readonly { id: ProbeId; repeatedProbe: ProbeId }[];

/** Sends requests one after the other, no faster than its pace, and stores the shapes of their responses. */
export class Session {
  readonly observations = new Observations();
  readonly registry = new IdRegistry();
  readonly options: SessionOptions;
  requestCount = 0;
  /** The number of waits after a 429. */
  waitCount = 0;
  /** The number of requests without a useful response. */
  failureCount = 0;
  earlyEnd: EarlyEnd | undefined;
  /** The index of the key for probes that do not name another. */
  readerKey = 0;
  marketingKey: number | undefined;
  #failuresInARow = 0;
  #lastStartAt = -Infinity;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Sends a probe, stores and returns its shape; undefined if there is no response or the session has ended. */
  async send(id: ProbeId, parameters: ProbeParameters = {}): Promise<Shape | undefined> {
    const { maxRequests } = this.options;
    const isLast = this.requestCount > 0 && this.requestCount >= maxRequests - confirmations.length;
    if (!this.earlyEnd && isLast) this.#end(`the limit of ${maxRequests} requests`, false);
    if (this.earlyEnd) return undefined;
    const shape = await this.#sendUntilAccepted(id, parameters);
    if (shape) this.observations.add(id, shape);
    return shape;
  }

  /**
   * Requests the offering, the list and an unknown investment again. If a response differs from the first response, it
   * is unknown which responses are true: the session fails and discards all of them.
   */
  async confirm(): Promise<void> {
    for (const { id, repeatedProbe } of confirmations) {
      const earlierShape = this.observations.all(repeatedProbe).find(({ request }) => request.key === this.readerKey);
      if (!earlierShape || this.earlyEnd?.isFailure) continue;
      const laterShape = await this.#sendUntilAccepted(id, {});
      const change = laterShape ? formatChange(earlierShape, laterShape) : "no useful response";
      if (laterShape && change === undefined) this.observations.add(id, laterShape);
      else {
        this.fail(
          `request ${this.requestCount} requested the ${repeatedProbe.replace("_", " ")} again and got ${change}`,
        );
      }
    }
  }

  /** Ends the session as failed, and discards all responses. */
  fail(reason: string): void {
    this.earlyEnd = { reason, isFailure: true };
    this.observations.clear();
  }

  /** Sends a probe until its response is not a 429; undefined without a useful response. */
  async #sendUntilAccepted(id: ProbeId, parameters: ProbeParameters): Promise<Shape | undefined> {
    const definition = probe(id);
    const { content = "other", isContinuation } = definition;
    const { page, size } = parameters;
    const request = { page, size, key: this.#keyFor(id, parameters) };
    if (content === "list" && !isContinuation) this.registry.series.length = 0;
    for (let count429 = 1; ; count429++) {
      const response = await this.#exchange(this.#createRequest(id, parameters), definition, parameters);
      if (!response) return undefined;
      const shape = shapeOf(response.raw, content, request, this.registry, response.json);
      if (shape.status !== 429) return shape;
      this.observations.rateLimited ??= shape;
      if (!(await this.#waitOut(shape, count429))) return undefined;
    }
  }

  #keyFor(id: ProbeId, { key }: ProbeParameters): number {
    return key ?? (probe(id).key === "marketing" ? this.marketingKey : undefined) ?? this.readerKey;
  }

  async #wait(waitMs: number): Promise<void> {
    if (waitMs <= 0) return;
    if (waitMs >= 5000) this.options.onProgress?.(this.requestCount, waitMs);
    await this.options.clock.wait(waitMs);
  }

  #createRequest(id: ProbeId, parameters: ProbeParameters): Outgoing {
    const { path, key: use, hasOrigin, method } = probe(id);
    const { url, offering, keys, userAgent } = this.options;
    const key = keys[this.#keyFor(id, parameters)];
    const headers: Record<string, string> = { "User-Agent": userAgent, Accept: "application/json" };
    if (use !== "none") headers["Authorization"] = `${use === "lower-case scheme" ? "bearer" : "Bearer"} ${key}`;
    if (hasOrigin) headers["Origin"] = probeOrigin;
    return { method: method ?? "GET", url: new URL(url.href + fillPath(path, { ...parameters, offering })), headers };
  }

  /** Sends a request once the pace allows it; undefined without a useful response. */
  async #exchange(
    outgoing: Outgoing,
    definition: Probe,
    parameters: ProbeParameters,
  ): Promise<{ raw: RawResponse; json: unknown } | undefined> {
    const { clock, sender, onProgress, paceMs, maxRequests } = this.options;
    if (this.requestCount >= maxRequests) return this.#end(`the limit of ${maxRequests} requests`, false);
    await this.#wait(this.#lastStartAt + paceMs - clock.now());
    this.#lastStartAt = clock.now();
    this.requestCount++;
    onProgress?.(this.requestCount, 0);
    let failure: string | undefined;
    let isServerError = false;
    try {
      const raw = await sender.send(outgoing);
      const json = parsedJson(raw.body);
      isServerError = raw.status >= 500;
      failure = isServerError ? `it returned ${raw.status}` : undefined;
      if (raw.status === 200 && !definition.method)
        failure = formatUselessDocument(json, definition, parameters, this.options);
      if (failure === undefined) {
        this.#failuresInARow = 0;
        return { raw, json };
      }
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      failure = error.message;
    }
    this.failureCount++;
    this.#failuresInARow++;
    if (this.#failuresInARow === maxFailures) this.#end(`${failure}, the third failure in a row`, true);
    else if (this.requestCount === 1 && !isServerError) this.#end(failure, true);
    return undefined;
  }

  /** Waits for the delay that a 429 asks for. Returns false if the delay is too long or repeated too often. */
  async #waitOut({ retryDelayMs = 60_000 }: Shape, count429: number): Promise<boolean> {
    const time = retryDelayMs > 86_400_000 ? "more than a day" : `${Math.round(retryDelayMs / 1000)} s`;
    if (retryDelayMs > maxWaitMs) this.#end(`a 429 asks to wait ${time}`, true);
    else if (count429 === max429s) this.#end(`${max429s} 429s in a row`, true);
    if (this.earlyEnd) return false;
    this.waitCount++;
    await this.#wait(Math.max(1000, retryDelayMs));
    return true;
  }

  #end(reason: string, isFailure: boolean): undefined {
    this.earlyEnd ??= { reason, isFailure };
  }
}

/** Returns why the document of a 200 is useless; undefined for a useful document. */
function formatUselessDocument(
  json: unknown,
  ...request: [Probe, ProbeParameters, SessionOptions]
): string | undefined {
  // The service sent a page for people instead of data, such as for maintenance or a login.
  if (json === undefined) return "it returned 200 without JSON";
  return isRequested(json, ...request) ? undefined : "it returned 200 with another document than the requested one";
}

/**
 * Returns false for a document of another resource than the requested one, and for a document that does not have the
 * form of section 4. The forms of offerings, lists and statuses are unknown, so these may have any form.
 */
function isRequested(
  json: unknown,
  { path, content, key }: Probe,
  { sample }: ProbeParameters,
  { offering }: SessionOptions,
): boolean {
  // Any response to a request without a key is useful. A wrong response to the first request shows a wrong address.
  if (key === "none") return true;
  if (!isMembers(json)) return key === "each" && content === undefined;
  const expected = path.endsWith("/{offering}") ? offering : path.includes("{") ? sample : undefined;
  const data = isMembers(json["data"]) ? json["data"] : {};
  const isOfAnotherOffering = (item: unknown): boolean =>
    typeof offeringOf(item) === "string" && offeringOf(item) !== offering;
  if (content === "list" && Array.isArray(json["data"]) && json["data"].some(isOfAnotherOffering)) return false;
  const hasSpecifiedForm = content === "investment" || content === "events";
  if (hasSpecifiedForm && !(typeof data["id"] === "string" && isMembers(data["attributes"] ?? {}))) return false;
  if (content === "events" && !Array.isArray(json["included"])) return false;
  const { id = expected } = data;
  return expected === undefined || String(id).toLowerCase() === expected.toLowerCase();
}

/** Returns the offering's id of a listed investment; undefined if the investment does not contain it. */
function offeringOf(item: unknown): unknown {
  let value = item;
  for (const name of ["relationships", "offering", "data", "id"]) value = isMembers(value) ? value[name] : undefined;
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

/** Formats how a response differs from an earlier response to the same request; undefined if only its data differs. */
function formatChange(earlierShape: Shape, laterShape: Shape): string | undefined {
  const isRefused = laterShape.status === 401 || laterShape.status === 403;
  if (laterShape.status !== earlierShape.status)
    return `${laterShape.status}${isRefused ? ", a refusal of the key" : ""}`;
  if (laterShape.mediaType !== earlierShape.mediaType) return "another Content-Type";
  if (laterShape.subject !== earlierShape.subject) return "another resource";
  if (earlierShape.list?.count && laterShape.list?.count === 0) return "an empty list";
  if (!earlierShape.isWhole || !laterShape.isWhole) return undefined;
  // Two responses with a list may have different items, whose members may differ.
  const isSameForm = earlierShape.list
    ? Object.keys(earlierShape.types ?? {}).join() === Object.keys(laterShape.types ?? {}).join()
    : typeDifferences(earlierShape.types ?? "text", laterShape.types ?? "text").length === 0;
  return isSameForm ? undefined : "a document of another form";
}

/** Fills the placeholders of a path. Throws for a placeholder without a value. */
function fillPath(path: string, { sample, ...values }: ProbeParameters & { readonly offering: string }): string {
  const valueByName: Record<string, string | number | undefined> = { ...values, sample, SAMPLE: sample?.toUpperCase() };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueByName[name];
    if (value === undefined) throw new Error(`no value for {${name}}`);
    return encodeURIComponent(String(value));
  });
}
