import { Memory } from "../answers/memory.ts";
import { jsonIn, probeOrigin, type RawResponse, type Shape, shapeOf } from "../answers/shape.ts";
import { Seen } from "../rows/seen.ts";
import { anotherResource, changeIn, oddityIn } from "./oddity.ts";
import { type Probe, probe, type ProbeId } from "./probes.ts";
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
/** So many 429s in a row end a session, and so many failures. */
const [max429s, maxFailures] = [4, 3];
/**
 * After so many answers that prove nothing of the service's manner, the offering is asked for again: at each fifth request, so
 * that answers that come and go with another rhythm show.
 */
const maxUnsettled = 4;

/**
 * Sends requests one after the other, no faster than its pace, and keeps the shapes of their answers. An answer counts once the
 * service has later answered a usual question in its usual manner.
 */
export class Session {
  readonly seen = new Seen();
  readonly memory = new Memory();
  readonly options: SessionOptions;
  sent = 0;
  /** How many 429s were waited out. */
  waited = 0;
  /** How many requests got no useful answer. */
  failed = 0;
  ended: EarlyEnd | undefined;
  /** The key for probes without another one. */
  reader = 0;
  marketing: number | undefined;
  #failures = 0;
  /** The first answer to each request, as far as it is not odd. */
  readonly #answered = new Map<string, Shape>();
  /** The odd answers to usual questions, by probe, that are the service's own manner. */
  readonly #tolerated = new Set<string>();
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
    if (this.#isControlDue(id)) await this.ask("control");
    const outgoing = this.#outgoing(id, filling);
    const shape = await this.#answerTo(id, filling, outgoing);
    if (!shape) return undefined;
    const { usual, holds = "offering", only } = probe(id);
    const oddity = this.#oddityOf(shape, id, filling);
    const question = JSON.stringify(outgoing);
    const earlier = only === "exhaust" ? undefined : this.#answered.get(question);
    const change = earlier && (oddity ?? changeIn(earlier, shape, outgoing.url));
    if (change !== undefined)
      this.#endChanged(`request ${this.sent} asked ${usual ? `for the ${holds}` : "the same"} again and got ${change}`);
    else if (oddity !== undefined) await this.#tolerate(oddity, id, filling);
    if (this.ended) return undefined;
    this.seen.add(id, shape);
    if (oddity !== undefined) return shape;
    if (!earlier) this.#answered.set(question, shape);
    // A list says nothing of whose it is.
    if ((usual || id === "offering") && holds !== "list") this.seen.settle();
    return shape;
  }

  /** Returns true if nothing has shown for long that the service answers as before. */
  #isControlDue(id: ProbeId): boolean {
    if (id === "control" || probe(id).only === "exhaust" || this.seen.unsettled === 0) return false;
    return this.seen.unsettled >= maxUnsettled || this.sent === this.#most - 1;
  }

  /** Asks a question with an odd answer again. It is the service's own manner if it is the same, and the offering as before. */
  async #tolerate(oddity: string, id: ProbeId, filling: Filling): Promise<void> {
    if (this.#tolerated.has(`${id} ${oddity}`)) return;
    this.#tolerated.add(`${id} ${oddity}`);
    const number = this.sent;
    const shape = await this.#answerTo(id, filling, this.#outgoing(id, filling));
    const again = shape && (this.#oddityOf(shape, id, filling) ?? "the right answer");
    if (again !== undefined && again !== oddity)
      this.#endChanged(`requests ${number} and ${this.sent} were the same and got ${oddity}, ${again}`);
    else if (oddity === anotherResource) this.#endChanged(`request ${number} got ${oddity}`);
    else await this.ask("control", { key: this.#keyFor(id, filling) });
  }

  #oddityOf(shape: Shape, id: ProbeId, { sample }: Filling): string | undefined {
    const { usual, holds = "offering" } = probe(id);
    // A filter may be refused. Its events are those of the investment.
    if (!usual && !(holds === "events" && shape.events)) return undefined;
    const first = holds === "offering" ? this.seen.one("offering")?.subject : undefined;
    return oddityIn(shape, holds, sample === undefined ? first : this.memory.number(sample.toLowerCase()));
  }

  async #answerTo(id: ProbeId, filling: Filling, outgoing: Outgoing): Promise<Shape | undefined> {
    const definition = probe(id);
    const { page, size } = filling;
    const key = this.#keyFor(id, filling);
    if (definition.holds === "list" && !definition.continues) this.memory.series.length = 0;
    for (let count429 = 1; ; count429++) {
      const answer = await this.#exchange(outgoing, definition);
      if (!answer) return undefined;
      const asked = { page, size, key, parameter: definition.refuses };
      const shape = shapeOf(answer.raw, definition.holds ?? "other", asked, this.memory, answer.json);
      // The requests that exhaust a key are meant to be refused at last.
      if (shape.status !== 429 || definition.only === "exhaust") return shape;
      this.seen.limited ??= shape;
      if (!(await this.#waitOut(shape, count429))) return undefined;
    }
  }

  #keyFor(id: ProbeId, { key }: Filling): number {
    return key ?? (probe(id).key === "marketing" ? this.marketing : undefined) ?? this.reader;
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

  #outgoing(id: ProbeId, filling: Filling): Outgoing {
    const { path, key: use, origin, method } = probe(id);
    const { url, offering, keys, userAgent } = this.options;
    const key = keys[this.#keyFor(id, filling)];
    const headers: Record<string, string> = { "User-Agent": userAgent, Accept: "application/json" };
    if (use !== "none") headers["Authorization"] = `${use === "lower-case scheme" ? "bearer" : "Bearer"} ${key}`;
    if (origin) headers["Origin"] = probeOrigin;
    return { method: method ?? "GET", url: new URL(url.href + fill(path, { ...filling, offering })), headers };
  }

  /** Sends a request when its time has come; undefined without a useful answer. */
  async #exchange(
    outgoing: Outgoing,
    { usual, method }: Probe,
  ): Promise<{ raw: RawResponse; json: unknown } | undefined> {
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
      // A page for people in place of data, as of a maintenance or a login. In answer to a usual question it is an oddity.
      const json = jsonIn(raw.body);
      const isPage = raw.status === 200 && !method && !usual && json === undefined;
      if (raw.status < 500 && !isPage) {
        this.#failures = 0;
        return { raw, json };
      }
      failure = `it answered ${raw.status}${isPage ? " without JSON" : ""}`;
      isServerError = raw.status >= 500;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
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
    if (retryIn > longestWait) this.#end(`a 429 asks to wait ${time}`, true);
    else if (count429 === max429s) this.#end(`${max429s} 429s in a row`, true);
    if (this.ended) return false;
    this.waited++;
    await this.wait(Math.max(1000, retryIn));
    return true;
  }

  /** Ends the session, and forgets the answers since the last usual one: nothing shows that they are the service's own. */
  #end(reason: string, failed: boolean): undefined {
    if (!this.ended) this.seen.forget();
    this.ended ??= { reason, failed };
  }

  /** Ends the session, and forgets all answers: nobody knows when the service began to answer otherwise. */
  #endChanged(reason: string): void {
    this.#end(reason, true);
    this.seen.forgetAll();
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
