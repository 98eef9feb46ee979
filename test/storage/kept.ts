import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Environment, LocalSandbox, Sandbox, SandboxOptions } from "../../src/control.ts";
import { startSandbox } from "../../src/index.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { knownFixture } from "../support/sandbox.ts";

/** A file of one test to keep environments in, which is not there yet. */
export function newFile(): string {
  return join(temporaryFolder(), "kept.json");
}

/** The pid of no process: Linux and macOS give lower ones. That of a process that has ended may be given again. */
export const deadPid = 2 ** 22;

/** Starts a sandbox that keeps its environments in a file; it is stopped when the test is over. */
export async function startKept(db: string, options: SandboxOptions = {}): Promise<LocalSandbox> {
  const sandbox = await startSandbox({ fixture: knownFixture, rateLimit: 0, db, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Stops a sandbox and starts it again on the same file. */
export async function restart(sandbox: LocalSandbox, db: string, options: SandboxOptions = {}): Promise<LocalSandbox> {
  await sandbox.close();
  return startKept(db, options);
}

/** Everything of a sandbox that has to survive. */
export async function stateOf(sandbox: Sandbox): Promise<unknown> {
  const environments = await sandbox.environments();
  return Promise.all(environments.map(async ({ id }) => stateOfOne(await sandbox.environment(id))));
}

async function stateOfOne(environment: Environment): Promise<unknown> {
  const { limits: _, journal: __, answers: ___, checksum: ____, ...snapshot } = await environment.snapshot();
  const { base_url: _____, keys, ...description } = await environment.describe();
  const assumptions = await environment.assumptions.list();
  return {
    description: { ...description, keys: keys.map(({ effect: ______, ...key }) => key) },
    timeline: await environment.timeline(),
    faults: await environment.faults.list(),
    assumptions: assumptions.map(({ rested_on: _______, ...assumption }) => assumption),
    snapshot,
  };
}
