import { type Configuration, configure } from "./configuration.ts";
import type { LocalSandbox, SandboxOptions } from "./control.ts";
import { EnvironmentSetups } from "./environment-setup.ts";
import { Environments } from "./environment/environments.ts";
import { RunningSandbox } from "./running-sandbox.ts";
import type { Database } from "./storage/database.ts";

/** How many environments may be open at once. */
const mostEnvironments = 1000;

/**
 * The environments of a server as it starts: the default one, and all that a database has kept, where there is one. What
 * fell due while they were kept has happened. Throws as `Openings` does, and UnusableDatabase for a database that was made
 * from another fixture.
 */
export async function openEnvironments(
  openings: EnvironmentSetups,
  database: Database | undefined,
): Promise<Environments> {
  const environments = new Environments(mostEnvironments);
  const stored = database?.stored ?? [];
  if (!database || stored.length === 0) {
    environments.open(await openings.forDefault());
    return environments;
  }
  for (const one of stored) {
    const { opening, kept } = database.reopen(one, await openings.again(one.id, one.options));
    const environment = environments.open(opening, kept);
    await environment.preparation();
    environment.read();
  }
  return environments;
}

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
  const openings = new EnvironmentSetups(configuration);
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
