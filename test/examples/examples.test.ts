import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { install, pack, root } from "../support/packed.ts";

const execute = promisify(execFile);
const names = ["investment-browser", "reconciliation"] as const;
let folder = "";

/** Copies each example into its own folder, with the packed package. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "offering-sandbox-examples-"));
  const tarball = await pack(folder);
  await Promise.all(
    names.map(async (name) => {
      const generated = /[/\\](node_modules|dist|build)$/;
      await cp(join(root, "examples", name), join(folder, name), {
        recursive: true,
        filter: (path) => !generated.test(path),
      });
      const { devDependencies } = JSON.parse(await readFile(join(folder, name, "package.json"), "utf8")) as {
        devDependencies: Record<string, string>;
      };
      const { "offering-sandbox": _packed, ...beside } = devDependencies;
      await install(tarball, join(folder, name), Object.keys(beside));
    }),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The environment without Vitest's variables, which would mislead the Vitest of an example. */
const cleanVariables = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(name: (typeof names)[number], script: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: join(folder, name), env: { ...cleanVariables, NO_COLOR: "1", ...env } };
  try {
    const { stdout, stderr } = await execute("npm", ["run", "--silent", script], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
}

const success = expect.objectContaining({ code: 0 });

describe.each(names)("%s", (name) => {
  test("has no type errors", async () => {
    expect(await run(name, "typecheck")).toEqual(success);
  });

  test("passes its own tests", async () => {
    expect(await run(name, "test")).toEqual(success);
  });
});

describe("investment-browser", () => {
  test("is built without addresses or keys of a sandbox", async () => {
    const sandboxVariables = {
      OFFERING_SANDBOX_BASE_URL: "http://localhost:1/canary",
      OFFERING_SANDBOX_PARTNER_KEY: "canary",
    };
    expect(await run("investment-browser", "build", sandboxVariables)).toEqual(success);
    const assets = join(folder, "investment-browser", "dist", "assets");
    const files = await Promise.all((await readdir(assets)).map((file) => readFile(join(assets, file), "utf8")));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((text) => text.includes("canary"))).toEqual([]);
  });

  test("runs with a sandbox, whose keys it uses", async () => {
    const child = spawn("npm", ["run", "--silent", "dev", "--", "--port", "0"], {
      cwd: join(folder, "investment-browser"),
      env: { ...cleanVariables, NO_COLOR: "1", OFFERING_SANDBOX_PORT: String(await freePort()) },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const pendingClose = once(child, "close");
    onTestFinished(async () => {
      // The shell between npm and the sandbox passes no signal on. "close" comes once no process writes any more.
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await pendingClose;
    });
    const address = await new Promise<string>((resolve, reject) => {
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        const [, match] = /Local: +(http:\/\/localhost:\d+\/)/.exec((output += String(chunk))) ?? [];
        if (match !== undefined) resolve(match);
      });
      child.once("exit", () => reject(new Error(`It ended, having said: ${output}`)));
    });
    const page = await (await fetch(`${address}src/sandbox.ts`)).text();
    const [, offering = ""] = /"OFFERING_SANDBOX_OFFERING_ID": "([^"]+)"/.exec(page) ?? [];
    const headers = { "sandbox-key": "marketing" };
    const response = await fetch(`${address}api/v1/offerings/${offering}`, { headers });
    expect(response.status).toBe(200);
  });

  test("passes the tests of its page, or skips them without Chromium", async () => {
    const systemChromium = existsSync("/usr/bin/chromium") && { CHROMIUM_PATH: "/usr/bin/chromium" };
    const { code, stdout } = await run("investment-browser", "test:page", { ...systemChromium });
    expect(stdout).toMatch(/\b10 (passed|skipped)\b/);
    expect(code).toBe(0);
  });
});

test("reconciliation finds the differences in its fixture", async () => {
  const { code, stdout } = await run("reconciliation", "start");
  expect(stdout).toContain("47 investments read, 5 differences found.");
  expect(code).toBe(1);
});
