import type { Socket } from "node:net";

/*
 * A client has sent a request after an answer only if its connection was made, or free for the next request, after it. Of requests
 * sent in parallel, each has a connection that was free before.
 */
const since = new WeakMap<Socket, number>();

/** Notes that a connection waits for a request, or for the next one, from now on. */
export function noteFree(socket: Socket): void {
  since.set(socket, performance.now());
}

/** When a connection began to wait for its request, in milliseconds of `performance.now()`; now if nobody knows. */
export function freeSince(socket: Socket): number {
  return since.get(socket) ?? performance.now();
}
