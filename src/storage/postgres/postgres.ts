import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { EnvironmentSummary } from "../../descriptions.ts";
import type { Sums } from "../../coverage/tally.ts";
import type { EnvironmentSetup } from "../../environment/environment-content.ts";
import { Environment } from "../../environment/environment.ts";
import { defaultId, type Environments } from "../../environment/environments.ts";
import type { SharedEnvironments } from "../../environment/shared-environments.ts";
import { ControlError } from "../../errors/control-error.ts";
import { UnusableDatabase } from "../file-lock.ts";
import { OtherFixture, type Storage } from "../storage.ts";
import { ChangeWriter } from "./change-writer.ts";
import { listEnvironments, listSummaries } from "./lists.ts";
import {
  type AddedRow,
  refusal,
  hashOf,
  type OpenedRow,
  openRow,
  type Row,
  type Texts,
  textsOf,
  trafficOf,
} from "./rows.ts";
import { type Ask, defaultTimings, notKnown, Session, type Timings } from "./session.ts";
import { SharedTenure, type TenureHost } from "./shared-tenure.ts";
import * as statements from "./statements.ts";
import { addressOf, importPg, prepareTables, startTime } from "./tables.ts";

interface PostgresOptions {
  readonly maxEnvironments: number;
  /** Opens a stored document over the fixtures of this process. Rejects with OtherFixture. */
  readonly open: (document: unknown) => Promise<OpenedRow>;
  /** Called if changes made by requests cannot be written. */
  readonly onFailure: (error: unknown) => void;
  /** The counts of requests, which go from one process to the next. */
  readonly coverage: {
    tally(environment: Environment): { sums(part: string): Sums };
    goOn(environment: Environment, sums: Sums | undefined): void;
  };
  readonly timings?: Partial<Timings> | undefined;
}

const otherFixture = "Start with that fixture, or use another database or ?schema=.";

/** Stores environments in PostgreSQL, and shares them with other processes over the same database. */
export class Postgres implements Storage, SharedEnvironments, TenureHost {
  readonly session: Session;
  readonly linkSecret: Buffer;
  /** `PostgreSQL at db:5432`. */
  readonly #place: string;
  readonly #options: PostgresOptions;
  readonly #tenures = new Map<Environment, SharedTenure>();
  readonly #writer: ChangeWriter;
  #environments: Environments | undefined;
  #newDefault: (() => Promise<EnvironmentSetup>) | undefined;
  #swept = performance.now();

  private constructor(session: Session, place: string, linkSecret: Buffer, options: PostgresOptions) {
    this.#place = place;
    this.session = session;
    this.linkSecret = linkSecret;
    this.#options = options;
    const { onFailure } = options;
    this.#writer = new ChangeWriter({ session, onFailure, textsOf: (environment) => this.textsOf(environment) });
  }

  /**
   * Connects to the database of an address such as `postgres://localhost/sandbox?schema=team`, and creates the tables
   * if there are none. Rejects with Mistake for another address or a missing package, and with UnusableDatabase.
   */
  static async open(url: string, options: PostgresOptions): Promise<Postgres> {
    const pg = await importPg();
    const { config, schema } = addressOf(url);
    const timings = { ...defaultTimings, ...options.timings };
    const { place, linkSecret } = await prepareTables(pg, config, schema, timings);
    const channel = `sandbox_${schema}`.slice(0, 63);
    return new Postgres(new Session(pg, config, channel, timings), place, linkSecret, options);
  }

  get awaySince(): number | undefined {
    return this.session.awaySince;
  }

  /** Keeps environments from now on. The default one is that of the database, or begins with this setup. */
  async keep(environments: Environments, newDefault: () => Promise<EnvironmentSetup>): Promise<void> {
    this.#environments = environments;
    this.#newDefault = newDefault;
    environments.shared = this;
    environments.onChange((environment) => {
      const tenure = this.#tenures.get(environment);
      if (environments.has(environment)) {
        if (tenure?.isHeld) this.#writer.noteChange(tenure);
        return;
      }
      tenure?.end();
      this.#tenures.delete(environment);
      this.#writer.noteDrop(environment);
    });
    this.session.open({
      resume: (ask, number, earlier) => this.#resume(ask, number, earlier),
      hear: (message) => this.#hear(message),
      tend: () => this.#tend(),
    });
    for (const end = performance.now() + startTime; ;) {
      try {
        await this.arrive(defaultId);
        if (!environments.get(defaultId)) await this.add(await newDefault());
        return;
      } catch (error) {
        if (error instanceof OtherFixture) throw new UnusableDatabase(this.#place, error.problem, otherFixture);
        const isAway = error instanceof ControlError && error.code === "storage_unavailable";
        if (!isAway || performance.now() >= end) throw error;
      }
    }
  }

  commit(): Promise<void> {
    this.#environments?.dropExpired();
    return this.#writer.commit();
  }

  /** Releases all environments, four at a time. */
  async close(): Promise<void> {
    this.#writer.close();
    const waiting = Array.from(this.#tenures.values());
    const releaseAll = async (): Promise<void> => {
      for (let tenure; (tenure = waiting.pop());) await tenure.release();
    };
    try {
      await this.commit();
      await Promise.race([
        Promise.all([releaseAll(), releaseAll(), releaseAll(), releaseAll()]),
        wait(this.session.timings.patience, undefined, { ref: false }),
      ]);
    } finally {
      await this.session.close();
    }
  }

  async add(setup: EnvironmentSetup): Promise<Environment> {
    const environment = new Environment(setup);
    const { id, uid } = environment;
    await this.#insert(environment);
    await this.arrive(id);
    return this.#environments?.find(id, uid) ?? environment;
  }

  async #insert(environment: Environment): Promise<void> {
    const { id, uid, setup } = environment;
    const { document, head, keys, lifetime } = textsOf(environment, setup.lifetime);
    const { maxEnvironments } = this.#options;
    const values = () => [id, uid, document, head, keys, lifetime, maxEnvironments];
    const { rows } = await this.session.query<AddedRow>(statements.add, values, notKnown);
    // Another process may have added the same default environment.
    if (rows[0] && !rows[0].isAdded && id !== defaultId) throw refusal(id, rows[0], maxEnvironments);
  }

  async arrive(id: string): Promise<void> {
    const environments = this.#environments;
    const present = environments?.get(id);
    const tenure = present && this.#tenures.get(present);
    if (!environments || (tenure?.isHeld && this.session.isAlive)) return;
    const { rows } = await this.session.query<Row & { readonly uid: string }>(statements.find, () => [
      id,
      present?.uid ?? null,
    ]);
    const [row] = rows;
    // Another call may have come first.
    const now = environments.get(id);
    // The first use of the default one adds its row again.
    if (now && now.uid !== row?.uid && id !== defaultId) this.forget(now);
    if (!row || environments.get(id) || row.document === null) return;
    const { setup, content } = await openRow(row, this.#options.open);
    if (environments.get(id)) return;
    const environment = environments.open(setup, content);
    const shared = new SharedTenure(environment, this);
    environment.tenure = shared;
    this.#tenures.set(environment, shared);
  }

  async arriveByKey(secret: string): Promise<void> {
    const { rows } = await this.session.query<{ id: string }>(statements.findByKey, () => [hashOf(secret)]);
    for (const { id } of rows) {
      await this.arrive(id);
      // The copy of this process is older than the key.
      await this.#environments?.get(id)?.tenure?.preparation();
    }
  }

  async nextId(): Promise<string> {
    const { rows } = await this.session.query<{ id: string }>(statements.nextId, () => []);
    return rows[0]?.id ?? "";
  }

  all(): Promise<readonly Environment[]> {
    return listEnvironments(this.session, this.#findHeld, this.#options.open);
  }

  summaries(): Promise<readonly EnvironmentSummary[]> {
    return listSummaries(this.session, this.#findHeld);
  }

  readonly #findHeld = (id: string, uid: string): Environment | undefined => {
    const environment = this.#environments?.get(id);
    return environment?.uid === uid && this.#tenures.get(environment)?.isHeld ? environment : undefined;
  };

  textsOf(environment: Environment): Texts {
    return textsOf(environment, this.#environments?.remainingTime(environment) ?? null);
  }

  trafficOf(environment: Environment): string {
    return trafficOf(environment, this.#options.coverage.tally(environment).sums(""));
  }

  async takeOver(environment: Environment, row: Row): Promise<void> {
    const { setup, content, coverage } = await openRow(row, this.#options.open);
    environment.takeOver(setup, content);
    this.#options.coverage.goOn(environment, coverage);
  }

  written(): Promise<void> {
    return this.#writer.ended();
  }

  /** Adds the row of the default environment again, which a server always has. Returns false for another. */
  async revive({ id }: Environment): Promise<boolean> {
    const setup = id === defaultId ? await this.#newDefault?.() : undefined;
    if (setup) await this.#insert(new Environment(setup));
    return setup !== undefined;
  }

  forget(environment: Environment): void {
    const tenure = this.#tenures.get(environment);
    tenure?.end();
    this.#tenures.delete(environment);
    environment.cancel();
    environment.waiting.abort();
    this.#environments?.forget(environment);
  }

  async #resume(ask: Ask, number: string, earlier: readonly string[]): Promise<void> {
    if (earlier.length === 0) return;
    const kept = Array.from(this.#tenures.values()).filter(({ isHeld, isReleasing }) => isHeld || isReleasing);
    const values = [number, earlier, kept.map(({ environment }) => environment.id)];
    const rows = (await ask(statements.resume, values)) as readonly { readonly id: string; readonly isOurs: boolean }[];
    const ours = new Set(rows.filter(({ isOurs }) => isOurs).map(({ id }) => id));
    for (const tenure of kept) if (!ours.has(tenure.environment.id)) tenure.lose();
  }

  #hear(message: string): void {
    const [verb, id = "", asker] = message.split(" ");
    if (asker === this.session.number) return;
    const environment = this.#environments?.get(id);
    const tenure = environment && this.#tenures.get(environment);
    if (verb === "free") tenure?.free();
    else if (verb === "want") tenure?.release().catch(this.#options.onFailure);
  }

  /** Releases what is not used, and removes what is expired. */
  #tend(): void {
    const { idle, maxHeld, sweep } = this.session.timings;
    const now = performance.now();
    const tenures = Array.from(this.#tenures.values()).filter(
      ({ environment, isReleasing }) => !isReleasing && environment.waiting.all.length === 0,
    );
    const held = tenures.filter(({ isHeld }) => isHeld).toSorted((one, other) => one.lastUsed - other.lastUsed);
    for (const [index, tenure] of held.entries()) {
      if (index < held.length - maxHeld || now - tenure.lastUsed > idle) {
        tenure.release().catch(this.#options.onFailure);
      }
    }
    for (const tenure of tenures) {
      const { environment, isHeld, lastUsed } = tenure;
      if (isHeld || environment.id === defaultId || now - lastUsed < idle) continue;
      this.forget(environment);
    }
    if (now - this.#swept < sweep) return;
    this.#swept = now;
    void this.#sweep(held).catch(() => {});
  }

  async #sweep(held: readonly SharedTenure[]): Promise<void> {
    this.#environments?.dropExpired();
    const mortal = held.filter(({ environment, isHeld }) => isHeld && environment.setup.lifetime !== null);
    const ids = mortal.map(({ environment }) => environment.id);
    const times = mortal.map(({ environment }) => this.#environments?.remainingTime(environment) ?? null);
    await this.session.query(statements.extend, (number) => [number, ids, times]);
    await this.session.query(statements.removeExpired, () => []);
  }
}
