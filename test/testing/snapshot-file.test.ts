import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/public/control.ts";
import { openForTest, startServer } from "../../src/testing/test-sandbox.ts";
import { run, temporaryFolder } from "../cli/cli.ts";
import { known, knownFixture, openSandbox } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";

const whole = `/investments/${known.whole}`;

async function serverOf(options: Parameters<typeof startServer>[0]): Promise<Sandbox> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A test that reads once and fails: the last line of its block. */
async function fail(server: Sandbox, titles: string[]): Promise<string> {
  const opened = await openForTest(titles, server, {});
  await read(opened.environment, whole, opened.environment.keys.partner);
  let block = "";
  await opened.close(true, (text) => (block += text));
  return block.split("\n").at(-1) ?? "";
}

const options: SandboxOptions = { config: false, fixture: knownFixture };
const titles = ["closing.test.ts", "list"];

describe("a failed test writes its snapshot", () => {
  let folder = "";
  beforeEach(() => void (folder = join(temporaryFolder(), "new", "cases")));

  test.each([
    ["in process, by an option", () => serverOf({ ...options, snapshotDir: folder })],
    [
      "of a server elsewhere, by the variable",
      async () => {
        vi.stubEnv("OFFERING_SANDBOX_SNAPSHOT_DIR", folder);
        return serverOf({ url: (await openSandbox()).sandbox.url });
      },
    ],
  ])("%s", async (_, open) => {
    const file = relative("", join(folder, "closing.test.ts-list.json"));
    vi.stubEnv("npm_config_user_agent", undefined);
    expect(await fail(await open(), titles)).toBe(`npx --no-install offering-sandbox replay ${file}`);
    expect(await run(["replay", join(folder, "closing.test.ts-list.json")])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 same, 0 different, 0 skipped\n$/),
    });
  });

  test("under a safe name that no other snapshot has", async () => {
    const server = await serverOf({ ...options, snapshotDir: folder });
    for (const names of [titles, titles, ["../../etc", "a/b\\c: d?"], ["Größe", "Ω"], ["", "…"], ["x".repeat(300)]])
      await fail(server, names);
    await Promise.all([1, 2, 3].map(() => fail(server, ["same"])));
    const expected = `Größe-Ω closing.test.ts-list closing.test.ts-list-2 etc-a-b-c-d same same-2 same-3 snapshot ${"x".repeat(200)}`;
    expect(new Set(readdirSync(folder))).toEqual(new Set(expected.split(" ").map((name) => `${name}.json`)));
  });

  test.each([
    ["npm/10.8.2 node/v20.20.2 linux x64", "npx --no-install"],
    ["pnpm/9.15.0 npm/? node/v20.20.2 linux x64", "pnpm exec"],
    ["yarn/4.6.0 npm/? node/v20.20.2 linux x64", "yarn"],
    ["", "npx --no-install"],
  ])("and names the command of the package manager %j", async (agent, command) => {
    vi.stubEnv("npm_config_user_agent", agent);
    const line = await fail(await serverOf({ ...options, snapshotDir: folder }), titles);
    expect(line.startsWith(`${command} offering-sandbox replay `)).toBe(true);
  });

  test("without a request, if none had its key, and replay says so", async () => {
    const server = await serverOf({ ...options, snapshotDir: folder });
    const opened = await openForTest(titles, server, {});
    await read(opened.environment, whole, "not-a-key");
    await opened.close(true, () => {});
    expect(await run(["replay", join(folder, "closing.test.ts-list.json")])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^0 same, 0 different, 0 skipped\nNothing was compared: no request with a key/),
    });
  });

  test("and offers no replay where the only request still waits", async () => {
    const opened = await openForTest(titles, await serverOf({ ...options, snapshotDir: folder }), {});
    const { environment } = opened;
    await environment.faults.add({ delay: "1m" });
    const pending = read(environment, whole, environment.keys.partner).catch(() => {});
    await expect.poll(async () => (await environment.requests.list()).waiting.length).toBe(1);
    let block = "";
    await opened.close(true, (text) => (block += text));
    expect(block.split("\n").slice(1)).toEqual([
      expect.stringContaining("waiting for"),
      expect.stringMatching(/ start --snapshot .*closing\.test\.ts-list\.json$/),
    ]);
    await pending;
  });

  test("over no file and through no link", async () => {
    const server = await serverOf({ ...options, snapshotDir: folder });
    mkdirSync(folder, { recursive: true });
    const precious = join(folder, "..", "precious.txt");
    writeFileSync(precious, "precious");
    symlinkSync(precious, join(folder, "closing.test.ts-list.json"));
    symlinkSync(join(folder, "..", "nowhere"), join(folder, "closing.test.ts-list-2.json"));
    await fail(server, titles);
    expect(readFileSync(precious, "utf8")).toBe("precious");
    expect(readdirSync(folder)).toContain("closing.test.ts-list-3.json");
    expect([readdirSync(folder).length, readdirSync(join(folder, "..")).length]).toEqual([3, 2]);
  });

  test("and names it as one word of a shell", async () => {
    folder = join(folder, "of $HOME");
    const line = await fail(await serverOf({ ...options, snapshotDir: folder }), titles);
    expect(line).toMatch(/ replay '.*of \$HOME\/closing\.test\.ts-list\.json'$/);
  });

  test("or says in one line why it could not, and nothing else is lost", async () => {
    mkdirSync(join(folder, ".."));
    writeFileSync(folder, "a file");
    const line = await fail(await serverOf({ ...options, snapshotDir: folder }), titles);
    expect(line).toMatch(/^its snapshot could not be written: ENOTDIR: /);
  });

  test("and none without a folder", async () => {
    expect(await fail(await serverOf(options), titles)).not.toContain("replay");
  });
});
