import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "../../environment/environment.ts";
import type { Lease } from "../../environment/lease.ts";
import { ControlError } from "../../errors/control-error.ts";
import { SharedWrite, writeDelayMs } from "../storage.ts";
import { isTransient, notAppliedMessages, outcomeUnknownMessages, unavailableError } from "./errors.ts";
import type { Columns, Row } from "./rows.ts";
import type { Session } from "./session.ts";
import { statements } from "./statements.ts";

type ClaimedRow = Partial<Row> & { readonly owner: string | null; readonly isDead: boolean };

export interface LeaseHost {
  readonly session: Session;
  /** Returns the columns of an environment's row at the call; with traffic if another process is to continue. */
  columnsOf(environment: Environment, hasTraffic: boolean): Promise<Columns>;
  /** Replaces the content of an environment with that of its row. Rejects if this process cannot open it. */
  takeOver(environment: Environment, row: Row): Promise<void>;
  /** Adds a missing row that the database must have, or ends the lease. */
  handleMissingRow(environment: Environment): Promise<void>;
  readonly isClosing: boolean;
  onFailure(error: unknown): void;
}

/** A process that waits for an environment notifies its owner again after this time. */
const pollIntervalMs = 50;

/** The lease of an environment in PostgreSQL. Its row names the session of the process that may act for it. */
export class PostgresLease implements Lease {
  readonly environment: Environment;
  readonly #host: LeaseHost;
  #state: "released" | "held" | "releasing" | "deleted" = "released";
  /** Incremented whenever the lease ends. A command that spans two epochs may not have been applied. */
  #epoch = 0;
  readonly #commands = new Set<Promise<unknown>>();
  #pendingClaim: Promise<void> | undefined;
  #pendingRelease: Promise<void> | undefined;
  /** Whether a command waits for the environment that may end a long clock advance in another process. */
  #isUrgent = false;
  readonly #write = new SharedWrite(() => this.#writeChanges());
  #isChanged = false;
  lastUsedAt = performance.now();
  lastWrittenAt = performance.now();
  /** Called when another process has released the row. */
  onReleased = (): void => {};

  constructor(environment: Environment, host: LeaseHost) {
    this.environment = environment;
    this.#host = host;
  }

  get isHeld(): boolean {
    return this.#state === "held";
  }

  /** Whether this process may write the row. Then its next session becomes the owner. */
  get isOurs(): boolean {
    return this.isHeld || this.#isReleasing;
  }

  get #isReleasing(): boolean {
    return this.#state === "releasing";
  }

  get isIdle(): boolean {
    const isInTransfer = this.#isReleasing || this.#pendingClaim || this.#pendingRelease;
    return !isInTransfer && this.environment.waiting.localRequests.length === 0;
  }

  acquire(): Promise<void> | undefined {
    this.lastUsedAt = performance.now();
    return this.isHeld && this.#host.session.isAlive ? undefined : this.#waitUntilHeld();
  }

  async withLease<Result>(act: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    for (;;) {
      // A command that begins during a release would delay it. An urgent command ends the long advance that delays it.
      const release = this.isHeld && !isUrgent ? this.#pendingRelease : undefined;
      const pending = release ? Promise.race([release, wait(pollIntervalMs)]) : this.acquire();
      if (!pending) break;
      this.#isUrgent ||= isUrgent && !this.isHeld;
      await pending;
    }
    const epoch = this.#epoch;
    const command = act();
    this.#commands.add(command);
    try {
      const result = await command;
      if (this.#epoch !== epoch && this.#state !== "deleted") throw unavailableError(outcomeUnknownMessages);
      return result;
    } finally {
      this.#commands.delete(command);
    }
  }

  /** Writes the environment with the next command, or soon. */
  noteChange(): void {
    if (!this.isHeld || this.#isChanged) return;
    this.#isChanged = true;
    setTimeout(() => this.commit().catch((error: unknown) => this.#host.onFailure(error)), writeDelayMs).unref();
  }

  commit(): Promise<void> {
    return this.#write.request();
  }

  /** Releases the environment for other processes. Resolves when this process no longer owns the row. */
  release(): Promise<void> {
    if (!this.isHeld) return this.#pendingRelease ?? Promise.resolve();
    return (this.#pendingRelease ??= this.#release().finally(() => (this.#pendingRelease = undefined)));
  }

  /** Releases the environment after ending its long clock advance, which would delay the release. */
  async releaseNow(): Promise<void> {
    if (!this.isHeld || !this.environment.finishLongAdvance()) return this.release();
    this.environment.cancel();
    await (this.#pendingRelease = this.#writeAndRelease().finally(() => (this.#pendingRelease = undefined)));
  }

  /** Ends the lease, because another process may have claimed the row. */
  lose(): void {
    if (this.#state === "deleted") return;
    this.#state = "released";
    this.#epoch += 1;
  }

  /** Ends the lease, because this process no longer has the environment. */
  end(): void {
    this.#state = "deleted";
    this.onReleased();
  }

  async #waitUntilHeld(): Promise<void> {
    for (;;) {
      if (this.#state === "deleted") throw new ControlError("not_found", "The environment was deleted.");
      if (this.isHeld) return this.#host.session.waitUntilAlive();
      // Waits for one write of the row. A release may try to write it for longer than a call can wait.
      if (this.#isReleasing) {
        await this.commit().catch((error: Error) => {
          throw unavailableError(notAppliedMessages, error.cause);
        });
        continue;
      }
      this.#pendingClaim ??= this.#claim().finally(() => {
        this.#pendingClaim = undefined;
        this.#isUrgent = false;
      });
      await this.#pendingClaim;
    }
  }

  async #claim(): Promise<void> {
    const { session } = this.#host;
    const { channel, timings } = session;
    const { id, uid } = this.environment;
    const deadline = performance.now() + 6 * timings.queryTimeoutMs;
    let death: { readonly owner: string; readonly detectedAt: number } | undefined;
    const takeoverAt = () => (death ? death.detectedAt + timings.takeoverDelayMs : Infinity);
    for (;;) {
      await session.waitUntilAlive();
      const deadOwner = performance.now() >= takeoverAt() ? (death?.owner ?? null) : null;
      const values = (ownId: string) => [id, uid, ownId, deadOwner, channel, this.#isUrgent ? "end" : "want"];
      const { rows, sessionId } = await session.query<ClaimedRow>(statements.claim, values);
      const [row] = rows;
      if (!row) return this.#host.handleMissingRow(this.environment);
      if (typeof row.document === "string") {
        if (await this.#takeOver(row as Row, sessionId)) return;
        continue;
      }
      if (!row.isDead || row.owner === null) death = undefined;
      else if (death?.owner !== row.owner) death = { owner: row.owner, detectedAt: performance.now() };
      if (performance.now() >= deadline) {
        const unreachable = "Another process acts for the environment; nothing was applied.";
        throw unavailableError({ ...notAppliedMessages, unreachable });
      }
      const waitMs = death ? Math.max(1, takeoverAt() - performance.now()) : pollIntervalMs;
      const released = new Promise<void>((resolve) => (this.onReleased = resolve));
      await Promise.race([released, wait(waitMs, undefined, { ref: false })]);
    }
  }

  /** Continues with a claimed row. Returns false if the session changed meanwhile, because the next one gave it up. */
  async #takeOver(row: Row, sessionId: string): Promise<boolean> {
    const { session } = this.#host;
    try {
      await this.#host.takeOver(this.environment, row);
    } catch (error) {
      await session.query(statements.giveUp, (ownId) => [this.environment.id, ownId]);
      throw error;
    }
    if (session.sessionId !== sessionId) return false;
    if (this.#state === "released") this.#state = "held";
    return true;
  }

  async #release(): Promise<void> {
    // Commands and a long clock advance finish first.
    for (;;) {
      const hasCommands = this.#commands.size > 0;
      const pending = hasCommands ? Promise.allSettled(this.#commands) : this.environment.finishLongAdvance();
      if (!pending) break;
      await pending;
    }
    if (this.isHeld) await this.#writeAndRelease();
  }

  async #writeAndRelease(): Promise<void> {
    this.#state = "releasing";
    this.#epoch += 1;
    // No other process can claim the row while the database is unavailable, so the release tries until it succeeds.
    do {
      try {
        await this.commit();
      } catch (error) {
        if (!(error instanceof ControlError)) {
          this.lose();
          throw error;
        }
        // A full disk may stay full. Until another process requests the environment again, this process can read it.
        if (this.#isReleasing && !isTransient(error.cause)) {
          this.#state = "held";
          return;
        }
        await wait(pollIntervalMs, undefined, { ref: false });
      }
    } while (this.#isReleasing && !this.#host.isClosing);
  }

  /** Writes the row, and releases it during a release. If a release begins meanwhile, writes the row again. */
  async #writeChanges(): Promise<void> {
    while (this.#isReleasing || (this.isHeld && this.#isChanged)) {
      const epoch = this.#epoch;
      await this.#writeOnce();
      if (this.#epoch === epoch) return;
    }
  }

  /** Writes the state at the call, unless the lease ends before. The next write has later changes. */
  async #writeOnce(): Promise<void> {
    const { session } = this.#host;
    const epoch = this.#epoch;
    const isRelease = this.#isReleasing;
    this.#isChanged = false;
    try {
      const columns = await this.#host.columnsOf(this.environment, isRelease);
      const owner = (ownId: string) => (this.isOurs && this.#epoch === epoch ? ownId : null);
      const values = (ownId: string) => [this.environment.id, owner(ownId), session.channel, ...columns()];
      const { rows } = await session.query(statements.write, values, outcomeUnknownMessages);
      if (rows.length === 0 && this.#epoch === epoch) this.lose();
      if (isRelease && this.#isReleasing) this.#state = "released";
      this.lastWrittenAt = performance.now();
    } catch (error) {
      if (!session.isClosed) this.noteChange();
      throw error;
    }
  }
}
