import { test as base, type TestAPI } from "vitest";
import type { Environment, EnvironmentOptions, LocalSandbox, SandboxOptions } from "../control.ts";
import { requestLine } from "../request-line.ts";
import { startSandbox } from "../start-sandbox.ts";

/** Fixtures of a test, as Vitest's `test.extend` names them. */
export interface SandboxFixtures {
  /** A private environment on the worker's server: its own keys, clock, faults, limits and journal. */
  sandbox: Environment;
  /** The server that the tests of a worker share. */
  sandboxServer: LocalSandbox;
  /** The servers of a worker, one for each `testWith`. */
  sandboxServers: Servers;
}

/**
 * Returns Vitest's `test` with a sandbox: one server for each worker, one environment for each test that uses `sandbox`.
 * If a test fails, the requests that reached its environment are printed.
 *
 * Call it at the top level of a file, where Vitest expects fixtures of a worker. A single test opens an environment of
 * another kind with `sandboxServer.openEnvironment({ profile: "minimal" })`.
 *
 * @param serverOptions Options of `startSandbox`.
 * @param environmentOptions Options of `openEnvironment`; by default those of the server's own environment.
 */
export function testWith(
  serverOptions: SandboxOptions,
  environmentOptions: EnvironmentOptions = {},
): TestAPI<SandboxFixtures> {
  return base.extend<SandboxFixtures>({
    sandboxServers: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures in use from the pattern.
      async ({}, use) => {
        await use(servers);
        await servers.close();
      },
      { scope: "worker" },
    ],
    // Not in the scope "worker" itself: before Vitest 4.1, all tests of a worker get the first fixture of a name.
    sandboxServer: async ({ sandboxServers }, use) => use(await sandboxServers.start(serverOptions)),
    sandbox: async ({ sandboxServer, task }, use) => {
      const environment = await sandboxServer.openEnvironment(environmentOptions);
      await use(environment);
      if (task.result?.state === "fail") {
        // oxlint-disable-next-line no-console -- Vitest shows it with the test.
        console.error(await describeRequests(environment).catch(unavailable));
      }
      await environment.close();
    },
  });
}

/** Running servers, one for each object of options. */
class Servers {
  readonly #started = new Map<SandboxOptions, Promise<LocalSandbox>>();

  /** Returns the server started with this very object, or starts one. */
  start(options: SandboxOptions): Promise<LocalSandbox> {
    const known = this.#started.get(options);
    if (known) return known;
    const started = startSandbox(options);
    this.#started.set(options, started);
    return started;
  }

  async close(): Promise<void> {
    const closing = [...this.#started.values()];
    this.#started.clear();
    for (const started of await Promise.allSettled(closing)) {
      if (started.status === "fulfilled") await started.value.close();
    }
  }
}

/** One for the worker: inside the fixture, each `test.extend` would make another. */
const servers = new Servers();

/** Vitest's `test` with a sandbox of default options; see `testWith`. */
export const test: TestAPI<SandboxFixtures> = testWith({});

/** How many requests are printed for a failed test. */
const shownRequests = 20;

async function describeRequests({ requests, clock, baseUrl }: Environment): Promise<string> {
  const { now } = await clock.get();
  const { data, dropped } = await requests.list();
  if (data.length === 0) {
    return `No request with a key of this test's sandbox reached it. It answers at ${baseUrl}; its clock reads ${now}.`;
  }
  const shown = data.slice(-shownRequests);
  const before = dropped + data.length - shown.length;
  return [
    `Requests to this test's sandbox, whose clock reads ${now}:`,
    ...(before > 0 ? [`… ${before} more before these`] : []),
    ...shown.map((entry) => requestLine({ ...entry, environment: null })),
  ].join("\n");
}

/** The test may have closed its environment. */
function unavailable({ message }: Error): string {
  return `The requests to this test's sandbox are not available: ${message}`;
}
