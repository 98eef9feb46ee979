import { test as base, type TestAPI } from "vitest";
import { openForTest, Servers, type TestOptions, type TestSandboxes } from "./test-sandbox.ts";

export { expect } from "vitest";

/** Fixtures of a test, as Vitest's `test.extend` names them. */
export interface SandboxFixtures extends TestSandboxes, TestOptions {
  /** The servers of a worker, one for each value of `sandboxServerOptions`. */
  sandboxServers: Servers;
}

declare module "vitest" {
  /** Options of all tests of a project: `provide` in its config. */
  interface ProvidedContext extends TestOptions {}
}

/** The servers of the worker: inside the fixture, each `test.extend` would create others. */
const servers = new Servers();

/**
 * Vitest's `test` with a sandbox: one server for each worker, one environment for each test with `sandbox`. If a test
 * fails, the requests to its environment are printed.
 *
 * `test.override({ sandboxOptions: { fixture: "minimal" } })` sets options for a file or a suite; so does `test.scoped`
 * before Vitest 4.1, and `provide` in the config for a project.
 */
export const test: TestAPI<SandboxFixtures> = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { injected: true }],
  sandboxServerOptions: [{}, { injected: true }],
  sandboxServers: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures in use from the pattern.
    async ({}, use) => {
      await use(servers);
      await servers.close();
    },
    { scope: "worker" },
  ],
  // The scope "worker" would not do: before Vitest 4.1, all tests of a worker get the first fixture of a name.
  sandboxServer: async ({ sandboxServers, sandboxServerOptions }, use) =>
    use(await sandboxServers.start(sandboxServerOptions)),
  sandbox: async ({ sandboxServer, sandboxOptions, task }, use) => {
    const sandbox = await openForTest(taskTitles(task), sandboxServer, sandboxOptions);
    await use(sandbox.environment);
    // oxlint-disable-next-line no-console -- Vitest shows it with the test.
    await sandbox.close(task.result?.state === "fail", console.error);
  },
});

interface Task {
  readonly name: string;
  readonly suite?: Task | undefined;
  readonly file: Task;
}

function taskTitles({ name, suite, file }: Task): string[] {
  return [...(suite ? taskTitles(suite) : [file.name]), name];
}
