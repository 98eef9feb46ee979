import { isDeepStrictEqual } from "node:util";
import { requestLines } from "./request-lines.ts";
import type { Environment, EnvironmentOptions, LocalSandbox, Sandbox, SandboxOptions } from "../public/control.ts";
import type { RequestList } from "../public/requests.ts";
import type { ConnectOptions } from "../index.ts";
import { codeOf } from "../validation/errors.ts";
import { asLabel } from "../text/text.ts";

/** A running sandbox, such as one of `offering-sandbox exec`. Without a `url`, a sandbox is started. */
interface RunningServer extends ConnectOptions {
  /** The origin of the sandbox: `http://localhost:4120`. */
  readonly url: string | undefined;
  /** The folder for snapshots of failed tests, as in the options of `startSandbox`. */
  readonly snapshotDir?: string | undefined;
}

/** Options of `startSandbox`, or the address of a running sandbox. */
export type ServerOptions = SandboxOptions | RunningServer;

/** Options of a test, with the same names in every runner. */
export interface TestOptions {
  /** Options of the test's environment, as `openEnvironment` takes them. @default {} */
  sandboxOptions: EnvironmentOptions;
  /** Options of the server. @default {} */
  sandboxServerOptions: ServerOptions;
}

/** A test with a private environment. */
export interface TestSandboxes {
  /** The environment of this test: its own keys, clock, faults, limits and journal. */
  sandbox: Environment;
  /** The environment's server, which other tests share. */
  sandboxServer: Sandbox;
}

/** A server; one in this process has more members. */
type TestServer = Sandbox & Partial<Pick<LocalSandbox, "configFile" | "snapshotDir">>;

/**
 * Starts a server, or connects to one. Rejects like `startSandbox` and `connectSandbox`. A test file without a sandbox
 * loads neither of them, and a test file that connects does not load the server.
 */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  if (!("url" in options) || options.url === undefined) {
    const { startSandbox } = await import("../sandbox/start-sandbox.ts");
    return startSandbox("url" in options ? { snapshotDir: options.snapshotDir } : options);
  }
  const { url, snapshotDir, ...connection } = options;
  const { connectSandbox } = await import("../client/connect.ts");
  const server: TestServer = await connectSandbox(url, connection);
  return Object.assign(server, snapshotDir !== undefined && { snapshotDir });
}

/** Servers shared by the tests of a worker, one for each value of their options. */
export class Servers {
  readonly #started: { readonly options: ServerOptions; readonly server: Promise<TestServer> }[] = [];

  /** Returns the server with these options; starts it for the first test. */
  start(options: ServerOptions): Promise<TestServer> {
    const shared = this.#started.find((started) => isDeepStrictEqual(started.options, options));
    if (shared) return shared.server;
    const server = startServer(options);
    this.#started.push({ options, server });
    return server;
  }

  async close(): Promise<void> {
    for (const result of await Promise.allSettled(this.#started.splice(0).map(({ server }) => server))) {
      if (result.status === "fulfilled") await result.value.close();
    }
  }
}

/** Opens the environment of a test; its label comes from `titles`: of the file, the suites and the test. */
export async function openForTest(titles: readonly string[], server: TestServer, options: EnvironmentOptions) {
  const title = asLabel(titles.join(" > "));
  const environment = await server.openEnvironment({ label: title, ...options });
  const { data } = await server.requests.list({ limit: 1 }).catch(noneIfRefused);
  const earlierEntryId = data[0]?.id ?? 0;
  return {
    environment,
    /** Closes the environment. For a failed test, first prints the requests to it, and writes its snapshot. */
    async close(hasFailed: boolean, print: (text: string) => void): Promise<void> {
      if (hasFailed) {
        const { snapshotFileOf, writeSnapshot } = await import("./snapshot-file.ts");
        // The test may have closed the environment.
        const requests = await describeRequests(environment, server, earlierEntryId).catch(
          ({ message }: Error) => `the requests to its sandbox are not available: ${message}`,
        );
        const folderOf = async () => (server.snapshotDir === undefined ? snapshotDirHere() : server.snapshotDir);
        const replayLines = await writeSnapshot(folderOf, () => snapshotFileOf(environment, titles));
        print([`${title}: ${requests}`, ...replayLines].join("\n"));
      }
      await environment.close();
    },
  };
}

/** Returns the folder for a sandbox elsewhere: of the variable, or of the config file. Throws like `configOptions`. */
async function snapshotDirHere(): Promise<string | undefined> {
  const { OFFERING_SANDBOX_SNAPSHOT_DIR: folder = "" } = process.env;
  if (folder !== "") return folder;
  const { configOptions, presentConfig } = await import("../sandbox/config-file.ts");
  const file = presentConfig();
  return file === undefined ? undefined : (await configOptions(file)).snapshotDir;
}

/** Describes the requests to a test's environment, and all requests without a valid key after the entry `before`. */
async function describeRequests(environment: Environment, server: TestServer, earlierEntryId: number): Promise<string> {
  const { now } = await environment.clock.get();
  // The config file may explain the failure.
  const state = `clock reads ${now}${server.configFile ? `, with the settings of ${server.configFile}` : ""}`;
  const lines = requestLines(await addDependencies(await environment.requests.list(), environment));
  const stoppedRuns = (await environment.runs.list()).flatMap(({ id, scenario, problem }) =>
    problem === null ? [] : [`${scenario} (${id}) stopped: ${problem}`],
  );
  const { journal } = await environment.pulse();
  // A journal that was cleared or reset has no entries, but its ids continue.
  const clearedNote = journal.last > 0 ? " since its journal was cleared" : "";
  const heading =
    lines.length > 0
      ? `requests to its sandbox, whose ${state}:`
      : `no request with a key of its sandbox reached it${clearedNote}. It responds at ${environment.baseUrl}; its ${state}.`;
  // Requests without a valid key are in the server's default environment, where those of concurrent tests are too.
  const list = await server.requests.list({ after: earlierEntryId }).catch(() => noRequests);
  const keylessRequests = { ...list, data: list.data.filter(isKeyless), waiting: list.waiting.filter(isKeyless) };
  const requestsWithoutKey = requestLines(keylessRequests);
  if (requestsWithoutKey.length > 0)
    requestsWithoutKey.unshift("without a key of any sandbox, of this test or of one next to it:");
  return [heading, ...lines, ...stoppedRuns, ...requestsWithoutKey].join("\n");
}

/** Adds to the last responses with status 200 what they depend on, by the current values, which tests seldom change. */
async function addDependencies(list: RequestList, { assumptions }: Environment): Promise<RequestList> {
  const { formatReliance } = await import("../assumptions/catalog.ts");
  const values = new Map((await assumptions.list()).map(({ id, value }) => [id, value]));
  const explainedEntries = new Set(list.data.filter(({ status }) => status === 200).slice(-maxExplainedRequests));
  const data = list.data.map((entry) =>
    explainedEntries.has(entry)
      ? { ...entry, depends_on: entry.assumptions.flatMap((id) => formatReliance(id, values.get(id), 200)) }
      : entry,
  );
  return { ...list, data };
}

function isKeyless({ key_id }: { readonly key_id: string | null }): boolean {
  return key_id === null;
}

/** The number of responses with status 200 before the failure that say what they depend on. */
const maxExplainedRequests = 3;

const noRequests: RequestList = { data: [], dropped: 0, waiting: [] };

/** Returns no requests for a refused call: an open token does not give access to the default environment. */
function noneIfRefused(error: unknown): RequestList {
  if (codeOf(error) === "refused") return noRequests;
  throw error;
}
