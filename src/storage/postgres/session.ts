import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientConfig, Notification, Pool } from "pg";
import { Histogram } from "../../time/histogram.ts";
import { boundedConfig, inSchema, type PgModule, prepareConnection, prepareSession } from "./connection.ts";
import { isConnectionLost, isLockTimeout, notAppliedMessages, sessionModeMessage, unavailableError } from "./errors.ts";
import { statements } from "./statements.ts";

/** The timeouts and intervals of a process, and one count. */
export const defaultTimings = {
  /** The time between two heartbeats. */
  heartbeatIntervalMs: 500,
  /** A process responds from memory for this long after it sent the last heartbeat that PostgreSQL confirmed. */
  leaseDurationMs: 1500,
  /**
   * The time between the moment at which a process finds the owner of an environment dead and its claim to that
   * environment. At least `leaseDurationMs`: until then, the owner may still respond from memory.
   */
  takeoverDelayMs: 1500,
  /** PostgreSQL ends the session of a process that sends nothing for this long. */
  idleSessionTimeoutMs: 5000,
  /** A call waits for PostgreSQL for this long, and for another process for six times as long. */
  queryTimeoutMs: 5000,
  /** An environment that is unused for this long is released. */
  idleEnvironmentMs: 60_000,
  /** The time between two removals of expired environments. */
  cleanupIntervalMs: 30_000,
  /** The number of environments that a process has in memory. */
  maxOpenEnvironments: 2000,
};

export type Timings = Readonly<typeof defaultTimings>;

/** Runs a statement on the connection of the session. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>;

export interface SessionHandlers {
  /** Called when a session begins: transfers the rows of earlier sessions of this process to it. */
  onReconnect(query: Query, sessionId: string, earlierIds: readonly string[]): Promise<void>;
  /** Called with each message of the channel. */
  onNotification(message: string): void;
  onHeartbeat(): void;
}

/**
 * A session of PostgreSQL with an advisory lock on a random id, by which other processes see that this process lives.
 * After a session has broken, the next one begins, with another id. Statements go over a pool of connections next to
 * it, so that no statement delays a heartbeat.
 */
export class Session {
  readonly #connect: () => Client;
  readonly #pool: Pool;
  readonly #schema: string;
  readonly channel: string;
  readonly timings: Timings;
  readonly #heartbeats = new EventEmitter().setMaxListeners(0);
  /** The id of the current session; undefined while there is none. */
  sessionId: string | undefined;
  /** The ids of all sessions of this process so far. */
  readonly sessionIds = new Set<string>();
  /** The ids of earlier sessions, which may still own environments of this process. */
  #earlierIds: readonly string[] = [];
  /** The time at which the last confirmed heartbeat was sent, by two clocks: a machine that sleeps stops the first. */
  #lastHeartbeat = { monotonicMs: -Infinity, wallMs: -Infinity };
  isClosed = false;
  readonly queries = new Histogram();
  /** Called when a session ends, and when the next one has begun. */
  onConnectionChange: (isConnected: boolean) => void = () => {};
  #isConnected = false;
  /** The error that ended the last session, or prevented it. */
  #endReason: unknown;
  #client: Client | undefined;
  /** Aborted when the session ends. */
  #endController = new AbortController();

  constructor(pg: PgModule, config: ClientConfig, schema: string, timings: Timings) {
    const { queryTimeoutMs } = timings;
    const longQueryTimeoutMs = longQueryFactor * queryTimeoutMs;
    this.#connect = () => new pg.Client(boundedConfig(config, queryTimeoutMs));
    this.#pool = new pg.Pool({ ...boundedConfig(config, queryTimeoutMs, longQueryTimeoutMs), max: 4 });
    // A closed connection of the pool is replaced with the next statement.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      // Runs before the first statement of the connection. The short lock timeout prevents locked rows from taking all
      // connections.
      prepareConnection(client, { statementMs: longQueryTimeoutMs, lockMs: queryTimeoutMs / 50 }).catch(() => {});
    });
    this.#schema = schema;
    this.channel = `sandbox_${schema}`;
    this.timings = timings;
  }

  /** Whether responses may come from memory. */
  get isAlive(): boolean {
    const { monotonicMs, wallMs } = this.#lastHeartbeat;
    const ageMs = Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
    return this.sessionId !== undefined && ageMs < this.timings.leaseDurationMs;
  }

  /** Resolves when responses may come from memory. Rejects with ControlError after `queryTimeoutMs`. */
  async waitUntilAlive(): Promise<void> {
    await this.#waitFor(() => this.isAlive || undefined, performance.now() + this.timings.queryTimeoutMs);
  }

  /**
   * Runs a statement over the pool. Runs it again if its connection was lost or the session changed meanwhile, because
   * the next session may have undone it. Rejects with ControlError after `queryTimeoutMs`.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Like in `pg`, the caller knows its columns.
  async query<Row extends object>(
    text: string,
    values: (sessionId: string) => readonly unknown[],
    messages = notAppliedMessages,
  ) {
    const deadline = performance.now() + this.timings.queryTimeoutMs;
    for (;;) {
      const sessionId = await this.#waitFor(() => this.sessionId, deadline, messages);
      const parameters = [...values(sessionId)];
      try {
        const rows = await this.#queryOnce<Row>(text, parameters, sessionId);
        if (sessionId === this.sessionId) return { rows, sessionId };
      } catch (error) {
        const isPermanent = !isConnectionLost(error) && !isLockTimeout(error);
        if (isPermanent || performance.now() >= deadline) throw unavailableError(messages, error);
        await wait(retryDelayMs);
      }
    }
  }

  /**
   * Sends a statement over a connection of the pool. If that connection is lost, ends the session: the statement may
   * still arrive after later ones, and then changes nothing, because it has the id of an ended session.
   */
  async #queryOnce<Row extends object>(text: string, values: unknown[], sessionId: string): Promise<readonly Row[]> {
    const startedAt = performance.now();
    const client = await this.#pool.connect();
    const { signal } = this.#endController;
    const endClient = (): void => void (client as unknown as Client).end();
    signal.addEventListener("abort", endClient);
    try {
      const { rows } = await client.query<Row>(inSchema(text, this.#schema), values);
      this.queries.record("postgresql", performance.now() - startedAt);
      client.release();
      return rows;
    } catch (error) {
      client.release(isConnectionLost(error));
      if (isConnectionLost(error) && sessionId === this.sessionId) {
        this.sessionId = undefined;
        void this.#client?.end();
      }
      throw error;
    } finally {
      signal.removeEventListener("abort", endClient);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.sessionId = undefined;
    await Promise.allSettled([this.#client?.end(), this.#pool.end()]);
  }

  async #waitFor<Value>(find: () => Value | undefined, deadline: number, messages = notAppliedMessages) {
    for (;;) {
      const value = find();
      if (value !== undefined) return value;
      const remainingMs = Math.ceil(deadline - performance.now());
      if (remainingMs <= 0 || this.isClosed) throw unavailableError(messages, this.#endReason);
      await once(this.#heartbeats, "heartbeat", { signal: AbortSignal.timeout(remainingMs) }).catch(() => {});
    }
  }

  /** Runs one session after another, until `close`. */
  async open(handlers: SessionHandlers): Promise<void> {
    while (!this.isClosed) {
      const client = this.#connect();
      this.#client = client;
      // After an error, the loop opens the next session.
      await this.#runSession(client, handlers).catch((error: unknown) => (this.#endReason = error));
      this.sessionId = undefined;
      if (this.#isConnected && !this.isClosed) this.onConnectionChange((this.#isConnected = false));
      void client.end().catch(() => {});
      await wait(retryDelayMs);
    }
  }

  /** Runs one session. Rejects when its connection is lost. */
  async #runSession(client: Client, handlers: SessionHandlers): Promise<never> {
    const { heartbeatIntervalMs, queryTimeoutMs, idleSessionTimeoutMs } = this.timings;
    const endController = (this.#endController = new AbortController());
    client.on("error", () => {});
    client.once("end", () => endController.abort(new Error("the connection ended")));
    const query: Query = async (text, values = []) =>
      (await client.query<object>(inSchema(text, this.#schema), [...values])).rows;
    await client.connect();
    const sessionId = newSessionId();
    const timeouts = { lockMs: queryTimeoutMs / 5, idleSessionMs: idleSessionTimeoutMs };
    const { pid } = await prepareSession(client, this.#schema, timeouts, sessionId);
    client.on("notification", ({ payload = "" }: Notification) => handlers.onNotification(payload));
    await query(`listen "${this.channel}"`);
    this.sessionIds.add(sessionId);
    this.#earlierIds = [...this.#earlierIds, sessionId];
    await handlers.onReconnect(query, sessionId, this.#earlierIds.slice(0, -1));
    for (;;) {
      const heartbeat = { monotonicMs: performance.now(), wallMs: Date.now() };
      const [response] = (await query(statements.heartbeat)) as readonly { readonly pid: number }[];
      if (response?.pid !== pid) throw new Error(sessionModeMessage);
      if (this.isClosed) throw new Error("closed");
      this.sessionId = sessionId;
      this.#earlierIds = [sessionId];
      this.#lastHeartbeat = heartbeat;
      this.#heartbeats.emit("heartbeat");
      if (!this.#isConnected) this.onConnectionChange((this.#isConnected = true));
      handlers.onHeartbeat();
      await wait(heartbeatIntervalMs, undefined, { signal: endController.signal });
    }
  }
}

const retryDelayMs = 50;
/** The factor by which a statement may take longer than a call waits for its result: a row may be large. */
const longQueryFactor = 6;

/** Returns a random id of 64 bits for a session. */
export function newSessionId(): string {
  return randomBytes(8).readBigInt64BE().toString();
}
