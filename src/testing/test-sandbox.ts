import { isDeepStrictEqual } from "node:util";
import { casesDirHere, snapshotFileOf, writeSnapshot } from "./snapshot-file.ts";
import { requestLines } from "./request-lines.ts";
import type {
  Environment,
  EnvironmentOptions,
  LocalSandbox,
  RequestList,
  Sandbox,
  SandboxOptions,
} from "../control.ts";
import { type ConnectOptions, connectSandbox, ControlError, startSandbox } from "../index.ts";
import { asLabel } from "../model/text.ts";

/** A running sandbox, such as that of `offering-sandbox exec`. Without a `url`, a sandbox is started. */
interface RunningServer extends ConnectOptions {
  /** The origin of the sandbox: `http://localhost:4120`. */
  readonly url: string | undefined;
  /** The folder for snapshots of failed tests, as in the options of `startSandbox`. */
  readonly casesDir?: string | undefined;
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
type TestServer = Sandbox & Partial<Pick<LocalSandbox, "configFile" | "casesDir">>;

/** Starts a server, or connects to one. Rejects as `startSandbox` and `connectSandbox` do. */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  if (!("url" in options)) return startSandbox(options);
  const { url, casesDir, ...connection } = options;
  if (url === undefined) return startSandbox({ casesDir });
  const server: TestServer = await connectSandbox(url, connection);
  return Object.assign(server, casesDir !== undefined && { casesDir });
}

/** Servers shared by the tests of a worker, one for each value of their options. */
export class Servers {
  readonly #started: { readonly options: ServerOptions; readonly server: Promise<TestServer> }[] = [];

  /** Returns the server with these options; starts it for the first test. */
  start(options: ServerOptions): Promise<TestServer> {
    const shared = this.#started.find((one) => isDeepStrictEqual(one.options, options));
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

/** The environment of a test. */
export class TestSandbox {
  readonly environment: Environment;
  readonly #titles: readonly string[];
  /** The server. Its default environment records the requests without a valid key. */
  readonly #server: TestServer;
  /** The id of the server's last request before the test. */
  readonly #before: number;

  private constructor(titles: readonly string[], environment: Environment, server: TestServer, before: number) {
    this.#titles = titles;
    this.environment = environment;
    this.#server = server;
    this.#before = before;
  }

  /** Opens the environment of a test; its label comes from `titles`: of the file, the suites and the test. */
  static async open(titles: readonly string[], server: TestServer, options: EnvironmentOptions): Promise<TestSandbox> {
    const environment = await server.openEnvironment({ label: asLabel(titles.join(" > ")), ...options });
    const { data } = await server.requests.list({ limit: 1 }).catch(noneIfRefused);
    return new TestSandbox(titles, environment, server, data[0]?.id ?? 0);
  }

  /** Closes the environment. For a failed test, first prints the requests to it, and writes its snapshot. */
  async close(failed: boolean, print: (text: string) => void): Promise<void> {
    if (failed) {
      const requests = await this.#describe().catch(unavailable);
      const lines = [`${asLabel(this.#titles.join(" > "))}: ${requests}`, ...(await this.#snapshot())];
      print(lines.join("\n"));
    }
    await this.environment.close();
  }

  /** Writes the snapshot, if there is a folder for it. Returns the command that replays it. */
  #snapshot(): Promise<string[]> {
    const { casesDir } = this.#server;
    return writeSnapshot(
      async () => (casesDir === undefined ? casesDirHere() : casesDir),
      () => snapshotFileOf(this.environment, this.#titles),
    );
  }

  /** Returns the requests since the test began that have no valid key; concurrent tests' requests are among them. */
  async #keyless(): Promise<RequestList> {
    const all = await this.#server.requests.list({ after: this.#before }).catch(() => noRequests);
    return {
      dropped: all.dropped,
      data: all.data.filter(({ key_id }) => key_id === null),
      waiting: all.waiting.filter(({ key_id }) => key_id === null),
    };
  }

  /** Names the config file, which may explain the failure. */
  get #settings(): string {
    const { configFile } = this.#server;
    return configFile ? `, with the settings of ${configFile}` : "";
  }

  async #describe(): Promise<string> {
    const { environment } = this;
    const { now } = await environment.clock.get();
    const state = `clock reads ${now}${this.#settings}`;
    const own = await environment.requests.list();
    const lines = requestLines(own, shownRequests);
    const stopped = (await environment.runs.list()).flatMap(({ id, scenario, problem }) =>
      problem === null ? [] : [`${scenario} (${id}) stopped: ${problem}`],
    );
    const reached =
      lines.length > 0
        ? [`requests to its sandbox, whose ${state}:`, ...lines]
        : [`${await this.#nothing()}. It answers at ${environment.baseUrl}; its ${state}.`];
    reached.push(...stopped);
    const others = requestLines(await this.#keyless(), shownRequests);
    if (others.length > 0) reached.push("without a key of any sandbox, of this test or of one beside it:", ...others);
    return reached.join("\n");
  }

  /** Explains an empty journal. One that was cleared or reset has no entries, but its ids continue. */
  async #nothing(): Promise<string> {
    const { journal } = await this.environment.pulse();
    const since = journal.last > 0 ? " since its journal was cleared" : "";
    return `no request with a key of its sandbox reached it${since}`;
  }
}

/** The maximum of requests printed for a failed test. */
const shownRequests = 20;

const noRequests: RequestList = { data: [], dropped: 0, waiting: [] };

/** An open token does not give access to the server's default environment. */
function noneIfRefused(error: unknown): RequestList {
  if (error instanceof ControlError && error.code === "refused") return noRequests;
  throw error;
}

/** Describes why the environment does not answer: the test may have closed it. */
function unavailable({ message }: Error): string {
  return `the requests to its sandbox are not available: ${message}`;
}
