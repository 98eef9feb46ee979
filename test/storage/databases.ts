import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Environment, LocalSandbox, Sandbox, SandboxOptions } from "../../src/public/control.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { knownFixture, startForTest } from "../support/sandbox.ts";

/** A path for a database of one test; the file does not exist. */
export function newFile(): string {
  return join(temporaryFolder(), "stored.json");
}

/** A pid above the maximum of Linux and macOS, so that no process has it. The pid of an ended process may be reused. */
export const deadPid = 2 ** 22;

/** Starts a sandbox with a database; stops it at the end of the test. */
export function startWithDatabase(db: string, options: SandboxOptions = {}): Promise<LocalSandbox> {
  return startForTest({ fixture: knownFixture, rateLimit: 0, db, ...options });
}

/** Starts a sandbox with its own database and fixture file. `rewrite` writes the fixture with other members. */
export async function startOverFixture() {
  const [db, fixture] = [newFile(), join(temporaryFolder(), "mine.json")];
  const rewrite = (offering: object, members: object = {}): Promise<void> =>
    writeFile(fixture, JSON.stringify({ name: "mine", offerings: [{ alias: "one", ...offering }], ...members }));
  await rewrite({});
  return { db, fixture, rewrite, sandbox: await startWithDatabase(db, { fixture }) };
}

/** Restarts a sandbox on the same file. */
export async function restart(sandbox: LocalSandbox, db: string, options: SandboxOptions = {}): Promise<LocalSandbox> {
  await sandbox.close();
  return startWithDatabase(db, options);
}

/** The ids of the environments in a file, which may be in use. */
export async function storedIds(file: string): Promise<string[]> {
  const copy = newFile();
  await copyFile(file, copy);
  const sandbox = await startWithDatabase(copy);
  const ids = (await sandbox.environments()).map(({ id }) => id);
  await sandbox.close();
  return ids;
}

/** Makes every write to a file fail, even by root. Returns a function that ends this and leaves the file unchanged. */
export async function blockWrites(file: string): Promise<() => Promise<void>> {
  // lowdb writes this file before it renames it.
  const inTheWay = join(dirname(file), `.${basename(file)}.tmp`);
  await mkdir(inTheWay);
  return () => rm(inTheWay, { recursive: true });
}

/** The state of all environments as far as a restart has to preserve it. */
export async function stateOf(sandbox: Sandbox): Promise<unknown> {
  const environments = await sandbox.environments();
  return Promise.all(environments.map(async ({ id }) => stateOfOne(await sandbox.environment(id))));
}

async function stateOfOne(environment: Environment): Promise<unknown> {
  const { traffic: _, checksum: __, ...snapshot } = await environment.snapshot();
  const { base_url: _____, keys, ...description } = await environment.describe();
  const assumptions = await environment.assumptions.list();
  return {
    description: { ...description, keys: keys.map(({ effect: ______, ...key }) => key) },
    timeline: await environment.timeline(),
    faults: await environment.faults.list(),
    assumptions: assumptions.map(({ request_count: _______, ...assumption }) => assumption),
    snapshot,
  };
}
