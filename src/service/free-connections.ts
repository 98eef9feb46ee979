import { performance } from "node:perf_hooks";
import type { Socket } from "node:net";
import type { Connection } from "../environment/view.ts";

/*
 * A client has sent a request after an answer only if its connection was made, or free for the next request, after it. Of requests
 * sent in parallel, each has a connection that was free before, or a new one.
 */
const known = new WeakMap<Socket, { freeSince: number; isNew: boolean }>();

/** When the first answer of this turn of the event loop was made; undefined before it. */
let turnAnswers: number | undefined;

/** Notes that a connection was made. Of one turn of the event loop, nobody knows which came first, connection or answer. */
export function noteMade(socket: Socket): void {
  known.set(socket, { freeSince: turnAnswers ?? performance.now(), isNew: true });
}

/** The connection of a request that is answered now. */
export function connectionOf(socket: Socket): Connection {
  if (turnAnswers === undefined) {
    turnAnswers = performance.now();
    setImmediate(endTurn);
  }
  return known.get(socket) ?? { freeSince: turnAnswers, isNew: false };
}

/** Notes that a connection waits for its next request from now on. */
export function noteFree(socket: Socket): void {
  const connection = known.get(socket);
  if (!connection) return;
  connection.freeSince = performance.now();
  connection.isNew = false;
}

function endTurn(): void {
  turnAnswers = undefined;
}
