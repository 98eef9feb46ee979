import type { LocalSandbox, SandboxOptions } from "../public/control.ts";
import { fromCaller } from "../validation/from-caller.ts";
import { unreadVariables } from "../settings/variables.ts";
import { startRunning } from "./start-running.ts";

/* A module of its own, because its types ship: they name no type of the engine. */

/**
 * Starts a sandbox server: by default on a free port of both loopback addresses, with the demo fixture, in memory,
 * silent, and with the clock paused at the present of the fixture; nothing plays. The nearest config file has other
 * values, variables such as OFFERING_SANDBOX_PROFILE override it, and `options` over all. A variable that is not read
 * is named on standard error, once in a process.
 *
 * Rejects with ValidationError for a wrong option or a wrong value in the config file, FileValidationError for a wrong
 * fixture or scenario, FileReadError for an unreadable file, FileWriteError and DatabaseError for the file of `db`, and
 * ListenError for an unavailable address.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<LocalSandbox> {
  warnOfUnread(options);
  return fromCaller(startSandbox, async () => (await startRunning(options)).sandbox);
}

const warnedLines = new Set<string>();

function warnOfUnread(options: unknown): void {
  for (const line of unreadVariables(process.env, Object(options) as object)) {
    if (!warnedLines.has(line)) process.stderr.write(`offering-sandbox: ${line}\n`);
    warnedLines.add(line);
  }
}
