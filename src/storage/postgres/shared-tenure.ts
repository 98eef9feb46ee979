import { performance } from "node:perf_hooks";
import type { Environment } from "../../environment/environment.ts";
import type { Tenure } from "../../environment/tenure.ts";
import { ControlError } from "../../errors/control-error.ts";
import type { Row, Texts } from "./rows.ts";
import { notKnown, type Session, Signal, unavailable } from "./session.ts";
import * as statements from "./statements.ts";

interface ClaimedRow extends Partial<Row> {
  readonly owner: string | null;
  readonly isDead: boolean;
}

/** What all tenures of a process share. */
export interface TenureHost {
  readonly session: Session;
  textsOf(environment: Environment): Texts;
  trafficOf(environment: Environment): string;
  /** Gives an environment the content of its row. Rejects if it cannot be opened here. */
  takeOver(environment: Environment, row: Row): Promise<void>;
  /** Resolves after a write that is under way. */
  written(): Promise<void>;
  /** Adds the row of an environment again that the database must have. Returns false if it need not. */
  revive(environment: Environment): Promise<boolean>;
  /** Drops the copy of an environment that the database has no longer. */
  forget(environment: Environment): void;
}

/** Milliseconds after which a process that waits for an environment asks its owner again. */
const askInterval = 50;

/** The tenure of an environment in PostgreSQL. Its row names the session of the process that may act for it. */
export class SharedTenure implements Tenure {
  readonly environment: Environment;
  readonly #host: TenureHost;
  #state: "away" | "held" | "gone" = "away";
  /** How often the tenure ended: what began before an end is not in force for sure. */
  #ends = 0;
  /** Commands under way. */
  #users = 0;
  readonly #left = new Signal();
  readonly #freed = new Signal();
  #claiming: Promise<void> | undefined;
  #releasing: Promise<void> | undefined;
  /** The last use, in milliseconds of `performance.now()`. */
  lastUsed = performance.now();

  constructor(environment: Environment, host: TenureHost) {
    this.environment = environment;
    this.#host = host;
  }

  /** Whether a write may go out, and a session takes it along. */
  get isHeld(): boolean {
    return this.#state === "held";
  }

  get isReleasing(): boolean {
    return this.#releasing !== undefined;
  }

  get ends(): number {
    return this.#ends;
  }

  preparation(): Promise<void> | undefined {
    if (this.#state !== "held" || !this.#host.session.isAlive) return this.#arrive();
    this.lastUsed = performance.now();
    return undefined;
  }

  async during<Result>(act: () => Promise<Result>): Promise<Result> {
    // A command that begins now would hold a release up.
    for (let due; (due = this.#releasing ?? this.preparation());) await due;
    const ends = this.#ends;
    this.#users += 1;
    try {
      const result = await act();
      if (this.#ends !== ends) throw unavailable(notKnown);
      return result;
    } finally {
      this.#users -= 1;
      this.#left.fire();
    }
  }

  /** Gives the environment to whoever asks. Resolves when its row is free, or another's. */
  release(): Promise<void> {
    if (this.#state !== "held") return this.#releasing ?? Promise.resolve();
    return (this.#releasing ??= this.#release().finally(() => (this.#releasing = undefined)));
  }

  /** Another process may have claimed the row. */
  lose(): void {
    if (this.#state === "gone") return;
    this.#state = "away";
    this.#ends += 1;
  }

  /** The row does not take what is here: goes back to what it has, here or in another process. */
  giveUp(): void {
    this.lose();
    this.#releasing ??= this.#giveUp()
      .catch(() => {})
      .finally(() => (this.#releasing = undefined));
  }

  /** The environment was dropped. */
  end(): void {
    this.#state = "gone";
    this.#freed.fire();
  }

  /** Another process has released the row. */
  free(): void {
    this.#freed.fire();
  }

  async #arrive(): Promise<void> {
    const { session } = this.#host;
    for (;;) {
      if (this.#state === "gone") throw new ControlError("not_found", "The environment was dropped.");
      if (this.#state === "held") return session.alive();
      if (this.#releasing) await this.#releasing;
      else await (this.#claiming ??= this.#claim().finally(() => (this.#claiming = undefined)));
    }
  }

  async #claim(): Promise<void> {
    const { session } = this.#host;
    const { channel, timings } = session;
    const { id, uid } = this.environment;
    const end = performance.now() + 6 * timings.patience;
    let death: { readonly owner: string; readonly seen: number } | undefined;
    for (;;) {
      await session.alive();
      const isOver = death !== undefined && performance.now() - death.seen >= timings.grace;
      const dead = isOver ? death?.owner : undefined;
      const values = (own: string) => [id, uid, own, dead ?? null, channel];
      const { rows, number } = await session.query<ClaimedRow>(statements.claim, values);
      const [row] = rows;
      if (!row) {
        if (await this.#host.revive(this.environment)) continue;
        this.end();
        this.#host.forget(this.environment);
        return;
      }
      if (typeof row.document === "string") {
        if (await this.#takeOver(row as Row, number)) return;
        continue;
      }
      if (!row.isDead || row.owner === null) death = undefined;
      else if (death?.owner !== row.owner) death = { owner: row.owner, seen: performance.now() };
      if (performance.now() >= end) throw unavailable("Another process acts for the environment; nothing was done.");
      await this.#freed.next(death ? Math.max(1, death.seen + timings.grace - performance.now()) : askInterval);
    }
  }

  async #giveUp(): Promise<void> {
    const { session } = this.#host;
    await session.query(statements.giveUp, (own) => [this.environment.id, own, session.channel]);
  }

  /** Returns false if the session changed meanwhile, which then gave the claim up. */
  async #takeOver(row: Row, number: string): Promise<boolean> {
    const { session } = this.#host;
    try {
      await this.#host.takeOver(this.environment, row);
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
    if (session.number !== number) return false;
    this.lastUsed = performance.now();
    this.#state = "held";
    return true;
  }

  async #release(): Promise<void> {
    const { environment } = this;
    const { session } = this.#host;
    // A leap of the clock ends first.
    for (;;) {
      if (this.#users > 0) await this.#left.next(askInterval);
      else {
        const { runs, clock } = environment.parts;
        const due = runs.catchUp(clock.now);
        if (!due) break;
        await due;
      }
    }
    if (this.#state !== "held") return;
    this.#state = "away";
    this.#ends += 1;
    const { document, head, keys, lifetime } = this.#host.textsOf(environment);
    const traffic = this.#host.trafficOf(environment);
    // Sent later, it would bring back what was before.
    await this.#host.written();
    const values = (own: string) => [environment.id, own, session.channel, document, head, keys, lifetime, traffic];
    for (;;) {
      try {
        await session.query(statements.release, values);
        return;
      } catch (error) {
        // Nobody else can have it before the database is back.
        if (!(error instanceof ControlError) || session.isClosed) return;
      }
    }
  }
}
