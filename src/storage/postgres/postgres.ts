import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Sums } from "../../coverage/sums.ts";
import type { EnvironmentConfig } from "../../environment/document.ts";
import { Environment } from "../../environment/environment.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import type { SharedEnvironments } from "../../environment/shared-environments.ts";
import { ControlError } from "../../errors/control-error.ts";
import { namedBy } from "../../secrets/tokens.ts";
import { isEnvironmentId } from "../../settings/environment-settings.ts";
import { DatabaseError } from "../file-lock.ts";
import { OtherFixtureError, type Storage } from "../storage.ts";
import { type Columns, columnsOf, readable, type Row, type RowOptions, Rows, trafficOf } from "./rows.ts";
import { importPg, isLocked, notKnown } from "./connection.ts";
import { type Ask, defaultTimings, type Duties, Session, type Timings } from "./session.ts";
import { PostgresLease, type LeaseHost } from "./postgres-lease.ts";
import { statements } from "./statements.ts";
import { addressOf, prepareTables, type Start } from "./tables.ts";

interface PostgresOptions extends RowOptions, Pick<Start, "terms" | "onWait"> {
  /** Called if changes made by requests cannot be written. */
  readonly onFailure: (error: unknown) => void;
  /** The counts of requests, which go from one process to the next. */
  readonly coverage: {
    tally(environment: Environment): { sums(part: string): Sums };
    goOn(environment: Environment, sums: Sums | undefined): void;
  };
  readonly timings?: Partial<Timings> | undefined;
}

type Prepared = Omit<Awaited<ReturnType<typeof prepareTables>>, "name">;

/**
 * Stores environments in PostgreSQL, and shares them with other processes over the same database. What happens, in its
 * order: `open` waits for PostgreSQL, has `tables.ts` check it and create what is missing. `keep` begins a session
 * (`session.ts`), whose lock shows that this process lives, and opens the default environment. A call first brings the
 * copy of its environment up to date (`syncCopy…`). The copy has a lease (`postgres-lease.ts`), which claims its row
 * with the first use, writes it with each command (`rows.ts`), and releases it when another process asks (`hear`), when
 * it is unused (`tend`), or at the end (`close`). When the session breaks, the next continues with our rows (`resume`).
 */
export class Postgres extends Rows implements Storage, SharedEnvironments, LeaseHost, Duties {
  readonly warnings: readonly string[];
  readonly onFailure: PostgresOptions["onFailure"];
  readonly #place: string;
  readonly #options: PostgresOptions;
  readonly #leases = new Map<Environment, PostgresLease>();
  #environments: Environments | undefined;
  #newDefault: (() => Promise<EnvironmentConfig>) | undefined;
  #swept = performance.now();
  isClosing = false;
  transfers = 0;

  private constructor(session: Session, prepared: Prepared, options: PostgresOptions) {
    super(session, prepared.linkSecret, options);
    this.#place = prepared.place;
    this.warnings = prepared.warnings;
    this.#options = options;
    this.onFailure = options.onFailure;
  }

  /**
   * Connects to the database of an address, and creates missing tables. Rejects with ValidationError and DatabaseError.
   */
  static async open(url: string, options: PostgresOptions): Promise<Postgres> {
    const pg = await importPg();
    const { config, schema } = addressOf(url);
    const timings = { ...defaultTimings, ...options.timings };
    const { name, ...prepared } = await prepareTables(pg, { ...options, config, schema, timings });
    return new Postgres(new Session(pg, { ...config, application_name: name }, schema, timings), prepared, options);
  }

  get queries(): Session["queries"] {
    return this.session.queries;
  }

  onPresence(tell: (isPresent: boolean) => void): void {
    this.session.onPresence = tell;
  }

  get process(): string | undefined {
    return this.session.number;
  }

  /** Keeps environments from now on. The default one is that of the database, or begins with this setup. */
  async keep(environments: Environments, newDefault: () => Promise<EnvironmentConfig>): Promise<void> {
    this.#environments = environments;
    this.#newDefault = newDefault;
    environments.shared = this;
    environments.onChange((environment) => {
      if (environments.has(environment)) this.#leases.get(environment)?.noteChange();
      else this.#end(environment);
    });
    void this.session.open(this);
    try {
      await this.syncCopy(defaultId);
      if (!environments.get(defaultId)) await this.add(await newDefault());
    } catch (error) {
      const advice = "Start with that fixture, or use another database or ?schema=.";
      if (error instanceof OtherFixtureError) throw new DatabaseError(this.#place, error.problem, advice);
      if (error instanceof ControlError) throw new DatabaseError(this.#place, "cannot be used", error.message);
      throw error;
    }
  }

  async commit(environment?: Environment): Promise<void> {
    if (environment) await this.#leases.get(environment)?.commit();
  }

  async remove(environment: Environment): Promise<void> {
    const { id, uid } = environment;
    try {
      await this.session.query(statements.remove, () => [id, uid], notKnown);
    } catch (error) {
      // The row may be gone all the same: the next use looks.
      this.#leases.get(environment)?.release().catch(this.onFailure);
      throw error;
    }
  }

  #end(environment: Environment): void {
    this.#leases.get(environment)?.end();
    this.#leases.delete(environment);
  }

  /** Releases all environments, four at a time: their texts are large. */
  async close(): Promise<void> {
    this.isClosing = true;
    const waiting = Array.from(this.#leases.values());
    const releaseAll = async (): Promise<void> => {
      for (let lease; (lease = waiting.pop());) await lease.release();
    };
    try {
      await Promise.race([
        Promise.all([releaseAll(), releaseAll(), releaseAll(), releaseAll()]),
        wait(this.session.timings.patience, undefined, { ref: false }),
      ]);
    } finally {
      await this.session.close();
    }
  }

  async add(setup: EnvironmentConfig): Promise<Environment> {
    const environment = new Environment(setup);
    const { id, uid } = environment;
    await this.insert(environment);
    await this.syncCopy(id);
    return this.#environments?.find(id, uid) ?? environment;
  }

  async syncCopy(id: string): Promise<void> {
    // What no environment can have as its id may be no text of PostgreSQL.
    if (!isEnvironmentId(id)) return;
    const environments = this.#environments;
    const present = environments?.get(id);
    const lease = present && this.#leases.get(present);
    if (!environments || (lease?.isHeld && this.session.isAlive)) return;
    if (lease) lease.lastUsed = performance.now();
    const values = () => [id, present?.uid ?? null];
    const { rows } = await this.session.query<Row & { readonly uid: string }>(statements.find, values);
    const [row] = rows;
    // The first use of the default one adds its row again.
    if (present && present.uid !== row?.uid && id !== defaultId) this.#forget(present);
    if (!row || environments.get(id) || row.document === null) return;
    await readable(async () => {
      const { setup, content, traffic } = await this.read({ id, uid: row.uid }, row);
      // Another call may have come first.
      if (environments.get(id)) return;
      const environment = environments.open(setup, content, traffic);
      this.#leases.set(environment, (environment.lease = new PostgresLease(environment, this)));
    });
  }

  async syncCopyByKey(secret: string): Promise<void> {
    for (const id of await this.idsOf(secret)) {
      await this.syncCopy(id);
      // The copy of this process is older than the key.
      await this.#environments?.get(id)?.lease?.acquire();
    }
  }

  async syncCopyByToken(token: string): Promise<void> {
    const id = namedBy(token)?.id;
    if (id === undefined) return;
    const isKnown = this.#environments?.ownerOf(token) !== undefined;
    if (isKnown || (await this.isValidToken(token))) await this.syncCopy(id);
  }

  findHeld({ id, uid }: Pick<Environment, "id" | "uid">): Environment | undefined {
    const environment = this.#environments?.get(id);
    return environment?.uid === uid && this.#leases.get(environment)?.isHeld ? environment : undefined;
  }

  async columnsOf(environment: Environment, hasTraffic: boolean): Promise<Columns> {
    const { coverage } = this.#options;
    const traffic = hasTraffic
      ? trafficOf(environment, coverage.tally(environment).sums(""), this.process ?? "")
      : null;
    const lifetime = this.#environments?.remainingTime(environment) ?? null;
    const [columns, text] = await Promise.all([columnsOf(environment, lifetime), traffic]);
    return () => [...columns(), text];
  }

  async takeOver(environment: Environment, row: Row): Promise<void> {
    await readable(async () => {
      const { setup, content, traffic, coverage, waiting } = await this.read(environment, row);
      const elsewhere = await this.stillWaiting(waiting);
      environment.takeOver(setup, content, traffic);
      this.transfers += 1;
      environment.waiting.elsewhere = elsewhere;
      this.#options.coverage.goOn(environment, coverage);
    });
  }

  /** A server always has the default environment. */
  async missing(environment: Environment): Promise<void> {
    const setup = environment.id === defaultId ? await this.#newDefault?.() : undefined;
    if (setup) await this.insert(new Environment(setup));
    else this.#forget(environment);
  }

  /** Drops the copy of an environment that lives on elsewhere, or is gone. */
  #forget(environment: Environment): void {
    this.#leases.get(environment)?.lose();
    this.#end(environment);
    this.#environments?.forget(environment);
  }

  async resume(ask: Ask, number: string, earlier: readonly string[]): Promise<void> {
    const kept = Array.from(this.#leases.values()).filter(({ isOurs }) => isOurs);
    const values = [number, earlier, kept.map(({ environment }) => environment.id)];
    const rows = await ask(statements.resume, values).catch((error: unknown) => {
      if (!isLocked(error)) throw error;
      return ask(statements.resumeUnlocked, values);
    });
    const resumed = rows as readonly { readonly id: string; readonly isOurs: boolean }[];
    const ours = new Set(resumed.filter(({ isOurs }) => isOurs).map(({ id }) => id));
    for (const lease of kept) if (!ours.has(lease.environment.id)) lease.lose();
  }

  hear(message: string): void {
    const [verb, id = "", asker] = message.split(" ");
    if (asker === this.session.number) return;
    const environment = this.#environments?.get(id);
    const lease = environment && this.#leases.get(environment);
    if (verb === "free") lease?.free();
    else if (verb === "want") lease?.release().catch(this.onFailure);
    else if (verb === "end") lease?.releaseNow().catch(this.onFailure);
  }

  /** Releases what is not used, or has expired, then drops its copy, and removes what is expired. */
  tend(): void {
    const { idle, maxOpen, sweep } = this.session.timings;
    const now = performance.now();
    const leases = Array.from(this.#leases.values()).toSorted((left, right) => right.lastUsed - left.lastUsed);
    for (const [index, lease] of leases.entries()) {
      const { environment } = lease;
      const rest = Math.min(idle, environment.setup.lifetime ?? idle);
      if ((index < maxOpen && now - lease.lastUsed < rest) || !lease.isIdle) continue;
      if (lease.isHeld) lease.release().catch(this.onFailure);
      else if (environment.id !== defaultId) this.#forget(environment);
    }
    if (now - this.#swept < sweep) return;
    this.#swept = now;
    for (const lease of leases) {
      const { lifetime } = lease.environment.setup;
      // Requests alone do not write it, and its row would expire if this process were killed.
      if (lifetime !== null && lease.lastUsed - lease.lastWritten > lifetime / 4) lease.noteChange();
    }
    void this.session.query(statements.removeExpired, () => []).catch(() => {});
  }
}
