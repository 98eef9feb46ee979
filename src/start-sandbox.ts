import { configure, type Configuration } from "./configuration.ts";
import type { LocalSandbox, SandboxOptions } from "./control.ts";
import { openEnvironments } from "./open-environments.ts";
import { Openings } from "./openings.ts";
import { RunningSandbox } from "./running-sandbox.ts";
import type { Database } from "./storage/database.ts";

/**
 * Starts a sandbox server: by default on any free port of both loopback addresses, with the demo fixture, everything in
 * memory, silent, its clock frozen at the fixture's own present.
 *
 * Rejects with Mistake for an option that is wrong, FileMistakes for a fixture or scenario that is, UnreadableFile for a
 * file that cannot be read, UnwritableFile and UnusableDatabase for one that nothing can be kept in, and CannotListen for
 * an address that cannot be bound.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<LocalSandbox> {
  const configuration = configure(options);
  const openings = new Openings(configuration);
  const database = await openDatabase(configuration);
  try {
    const environments = await openEnvironments(openings, database);
    const sandbox = new RunningSandbox({ configuration, openings, environments, database });
    await database?.keep(environments, configuration.onFailure);
    await sandbox.listen();
    return sandbox;
  } catch (error) {
    await database?.close();
    throw error;
  }
}

async function openDatabase({ db }: Configuration): Promise<Database | undefined> {
  if (db === undefined) return undefined;
  // Loaded only here because most sandboxes keep nothing.
  const { Database } = await import("./storage/database.ts");
  return Database.open(db);
}
