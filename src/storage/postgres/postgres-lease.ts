import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "../../environment/environment.ts";
import type { Lease } from "../../environment/lease.ts";
import { ControlError } from "../../errors/control-error.ts";
import { SharedWrite, writeDelay } from "../storage.ts";
import { isTransient, notKnown, nothingDone, unavailable } from "./connection.ts";
import type { Columns, Row } from "./rows.ts";
import type { Session } from "./session.ts";
import { statements } from "./statements.ts";

type ClaimedRow = Partial<Row> & { readonly owner: string | null; readonly isDead: boolean };

export interface LeaseHost {
  readonly session: Session;
  /** The columns of an environment's row as it is at the call; with traffic, for another process to continue. */
  columnsOf(environment: Environment, hasTraffic: boolean): Promise<Columns>;
  /** Gives an environment the content of its row. Rejects if it cannot be opened here. */
  takeOver(environment: Environment, row: Row): Promise<void>;
  /** Adds a missing row that the database must have, or ends the lease. */
  missing(environment: Environment): Promise<void>;
  readonly isClosing: boolean;
  onFailure(error: unknown): void;
}

/** Milliseconds after which a process that waits for an environment asks its owner again. */
const askInterval = 50;

/** The lease of an environment in PostgreSQL. Its row names the session of the process that may act for it. */
export class PostgresLease implements Lease {
  readonly environment: Environment;
  readonly #host: LeaseHost;
  #state: "away" | "held" | "leaving" | "gone" = "away";
  /** How often the lease ended: what began before an end may not have been applied. */
  #ends = 0;
  readonly #commands = new Set<Promise<unknown>>();
  #claiming: Promise<void> | undefined;
  #releasing: Promise<void> | undefined;
  /** Whether a command waits for the environment that ends a long advance elsewhere. */
  #isUrgent = false;
  readonly #write = new SharedWrite(() => this.#writeChanges());
  #isChanged = false;
  lastUsed = performance.now();
  lastWritten = performance.now();
  /** Another process has released the row. */
  free = (): void => {};

  constructor(environment: Environment, host: LeaseHost) {
    this.environment = environment;
    this.#host = host;
  }

  get isHeld(): boolean {
    return this.#state === "held";
  }

  /** Whether this process may write the row, and its next session takes it along. */
  get isOurs(): boolean {
    return this.isHeld || this.#isLeaving;
  }

  get #isLeaving(): boolean {
    return this.#state === "leaving";
  }

  get isIdle(): boolean {
    const isMoving = this.#isLeaving || this.#claiming || this.#releasing;
    return !isMoving && this.environment.waiting.here.length === 0;
  }

  acquire(): Promise<void> | undefined {
    this.lastUsed = performance.now();
    return this.#state === "held" && this.#host.session.isAlive ? undefined : this.#acquire();
  }

  async withLease<Result>(act: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    for (;;) {
      // A command that begins now would hold a release up, unless it ends the long advance that does.
      const held = this.isHeld && !isUrgent ? this.#releasing : undefined;
      const due = held ? Promise.race([held, wait(askInterval)]) : this.acquire();
      if (!due) break;
      this.#isUrgent ||= isUrgent && !this.isHeld;
      await due;
    }
    const ends = this.#ends;
    const command = act();
    this.#commands.add(command);
    try {
      const result = await command;
      if (this.#ends !== ends && this.#state !== "gone") throw unavailable(notKnown);
      return result;
    } finally {
      this.#commands.delete(command);
    }
  }

  /** Writes the environment with the next command, or soon. */
  noteChange(): void {
    if (!this.isHeld || this.#isChanged) return;
    this.#isChanged = true;
    setTimeout(() => this.commit().catch((error: unknown) => this.#host.onFailure(error)), writeDelay).unref();
  }

  commit(): Promise<void> {
    return this.#write.request();
  }

  /** Gives the environment to whoever asks. Resolves when its row is free, or another's. */
  release(): Promise<void> {
    if (this.#state !== "held") return this.#releasing ?? Promise.resolve();
    return (this.#releasing ??= this.#release().finally(() => (this.#releasing = undefined)));
  }

  /** Ends a long advance of the clock, which would hold a release up. Its command waits for the process that asked. */
  async releaseNow(): Promise<void> {
    if (this.#state !== "held" || !this.environment.finishLongAdvance()) return this.release();
    this.environment.cancel();
    await (this.#releasing = this.#leave().finally(() => (this.#releasing = undefined)));
  }

  /** Another process may have claimed the row. */
  lose(): void {
    if (this.#state === "gone") return;
    this.#state = "away";
    this.#ends += 1;
  }

  /** The environment was dropped. */
  end(): void {
    this.#state = "gone";
    this.free();
  }

  async #acquire(): Promise<void> {
    for (;;) {
      if (this.#state === "gone") throw new ControlError("not_found", "The environment was dropped.");
      if (this.#state === "held") return this.#host.session.alive();
      // Waits for a write of the row, not for as long as the release tries.
      if (this.#isLeaving) {
        await this.commit().catch((error: Error) => {
          throw unavailable(nothingDone, error.cause);
        });
        continue;
      }
      this.#claiming ??= this.#claim().finally(() => {
        this.#claiming = undefined;
        this.#isUrgent = false;
      });
      await this.#claiming;
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
      const dead = death && performance.now() - death.seen >= timings.grace ? death.owner : null;
      const values = (own: string) => [id, uid, own, dead, channel, this.#isUrgent ? "end" : "want"];
      const { rows, number } = await session.query<ClaimedRow>(statements.claim, values);
      const [row] = rows;
      if (!row) return this.#host.missing(this.environment);
      if (typeof row.document === "string") {
        if (await this.#takeOver(row as Row, number)) return;
        continue;
      }
      if (!row.isDead || row.owner === null) death = undefined;
      else if (death?.owner !== row.owner) death = { owner: row.owner, seen: performance.now() };
      if (performance.now() >= end)
        throw unavailable({ ...nothingDone, away: "Another process acts for the environment; nothing was done." });
      const pause = death ? Math.max(1, death.seen + timings.grace - performance.now()) : askInterval;
      const freed = new Promise<void>((resolve) => (this.free = resolve));
      await Promise.race([freed, wait(pause, undefined, { ref: false })]);
    }
  }

  /** Returns false if the session changed meanwhile, which then gave the claim up. */
  async #takeOver(row: Row, number: string): Promise<boolean> {
    const { session } = this.#host;
    try {
      await this.#host.takeOver(this.environment, row);
    } catch (error) {
      await session.query(statements.giveUp, (own) => [this.environment.id, own]);
      throw error;
    }
    if (session.number !== number) return false;
    if (this.#state === "away") this.#state = "held";
    return true;
  }

  async #release(): Promise<void> {
    // A long advance of the clock ends first.
    for (;;) {
      const due = this.#commands.size > 0 ? Promise.allSettled(this.#commands) : this.environment.finishLongAdvance();
      if (!due) break;
      await due;
    }
    if (this.#state === "held") await this.#leave();
  }

  async #leave(): Promise<void> {
    this.#state = "leaving";
    this.#ends += 1;
    // Nobody else can have it before the database is back.
    do {
      try {
        await this.commit();
      } catch (error) {
        if (!(error instanceof ControlError)) {
          this.lose();
          throw error;
        }
        // A full disk may stay so: the environment can still be read here, and goes when somebody asks again.
        if (this.#isLeaving && !isTransient(error.cause)) {
          this.#state = "held";
          return;
        }
        await wait(askInterval, undefined, { ref: false });
      }
    } while (this.#isLeaving && !this.#host.isClosing);
  }

  /** Writes the row, and frees it in a release. A release that begins meanwhile writes it again. */
  async #writeChanges(): Promise<void> {
    while (this.#isLeaving || (this.isHeld && this.#isChanged)) {
      const ends = this.#ends;
      await this.#writeOnce();
      if (this.#ends === ends) return;
    }
  }

  /** Writes what is here at the call, unless the lease ends before. A change meanwhile is for the next write. */
  async #writeOnce(): Promise<void> {
    const { session } = this.#host;
    const ends = this.#ends;
    const isRelease = this.#isLeaving;
    this.#isChanged = false;
    try {
      const columns = await this.#host.columnsOf(this.environment, isRelease);
      const owner = (own: string) => (this.isOurs && this.#ends === ends ? own : null);
      const values = (own: string) => [this.environment.id, owner(own), session.channel, ...columns()];
      const { rows } = await session.query(statements.write, values, notKnown);
      if (rows.length === 0 && this.#ends === ends) this.lose();
      if (isRelease && this.#isLeaving) this.#state = "away";
      this.lastWritten = performance.now();
    } catch (error) {
      if (!session.isClosed) this.noteChange();
      throw error;
    }
  }
}
