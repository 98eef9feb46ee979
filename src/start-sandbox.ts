import { configure } from "./configuration.ts";
import type { Sandbox, SandboxOptions } from "./control.ts";
import { openEnvironment, RunningSandbox } from "./running-sandbox.ts";

/**
 * Starts a sandbox server: by default on any free port of both loopback addresses, with the demo fixture, everything in
 * memory, silent, its clock frozen at the fixture's own present.
 *
 * Rejects with Mistake for an option that is wrong, FileMistakes for a fixture that is, UnreadableFile for one that
 * cannot be read, and CannotListen for an address that cannot be bound.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const configuration = configure(options);
  const sandbox = new RunningSandbox(configuration, await openEnvironment(configuration));
  await sandbox.listen();
  return sandbox;
}
