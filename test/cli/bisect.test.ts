import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coveringRuns } from "../../src/assumptions/cover.ts";
import { variedRows } from "../../src/assumptions/vary.ts";
import { smallest } from "../../src/cli/exec/smallest.ts";
import { runProcess, temporaryFolder } from "./cli.ts";

/** A client that fails where `weakness` is true of the answers to the first page of a list, and to its first investment. */
function client(weakness: string): string[] {
  const file = join(temporaryFolder(), "client.mjs");
  writeFileSync(
    file,
    `const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_PARTNER_KEY: key, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
    const ask = (path) => fetch(base + path, { headers: { authorization: "Bearer " + key } });
    const page = await ask("/offerings/" + id + "/investments?page=1");
    const wrong = await ask("/offerings/" + id + "/investments?size=0");
    const list = await page.json();
    process.exitCode = ${weakness} ? 1 : 0;`,
  );
  return ["--", process.execPath, file];
}

const unordered = "list.data[0].attributes.investment_number !== 1";
/** Draws another order of the list. */
const seed = "00000003";

test("bisect names the row, in its words, and a command to paste", async () => {
  const { code, stdout } = await runProcess(["bisect", seed, ...client(unordered)]);
  expect(stdout).toMatch(/^Fails with {3}list\.(order|first_page)=\S+ {3}\(8: .+\)$/m);
  expect(stdout).toMatch(/\d+ runs\. {2}offering-sandbox exec --assume list\.\S+ -- /);
  expect(code).toBe(0);
});

test.each([
  ["list.included", "list.included !== undefined"],
  ["content_type", "!page.headers.get('content-type').includes('charset')"],
  ["transport.form", "!page.headers.has('content-length')"],
])("bisect names %s where a command leans on it alone", async (row, weakness) => {
  const { code, stdout } = await runProcess(["bisect", seed, ...client(weakness)]);
  expect(stdout.match(/^Fails with {3}[\w.]+/gm)).toEqual([`Fails with   ${row}`]);
  expect(code).toBe(0);
});

test.each([
  ["true", "The command fails unvaried"],
  ["false", "The command passes with this seed."],
])("bisect says why it names nothing: %s", async (weakness, reason) => {
  const { code, stdout } = await runProcess(["bisect", seed, ...client(weakness)]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(reason)]);
});

test("bisect refuses what it cannot use", async () => {
  expect(await runProcess(["bisect", "x", "--", "true"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not "x"'),
  });
  expect(await runProcess(["bisect", seed])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs a command after --"),
  });
  const none = await runProcess(["bisect", seed, "--", process.execPath, "-e", "0"]);
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining("sent no request")]);
});

test("exec says with which seed a command failed, and where nothing varied", async () => {
  const failed = await runProcess(["exec", "--vary-seed", seed, ...client("true")]);
  expect(failed.stderr).toMatch(/^Varied by seed 00000003\.\w\w: \S+=.+ more$/m);
  expect(failed.stderr).toMatch(/exec --vary-seed 00000003\.\w\w -- [\s\S]*bisect 00000003\.\w\w -- /);
  const silent = await runProcess(["exec", "--vary", "--", process.execPath, "-e", "0"]);
  expect(silent).toMatchObject({ code: 0, stderr: "Nothing varied: no request came.\n" });
});

test.each([[["c"]], [["a", "h"]], [["b", "d", "g"]]])("the smallest failing set: %j", async (culprits) => {
  const fails = async (some: readonly string[]): Promise<boolean> => culprits.every((one) => some.includes(one));
  expect(await smallest("abcdefghijklm".split(""), fails)).toEqual(culprits);
});

test("a cover has every pair of values in few runs", () => {
  const rows = variedRows.filter(({ byName }) => !byName);
  const runs = coveringRuns(rows);
  expect(runs.length).toBeLessThan(60);
  for (const [at, one] of rows.entries()) {
    for (const [before, other] of rows.slice(0, at).entries()) {
      const pairs = new Set(runs.map((run) => `${run[at]} ${run[before]}`));
      expect(pairs.size).toBe(one.values.length * other.values.length);
    }
  }
});
