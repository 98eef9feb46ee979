import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/control.ts";
import { startServer, TestSandbox } from "../../src/runners/test-sandbox.ts";
import { compareText } from "../../src/model/order.ts";
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
async function fail(server: Sandbox, titles: string[], errors: unknown[] = []): Promise<string> {
  const opened = await TestSandbox.open(titles, server, {});
  await read(opened.environment, whole, opened.environment.keys.partner);
  let block = "";
  await opened.close(true, (text) => (block += text), errors);
  return block.split("\n").at(-1) ?? "";
}

const own: SandboxOptions = { config: false, fixture: knownFixture };
const titles = ["closing.test.ts", "list"];

describe("a failed test writes its case", () => {
  let folder = "";
  beforeEach(() => void (folder = join(temporaryFolder(), "new", "cases")));

  test.each([
    ["in process, by an option", () => serverOf({ ...own, casesDir: folder })],
    [
      "of a server elsewhere, by the variable",
      async () => {
        vi.stubEnv("OFFERING_SANDBOX_CASES_DIR", folder);
        return serverOf({ url: (await openSandbox()).sandbox.url });
      },
    ],
  ])("%s", async (_, open) => {
    const file = relative("", join(folder, "closing.test.ts-list.json"));
    expect(await fail(await open(), titles)).toBe(
      `its case: ${file}    node ${join("bin", "offering-sandbox.js")} replay ${file}`,
    );
    expect(await run(["replay", join(folder, "closing.test.ts-list.json")])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 same, 0 other, 0 not asked again\n$/),
    });
  });

  test("under a safe name that no other case has", async () => {
    const server = await serverOf({ ...own, casesDir: folder });
    for (const names of [titles, titles, ["../../etc", "a/b\\c: d?"], ["Größe", "Ω"], ["", "…"], ["x".repeat(300)]])
      await fail(server, names);
    await Promise.all([1, 2, 3].map(() => fail(server, ["same"])));
    const cases = readdirSync(folder).filter((file) => file.endsWith(".json"));
    const expected = `Größe-Ω case closing.test.ts-list closing.test.ts-list-2 etc-a-b-c-d same same-2 same-3 ${"x".repeat(200)}`;
    expect(new Set(cases)).toEqual(new Set(expected.split(" ").map((name) => `${name}.json`)));
    expect(readdirSync(folder)).toHaveLength(2 * cases.length);
  });

  test("with a text for people beside it, without keys", async () => {
    const server = await serverOf({ ...own, casesDir: folder, assumptions: { "list.order": "id" } });
    const opened = await TestSandbox.open(titles, server, {});
    const { environment } = opened;
    const { partner } = environment.keys;
    await environment.play("closing");
    await environment.clock.advance("1d");
    await environment.clock.set({ speed: 0.001 });
    for (let times = 0; times < 52; times++) await read(environment, whole, partner);
    await environment.faults.add({ match: { path: "/nothing" }, respond: { status: 503 } });
    await environment.faults.add({ respond: { status: 500 }, times: 1 });
    await read(environment, `${whole}?pgae=1`, partner);
    await opened.close(true, () => {}, [
      [undefined, new Error(`\u001b[31mexpected ${partner}\u001b[39m to be PENDING\n\u0007`)],
    ]);
    const story = readFileSync(join(folder, "closing.test.ts-list.md"), "utf8");
    expect(story).toMatch(
      new RegExp(
        [
          /^# `closing\.test\.ts > list`\n\n## The failure\n\n {4}expected … to be PENDING\n {4}\\u0007\n\n/,
          /## Asked and answered\n\n {4}… 3 more before these\n( {4}2026-01-16 12:00:00 {2}GET {3}200 .* key .+\n){49}/,
          / {4}2026-01-16 12:00:00 {2}GET {3}500 .*pgae=1.* fault-2\n(?: .*\n)*\n/,
          /## The sandbox at its end\n\n {4}clock: 2026-01-16T12:00:00\.\d{3}Z, 0\.001 times real time\n {4}fixture: known\n/,
          / {4}profile: conventional\n {4}run: closing \(run-1\), running\n/,
          / {4}assumption: list\.order=id in place of create_date\n/,
          / {4}fault: \/nothing: status 503 \(fault-1\), used 0\n\n## To open it\n/,
        ]
          .map(({ source }) => source)
          .join(""),
      ),
    );
    for (const { key } of await server.keys.list()) expect(story).not.toContain(key);
    expect(story).not.toMatch(/sandbox_(partner|marketing)_/i);
  });

  test("without a text that looks like a key, and without those of the server's own environment", async () => {
    const fixture = { offerings: [{ alias: "one" }], keys: [{ type: "partner", offering: "one", key: "Key~of-Ada" }] };
    const server = await serverOf({ config: false, fixture, casesDir: folder });
    const secrets = "Key~of-Ada RealKey1234567890abcdefgh hunter2-hunter s3cr3t99 Zm9vYmFyMTIzNDU2Nzg5MA==".split(" ");
    const [configured, bearer, password, query, base64] = secrets;
    const message = `401, sent Authorization: Bearer ${bearer}
      to https://api.example/api/v1/investments?size=5&token=${query} { "password": "${password}", at: "${base64}" } ${configured}
      for 2026-01-15 and 58696898-8f12-41f8-aedf-9b3f1141db7c at test/client.test.ts:12:5`;
    await fail(server, titles, [new Error(message)]);
    const story = readFileSync(join(folder, "closing.test.ts-list.md"), "utf8");
    for (const secret of secrets) expect(story).not.toContain(secret);
    for (const word of ["/api/v1/investments?size=5", "2026-01-15 and 58696898-", "test/client.test.ts:12:5"])
      expect(story).toContain(word);
  });

  test("with the requests that had no key of any sandbox, and its replay says what it lacks", async () => {
    const server = await serverOf({ ...own, casesDir: folder });
    const opened = await TestSandbox.open(titles, server, {});
    await read(opened.environment, whole, "not-a-key");
    await opened.close(true, () => {});
    expect(readFileSync(join(folder, "closing.test.ts-list.md"), "utf8")).toMatch(
      /## Asked without a key of any sandbox.*\n\n {4}2026-01-15 12:00:00 {2}GET {3}401 .* key_unknown\n {12}no such key/,
    );
    expect(await run(["replay", join(folder, "closing.test.ts-list.json")])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^0 same, 0 other, 0 not asked again\nNothing was compared: no request with a key/),
    });
  });

  test("over no file and through no link: both files have one number that is free", async () => {
    const server = await serverOf({ ...own, casesDir: folder });
    mkdirSync(folder, { recursive: true });
    const precious = join(folder, "..", "precious.txt");
    writeFileSync(precious, "precious");
    symlinkSync(precious, join(folder, "closing.test.ts-list.md"));
    symlinkSync(join(folder, "..", "nowhere"), join(folder, "closing.test.ts-list-2.json"));
    await fail(server, titles);
    expect(readFileSync(precious, "utf8")).toBe("precious");
    expect(
      readdirSync(folder)
        .filter((name) => name.includes("-3"))
        .toSorted(compareText),
    ).toEqual(["closing.test.ts-list-3.json", "closing.test.ts-list-3.md"]);
    expect(readdirSync(folder)).toHaveLength(4);
    expect(readdirSync(join(folder, ".."))).toHaveLength(2);
  });

  test("under a test's name in plain text, on one line", async () => {
    const server = await serverOf({ ...own, casesDir: folder });
    await fail(server, ["two <img src=x>\n# Fake\n\n[x](javascript:alert(1)) `y`"]);
    const name = readdirSync(folder).find((file) => file.endsWith(".md")) ?? "";
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    expect(lines[0]).toBe("# `two <img src=x> # Fake  [x](javascript:alert(1)) 'y'`");
    expect(lines.filter((line) => /^#|^\[|^</.test(line) && !line.startsWith("## "))).toHaveLength(1);
  });

  test("or says in one line why it could not, and nothing else is lost", async () => {
    mkdirSync(join(folder, ".."));
    writeFileSync(folder, "a file");
    const line = await fail(await serverOf({ ...own, casesDir: folder }), titles);
    expect(line).toMatch(/^its case could not be written: ENOTDIR: /);
  });

  test("and none without a folder", async () => {
    expect(await fail(await serverOf(own), titles)).toMatch(/^GET {3}200 /);
  });
});
