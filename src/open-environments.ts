import { Environments } from "./environment/environments.ts";
import type { Openings } from "./openings.ts";
import type { Database } from "./storage/database.ts";

/** How many environments may be open at once. */
const mostEnvironments = 1000;

/**
 * The environments of a server as it starts: the default one, and all that a database has kept, where there is one. What
 * fell due while they were kept has happened. Throws as `Openings` does, and UnusableDatabase for a database that was made
 * from another fixture.
 */
export async function openEnvironments(openings: Openings, database: Database | undefined): Promise<Environments> {
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
