import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { fakeBrowser, launchOnTerminal, run, start, temporaryFolder } from "./cli.ts";

const onPosix = test.runIf(process.platform !== "win32");

/** A folder as the system gives one to each user. */
let runtime: string;

beforeEach(() => {
  runtime = temporaryFolder();
  // Somebody may run a sandbox at the default address.
  const original = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (typeof input !== "string" || !input.startsWith("http://localhost:4120/")) return original(input, init);
    throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
  });
});

const none = "No sandbox answers at http://localhost:4120: ECONNREFUSED.";

function files(): string[] {
  const folder = join(runtime, "offering-sandbox");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Asks for the portal without an address. */
function ask(line = "portal", env: Record<string, string> = {}) {
  return run(line.split(" "), { env: { XDG_RUNTIME_DIR: runtime, ...env } });
}

test("portal finds the only sandbox of its user, and forgets it at its end", async () => {
  const cwd = temporaryFolder();
  const running = await start([], { cwd, env: { XDG_RUNTIME_DIR: runtime } });
  const link = `${running.ready.url}/`;
  const note = `${none} This one does: start in ${cwd}\n`;
  expect(await ask()).toEqual({ code: 0, stdout: `${link}\n`, stderr: note });
  const json = await ask("portal --json");
  expect([JSON.parse(json.stdout), json.stderr]).toEqual([{ link }, note]);
  expect((await ask("portal --environment nobody")).stdout).toBe("");
  const given = await ask("portal --url http://localhost:4120");
  expect([given.code, given.stdout, given.stderr]).toEqual([1, "", expect.not.stringContaining("This one")]);
  const variable = await ask("portal", { OFFERING_SANDBOX_URL: "http://localhost:4120" });
  expect([variable.code, variable.stdout]).toEqual([1, ""]);
  expect(files()).toHaveLength(1);
  await running.stop();
  expect(files()).toEqual([]);
  expect(await ask()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(none) });
});

onPosix("portal --open opens the one it found, and several are listed, without a secret", async () => {
  const { PATH, opened } = fakeBrowser();
  const token = "let-me-in";
  const env = { XDG_RUNTIME_DIR: runtime };
  const first = await start(["--admin-token", token], { env });
  expect(await ask(`portal --open --token ${token}`, { PATH })).toMatchObject({ code: 0 });
  expect(opened()).toEqual([`${first.ready.url}/#token=${token}`]);
  const refused = await ask("portal");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("requires its admin token");
  await start(["--no-admin"], { env });
  const second = await start([], { env });

  const { code, stdout, stderr } = await ask("portal --open", { PATH });
  expect([code, opened()]).toEqual([1, [expect.anything()]]);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`^${first.ready.url}/ +start +/`)),
    expect.stringMatching(new RegExp(`^${second.ready.url}/ +start +/`)),
    "",
  ]);
  expect(stderr).toContain(`offering-sandbox portal --url ${first.ready.url}\n`);
  const { sandboxes } = JSON.parse((await ask("portal --json")).stdout);
  expect(sandboxes).toMatchObject([{ url: first.ready.url, command: "start" }, { url: second.ready.url }]);
  for (const name of files()) {
    const text = readFileSync(join(runtime, "offering-sandbox", name), "utf8");
    expect(text).not.toContain(token);
    for (const { key } of first.ready.environment.keys) expect(text).not.toContain(key);
  }
});

test("files of sandboxes that are gone are removed, others are left alone", async () => {
  const folder = join(runtime, "offering-sandbox");
  mkdirSync(folder, { mode: 0o700 });
  const other = createServer((_request, answer) => void answer.end("x")).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const entry = (pid: number, port: number): string =>
    JSON.stringify({ pid, url: `http://127.0.0.1:${port}`, command: "start", directory: "/", started_at: "2026" });
  const { port } = other.address() as AddressInfo;
  const gone = 2 ** 22 + 5;
  writeFileSync(join(folder, "1.json"), entry(process.pid, port));
  writeFileSync(join(folder, "2.json"), entry(gone, port));
  for (const [name, text] of Object.entries({
    "3.json": "",
    "4.json": "[]",
    "5.json": '{"pid":1}',
    "notes.txt": "x",
  })) {
    writeFileSync(join(folder, name), text);
  }
  expect(await ask()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(none) });
  expect(files().toSorted()).toEqual(["3.json", "4.json", "5.json", "notes.txt"]);
});

onPosix.for([
  ["open to others", (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ["a link", (folder: string) => symlinkSync(temporaryFolder(), folder)],
  ["a file", (folder: string) => writeFileSync(folder, "")],
] as const)("a folder that is %s is not used, and the sandbox runs all the same", async ([, make]) => {
  const folder = join(runtime, "offering-sandbox");
  make(folder);
  const running = await start([], { env: { XDG_RUNTIME_DIR: runtime } });
  expect((await fetch(`${running.ready.url}/__admin/health`)).status).toBe(200);
  expect(existsSync(join(folder, `${running.child.pid}.json`))).toBe(false);
  expect(await ask()).toMatchObject({ code: 1, stdout: "" });
  expect(await running.stop()).toBe(0);
});

onPosix("without a folder of the system, one for temporary files is used", async () => {
  chmodSync(runtime, 0o755);
  const env = { XDG_RUNTIME_DIR: runtime, TMPDIR: temporaryFolder() };
  const running = await start([], { env });
  expect((await ask("portal", env)).stdout).toBe(`${running.ready.url}/\n`);
  expect(readdirSync(env.TMPDIR)).toEqual([`offering-sandbox-${process.getuid?.()}`]);
  expect(files()).toEqual([]);
});

const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");
const line = /^offering-sandbox: portal (http:\/\/localhost:\d+\/)$/;

test.runIf(hasTerminal)("exec tells a person its portal, again when its command has cleared the screen", async () => {
  const cwd = temporaryFolder();
  const script = `
    console.log("cleared");
    await fetch(process.env.OFFERING_SANDBOX_BASE_URL + "/x");
    await fetch(process.env.OFFERING_SANDBOX_BASE_URL + "/x");
    console.log("called");
    process.stdin.once("data", () => process.exit());`;
  writeFileSync(join(cwd, "command.mjs"), script);
  const args = ["exec", "--", process.execPath, "command.mjs"];
  const running = launchOnTerminal(args, { cwd, env: { XDG_RUNTIME_DIR: runtime, CI: "", NO_COLOR: "1" } });
  const lines = (await running.linesTo((text) => text.trim() === "called")).map((text) => text.trim());
  const told = expect.stringMatching(line);
  expect(lines).toEqual([told, "cleared", told, "called"]);
  const [, link] = line.exec(lines[0] ?? "") ?? [];
  expect(await ask()).toMatchObject({ stdout: `${link}\n`, stderr: expect.stringContaining("exec -- node in ") });
  running.child.stdin?.write("\n");
  await once(running.child, "close");
  expect(files()).toEqual([]);

  for (const [flags, CI] of [
    [[], "true"],
    [["--no-admin"], ""],
    [["--log-level", "error"], ""],
  ] as const) {
    const silent = launchOnTerminal(["exec", ...flags, "--", "echo", "done"], { cwd, env: { CI } });
    expect((await silent.line(() => true)).trim()).toBe("done");
  }
});
