import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { freePort } from "../support/free-port.ts";
import { hasIpv6 } from "../support/ipv6.ts";
import { execute, installedIn, packedProject } from "../support/packed.ts";
import { fromRegistry } from "../support/registry.ts";

let project = "";
let expectedOutput = "";

/** A program that uses a sandbox in its process, and another one by the command line, both with its own runtime. */
const program = `
  import { execFile, spawn } from "node:child_process";
  import { once } from "node:events";
  import { readFile } from "node:fs/promises";
  import { promisify } from "node:util";
  import { connectSandbox, startSandbox } from "offering-sandbox";

  const ask = async ({ baseUrl, keys, offerings }, path = "") => {
    const headers = { authorization: "Bearer " + keys.partner };
    const response = await fetch(baseUrl + "/offerings/" + offerings[0].id + path, { headers });
    console.log(response.status, response.headers.get("content-type"), await response.text());
  };
  const follow = async (sandbox) => {
    await ask(sandbox);
    await sandbox.play("payment-fails-then-succeeds");
    console.log((await sandbox.clock.set("2026-02-01T00:00:00.000Z")).now);
    await ask(sandbox, "/investments?size=3");
    const snapshot = await sandbox.snapshot();
    const { same, different, skipped } = await sandbox.replay(snapshot);
    const responses = snapshot.traffic.journal.data.map(({ path, status, digest }) => [path, status, digest]);
    console.log(JSON.stringify({ responses, same, different, skipped }));
    await sandbox.restore(snapshot);
    console.log((await sandbox.clock.get()).now);
  };

  const here = await startSandbox();
  await follow(here);
  await follow(await connectSandbox(here.url));
  await here.close();

  const [bin, ...flags] = process.argv.slice(2);
  const command = [...flags, bin];
  const server = spawn(process.execPath, [...command, "--port", "0", "--clock", "fixture", "--speed", "0", "--db", "saved.json"]);
  const closed = once(server, "close");
  const [ready] = await once(server.stdout, "data");
  const url = /http:\\S+/.exec(ready)[0];
  const run = async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...command, ...args, "--url", url]);
    console.log(stdout.replaceAll(url, "URL").replaceAll(/ \\(in .*|replay-\\S+/g, ""));
  };
  await run("keys", "list");
  await run("scenario", "play", "closing");
  await run("clock", "advance", "2d");
  await run("faults", "add", "--path", "/investments/:id", "--status", "503");
  await ask(await connectSandbox(url), "/investments?size=1");
  await run("stop");
  const [code] = await closed;
  console.log(code, JSON.parse(await readFile("saved.json", "utf8")).environments.length);
`;

beforeAll(async () => {
  project = await packedProject();
  await writeFile(join(project, "package.json"), JSON.stringify({ dependencies: { "offering-sandbox": "*" } }));
  await writeFile(join(project, "program.mjs"), program);
  expectedOutput = await run(process.execPath);
  return () => rm(project, { recursive: true, force: true });
});

/** Runs the program in a runtime, and returns its output. */
async function run(runtime: string, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  await rm(join(project, "saved.json"), { force: true });
  const bin = join(installedIn(project), "bin", "offering-sandbox.js");
  const options = { cwd: project, env: { ...process.env, ...env } };
  const { stdout, stderr } = await execute(runtime, [...flags, "program.mjs", bin, ...flags], options);
  return stdout + stderr;
}

test("this Node runs the whole program", () => {
  expect(expectedOutput).toMatch(/^200 application\/json/);
  expect(expectedOutput.match(/^2026-02-01T00:00:00.000Z$/gm)).toHaveLength(4);
  expect(expectedOutput).toMatch(/\nStopped the sandbox at URL\n+0 1\n$/);
});

const { platform, arch } = process;
const nodePackage = `node-${platform === "win32" ? "win" : platform}-${arch}`;

test.for([
  ["bun", "bun/bin/bun.exe", []],
  ["deno", ".bin/deno", ["run", "-A"]],
  ...[20, 22, 24, 26]
    .filter((line) => !process.version.startsWith(`v${line}.`))
    .map((line) => [`${nodePackage}@${line}`, `${nodePackage}/bin/node`, []] as const),
] as const)("%s runs a sandbox as this Node does", async ([name, binary, flags], context) => {
  const modules = await fromRegistry(context, project, [name]);
  expect(await run(join(modules, binary), flags)).toBe(expectedOutput);
});

test("requests to a sandbox on this machine bypass the proxy of the environment's variables", async (context) => {
  const node = join(await fromRegistry(context, project, [`${nodePackage}@24`]), nodePackage, "bin", "node");
  const bin = join(installedIn(project), "bin", "offering-sandbox.js");
  const { NO_PROXY: _upper, no_proxy: _lower, ...rest } = process.env;
  const proxy = "http://127.0.0.1:9";
  const env = { ...rest, no_proxy: "example.com", NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, http_proxy: proxy };
  const command = (...args: string[]) => execute(node, [bin, ...args], { cwd: project, env });
  await using sandbox = await startSandbox({ config: false });
  const { port } = new URL(sandbox.url);
  for (const host of ["localhost", "127.0.0.1", ...(hasIpv6 ? ["[::1]"] : [])]) {
    const { stdout } = await command("keys", "list", "--url", `http://${host}:${port}`);
    expect(stdout).toContain(sandbox.keys.partner);
  }
  const unusedUrl = `http://localhost:${await freePort()}`;
  await expect(command("keys", "list", "--url", unusedUrl)).rejects.toMatchObject({
    stderr: expect.stringContaining(`No sandbox responds at ${unusedUrl}: ECONNREFUSED.`) as string,
  });
  await expect(command("keys", "list", "--url", "http://sandbox.invalid")).rejects.toMatchObject({
    stderr: expect.stringMatching(/No sandbox responds at http:\/\/sandbox\.invalid: [A-Z]/) as string,
  });
  const requestScript = `const { OFFERING_SANDBOX_URL: url, NO_PROXY, no_proxy } = process.env;
    fetch(url + "/openapi.json").then(({ status }) => console.log(status, NO_PROXY, no_proxy === NO_PROXY))`;
  const { stdout } = await command("exec", "--", node, "-e", requestScript);
  expect(stdout).toBe("200 example.com,localhost,127.0.0.1,::1 true\n");
});
