import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { startRunning } from "./start-running.ts";

/* Apart, because its types ship: they name none of the engine. */

/**
 * Starts a sandbox server: by default on a free port of both loopback addresses, with the demo fixture, in memory,
 * silent, and with the clock frozen at the present of the fixture; nothing plays. The nearest config file has other
 * values, and `options` win over both.
 *
 * Rejects with Mistake for a wrong option or a wrong value in the config file, FileMistakes for a wrong fixture or
 * scenario, UnreadableFile for an unreadable file, UnwritableFile and UnusableDatabase for the file of `db`, and
 * CannotListen for an unavailable address.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<LocalSandbox> {
  return (await startRunning(options)).sandbox;
}
