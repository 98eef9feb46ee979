import { test as base, type TestType } from "@playwright/test";
import { startServer, TestSandbox, type TestOptions, type TestSandboxes } from "./test-sandbox.ts";

export { expect } from "@playwright/test";

/** Fixtures and options of a test. */
export type SandboxTestFixtures = Pick<TestSandboxes, "sandbox"> & Pick<TestOptions, "sandboxOptions">;

/** Fixtures and options of a worker. */
export type SandboxWorkerFixtures = Pick<TestSandboxes, "sandboxServer"> & Pick<TestOptions, "sandboxServerOptions">;

/** Options for a config: `defineConfig<SandboxUse>({ use: { sandboxOptions: {…} } })`. */
export type SandboxUse = Partial<TestOptions>;

type Extended<Base> =
  Base extends TestType<infer Test, infer Worker>
    ? TestType<Test & SandboxTestFixtures, Worker & SandboxWorkerFixtures>
    : never;

/**
 * Playwright's `test` with a sandbox: one server for each worker, one environment for each test with `sandbox`. If a test
 * fails, the requests to its environment are printed.
 *
 * `test.use({ sandboxOptions: { fixture: "minimal" } })` sets options for a file or a suite, `use` in the config for a project.
 */
export const test: Extended<typeof base> = base.extend<SandboxTestFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandboxServerOptions: [{}, { option: true, scope: "worker" }],
  sandboxServer: [
    async ({ sandboxServerOptions }, use) => {
      const server = await startServer(sandboxServerOptions);
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  sandbox: async ({ sandboxServer, sandboxOptions }, use, info) => {
    const sandbox = await TestSandbox.open(info.titlePath, sandboxServer, sandboxOptions);
    await use(sandbox.environment);
    // oxlint-disable-next-line no-console -- Playwright shows it with the test.
    await sandbox.close(info.status !== info.expectedStatus, console.error);
  },
});
