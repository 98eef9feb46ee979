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
 * The requests of a key to an environment. They count as requests of one client until two of them were under way at
 * once. A request is under way from its arrival, or from the opening of its connection if it is the first there, until
 * its response is finished or its client has left.
 */
export class Arrivals {
  /** Whether two requests were under way at once. */
  isParallel = false;
  /** The response under way. */
  #current: ServerResponse | undefined;
  /** Weak, because a closed connection need not stay in memory. */
  #socket: WeakRef<Socket> | undefined;
  /** Whether the key has used several connections. */
  #hasSeveralConnections = false;
  /** Whether the last request came on the connection of all earlier requests. */
  #isOnlyConnection = false;
  /** When the last response was finished, in milliseconds of `performance.now()`. */
  #finishedAt = -Infinity;
  #lastRisks = noRisks;

  /**
   * Notes the arrival of a request, even repeatedly. Returns the risks of the previous request if both were under way
   * at once, because the previous request was then perhaps no reaction.
   */
  note(res: ServerResponse): readonly CountedRisk[] {
    if (this.isParallel || this.#current === res || res.destroyed) return noRisks;
    const { socket } = res.req;
    this.isParallel = this.#current !== undefined;
    const lastSocket = this.#socket?.deref();
    if (socket !== lastSocket) {
      if ((openedAt.get(socket) ?? Infinity) < this.#finishedAt) this.isParallel = true;
      openedAt.delete(socket);
      this.#hasSeveralConnections ||= this.#socket !== undefined;
      this.#socket = new WeakRef(socket);
    }
    this.#isOnlyConnection = socket === lastSocket && !this.#hasSeveralConnections;
    this.#current = this.isParallel ? undefined : res;
    this.#current?.on("close", this.#noteFinish);
    const risks = this.#lastRisks;
    this.#lastRisks = noRisks;
    return this.isParallel ? risks : noRisks;
  }

  /** Notes a risk of the last request. */
  noteRisk(risk: CountedRisk): void {
    this.#lastRisks = [...this.#lastRisks, risk];
  }

  /**
   * Returns true if the response to the last request must wait until all earlier input has been read, which shows
   * whether another request was sent at the same time. A client with one connection waits once, and at errors.
   */
  mustWait(status: number | null): boolean {
    if (this.isParallel || status === null) return false;
    return status >= 400 || !this.#isOnlyConnection;
  }

  readonly #noteFinish = (): void => {
    this.#current = undefined;
    this.#finishedAt = performance.now();
  };
}
