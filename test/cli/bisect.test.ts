import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { coveringRuns } from "../../src/assumptions/cover.ts";
import { variedRows } from "../../src/assumptions/vary.ts";
import { launch, runProcess, temporaryFolder } from "./cli.ts";

/** A client that fails where `weakness` is true of the answers to the first page of a list, or of the number of its run. */
function client(weakness: string): string[] {
  const file = join(temporaryFolder(), "client.mjs");
  writeFileSync(
    file,
    `import { appendFileSync, statSync } from "node:fs";
    appendFileSync(${JSON.stringify(`${file}.runs`)}, "x");
    const run = statSync(${JSON.stringify(`${file}.runs`)}).size;
    const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_PARTNER_KEY: key, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
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

test("bisect names nothing where a command sent no request", async () => {
  const none = await runProcess(["bisect", seed, "--", process.execPath, "-e", "0"]);
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining("sent no request")]);
});

test("exec says with which seed a command failed, without a token, and where nothing varied", async () => {
  const token = "not-for-a-log-4711";
  const flags = ["--no-coverage", "--admin-token", token, "--vary-seed", seed];
  const failed = await runProcess(["exec", ...flags, ...client("true")]);
  expect(failed.stderr).not.toContain(token);
  expect(failed.stderr).toMatch(/^Varied by seed 00000003\.\w\w: \S+=.+ more$/m);
  expect(failed.stderr).toMatch(/exec --vary-seed 00000003\.\w\w -- [\s\S]*bisect 00000003\.\w\w -- /);
  const silent = await runProcess(["exec", "--vary", "--", process.execPath, "-e", "0"]);
  expect(silent).toMatchObject({ code: 0, stderr: "Nothing varied: no request came.\n" });
});

const coversAPage = ["--vary-cover", "--vary-rows", "list.first_page,list.default_size"];

test.each([
  ["passes once that had failed", "run === 2"],
  ["fails twice by chance, in all and in a part", "run === 2 || run === 3"],
])("bisect names nothing innocent, and exits with 1, where the command %s", async (_, weakness) => {
  const { code, stdout } = await runProcess(["bisect", seed, ...client(weakness)]);
  expect([code, stdout]).toEqual([1, "The command does not fail every time: it depends on something else too.\n"]);
});

test("--vary-cover names all values with which a run fails, and goes on without them", async () => {
  const weakness = "list.data.length === 7 || (await ask('/offerings/' + id + '/investments?page=0')).ok";
  const { code, stderr } = await runProcess(["exec", ...coversAPage, "--most-runs", "2", ...client(weakness)]);
  const named = Array.from(stderr.matchAll(/^Fails with {3}(\S+)/gm), ([, value]) => value);
  expect(new Set(named)).toEqual(new Set(["list.default_size=7", "list.first_page=0"]));
  expect(stderr).toMatch(
    /cover001\.\w\w, 2 of 2: passes\nSurvived 0 of 2 values in 2 of 2 runs, 1 of which failed\.$/m,
  );
  expect(stderr).toContain("One of them again:  offering-sandbox exec --assume list.");
  expect(code).toBe(1);
});

test.each([
  ["SIGINT", ["bisect", seed], 1],
  ["SIGTERM", ["bisect", seed], 4],
  ["SIGHUP", ["bisect", seed], 3],
  ["SIGINT", ["exec", ...coversAPage], 3],
  ["SIGTERM", ["exec", ...coversAPage], 2],
  ["SIGHUP", ["exec", ...coversAPage], 1],
] as const)("%s ends %s in its run %i, and no row is named", async (signal, command, run) => {
  const silent = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const weakness = `run > 1 || (run === ${run} && (await fetch("http://127.0.0.1:${port}")).ok)`;
  const hanging = weakness.replace("run > 1", `(run > 1 && run < ${run})`);
  const running = launch([...command, ...client(hanging)]);
  await once(silent, "request");
  expect(await running.stop(signal)).toBe(1);
  const output = [...running.lines, running.stderr].join("\n");
  expect(output).not.toMatch(/Fails with|fails unvaried|Warning/);
  expect(output.match(/: (?:fails|passes)$/gm) ?? []).toHaveLength(run - 1);
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
