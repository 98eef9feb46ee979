import { test as base, type TestAPI } from "vitest";
import type { Environment, EnvironmentOptions, LocalSandbox, SandboxOptions } from "../control.ts";
import { requestLine } from "../request-line.ts";
import { startSandbox } from "../start-sandbox.ts";

/** The servers that the tests of a worker share, one for each object of options. */
class Servers {
  readonly #started = new Map<SandboxOptions, Promise<LocalSandbox>>();

  /** The server that was started with these very options, or a new one. */
  start(options: SandboxOptions): Promise<LocalSandbox> {
    const known = this.#started.get(options);
    if (known) return known;
    const started = startSandbox(options);
    this.#started.set(options, started);
    return started;
  }

  /** Stops all that were started. */
  async close(): Promise<void> {
    const closing = [...this.#started.values()];
    this.#started.clear();
    for (const started of await Promise.allSettled(closing)) {
      if (started.status === "fulfilled") await started.value.close();
    }
  }
}

/** How many requests are worth reading when a test has failed. */
const most = 20;

/** The last requests that reached an environment, in words. */
async function toldRequests({ requests, clock, baseUrl }: Environment): Promise<string> {
  const { now } = await clock.get();
  const { data, dropped } = await requests.list();
  if (data.length === 0) {
    return `No request with a key of this test's sandbox reached it. It answers at ${baseUrl}; its clock reads ${now}.`;
  }
  const shown = data.slice(-most);
  const before = dropped + data.length - shown.length;
  return [
    `Requests to this test's sandbox, whose clock reads ${now}:`,
    ...(before > 0 ? [`… ${before} more before these`] : []),
    ...shown.map((entry) => requestLine({ ...entry, environment: null })),
  ].join("\n");
}

/** Of this worker. Not made by the fixture: `test.extend` would make it anew. */
const servers = new Servers();

/** What a test is given. */
interface SandboxFixtures {
  /** A private environment on the server of the worker: its own keys, clock, faults, limits and journal. */
  sandbox: Environment;
  /** The server of the worker, which its tests share. */
  sandboxServer: LocalSandbox;
  /** The servers of the worker, one for each `testWith`. */
  sandboxServers: Servers;
}

/**
 * Vitest's `test` with a sandbox: one server for each worker, one environment for each test that asks for `sandbox`. When
 * a test fails, the requests that reached its environment are printed.
 *
 * Call it at the top of a file, where Vitest wants fixtures of a worker. Where a single test needs an environment of
 * another kind: `sandboxServer.openEnvironment({ profile: "minimal" })`.
 *
 * `serverOptions` are those of `startSandbox`; `environmentOptions` those of `openEnvironment`, by default as the server's
 * own environment is.
 */
function testWith(
  serverOptions: SandboxOptions,
  environmentOptions: EnvironmentOptions = {},
): TestAPI<SandboxFixtures> {
  return base.extend<SandboxFixtures>({
    sandboxServers: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures are wanted.
      async ({}, use) => {
        await use(servers);
        await servers.close();
      },
      { scope: "worker" },
    ],
    // Not of the scope "worker" itself: before Vitest 4.1 all tests of a worker get the first fixture of a name.
    sandboxServer: async ({ sandboxServers }, use) => use(await sandboxServers.start(serverOptions)),
    sandbox: async ({ sandboxServer, task }, use) => {
      const environment = await sandboxServer.openEnvironment(environmentOptions);
      await use(environment);
      if (task.result?.state === "fail") {
        // oxlint-disable-next-line no-console -- so that Vitest shows it with the test.
        console.error(await toldRequests(environment).catch(messageOf));
      }
      await environment.close();
    },
  });
}

/** `testWith` the defaults. */
export const test: TestAPI<SandboxFixtures> = testWith({});

/** A test may have closed its environment. */
function messageOf({ message }: Error): string {
  return `What this test asked of its sandbox cannot be told: ${message}`;
}
