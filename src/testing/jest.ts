import { relative } from "node:path";
import { TestEnvironment } from "jest-environment-node";
import type { Environment, Sandbox } from "../public/control.ts";
import { openForTest, startServer, type TestOptions } from "./test-sandbox.ts";

declare global {
  /** The environment of the running test: its own keys, clock, faults, limits and journal. */
  var sandbox: Environment;
  /** The server of the tests in a file. A concurrent test opens its own environment on it. */
  var sandboxServer: Sandbox;
}

/** The class of a test environment: of `jest-environment-node`, `jest-environment-jsdom` or another. */
// oxlint-disable-next-line typescript/no-explicit-any -- TypeScript demands it of a base class.
type EnvironmentClass = new (...args: any[]) => JestEnvironment;

interface JestEnvironment {
  readonly global: Partial<Pick<typeof globalThis, "sandbox" | "sandboxServer">>;
  setup(): Promise<void>;
  teardown(): Promise<void>;
  handleTestEvent?(event: JestEvent, state: never): Promise<void> | void;
}

/** An event of jest-circus. */
interface JestEvent {
  readonly name: string;
  readonly test?: Titled & { readonly errors: readonly unknown[] };
}

interface Titled {
  readonly name: string;
  /** The suite around a test or suite; the outermost one represents the file. */
  readonly parent?: Titled | undefined;
}

/** The arguments with which Jest creates a test environment. */
type Arguments = readonly [
  config: {
    readonly projectConfig: { readonly rootDir: string; readonly testEnvironmentOptions: Partial<TestOptions> };
  },
  context: { readonly testPath: string },
];

/**
 * Returns a test environment of Jest with the globals `sandbox` and `sandboxServer`: one server for each file, one
 * environment for each test. If a test fails, it prints the requests to its environment.
 *
 * `testEnvironmentOptions: { sandboxOptions, sandboxServerOptions }` sets options for a project, the docblock
 * `@jest-environment-options` for a file.
 */
export function withSandbox<Base extends EnvironmentClass>(base: Base): Base {
  return class extends base {
    readonly #options: Partial<TestOptions>;
    readonly #file: string;
    #server: Sandbox | undefined;
    #sandbox: Awaited<ReturnType<typeof openForTest>> | undefined;

    // oxlint-disable-next-line typescript/no-explicit-any -- TypeScript demands it of a base class.
    constructor(...args: any[]) {
      super(...args);
      const [{ projectConfig }, { testPath }] = args as unknown as Arguments;
      this.#options = projectConfig.testEnvironmentOptions;
      this.#file = relative(projectConfig.rootDir, testPath);
    }

    override async setup(): Promise<void> {
      await super.setup();
      this.#server = await startServer(this.#options.sandboxServerOptions ?? {});
      this.global.sandboxServer = this.#server;
    }

    override async handleTestEvent(event: JestEvent, state: never): Promise<void> {
      await super.handleTestEvent?.(event, state);
      const { name, test } = event;
      if (!test || !this.#server) return;
      if (name === "test_started") {
        const titles = [this.#file, ...titlesOf(test)];
        this.#sandbox = await openForTest(titles, this.#server, this.#options.sandboxOptions ?? {});
        this.global.sandbox = this.#sandbox.environment;
      } else if (name === "test_done") {
        await this.#sandbox?.close(test.errors.length > 0, print);
        delete this.global.sandbox;
      }
    }

    override async teardown(): Promise<void> {
      await this.#server?.close();
      await super.teardown();
    }
  };
}

/** Prints without the console of Jest, which would add our own stack frames. */
function print(text: string): void {
  process.stderr.write(`${text}\n`);
}

function titlesOf({ name, parent }: Titled): string[] {
  return parent ? [...titlesOf(parent), name] : [];
}

/** Jest's test environment for Node, with a sandbox; see `withSandbox`. */
export default withSandbox(TestEnvironment);
