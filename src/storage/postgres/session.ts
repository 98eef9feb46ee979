import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientConfig, Notification, Pool } from "pg";
import { Histogram } from "../../time/histogram.ts";
import {
  boundedConfig,
  inSchema,
  isBroken,
  isLocked,
  notInSessionMode,
  nothingDone,
  type PgModule,
  prepare,
  prepareSession,
  unavailable,
} from "./connection.ts";
import { statements } from "./statements.ts";

/** Milliseconds, and one number. */
export const defaultTimings = {
  /** Between two heartbeats. */
  beat: 500,
  /** A process responds from memory for this long after it sent the last sign that was answered. */
  validity: 1500,
  /** From seeing an owner dead to claiming its environment: at least `validity`, or a response may be stale. */
  grace: 1500,
  /** PostgreSQL ends the session of a process that is silent for this long. */
  silence: 5000,
  /** A call waits for PostgreSQL for this long, and for another process for six times as long. */
  patience: 5000,
  /** An environment that is unused for this long is released. */
  idle: 60_000,
  /** Between two removals of expired environments. */
  sweep: 30_000,
  /** The number of environments that a process has in memory. */
  maxOpen: 2000,
};

export type Timings = Readonly<typeof defaultTimings>;

/** Asks a statement on the connection of the session. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>;

export interface Duties {
  /** Takes over, under the number of a new session, what numbers of earlier ones own. */
  resume(ask: Ask, number: string, earlier: readonly string[]): Promise<void>;
  /** Called with each message of the channel. */
  hear(message: string): void;
  /** Called after each heartbeat. */
  tend(): void;
}

/**
 * A session of PostgreSQL with an advisory lock on a random number, by which others see that this process lives. A
 * broken session is followed by another, with another number. Statements go over a pool of connections next to it, so
 * that none delays a heartbeat.
 */
export class Session {
  readonly #connect: () => Client;
  readonly #pool: Pool;
  readonly #schema: string;
  readonly channel: string;
  readonly timings: Timings;
  readonly #signs = new EventEmitter().setMaxListeners(0);
  /** Undefined while there is no session. */
  number: string | undefined;
  /** All that the session has had. */
  readonly numbers = new Set<string>();
  /** Numbers that may still own environments of this process. */
  #earlier: readonly string[] = [];
  /** When the last answered sign was sent, by two clocks: a machine that sleeps stops the first. */
  #sign = { steady: -Infinity, wall: -Infinity };
  isClosed = false;
  readonly queries = new Histogram();
  /** Called when a session ends, and when another has begun. */
  onPresence: (isPresent: boolean) => void = () => {};
  #isPresent = false;
  /** Why the last session ended, or did not come about. */
  #end: unknown;
  #client: Client | undefined;
  /** Aborted when the session ends. */
  #life = new AbortController();

  constructor(pg: PgModule, config: ClientConfig, schema: string, timings: Timings) {
    const { patience } = timings;
    this.#connect = () => new pg.Client(boundedConfig(config, patience));
    this.#pool = new pg.Pool({ ...boundedConfig(config, patience, longest * patience), max: 4 });
    // A closed connection of the pool is replaced with the next statement.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      // Comes before the first statement of the connection. Locked rows must not take all connections.
      prepare(client, { statement: longest * patience, lock: patience / 50 }).catch(() => {});
    });
    this.#schema = schema;
    this.channel = `sandbox_${schema}`;
    this.timings = timings;
  }

  /** Whether responses may come from memory. */
  get isAlive(): boolean {
    const { steady, wall } = this.#sign;
    const { validity } = this.timings;
    return this.number !== undefined && performance.now() - steady < validity && Date.now() - wall < validity;
  }

  /** Resolves when responses may come from memory. Rejects with ControlError after `patience`. */
  async alive(): Promise<void> {
    await this.#until(() => this.isAlive || undefined, performance.now() + this.timings.patience);
  }

  /**
   * Asks a statement over the pool, and again if its connection broke or the session changed meanwhile: what was done
   * under the earlier number may have been undone. Rejects with ControlError after `patience`.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As in `pg`: the caller knows its columns.
  async query<Row extends object>(text: string, values: (number: string) => readonly unknown[], outcome = nothingDone) {
    const end = performance.now() + this.timings.patience;
    for (;;) {
      const number = await this.#until(() => this.number, end, outcome);
      const parameters = [...values(number)];
      try {
        const rows = await this.#ask<Row>(text, parameters, number);
        if (number === this.number) return { rows, number };
      } catch (error) {
        const isLasting = !isBroken(error) && !isLocked(error);
        if (isLasting || performance.now() >= end) throw unavailable(outcome, error);
        await wait(retryDelayMs);
      }
    }
  }

  /**
   * Sends a statement over a connection of the pool. If that breaks, ends the session: the statement may still arrive
   * after later ones, and then changes nothing, because it has an earlier number.
   */
  async #ask<Row extends object>(text: string, values: unknown[], number: string): Promise<readonly Row[]> {
    const start = performance.now();
    const client = await this.#pool.connect();
    const { signal } = this.#life;
    const end = (): void => void (client as unknown as Client).end();
    signal.addEventListener("abort", end);
    try {
      const { rows } = await client.query<Row>(inSchema(text, this.#schema), values);
      this.queries.record("postgresql", performance.now() - start);
      client.release();
      return rows;
    } catch (error) {
      client.release(isBroken(error));
      if (isBroken(error) && number === this.number) {
        this.number = undefined;
        void this.#client?.end();
      }
      throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.number = undefined;
    await Promise.allSettled([this.#client?.end(), this.#pool.end()]);
  }

  async #until<Value>(find: () => Value | undefined, end: number, outcome = nothingDone): Promise<Value> {
    for (;;) {
      const value = find();
      if (value !== undefined) return value;
      const left = Math.ceil(end - performance.now());
      if (left <= 0 || this.isClosed) throw unavailable(outcome, this.#end);
      await once(this.#signs, "sign", { signal: AbortSignal.timeout(left) }).catch(() => {});
    }
  }

  /** Connects, and again after each break, until `close`. */
  async open(duties: Duties): Promise<void> {
    while (!this.isClosed) {
      const client = this.#connect();
      this.#client = client;
      // After an error, the loop opens the next session.
      await this.#liveOver(client, duties).catch((error: unknown) => (this.#end = error));
      this.number = undefined;
      if (this.#isPresent && !this.isClosed) this.onPresence((this.#isPresent = false));
      void client.end().catch(() => {});
      await wait(retryDelayMs);
    }
  }

  /** Runs one session. Rejects when its connection is lost. */
  async #liveOver(client: Client, duties: Duties): Promise<never> {
    const { beat, patience, silence } = this.timings;
    const life = (this.#life = new AbortController());
    client.on("error", () => {});
    client.once("end", () => life.abort(new Error("the connection ended")));
    const ask: Ask = async (text, values = []) =>
      (await client.query<object>(inSchema(text, this.#schema), [...values])).rows;
    await client.connect();
    const number = newNumber();
    const bounds = { lock: patience / 5, silence };
    const { pid } = await prepareSession(client, this.#schema, bounds, number);
    client.on("notification", ({ payload = "" }: Notification) => duties.hear(payload));
    await ask(`listen "${this.channel}"`);
    this.numbers.add(number);
    this.#earlier = [...this.#earlier, number];
    await duties.resume(ask, number, this.#earlier.slice(0, -1));
    for (;;) {
      const sent = { steady: performance.now(), wall: Date.now() };
      const [response] = (await ask(statements.sign)) as readonly { readonly pid: number }[];
      if (response?.pid !== pid) throw new Error(notInSessionMode);
      if (this.isClosed) throw new Error("closed");
      this.number = number;
      this.#earlier = [number];
      this.#sign = sent;
      this.#signs.emit("sign");
      if (!this.#isPresent) this.onPresence((this.#isPresent = true));
      duties.tend();
      await wait(beat, undefined, { signal: life.signal });
    }
  }
}

const retryDelayMs = 50;
/** A statement may take so many times as long as a call waits for a response: a row may be large. */
const longest = 6;

/** A number of 64 bits for a session, which no other has. */
export function newNumber(): string {
  return randomBytes(8).readBigInt64BE().toString();
}
