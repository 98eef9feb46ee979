import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RiskId } from "./catalogue.ts";

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
  /** Weak, because a finished response need not stay in memory. */
  #last: WeakRef<ServerResponse> | undefined;
  #socket: WeakRef<Socket> | undefined;
  /** Whether the key has used several connections. */
  #hasSeveral = false;
  /** Whether the last request came on the connection of the one before, and of all others. */
  #isOnlyConnection = false;
  /** When the last response was made or, if it was delayed, finished; in milliseconds of `performance.now()`. */
  #lastAt = -Infinity;
  /** The risks of the last request. */
  #lastRisks = noRisks;

  /**
   * Takes a request at its arrival, even repeatedly. Returns the risks of the request before if both have been under
   * way at once: then it is not certain that the earlier one was a reaction.
   */
  note(response: ServerResponse): readonly CountedRisk[] {
    if (this.isParallel) return noRisks;
    const last = this.#last?.deref();
    if (last === response) return noRisks;
    const { socket } = response.req;
    this.isParallel = last !== undefined && !last.destroyed && !last.req.destroyed;
    const known = this.#socket?.deref();
    if (socket !== known) {
      if ((openedAt.get(socket) ?? Infinity) < this.#lastAt) this.isParallel = true;
      openedAt.delete(socket);
      this.#hasSeveral ||= this.#socket !== undefined;
      this.#socket = new WeakRef(socket);
    }
    this.#isOnlyConnection = socket === known && !this.#hasSeveral;
    this.#last = new WeakRef(response);
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
  delays(response: ServerResponse, status: number | null): boolean {
    if (this.isParallel || status === null) return false;
    this.#lastAt = performance.now();
    if (status < 400 && this.#isOnlyConnection) return false;
    response.once("close", () => (this.#lastAt = performance.now()));
    return true;
  }
}
