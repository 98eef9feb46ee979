import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RiskId } from "./catalog.ts";

/** A risk that was counted at a request. */
interface CountedRisk {
  readonly id: RiskId;
  readonly entryId: number;
}

const noRisks: readonly CountedRisk[] = [];

/** When a connection was opened, in milliseconds of `performance.now()`, until its first request with a key. */
const openedAt = new WeakMap<Socket, number>();

export function noteConnection(socket: Socket): void {
  openedAt.set(socket, performance.now());
}

/**
 * The requests of a key to an environment. Until two of them have been under way at once, they count as those of one
 * client. A request is under way from its arrival, or from the opening of the connection that it is the first to use,
 * until its response is finished or its client is gone.
 */
export class Arrivals {
  /** Whether two requests have been under way at once. */
  isParallel = false;
  /** The response under way. */
  #current: ServerResponse | undefined;
  /** Weak, because a closed connection need not stay in memory. */
  #socket: WeakRef<Socket> | undefined;
  /** Whether the key has used several connections. */
  #hasSeveral = false;
  /** Whether the last request came on the connection of the one before, and of all others. */
  #isOnlyConnection = false;
  /** When the last response was finished, in milliseconds of `performance.now()`. */
  #finishedAt = -Infinity;
  #lastRisks = noRisks;

  /**
   * Takes a request at its arrival, even repeatedly. Returns the risks of the request before if both have been under
   * way at once: then it is not certain that the earlier one was a reaction.
   */
  note(res: ServerResponse): readonly CountedRisk[] {
    if (this.isParallel || this.#current === res || res.destroyed) return noRisks;
    const { socket } = res.req;
    this.isParallel = this.#current !== undefined;
    const known = this.#socket?.deref();
    if (socket !== known) {
      if ((openedAt.get(socket) ?? Infinity) < this.#finishedAt) this.isParallel = true;
      openedAt.delete(socket);
      this.#hasSeveral ||= this.#socket !== undefined;
      this.#socket = new WeakRef(socket);
    }
    this.#isOnlyConnection = socket === known && !this.#hasSeveral;
    this.#current = this.isParallel ? undefined : res;
    this.#current?.on("close", this.#noteFinish);
    const risks = this.#lastRisks;
    this.#lastRisks = noRisks;
    return this.isParallel ? risks : noRisks;
  }

  /** Takes a risk of the last request. */
  noteRisk(risk: CountedRisk): void {
    this.#lastRisks = [...this.#lastRisks, risk];
  }

  /**
   * Takes the response of the last request before it goes out. Returns whether it has to wait until everything that
   * came before has been read: only then is a request that was sent at the same time seen as such. A client that keeps
   * to one connection waits once, and at errors.
   */
  delays(status: number | null): boolean {
    if (this.isParallel || status === null) return false;
    return status >= 400 || !this.#isOnlyConnection;
  }

  readonly #noteFinish = (): void => {
    this.#current = undefined;
    this.#finishedAt = performance.now();
  };
}
