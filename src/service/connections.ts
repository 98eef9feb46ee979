import type { Response } from "express";

/*
 * Requests that a client sends before it has an answer lie in the kernel while that answer goes out: they are read in the turn of the
 * event loop that follows, or are there already.
 */
const answeredIn = new WeakMap<object, number>();

let turn = 0;
let turnsToCount = 0;

/** The connection of a request that comes now; null if it may have been sent before the last answer there was out. */
export function connectionOf({ socket }: Response): object | null {
  const answered = socket && answeredIn.get(socket);
  return answered !== null && answered !== undefined && turn - answered < 2 ? null : socket;
}

/** Notes that a connection is answered in this turn. */
export function noteAnswer(connection: object): void {
  answeredIn.set(connection, turn);
  if (turnsToCount === 0) setImmediate(countTurn);
  turnsToCount = 2;
}

function countTurn(): void {
  turn += 1;
  turnsToCount -= 1;
  if (turnsToCount > 0) setImmediate(countTurn);
}
