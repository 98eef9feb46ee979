import { Memory } from "../answers/memory.ts";
import { jsonIn, probeOrigin, type RawResponse, type Shape, shapeOf } from "../answers/shape.ts";
import { Seen } from "../rows/seen.ts";
import { type Probe, probe, type ProbeId, unknownId } from "./probes.ts";
import { type Outgoing, type Sender, Unanswered } from "./send.ts";

/** The clock of a session: real, or a sandbox's in tests. */
export interface SessionClock {
  /** In milliseconds. */
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
  /** The most requests. */
  readonly most: number;
  readonly userAgent: string;
  readonly sender: Sender;
  readonly clock: SessionClock;
  /** Called before each request, and before each wait of several seconds, with how many requests were sent and the wait. */
  readonly onProgress?: ((sent: number, waiting: number) => void) | undefined;
}

/** An end before all was asked. */
export interface EarlyEnd {
  readonly reason: string;
  /** Whether the service failed, in place of reaching a limit of the user. */
  readonly failed: boolean;
}

/** Fills the placeholders of a probe. */
export interface Filling {
  readonly sample?: string;
  readonly page?: number;
  readonly size?: number;
  readonly day?: string;
  /** The key to use in place of the reader. */
  readonly key?: number;
}

/** The longest wait for a 429, in milliseconds. */
export const longestWait = 120_000;
/** So many 429s in a row end a session, so many failures, and so many refusals of a key. */
const [max429s, maxFailures, maxRefusals] = [4, 3, 3];

/** Sends requests one after the other, no faster than its pace, and keeps the shapes of their answers. */
export class Session {
  readonly seen = new Seen();
  readonly memory = new Memory();
  readonly options: SessionOptions;
  sent = 0;
  /** How many 429s were waited out. */
  waited = 0;
  ended: EarlyEnd | undefined;
  /** The key for probes without another one. */
  reader = 0;
  marketing: number | undefined;
  #failures = 0;
  /** The numbers of the requests whose key was refused, since it was last taken. */
  #refusals: number[] = [];
  #lastStart = -Infinity;
  #most: number;
  #pace: number;

  constructor(options: SessionOptions) {
    this.options = options;
    this.#most = options.most;
    this.#pace = options.pace;
  }

  /** Sends a probe, and keeps and returns its shape; undefined if there is no answer or the session has ended. */
  async ask(id: ProbeId, filling: Filling = {}): Promise<Shape | undefined> {
    const definition = probe(id);
    const { page, size } = filling;
    const key = filling.key ?? (definition.key === "marketing" ? this.marketing : undefined) ?? this.reader;
    const outgoing = this.#outgoing(definition, filling, key);
    if (!definition.continues) this.memory.series.length = 0;
    for (let count429 = 1; ; count429++) {
      const raw = await this.#exchange(outgoing);
      if (!raw) return undefined;
      const asked = { page, size, key, parameter: definition.refuses };
      const shape = shapeOf(raw, definition.holds ?? "other", asked, this.memory);
      // The requests that exhaust a key are meant to be refused at last.
      if (raw.status !== 429 || definition.only === "exhaust") {
        this.seen.add(id, shape);
        return this.#isRefused(definition, shape) ? undefined : shape;
      }
      this.seen.limited ??= shape;
      if (!(await this.#waitOut(shape, count429))) return undefined;
    }
  }

  /** Allows more requests, and no pause between them, in order to exhaust a key. */
  hurry(more: number): void {
    this.#most += more;
    this.#pace = 0;
  }

  async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.ended) return;
    if (milliseconds >= 5000) this.options.onProgress?.(this.sent, milliseconds);
    await this.options.clock.wait(milliseconds);
  }

  #outgoing({ path, key: use, origin, method }: Probe, filling: Filling, key: number): Outgoing {
    const { url, offering, keys, userAgent } = this.options;
    const headers: Record<string, string> = { "User-Agent": userAgent, Accept: "application/json" };
    if (use !== "none") headers["Authorization"] = `${use === "lower-case scheme" ? "bearer" : "Bearer"} ${keys[key]}`;
    if (origin) headers["Origin"] = probeOrigin;
    return { method: method ?? "GET", url: new URL(url.href + fill(path, { ...filling, offering })), headers };
  }

  /** Sends a request when its time has come; undefined without a useful answer. */
  async #exchange(outgoing: Outgoing): Promise<RawResponse | undefined> {
    if (this.ended) return undefined;
    if (this.sent >= this.#most) return this.#end(`the limit of ${this.#most} requests`, false);
    const { clock, sender, onProgress } = this.options;
    await this.wait(this.#lastStart + this.#pace - clock.now());
    this.#lastStart = clock.now();
    this.sent++;
    onProgress?.(this.sent, 0);
    let failure: string;
    let isServerError = false;
    try {
      const raw = await sender.send(outgoing);
      // A page for people in place of data, as of a maintenance or a login.
      const isPage = raw.status === 200 && outgoing.method === "GET" && jsonIn(raw.body) === undefined;
      if (raw.status < 500 && !isPage) {
        this.#failures = 0;
        return raw;
      }
      failure = `it answered ${raw.status}${isPage ? " without JSON" : ""}`;
      isServerError = raw.status >= 500;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      failure = error.message;
    }
    this.#failures++;
    if (this.#failures === maxFailures) this.#end(`${failure}, the third failure in a row`, true);
    else if (this.sent === 1 && !isServerError) this.#end(failure, true);
    return undefined;
  }

  /** Ends the session when the key is refused again and again, and forgets all since it was last taken. */
  #isRefused({ key, path, refuses, origin, method }: Probe, { status }: Shape): boolean {
    if (key === "none" || key === "lower-case scheme") return false;
    // A 403 may be the answer to an unusual request.
    const isUsual = !path.includes(unknownId) && !refuses && !origin && !method;
    if (status !== 401 && status !== 403) {
      this.#refusals = [];
      this.seen.settle();
    } else if (status === 401 || isUsual) {
      this.#refusals.push(this.sent);
    }
    if (this.#refusals.length < maxRefusals) return false;
    this.seen.forget();
    this.#end(`key refused with ${status} since request ${this.#refusals[0]}`, true);
    return true;
  }

  /** Waits as long as a 429 asks to; false if that is too long or too often. */
  async #waitOut({ retryIn = 60_000 }: Shape, count429: number): Promise<boolean> {
    const time = retryIn > 86_400_000 ? "more than a day" : `${Math.round(retryIn / 1000)} s`;
    if (retryIn > longestWait) this.#end(`a 429 asks to wait ${time}`, true);
    else if (count429 === max429s) this.#end(`${max429s} 429s in a row`, true);
    if (this.ended) return false;
    this.waited++;
    await this.wait(Math.max(1000, retryIn));
    return true;
  }

  #end(reason: string, failed: boolean): undefined {
    this.ended ??= { reason, failed };
  }
}

/** Fills the placeholders of a path. Throws for one without a value. */
function fill(path: string, { sample, ...values }: Filling & { readonly offering: string }): string {
  const texts: Record<string, string | number | undefined> = { ...values, sample, SAMPLE: sample?.toUpperCase() };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`nothing fills {${name}}`);
    return encodeURIComponent(String(text));
  });
}
