import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { SerializedCounts } from "../../coverage/sums.ts";
import type { EnvironmentConfig } from "../../environment/document.ts";
import { Environment } from "../../environment/environment.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import type { SharedEnvironments } from "../../environment/shared-environments.ts";
import { ControlError } from "../../errors/control-error.ts";
import { parseToken } from "../../secrets/tokens.ts";
import { isEnvironmentId } from "../../settings/environment-settings.ts";
import { DatabaseError } from "../file-lock.ts";
import { OtherFixtureError, type Storage } from "../storage.ts";
import { documentColumnsOf, readOrConflict, type Row, type RowOptions, Rows, trafficColumnOf } from "./rows.ts";
import { importPg } from "./connection.ts";
import { isLockTimeout, outcomeUnknownMessages } from "./errors.ts";
import { type Query, defaultTimings, type SessionHandlers, Session, type Timings } from "./session.ts";
import { PostgresLease, type LeaseHost } from "./postgres-lease.ts";
import { statements } from "./statements.ts";
import { addressOf, prepareTables, type StartOptions } from "./tables.ts";

interface PostgresOptions extends RowOptions, Pick<StartOptions, "sharedSettings" | "onWait"> {
  /** Called if the changes of requests cannot be written. */
  readonly onFailure: (error: unknown) => void;
  /** The counts of requests, which move with an environment from one process to the next. */
  readonly coverage: {
    countsOf(environment: Environment): { serialize(part: string): SerializedCounts };
    continueCounts(environment: Environment, sums: SerializedCounts | undefined): void;
  };
  readonly timings?: Partial<Timings> | undefined;
}

/**
 * Stores environments in PostgreSQL, and shares them with other processes over the same database. In this order: `open`
 * waits for PostgreSQL, and lets `tables.ts` check it and create missing tables. `startSaving` begins a session
 * (`session.ts`), whose lock shows that this process lives, and opens the default environment. A call first brings this
 * process's copy of the environment up to date (`syncCopy…`). The copy has a lease (`postgres-lease.ts`), which claims
 * the row of the environment at the first use and writes it with each command (`rows.ts`). The lease releases the row
 * when another process requests it (`onNotification`), when the environment is unused (`onHeartbeat`), or at the end
 * (`close`). After a session is lost, the next one continues with the rows of this process (`onReconnect`).
 */
export class Postgres extends Rows implements Storage, SharedEnvironments, LeaseHost, SessionHandlers {
  readonly warnings: readonly string[];
  readonly onFailure: PostgresOptions["onFailure"];
  readonly #serverName: string;
  readonly #options: PostgresOptions;
  readonly #leases = new Map<Environment, PostgresLease>();
  #environments: Environments | undefined;
  #createDefaultConfig: (() => Promise<EnvironmentConfig>) | undefined;
  #cleanedUpAt = performance.now();
  isClosing = false;
  transferCount = 0;

  private constructor(session: Session, prepared: Awaited<ReturnType<typeof prepareTables>>, options: PostgresOptions) {
    super(session, prepared.linkSecret, options);
    this.#serverName = prepared.serverName;
    this.warnings = prepared.warnings;
    this.#options = options;
    this.onFailure = options.onFailure;
  }

  /** Connects to a database, and creates missing tables. Rejects with ValidationError and DatabaseError. */
  static async open(url: string, options: PostgresOptions): Promise<Postgres> {
    const pg = await importPg();
    const { config, schema } = addressOf(url);
    const timings = { ...defaultTimings, ...options.timings };
    const prepared = await prepareTables(pg, { ...options, config, schema, timings });
    const session = new Session(pg, { ...config, application_name: prepared.applicationName }, schema, timings);
    return new Postgres(session, prepared, options);
  }

  get queries(): Session["queries"] {
    return this.session.queries;
  }

  onConnectionChange(listener: (isConnected: boolean) => void): void {
    this.session.onConnectionChange = listener;
  }

  get sessionId(): string | undefined {
    return this.session.sessionId;
  }

  /** Saves environments from now on. Opens the default environment of the database, or adds one with the new config. */
  async startSaving(environments: Environments, createDefaultConfig: () => Promise<EnvironmentConfig>): Promise<void> {
    this.#environments = environments;
    this.#createDefaultConfig = createDefaultConfig;
    environments.shared = this;
    environments.onChange((environment) => {
      if (environments.has(environment)) this.#leases.get(environment)?.noteChange();
      else this.#endLease(environment);
    });
    void this.session.open(this);
    try {
      await this.syncCopy(defaultId);
      if (!environments.get(defaultId)) await this.add(await createDefaultConfig());
    } catch (error) {
      const advice = "Start with that fixture, or use another database or ?schema=.";
      if (error instanceof OtherFixtureError) throw new DatabaseError(this.#serverName, error.problem, advice);
      if (error instanceof ControlError) throw new DatabaseError(this.#serverName, "cannot be used", error.message);
      throw error;
    }
  }

  async commit(environment?: Environment): Promise<void> {
    if (environment) await this.#leases.get(environment)?.commit();
  }

  async remove(environment: Environment): Promise<void> {
    const { id, uid } = environment;
    try {
      await this.session.query(statements.remove, () => [id, uid], outcomeUnknownMessages);
    } catch (error) {
      // PostgreSQL may have deleted the row nevertheless. After this release, the next use finds out.
      this.#leases.get(environment)?.release().catch(this.onFailure);
      throw error;
    }
  }

  #endLease(environment: Environment): void {
    this.#leases.get(environment)?.end();
    this.#leases.delete(environment);
  }

  /** Releases all environments, four at a time, because their documents are large. */
  async close(): Promise<void> {
    this.isClosing = true;
    const leases = Array.from(this.#leases.values());
    const releaseAll = async (): Promise<void> => {
      for (let lease; (lease = leases.pop());) await lease.release();
    };
    try {
      await Promise.race([
        Promise.all([releaseAll(), releaseAll(), releaseAll(), releaseAll()]),
        wait(this.session.timings.queryTimeoutMs, undefined, { ref: false }),
      ]);
    } finally {
      await this.session.close();
    }
  }

  async add(config: EnvironmentConfig): Promise<Environment> {
    const environment = new Environment(config);
    const { id, uid } = environment;
    await this.insert(environment);
    await this.syncCopy(id);
    return this.#environments?.find(id, uid) ?? environment;
  }

  async syncCopy(id: string): Promise<void> {
    // PostgreSQL does not accept every string, but every valid id.
    if (!isEnvironmentId(id)) return;
    const environments = this.#environments;
    const copy = environments?.get(id);
    const lease = copy && this.#leases.get(copy);
    if (!environments || (lease?.isHeld && this.session.isAlive)) return;
    if (lease) lease.lastUsedAt = performance.now();
    const values = () => [id, copy?.uid ?? null];
    const { rows } = await this.session.query<Row & { readonly uid: string }>(statements.find, values);
    const [row] = rows;
    // If the row of the default environment is missing, its next use adds it again.
    if (copy && copy.uid !== row?.uid && id !== defaultId) this.#forget(copy);
    if (!row || environments.get(id) || row.document === null) return;
    await readOrConflict(async () => {
      const { config, data, requestData } = await this.readRow({ id, uid: row.uid }, row);
      // Another call may have opened it meanwhile.
      if (environments.get(id)) return;
      const environment = environments.open(config, data, requestData);
      this.#leases.set(environment, (environment.lease = new PostgresLease(environment, this)));
    });
  }

  async syncCopyByKey(secret: string): Promise<void> {
    for (const id of await this.findIdsByKey(secret)) {
      await this.syncCopy(id);
      // The copy of this process is older than the key, and only its lease brings it up to date.
      await this.#environments?.get(id)?.lease?.acquire();
    }
  }

  async syncCopyByToken(token: string): Promise<void> {
    const id = parseToken(token)?.id;
    if (id === undefined) return;
    const isKnown = this.#environments?.ownerOf(token) !== undefined;
    if (isKnown || (await this.isValidToken(token))) await this.syncCopy(id);
  }

  findLeased({ id, uid }: Pick<Environment, "id" | "uid">): Environment | undefined {
    const environment = this.#environments?.get(id);
    return environment?.uid === uid && this.#leases.get(environment)?.isHeld ? environment : undefined;
  }

  async columnsOf(environment: Environment, hasTraffic: boolean) {
    const { coverage } = this.#options;
    const requestData = hasTraffic
      ? trafficColumnOf(environment, coverage.countsOf(environment).serialize(""), this.sessionId ?? "")
      : null;
    const lifetime = this.#environments?.remainingTime(environment) ?? null;
    const [columns, trafficText] = await Promise.all([documentColumnsOf(environment, lifetime), requestData]);
    return () => [...columns(), trafficText];
  }

  async takeOver(environment: Environment, row: Row): Promise<void> {
    await readOrConflict(async () => {
      const { config, data, requestData, coverage, waiting } = await this.readRow(environment, row);
      const remoteRequests = await this.filterWaiting(waiting);
      environment.takeOver(config, data, requestData);
      environment.waiting.remoteRequests = remoteRequests;
      this.transferCount += 1;
      this.#options.coverage.continueCounts(environment, coverage);
    });
  }

  /** Adds the row of the default environment, which a server always has. Forgets the copy of any other environment. */
  async handleMissingRow(environment: Environment): Promise<void> {
    const config = environment.id === defaultId ? await this.#createDefaultConfig?.() : undefined;
    if (config) await this.insert(new Environment(config));
    else this.#forget(environment);
  }

  /** Forgets the copy of an environment that other processes may continue, or that is deleted. */
  #forget(environment: Environment): void {
    this.#leases.get(environment)?.lose();
    this.#endLease(environment);
    this.#environments?.forget(environment);
  }

  async onReconnect(query: Query, sessionId: string, earlierIds: readonly string[]): Promise<void> {
    const leases = Array.from(this.#leases.values()).filter(({ isOurs }) => isOurs);
    const values = [sessionId, earlierIds, leases.map(({ environment }) => environment.id)];
    const rows = await query(statements.resume, values).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return query(statements.resumeUnlocked, values);
    });
    const resumedRows = rows as readonly { readonly id: string; readonly isOurs: boolean }[];
    const resumedIds = new Set(resumedRows.filter(({ isOurs }) => isOurs).map(({ id }) => id));
    for (const lease of leases) if (!resumedIds.has(lease.environment.id)) lease.lose();
  }

  onNotification(message: string): void {
    const [verb, id = "", senderId] = message.split(" ");
    if (senderId === this.session.sessionId) return;
    const environment = this.#environments?.get(id);
    const lease = environment && this.#leases.get(environment);
    if (verb === "free") lease?.onReleased();
    else if (verb === "want") lease?.release().catch(this.onFailure);
    else if (verb === "end") lease?.releaseNow().catch(this.onFailure);
  }

  /**
   * Releases each environment that is unused or expired, and forgets its copy with a later heartbeat. From time to
   * time, deletes the rows of expired environments.
   */
  onHeartbeat(): void {
    const { idleEnvironmentMs, maxOpenEnvironments, cleanupIntervalMs } = this.session.timings;
    const now = performance.now();
    const leases = Array.from(this.#leases.values()).toSorted((left, right) => right.lastUsedAt - left.lastUsedAt);
    for (const [index, lease] of leases.entries()) {
      const { environment } = lease;
      const maxUnusedMs = Math.min(idleEnvironmentMs, environment.config.lifetime ?? Infinity);
      const isInUse = index < maxOpenEnvironments && now - lease.lastUsedAt < maxUnusedMs;
      if (isInUse || !lease.isIdle) continue;
      if (lease.isHeld) lease.release().catch(this.onFailure);
      else if (environment.id !== defaultId) this.#forget(environment);
    }
    if (now - this.#cleanedUpAt < cleanupIntervalMs) return;
    this.#cleanedUpAt = now;
    for (const lease of leases) {
      const { lifetime } = lease.environment.config;
      // Requests alone do not write the row, so it would expire soon if this process were killed.
      if (lifetime !== null && lease.lastUsedAt - lease.lastWrittenAt > lifetime / 4) lease.noteChange();
    }
    void this.session.query(statements.removeExpired, () => []).catch(() => {});
  }
}
