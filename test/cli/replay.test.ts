import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { checksumOf } from "../../src/environment/snapshot.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";
import { openToAsk, run, temporaryFolder } from "./cli.ts";

const whole = `/investments/${known.whole}`;

test("a case is written, and replayed by another process", async () => {
  const cwd = temporaryFolder();
  const { ready, ask } = await openToAsk({ fixture: knownFixture });
  const sandbox = await connectSandbox(ready.url);
  await read(sandbox, whole);
  await sandbox.investments.change(known.whole, { amount: 1000 });
  await read(sandbox, `${whole}?colour=red`, known.keys.marketing);
  await read(sandbox, "/nowhere");
  await sandbox.faults.add({ connection: "empty" });
  await read(sandbox, whole).catch(() => undefined);
  await ask("snapshot case.json", { cwd });

  const replayed = await run(["replay", "case.json"], { cwd });
  expect(replayed).toEqual({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(
      / 1 {2}2026-01-15 12:00:00 {2}GET \/api\/v1\/investments\/\S+ +200 {2}same\n[^]*3 same, 0 other, 1 not asked again\n$/,
    ),
  });
  expect(replayed.stdout).toContain("not asked again: fault-1 ended it");
  const secrets = (await sandbox.keys.list()).map(({ key }) => key);
  expect(secrets.filter((secret) => replayed.stdout.includes(secret))).toEqual([]);

  const minimal = await run(["replay", "case.json", "--profile", "minimal", "--json"], { cwd });
  expect(minimal.code).toBe(3);
  expect(JSON.parse(minimal.stdout)).toMatchObject({ other: 2, entries: [{}, {}, { result: "other" }, {}] });
});

test("a case of which no request can be asked again is not said to be the same", async () => {
  const cwd = temporaryFolder();
  const { ready, ask } = await openToAsk({ fixture: knownFixture });
  const sandbox = await connectSandbox(ready.url);
  await sandbox.faults.add({ respond: { status: 503 } });
  await read(sandbox, whole);
  await ask("snapshot case.json", { cwd });
  expect(await run(["replay", "case.json"], { cwd })).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /\n0 same, 0 other, 1 not asked again\nNothing was compared: no request of this case can be asked again\.\n$/,
    ),
  });
});

test("a file that is no case, damaged or of another version is refused with one sentence", async () => {
  const cwd = temporaryFolder();
  const { ask } = await openToAsk();
  await ask("snapshot case.json", { cwd });
  const { checksum: _, ...body } = JSON.parse(readFileSync(join(cwd, "case.json"), "utf8"));
  const write = (file: string, content: object): void => writeFileSync(join(cwd, file), JSON.stringify(content));
  const sealed = (content: object): object => ({ ...content, checksum: checksumOf(content) });
  write("edited.json", { ...body, checksum: "x" });
  write("later.json", sealed({ ...body, program: "9.1.0" }));
  write("large.json", sealed({ ...body, fixture: "big", fixture_document: null, fixture_checksum: "x" }));
  write("other.json", { data: [] });
  writeFileSync(join(cwd, "cut.json"), readFileSync(join(cwd, "case.json")).subarray(0, 900));
  for (const [args, message] of [
    ["cut.json", /damaged, or ends early/],
    ["edited.json", /not as it was made/],
    ["later.json", /Version 9\.1\.0 opens it/],
    ["large.json", /^large\.json: its fixture is not in it: offering-sandbox replay large\.json --fixture big\.json/],
    ["large.json --fixture minimal", /^large\.json: .*"big"/],
    ["other.json", /^other\.json:1:1: This is no snapshot/],
    ["missing.json", /there is no such file/],
    ["case.json --assume list.ordr=id", /list\.order/],
    ["case.json --profile minimum", /minimal/],
  ] as const) {
    const { code, stdout, stderr } = await run(["replay", ...args.split(" ")], { cwd });
    expect([args, code, stdout]).toEqual([args, 2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});
