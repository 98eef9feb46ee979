import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { execute, packedProject } from "../support/packed.ts";

let project = "";

/** A project that has the packed package and Vitest. */
beforeAll(async () => {
  project = await packedProject(["vitest", "typescript", "@types/node"]);
  return () => rm(project, { recursive: true, force: true });
}, 60_000);

/** What Vitest said of a file, and whether all was well. */
async function vitest(file: string, text: string): Promise<{ passed: boolean; output: string }> {
  await writeFile(join(project, file), text);
  const args = [join(project, "node_modules", ".bin", "vitest"), "run", "--root", project, file];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  try {
    const { stdout, stderr } = await execute(process.execPath, args, { cwd: project, env });
    return { passed: true, output: stripVTControlCharacters(stdout + stderr) };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { passed: false, output: stripVTControlCharacters(stdout + stderr) };
  }
}

const preface = `
  import { expect, test as plain } from "vitest";
  import { test, testWith } from "offering-sandbox/vitest";

  /** The status of an answer, and what Partner keys may read in it. */
  async function ask({ baseUrl, keys }: { baseUrl: string; keys: { partner: string | undefined } }, path: string): Promise<number> {
    const response = await fetch(baseUrl + path, { headers: { authorization: "Bearer " + keys.partner } });
    await response.arrayBuffer();
    return response.status;
  }
`;

const wellUsed = `${preface}
  const seen = new Set<string>();

  test.concurrent.for([1, 2, 3, 4])("test %i has an environment of its own", async (days, { sandbox }) => {
    const before = await sandbox.clock.get();
    const { now } = await sandbox.clock.advance(days + "d");
    expect(Date.parse(now) - Date.parse(before.now)).toBe(days * 86_400_000);
    expect(await ask(sandbox, "/offerings/" + sandbox.offerings[0]?.id)).toBe(200);
    expect(await sandbox.requests.count()).toBe(1);
    expect(seen.has(sandbox.keys.partner ?? "")).toBe(false);
    seen.add(sandbox.keys.partner ?? "");
  });

  let port = "";
  test.for(["first", "second"])("the server is shared: %s", ({}, { sandbox, sandboxServer }) => {
    port ||= new URL(sandboxServer.url).port;
    expect(new URL(sandbox.baseUrl).port).toBe(port);
  });

  const minimal = testWith({ fixture: "minimal", rateLimit: 3 }, { clock: "2026-05-01T00:00:00.000Z" });
  minimal("with options", async ({ sandbox }) => {
    expect(await sandbox.describe()).toMatchObject({ fixture: "minimal", rate_limit: 3, clock: { now: "2026-05-01T00:00:00.000Z", speed: 0 } });
  });

  const extended = test.extend<{ id: string }>({ id: async ({ sandbox }, use) => use(sandbox.id) });
  extended("the server is shared also by a test that was extended", ({ id, sandbox, sandboxServer }) => {
    expect([id, new URL(sandboxServer.url).port]).toEqual([sandbox.id, port]);
  });

  test("the test may drop its environment itself", async ({ sandbox }) => sandbox.close());
  plain("tests without a sandbox start none", ({ task }) => expect(task.name).toContain("none"));
`;

test("a file whose tests are well", async () => {
  const { passed, output } = await vitest("well.test.ts", wellUsed);
  expect(output).toContain("10 passed");
  expect(output).not.toContain("Requests to");
  expect(passed).toBe(true);
});

const failing = `${preface}
  test("asks in vain", async ({ sandbox }) => {
    expect(await ask(sandbox, "/investments/00000000-0000-4000-8000-000000000000?pgae=1")).toBe(200);
  });
  test("asks elsewhere", async ({ sandbox }) => {
    expect(sandbox.baseUrl).toBe("https://api.example.com");
  });
`;

test("a test that fails prints the requests that reached its sandbox", async () => {
  const { passed, output } = await vitest("failing.test.ts", failing);
  expect(passed).toBe(false);
  expect(output).toMatch(
    /stderr \| failing\.test\.ts > asks in vain\nRequests to this test's sandbox, whose clock reads 20.*Z:\nGET   404 .* ms  \/api\/v1\/investments\/00000000-0000-4000-8000-000000000000\?pgae=1  key \S+\n/,
  );
  expect(output).toMatch(
    /stderr \| failing\.test\.ts > asks elsewhere\nNo request with a key of this test's sandbox reached it\. It answers at http:\/\/localhost:\d+\/api\/v1; its clock reads 20.*Z\.\n/,
  );
  expect(output).not.toMatch(/sandbox_(partner|marketing)_/);
});

test("a file that uses it compiles", async () => {
  const config = {
    compilerOptions: { strict: true, noEmit: true, module: "nodenext", target: "es2023", types: ["node"] },
  };
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ ...config, include: ["typed.test.ts"] }));
  await writeFile(join(project, "typed.test.ts"), wellUsed);
  const { stdout } = await execute(process.execPath, [join(project, "node_modules", ".bin", "tsc")], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});
