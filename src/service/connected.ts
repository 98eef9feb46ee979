import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Waits some milliseconds. Returns false as soon as the connection ends: the client left, or the server closes. */
export async function waitConnected(milliseconds: number, request: IncomingMessage): Promise<boolean> {
  if (request.destroyed) return false;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  request.once("close", leave);
  const waited = await wait(milliseconds, true, gone).catch(() => false);
  request.off("close", leave);
  return waited;
}
