import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { execute, packedProject } from "../support/packed.ts";

let project = "";

/** A project with the packed package and every runner. */
beforeAll(async () => {
  const runners = ["vitest", "@playwright/test", "jest", "jest-environment-node", "@jest/globals"];
  project = await packedProject([...runners, "typescript", "@types/node"]);
  const config = {
    compilerOptions: { strict: true, noEmit: true, module: "nodenext", target: "es2023", types: ["node"] },
    include: ["*.ts", "*.cts"],
  };
  const files = {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify(config),
    "minimal.config.mts": `
      import type {} from "offering-sandbox/vitest";
      import { defineConfig } from "vitest/config";
      export default defineConfig({ test: { provide: { sandboxOptions: { fixture: "minimal" } } } });
    `,
    "playwright.config.ts": `
      import { defineConfig } from "@playwright/test";
      import type { SandboxUse } from "offering-sandbox/playwright";
      const minimal = { name: "minimal", testMatch: "minimal.spec.ts", use: { sandboxOptions: { fixture: "minimal" } } };
      export default defineConfig<SandboxUse>({ workers: 1, projects: [{ testIgnore: "minimal.spec.ts" }, minimal] });
    `,
    "jest.config.mjs": `export default { testEnvironment: "offering-sandbox/jest", testMatch: ["**/*.cjs"] };`,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text);
  return () => rm(project, { recursive: true, force: true });
});

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

/** Long time limits: a busy machine exceeds the runners' defaults. */
const timeoutFlags: Readonly<Record<string, readonly string[]>> = {
  vitest: ["--testTimeout=120000"],
  playwright: ["--timeout=120000"],
  jest: ["--testTimeout=120000"],
};

/** Runs a command of the project; returns its output even if it fails. */
async function run(command: string, ...args: string[]): Promise<Outcome> {
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST|FORCE_COLOR)/.test(name)),
    ),
    // Without it, Jest loads no ES modules.
    ...(command === "jest" && { NODE_OPTIONS: "--experimental-vm-modules" }),
  };
  const bin =
    command === "node" ? ["--test", "--test-reporter=spec"] : [join(project, "node_modules", ".bin", command)];
  const flags = timeoutFlags[command] ?? [];
  try {
    const { stdout, stderr } = await execute(process.execPath, [...bin, ...args, ...flags], { cwd: project, env });
    return { passed: true, output: stripVTControlCharacters(stdout + stderr) };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { passed: false, output: stripVTControlCharacters(stdout + stderr) };
  }
}

const askFunction = `
  async function ask({ baseUrl, keys }: { baseUrl: string; keys: { partner: string } }, path: string): Promise<number> {
    const response = await fetch(baseUrl + path, { headers: { authorization: "Bearer " + keys.partner } });
    await response.arrayBuffer();
    return response.status;
  }
`;

const clockReading = String.raw`2026-01-15T12:00:00\.000Z, with the settings of offering-sandbox\.config\.yaml`;
const noRequest = "no request with a key of its sandbox reached it";
const path = String.raw`\/api\/v1\/offerings\/[-\da-f]{36}`;

/** What is printed of each failing test after its name. */
const reports: Readonly<Record<string, string>> = {
  "a suite > asks in vain": String.raw`requests to its sandbox, whose clock reads ${clockReading}:\nGET   404 .* ms  \/api\/v1\/investments\/00000000-0000-4000-8000-000000000000\?pgae=1  investment_not_found  key .+\n`,
  "asks elsewhere": String.raw`${noRequest}\. It responds at http:\/\/localhost:\d+\/api\/v1; its clock reads ${clockReading}\.\n`,
  "asks with a wrong key": String.raw`${noRequest}\. It responds .*\nwithout a key of any sandbox, of this test or of one next to it:\nGET   401 .* ms  ${path}  key_unknown\n *no such key.*\n`,
  waits: String.raw`requests to its sandbox, whose clock reads ${clockReading}:\nGET   waiting for \d+ ms, fault-\d+  ${path}  key .+\n`,
  forgets: `${noRequest} since its journal was cleared\\. `,
};

/** Runs a file of failing tests with a config file, and compares the output with `reports`. */
async function expectRequests(file: string, text: string, command: string, ...args: string[]): Promise<void> {
  const config = join(project, "offering-sandbox.config.yaml");
  await writeFile(config, "rate-limit: 7\nport: 1\nsnapshotDir: cases");
  await writeFile(join(project, file), text);
  const { passed, output } = await run(command, ...args, file);
  await rm(config);
  const indented = output.replaceAll(/^ +(?=GET|without|\S+ > )/gm, "");
  for (const [title, report] of Object.entries(reports))
    expect(indented).toMatch(new RegExp(`^${file} > ${title}: ${report}`, "m"));
  expect(output).not.toMatch(/sandbox_(partner|marketing)_/);
  expect(passed).toBe(false);
  const name = join("cases", `${file}-forgets`);
  // Its journal was cleared, so nothing can be asked again.
  expect(output).toMatch(new RegExp(`^ *npx --no-install offering-sandbox start --snapshot ${name}\\.json$`, "m"));
  await access(join(project, `${name}.json`));
}

/** Failing tests with the fixture `sandbox`, in the form of Vitest and Playwright. */
const failingTests = `${askFunction}
  test.describe("a suite", () => {
    test("asks in vain", async ({ sandbox }) => {
      expect(await ask(sandbox, "/investments/00000000-0000-4000-8000-000000000000?pgae=1")).toBe(200);
    });
  });
  test("asks elsewhere", async ({ sandbox }) => {
    expect(sandbox.baseUrl).toBe("https://api.example.com");
  });
  test("asks with a wrong key", async ({ sandbox }) => {
    const path = "/offerings/" + sandbox.offering.id;
    expect(await ask({ baseUrl: sandbox.baseUrl, keys: { partner: "not-a-key" } }, path)).toBe(200);
  });
  test("waits", async ({ sandbox }) => {
    await sandbox.faults.add({ delay: "10m" });
    ask(sandbox, "/offerings/" + sandbox.offering.id).catch(() => {});
    while ((await sandbox.requests.list()).waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    throw new Error("on purpose");
  });
  test("forgets", async ({ sandbox }) => {
    await ask(sandbox, "/offerings/" + sandbox.offering.id);
    await sandbox.requests.clear();
    throw new Error((await sandbox.describe()).rate_limit === 7 ? "on purpose" : "without its settings");
  });
`;

const minimal = `
  test("has the options of the project", async ({ sandbox }) => {
    expect(sandbox.offerings).toMatchObject([{ investments: 1 }]);
  });
`;

describe("Vitest", () => {
  const imports = `import { expect, test } from "offering-sandbox/vitest";`;

  test("tests pass with their own environments, shared servers and options", async () => {
    await writeFile(
      join(project, "well.test.ts"),
      `import { describe, test as plain } from "vitest"; ${imports} ${askFunction}
      const seen = new Set<string>();

      test.concurrent.for([1, 2, 3, 4])("test %i has an environment of its own", async (days, { sandbox }) => {
        const before = await sandbox.clock.get();
        const { now } = await sandbox.clock.advance(days + "d");
        expect(Date.parse(now) - Date.parse(before.now)).toBe(days * 86_400_000);
        expect(await ask(sandbox, "/offerings/" + sandbox.offering.id)).toBe(200);
        expect(await sandbox.requests.count()).toBe(1);
        expect(seen.has(sandbox.keys.partner)).toBe(false);
        seen.add(sandbox.keys.partner);
      });

      let url = "";
      test.for(["first", "second"])("the server is shared: %s", ({}, { sandbox, sandboxServer }) => {
        url ||= sandboxServer.url;
        expect(sandbox.baseUrl).toBe(url + "/api/v1");
      });

      describe("with options", () => {
        test.override({
          sandboxOptions: { clock: "2026-05-01", profile: "minimal" },
          sandboxServerOptions: { fixture: "minimal", rateLimit: 3 },
        });
        test("of this suite", async ({ sandbox }) => {
          expect(await sandbox.describe()).toMatchObject({
            label: "well.test.ts > with options > of this suite",
            fixture: "minimal", profile: "minimal", rate_limit: 3, clock: { now: "2026-05-01T00:00:00.000Z", speed: 0 },
          });
        });
      });

      describe("a server that runs", async () => {
        test.override("sandboxServerOptions", async ({ sandboxServers }) => ({ url: (await sandboxServers.start({})).url }));
        test("is used", ({ sandbox }) => expect(sandbox.baseUrl).toBe(url + "/api/v1"));
      });

      const extended = test.extend<{ id: string }>({ id: async ({ sandbox }, use) => use(sandbox.id) });
      extended("the server is shared also by a test that was extended", ({ id, sandbox, sandboxServer }) => {
        expect([id, sandboxServer.url]).toEqual([sandbox.id, url]);
      });

      test("the test may delete its environment itself", async ({ sandbox }) => sandbox.close());
      plain("tests without a sandbox start none", ({ task }) => expect(task.name).toContain("none"));`,
    );
    const { passed, output } = await run("vitest", "run", "well.test.ts");
    expect(output).toContain("11 passed");
    expect(output).not.toContain("requests to");
    expect(passed).toBe(true);
  });

  test("a failing test prints the requests that reached its sandbox", async () => {
    await expectRequests("failing.test.ts", imports + failingTests, "vitest", "run");
  });

  test("a project's options reach its tests", async () => {
    await writeFile(join(project, "minimal.test.ts"), imports + minimal);
    expect(await run("vitest", "run", "--config", "minimal.config.mts", "minimal.test.ts")).toMatchObject({
      passed: true,
    });
  });

  test("a sandbox uses no global that the code under test has replaced", async () => {
    const types =
      "AbortController AbortSignal Headers Intl Request Response TextDecoder TextEncoder URL URLSearchParams";
    const values = "crypto fetch performance queueMicrotask structuredClone";
    const timers = ["Timeout", "Interval", "Immediate"].flatMap((kind) => [`set${kind}`, `clear${kind}`]);
    const replacedGlobals = [...types.split(" "), ...values.split(" "), ...timers];
    await writeFile(
      join(project, "replaced.test.mts"),
      `import { request } from "node:http"; import { once } from "node:events"; import { text } from "node:stream/consumers";
      import { vi } from "vitest"; import { connectSandbox, startSandbox } from "offering-sandbox"; ${imports}
      const fake = () => { for (const name of ${JSON.stringify(replacedGlobals)}) vi.stubGlobal(name, undefined);
        vi.stubGlobal("Date", class extends Date { constructor() { super("2001-01-01"); } static now = () => 1; static parse = () => 1; }); };

      async function statusOf({ baseUrl, keys, offerings }, path: string): Promise<number> {
        const headers = { authorization: "Bearer " + keys.partner };
        const [response] = await once(request(baseUrl + "/offerings/" + offerings[0].id + path, { headers }).end(), "response");
        await text(response);
        return response.statusCode;
      }

      test.for([
        ["undefined", fake],
        ["fake timers", () => vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "setImmediate", "setInterval"] })],
        ["a mean clock", () => { vi.spyOn(performance, "now").mockReturnValue(1); vi.spyOn(Date, "now").mockReturnValue(1); }],
      ] as const)("%s", async ([, replace], { sandbox: tested, sandboxServer, onTestFinished }) => {
        onTestFinished(() => { vi.unstubAllGlobals(); vi.restoreAllMocks(); vi.useRealTimers(); });
        replace();
        const own = await startSandbox({ config: false, clock: "now" });
        for (const sandbox of [tested, await connectSandbox(sandboxServer.url), own]) {
          expect(await statusOf(sandbox, "?x=%20")).toBe(200);
          expect(await statusOf(sandbox, "/investments?create_date[gte]=2025-10-01&size=2")).toBe(200);
          await sandbox.play("closing");
          await sandbox.clock.advance("2d");
          const { id } = await sandbox.faults.add({ match: { path: "/offerings/*" }, respond: { status: 503 }, delay: 5 });
          expect(await statusOf(sandbox, "")).toBe(503);
          await sandbox.faults.remove(id);
          await sandbox.limits.set(sandbox.keys.partner, 120);
          expect(await statusOf(sandbox, "")).toBe(429);
          await sandbox.limits.clear();
          const snapshot = await sandbox.snapshot();
          await sandbox.replay(snapshot);
          await sandbox.restore(snapshot);
          expect(await sandbox.requests.count()).toBeGreaterThan(3);
        }
        await own.close();
      });`,
    );
    const { passed, output } = await run("vitest", "run", "replaced.test.mts");
    expect(output).toContain("3 passed");
    expect(passed).toBe(true);
  });
});

describe("Playwright", () => {
  const imports = `import { expect, test } from "offering-sandbox/playwright";`;

  test("tests pass with options of a suite, a file and a project", async () => {
    await writeFile(join(project, "minimal.spec.ts"), imports + minimal);
    await writeFile(
      join(project, "well.spec.ts"),
      `${imports}
      test.use({ sandboxServerOptions: { rateLimit: 3 } });
      let url = "";
      for (const n of [1, 2]) {
        test("has an environment of its own on a server that is shared: " + n, async ({ sandbox, sandboxServer, request }) => {
          url ||= sandboxServer.url;
          expect(sandbox.baseUrl).toBe(url + "/api/v1");
          const headers = { authorization: "Bearer " + sandbox.keys.partner };
          await expect(await request.get(sandbox.baseUrl + "/offerings/" + sandbox.offering.id, { headers })).toBeOK();
          expect(await sandbox.requests.count()).toBe(1);
        });
      }
      test.describe("a suite", () => {
        test.use({ sandboxOptions: { profile: "minimal" } });
        test("has options", async ({ sandbox }) => {
          expect(await sandbox.describe()).toMatchObject({
            label: "well.spec.ts > a suite > has options", profile: "minimal", rate_limit: 3,
          });
        });
      });`,
    );
    const { passed, output } = await run("playwright", "test", "well.spec.ts", "minimal.spec.ts");
    expect(output).toContain("4 passed");
    expect(output).not.toContain("requests to");
    expect(passed).toBe(true);
  });

  test("a failing test prints the requests that reached its sandbox", async () => {
    await expectRequests("failing.spec.ts", imports + failingTests, "playwright", "test", "--reporter", "line");
  });
});

/** Removes the types from a program, because Jest and Node cannot read them. */
function removeTypes(text: string): string {
  return text.replaceAll(/\): Promise<\w+>|: \{ baseUrl.* \} \}|(?<=path): string/g, (match) =>
    match.startsWith(")") ? ")" : "",
  );
}

const nodeTest = `
  import assert from "node:assert/strict";
  import { beforeEach, describe, test } from "node:test";
  import { openSandbox } from "offering-sandbox/node-test";
  const expect = (actual) => ({ toBe: (expected) => assert.equal(actual, expected) });
`;

/** A test in the form of node:test. */
function asNodeTest(text: string): string {
  return removeTypes(text)
    .replaceAll("test.describe", "describe")
    .replaceAll("async ({ sandbox }) => {", "async (t) => { const { sandbox } = await openSandbox(t);");
}

describe("node:test", () => {
  test("tests pass with their own environments, on a server that is shared, and the file ends", async () => {
    await writeFile(
      join(project, "well.test.mjs"),
      `${nodeTest} ${removeTypes(askFunction)}
      const seen = new Set();
      let own;
      beforeEach(async (t) => { own = await openSandbox(t, { sandboxOptions: { profile: "minimal" } }); });
      for (const days of [1, 2]) test("has an environment of its own: " + days, async () => {
        seen.add(own.sandbox.id).add(own.sandboxServer.url);
        expect(seen.size).toBe(days + 1);
        expect(await ask(own.sandbox, "/offerings/" + own.sandbox.offering.id)).toBe(200);
        const { label, profile } = await own.sandbox.describe();
        expect([label, profile].join()).toBe("well.test.mjs > has an environment of its own: " + days + ",minimal");
      });
      test("has options", async (t) => {
        const { sandbox } = await openSandbox(t, { sandboxServerOptions: { rateLimit: 3 } });
        expect((await sandbox.describe()).rate_limit).toBe(3);
      });`,
    );
    const { passed, output } = await run("node", "well.test.mjs");
    expect(output).toContain("pass 3");
    expect(output).not.toContain("requests to");
    expect(passed).toBe(true);
  });

  test("a failing test prints the requests that reached its sandbox", async () => {
    await expectRequests("failing.test.mjs", nodeTest + asNodeTest(failingTests), "node");
  });
});

describe("Jest", () => {
  const jest = (file: string): Promise<Outcome> => run("jest", "--runInBand", file);

  test("tests pass with their own environments and options", async () => {
    await writeFile(
      join(project, "well.cjs"),
      `/** @jest-environment-options {"sandboxOptions":{"profile":"minimal"},"sandboxServerOptions":{"rateLimit":3}} */
      const seen = new Set();
      beforeEach(() => seen.add(sandbox.keys.partner));
      test.each([1, 2])("has an environment of its own: %i", async (n) => {
        expect(seen.size).toBe(n);
        expect(await sandbox.describe()).toMatchObject({
          label: "well.cjs > has an environment of its own: " + n, profile: "minimal", rate_limit: 3,
        });
        expect(sandbox.baseUrl).toBe(sandboxServer.url + "/api/v1");
      });
      test.skip("a test that is skipped has none", () => {});
      test("imports the package", async () => {
        const { connectSandbox } = await import("offering-sandbox");
        expect((await connectSandbox(sandboxServer.url)).id).toBe("default");
      });
      test.concurrent("a concurrent test opens one", async () => {
        const own = await sandboxServer.openEnvironment();
        expect(seen.has(own.keys.partner)).toBe(false);
      });`,
    );
    const { passed, output } = await jest("well.cjs");
    expect(output).toContain("1 skipped, 4 passed");
    expect(output).not.toContain("requests to");
    expect(passed).toBe(true);
  });

  test("a failing test prints the requests that reached its sandbox", async () => {
    const text = removeTypes(failingTests)
      .replace("test.describe", "describe")
      .replaceAll("async ({ sandbox }) =>", "async () =>");
    await expectRequests("failing.cjs", text, "jest", "--runInBand");
  });

  test("withSandbox adds a sandbox to another test environment", async () => {
    await writeFile(
      join(project, "own-environment.mjs"),
      `import { withSandbox } from "offering-sandbox/jest";
      import { TestEnvironment } from "jest-environment-node";
      export default withSandbox(class extends TestEnvironment {
        events = [];
        async setup() { await super.setup(); this.global.events = this.events; }
        handleTestEvent({ name }) { this.events.push(name); }
      });`,
    );
    await writeFile(
      join(project, "own.cjs"),
      `/** @jest-environment ./own-environment.mjs */
      test("both", () => expect([sandbox.id !== undefined, events.includes("test_start")]).toEqual([true, true]));`,
    );
    expect(await jest("own.cjs")).toMatchObject({ passed: true });
  });
});

test("files that use the globals of Jest, and CommonJS files that require each entry, compile", async () => {
  await writeFile(
    join(project, "typed-jest.ts"),
    `import { expect, test } from "@jest/globals";
    import type {} from "offering-sandbox/jest";
    test("typed", async () => {
      expect(await sandbox.requests.count()).toBe(0);
      // @ts-expect-error
      await sandbox.play(1);
      expect(sandboxServer.url).toContain("http");
    });`,
  );
  await writeFile(
    join(project, "entries.cts"),
    `import { ValidationError, startSandbox, type LocalSandbox } from "offering-sandbox";
    import SandboxEnvironment, { withSandbox } from "offering-sandbox/jest";
    import type { SandboxUse } from "offering-sandbox/playwright";
    import playwright = require("offering-sandbox/playwright");
    import type vitest = require("offering-sandbox/vitest");
    import { openSandbox } from "offering-sandbox/node-test";
    import type { TestContext } from "node:test";
    export const opened = (t: TestContext) => openSandbox(t);
    export const started: Promise<LocalSandbox> = startSandbox({ config: false });
    export const isValidationError = (error: unknown): error is ValidationError => error instanceof ValidationError;
    export const use: SandboxUse = { sandboxSyncsPageClock: true };
    export const fixtures = (test: typeof vitest.test): unknown =>
      test("typed", async ({ sandbox }) => {
        await sandbox.clock.advance("1d");
        // @ts-expect-error
        await sandbox.play(1);
      });
    playwright.test("typed", ({ sandboxServer }) => void sandboxServer.openEnvironment());
    export const url: string = sandboxServer.url;
    export default withSandbox(SandboxEnvironment);`,
  );
  for (const module of ["node16", "nodenext"]) expect((await run("tsc", "--module", module)).output).toBe("");
});
