import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { freePort } from "../support/free-port.ts";
import { execute, packedProject, root } from "../support/packed.ts";
import { fromRegistry } from "../support/registry.ts";
import { until } from "../support/until.ts";

let project = "";

beforeAll(async () => {
  project = await packedProject();
  return () => rm(project, { recursive: true, force: true });
});

const files = {
  "index.html": `<script type="module" src="/main.ts"></script>`,
  "main.ts": `
    export const id: string | undefined = import.meta.env.OFFERING_SANDBOX_OFFERING_ID;
    // @ts-expect-error
    export const wrong: number = import.meta.env.OFFERING_SANDBOX_PARTNER_KEY_ID;
    console.log(id);`,
  "vite.config.mts": `
    import { defineConfig } from "vite";
    import { offeringSandbox } from "offering-sandbox/vite";
    export default defineConfig({
      plugins: [offeringSandbox({ key: ({ headers }) => (headers.host === undefined ? "partner" : "marketing") })],
    });`,
  "config.json": JSON.stringify({
    extends: "./page.json",
    compilerOptions: { module: "nodenext", moduleResolution: "nodenext", types: ["node"] },
    files: ["vite.config.mts"],
  }),
  "page.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      types: ["vite/client", "offering-sandbox/vite"],
    },
    files: ["main.ts"],
  }),
};

/**
 * Runs a command of Vite, with the variables of this Vitest, until its line about the sandbox. Returns its output so
 * far, and a way to end it.
 */
async function runVite(folder: string, args: readonly string[] = [], program = process.execPath) {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const inheritedVariables = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_ENV|OFFERING_SANDBOX_|CI$)/.test(name),
  );
  const child = spawn(program, [vitePath(folder), ...args, "--port", String(port)], {
    cwd: folder,
    env: { ...Object.fromEntries(inheritedVariables), OFFERING_SANDBOX_PORT: String(sandboxPort) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const pendingClose = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += stripVTControlCharacters(text)));
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  await until(() => output.includes(`  ➜  Sandbox: ${sandboxUrl}/`) || child.exitCode !== null);
  return {
    url: `http://localhost:${port}`,
    sandbox: await connectSandbox(sandboxUrl),
    says: (text: string) => until(() => output.includes(text)),
    /** Ends a command of Vite by a signal, and expects the end of its sandbox. */
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await pendingClose;
      await expect(connectSandbox(sandboxUrl)).rejects.toThrow("No sandbox responds");
    },
  };
}

/** Expects no response of the service for a page of another origin, or with a name that was rebound to this machine. */
async function expectNoKey(url: string): Promise<void> {
  for (const headers of [
    { origin: "https://evil.example" },
    { host: "evil.example" },
    { "sec-fetch-site": "cross-site" },
  ]) {
    const outgoing = request(url, { headers }).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(403);
    expect(await textOf(response)).not.toContain('"data"');
  }
}

const vitePath = (folder: string): string => join(folder, "..", "node_modules", "vite", "bin", "vite.js");

// The oldest and the newest of each major version that the package accepts.
const versions = ["vite@6.0.0", "vite@6", "vite@7", "vite@8", "vite@npm:rolldown-vite@7"];

test.for(versions)("%s runs a sandbox, only for its own page", async (name, context) => {
  const folder = join(await fromRegistry(context, project, [name, "@types/node@20"]), "..", "app");
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);

  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  for (const config of ["config.json", "page.json"]) {
    const compilation = await execute(process.execPath, [compiler, "-p", config], { cwd: folder }).catch(
      (error) => error,
    );
    expect(compilation.stdout).toBe("");
  }

  const dev = await runVite(folder);
  const path = `/api/v1/offerings/${dev.sandbox.offering.id}`;
  expect((await fetch(dev.url + path)).status).toBe(200);
  await expectNoKey(dev.url + path);
  expect((await dev.sandbox.requests.list()).data).toMatchObject([{ key_type: "marketing" }]);
  expect(await (await fetch(`${dev.url}/main.ts`)).text()).toContain(dev.sandbox.offering.id);
  await dev.sandbox.clock.set({ now: "2031-05-01", speed: 0 });
  await appendFile(join(folder, "vite.config.mts"), "\n");
  await dev.says("server restarted.");
  expect((await dev.sandbox.clock.get()).now).toBe("2031-05-01T00:00:00.000Z");
  expect((await fetch(dev.url + path)).status).toBe(200);
  expect(await (await fetch(`${dev.url}/main.ts`)).text()).toContain(dev.sandbox.offering.id);
  await dev.end("SIGTERM");
  await (await runVite(folder)).end("SIGHUP");

  await execute(process.execPath, [vitePath(folder), "build"], { cwd: folder });
  const preview = await runVite(folder, ["preview"]);
  expect((await fetch(preview.url + path)).status).toBe(200);
  await expectNoKey(preview.url + path);
  await preview.end("SIGTERM");
});

test("under Bun, a broken connection of the sandbox breaks the connection of the page", async (context) => {
  const modules = await fromRegistry(context, project, [`@oven/bun-${process.platform}-${process.arch}`, "vite@8"]);
  const bun = join(modules, "@oven", `bun-${process.platform}-${process.arch}`, "bin", "bun");
  const folder = join(modules, "..", "app");
  await mkdir(folder);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  const dev = await runVite(folder, [], bun);
  const url = `${dev.url}/api/v1/offerings/${dev.sandbox.offering.id}`;
  expect((await fetch(url)).status).toBe(200);
  for (const connection of ["reset", "empty"] as const) {
    const { id } = await dev.sandbox.faults.add({ connection });
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    await dev.sandbox.faults.remove(id);
  }
  expect((await fetch(url)).status).toBe(200);
  await dev.end("SIGTERM");
});
