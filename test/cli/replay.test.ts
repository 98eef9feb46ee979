import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checksumOf } from "../support/checksum.ts";
import { openCommandLine, run, temporaryFolder } from "./cli.ts";

test("a file that is not a snapshot, damaged or of another version is refused with one sentence", async () => {
  const cwd = temporaryFolder();
  const { runLine } = await openCommandLine();
  await runLine("snapshot case.json", { cwd });
  const { checksum: _, saved_at: __, ...body } = JSON.parse(readFileSync(join(cwd, "case.json"), "utf8"));
  const write = (file: string, content: object): void => writeFileSync(join(cwd, file), JSON.stringify(content));
  const seal = (content: object): object => ({ ...content, checksum: checksumOf(content) });
  write("edited.json", { ...body, checksum: "x" });
  write("later.json", seal({ ...body, program: "9.1.0" }));
  write("large.json", seal({ ...body, fixture: "big", fixture_document: null, fixture_checksum: "x" }));
  write("other.json", { data: [] });
  writeFileSync(join(cwd, "cut.json"), readFileSync(join(cwd, "case.json")).subarray(0, 900));
  for (const [args, message] of [
    ["cut.json", /damaged, or ends early/],
    ["edited.json", /edited or damaged/],
    ["later.json", /version 9\.1\.0 opens it/],
    [
      "large.json",
      /^large\.json: it does not contain its fixture: offering-sandbox replay large\.json --fixture big\.json/,
    ],
    ["large.json --fixture minimal", /^large\.json: .*"big"/],
    ["other.json", /^other\.json:1:1: This is not a snapshot/],
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
