import { type BrowserContext, test as base, type TestType } from "@playwright/test";
import type { ClockReading, Environment } from "../public/control.ts";
import { fromCaller } from "../validation/from-caller.ts";
import { openForTest, startServer, type TestOptions, type TestSandboxes } from "./test-sandbox.ts";

export { expect } from "@playwright/test";

/** Fixtures and options of a test. */
export interface SandboxTestFixtures extends Pick<TestSandboxes, "sandbox">, Pick<TestOptions, "sandboxOptions"> {
  /** Whether the pages of the test show the time of its sandbox. @default false */
  sandboxSyncsPageClock: boolean;
  /** The time of a test's pages. */
  sandboxPageTime: PageTime;
}

/** Fixtures and options of a worker. */
export type SandboxWorkerFixtures = Pick<TestSandboxes, "sandboxServer"> & Pick<TestOptions, "sandboxServerOptions">;

/** Options for a config: `defineConfig<SandboxUse>({ use: { sandboxOptions: {…} } })`. */
export type SandboxUse = Partial<TestOptions & Pick<SandboxTestFixtures, "sandboxSyncsPageClock">>;

/** Sets the clocks of a test's pages to the clock of its sandbox, whichever of them is opened first. */
class PageTime {
  readonly #contexts: BrowserContext[] = [];
  #reading: ClockReading | undefined;

  /** Makes the pages of a context follow the clock. */
  async add(context: BrowserContext): Promise<void> {
    this.#contexts.push(context);
    if (this.#reading) await setPageClock(context, this.#reading);
  }

  /** Follows an environment: each command that may move its clock also sets the pages. */
  async follow(environment: Environment): Promise<void> {
    const { clock } = environment;
    const show = async (): Promise<void> => {
      this.#reading = await clock.get();
      for (const context of this.#contexts) await setPageClock(context, this.#reading);
    };
    runAfterCommands(clock, ["set", "advance", "advanceTo", "next", "previous"], show);
    runAfterCommands(environment, ["reset", "restore"], show);
    await show();
  }
}

/** Wraps commands of an object, so that each also awaits another action before it resolves. */
function runAfterCommands<Name extends string, Command extends (...args: never[]) => Promise<unknown>>(
  object: Readonly<Record<Name, Command>>,
  names: readonly Name[],
  act: () => Promise<void>,
): void {
  for (const name of names) {
    const command = object[name].bind(object) as (...args: readonly unknown[]) => Promise<unknown>;
    const commandThenAct = (...args: readonly unknown[]): Promise<unknown> =>
      fromCaller(commandThenAct, async () => {
        const response = await command(...args);
        await act();
        return response;
      });
    Object.assign(object, { [name]: commandThenAct });
  }
}

/** Sets the clock of pages. A running clock continues in real time: Playwright has no other speeds. */
async function setPageClock({ clock }: BrowserContext, { now, speed }: ClockReading): Promise<void> {
  await (speed === 0 ? clock.setFixedTime(now) : clock.setSystemTime(now));
}

type Extended<Base> =
  Base extends TestType<infer Test, infer Worker>
    ? TestType<Test & SandboxTestFixtures, Worker & SandboxWorkerFixtures>
    : never;

/**
 * Playwright's `test` with a sandbox: one server for each worker, one environment for each test with `sandbox`. If a
 * test fails, the requests to its environment are printed.
 *
 * `test.use({ sandboxOptions: { fixture: "minimal" } })` sets options for a file or a suite, `use` in the config for a
 * project.
 */
export const test: Extended<typeof base> = base.extend<SandboxTestFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandboxSyncsPageClock: [false, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures in use from the pattern.
  sandboxPageTime: async ({}, use) => use(new PageTime()),
  context: async ({ context, sandboxSyncsPageClock, sandboxPageTime }, use) => {
    if (sandboxSyncsPageClock) await sandboxPageTime.add(context);
    await use(context);
  },
  sandboxServerOptions: [{}, { option: true, scope: "worker" }],
  sandboxServer: [
    async ({ sandboxServerOptions }, use) => {
      const server = await startServer(sandboxServerOptions);
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  sandbox: async ({ sandboxServer, sandboxOptions, sandboxSyncsPageClock, sandboxPageTime }, use, info) => {
    const sandbox = await openForTest(info.titlePath, sandboxServer, sandboxOptions);
    if (sandboxSyncsPageClock) await sandboxPageTime.follow(sandbox.environment);
    await use(sandbox.environment);
    // oxlint-disable-next-line no-console -- Playwright shows it with the test.
    await sandbox.close(info.status !== info.expectedStatus, console.error);
  },
});
