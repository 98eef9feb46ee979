import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install, pack, root } from "../support/packed.ts";

const isInstalled = spawnSync("python3", ["-c", "import pytest"]).status === 0;

describe.skipIf(!isInstalled && !process.env["CI"])("the pytest plugin, where Python has pytest", () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "offering-sandbox-pytest-"));
    const project = join(folder, "project");
    await cp(join(root, "examples", "pytest"), project, { recursive: true });
    await install(await pack(folder), project);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs a command in the project. Returns its exit code and its output to stdout. */
  function run(...command: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
    const [file = "", ...args] = command;
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    return new Promise((resolve) => {
      execFile(file, args, { cwd: join(folder, "project"), env }, (error, stdout) => {
        resolve({ code: error ? error.code : 0, stdout });
      });
    });
  }

  const pytest = ["python3", "-m", "pytest", "-p", "no:cacheprovider", "-W", "error"] as const;

  test("starts a sandbox, in which the client passes its tests", async () => {
    expect(await run(...pytest)).toEqual({ code: 0, stdout: expect.stringContaining("5 passed") });
  });

  test("uses the sandbox of exec", async () => {
    const { code, stdout } = await run("npx", "offering-sandbox", "exec", "--", ...pytest);
    expect([code, stdout]).toEqual([0, expect.stringContaining("5 passed")]);
  });

  test("ends without a warning if npx prints more after the sandbox has stopped", async () => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const lateOutput = "for each in 1 2 3; do sleep 0.2; echo '{}'; done";
    const script = `#!/bin/sh\nPATH=$(echo "$PATH" | sed 's#^[^:]*:##') npx "$@"\n${lateOutput}\n`;
    await writeFile(join(bin, "npx"), script, { mode: 0o755 });
    const path = `PATH=${bin}:${process.env["PATH"]}`;
    const result = await run("env", path, ...pytest, "test_service.py", "-k", "closes");
    expect(result).toEqual({ code: 0, stdout: expect.stringContaining("1 passed") });
  });

  test("says why no sandbox started", async () => {
    const { code, stdout } = await run("env", "OFFERING_SANDBOX_FIXTURE=dmeo", ...pytest);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/did not start:\s[^]*no fixture "dmeo".*"demo"/)]);
  });

  test("shows the requests of a failing test, and the reason of a refusal", async () => {
    const failingTest = `from service import Service

def test_a_wrong_key(sandbox):
    Service(sandbox.base_url, "wrong").offering_name(sandbox.offering_id)
`;
    await writeFile(join(folder, "project", "test_failing.py"), failingTest);
    const { code, stdout } = await run(...pytest, "test_failing.py");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-+ requests -+\nGET 401 \/api\/v1\/offerings\/\S+ no such key: /m);
    const exec = ["npx", "offering-sandbox", "exec", "--snapshot-dir", "cases", "--"];
    expect((await run(...exec, ...pytest, "test_failing.py", "test_service.py")).code).toBe(1);
    const files = await readdir(join(folder, "project", "cases"));
    expect(files.toSorted()).toEqual(["default.json", "test_failing.py-test_a_wrong_key.json"]);
  });
});
