import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

/** Runs a command of Vite until its line about the sandbox; returns its output so far, and a way to end it. */
async function runVite(folder: string, ...args: string[]) {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|OFFERING_SANDBOX_|CI$)/.test(name));
  const child = spawn(process.execPath, [vitePath(folder), ...args, "--port", String(port)], {
    cwd: folder,
    env: { ...Object.fromEntries(kept), OFFERING_SANDBOX_PORT: String(sandboxPort) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const closed = once(child, "close");
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
      await closed;
      await expect(connectSandbox(sandboxUrl)).rejects.toThrow("No sandbox answers");
    },
  };
}

const vitePath = (folder: string): string => join(folder, "..", "node_modules", "vite", "bin", "vite.js");

test.for(["vite@6", "vite@7", "vite@8", "vite@npm:rolldown-vite@7"])("%s runs a sandbox", async (name, context) => {
  const folder = join(await fromRegistry(context, project, [name, "@types/node@20"]), "..", "app");
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);

  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  for (const config of ["config.json", "page.json"]) {
    const checked = await execute(process.execPath, [compiler, "-p", config], { cwd: folder }).catch((error) => error);
    expect(checked.stdout).toBe("");
  }

  const dev = await runVite(folder);
  const path = `/api/v1/offerings/${dev.sandbox.offering.id}`;
  expect((await fetch(dev.url + path)).status).toBe(200);
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
  const preview = await runVite(folder, "preview");
  expect((await fetch(preview.url + path)).status).toBe(200);
  await preview.end("SIGTERM");
});
