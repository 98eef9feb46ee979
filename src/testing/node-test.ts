import { relative } from "node:path";
import { after } from "node:test";
import { fromCaller } from "../validation/from-caller.ts";
import { checkOptionNames } from "../validation/members.ts";
import { openForTest, Servers, type TestOptions, type TestSandboxes } from "./test-sandbox.ts";

/** The members of a test's context that we use. Older types of `TestContext` in `node:test` lack two of them. */
export interface RunningTest {
  readonly name: string;
  readonly fullName?: string;
  readonly filePath?: string | undefined;
  readonly passed?: boolean;
  after(act: () => Promise<void>): void;
}

/** The servers, one for each value of `sandboxServerOptions`. Each test file runs in its own process. */
const servers = new Servers();
after(() => servers.close());

/**
 * Opens a sandbox for a test of `node:test`: one server for each file, one environment for each test, which ends with
 * it. If the test fails, the requests to its environment are printed. `beforeEach` also receives the context of each
 * test.
 *
 * Rejects like `startSandbox` and `openEnvironment`.
 */
export function openSandbox(test: RunningTest, options: Partial<TestOptions> = {}): Promise<TestSandboxes> {
  return fromCaller(openSandbox, () => open(test, options));
}

async function open(test: RunningTest, options: Partial<TestOptions>): Promise<TestSandboxes> {
  checkOptionNames(options, { sandboxOptions: true, sandboxServerOptions: true });
  const { sandboxOptions = {}, sandboxServerOptions = {} } = options;
  const sandboxServer = await servers.start(sandboxServerOptions);
  const titles = [relative("", test.filePath ?? process.argv[1] ?? ""), test.fullName ?? test.name];
  const testSandboxes = await openForTest(titles, sandboxServer, sandboxOptions);
  test.after(async () => {
    // oxlint-disable-next-line no-console -- node:test shows it with the test.
    await testSandboxes.close(test.passed === false, console.error);
  });
  return { sandbox: testSandboxes.environment, sandboxServer };
}
