import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CoverageExample, CoverageReport } from "../../src/control.ts";
import { behaviours } from "../../src/coverage/catalogue.ts";
import { risks } from "../../src/coverage/risks.ts";
import { Tally, tallyOf } from "../../src/coverage/tally.ts";
import { run, temporaryFolder } from "../cli/cli.ts";

const example: fc.Arbitrary<CoverageExample> = fc.record({
  test: fc.constantFrom(null, "a.test.ts > one", "b.test.ts > two"),
  request: fc.constantFrom("GET /api/v1/offerings/1", "GET /api/v1/investments/1"),
  environment: fc.constantFrom("default", "environment-1"),
  id: fc.integer({ min: 1, max: 4 }),
});

const id = fc.constantFrom(...[...behaviours, ...risks].map((one) => one.id));

/** The report of a process. */
const report: fc.Arbitrary<CoverageReport> = fc
  .record({
    part: fc.uuid(),
    meetings: fc.array(fc.tuple(id, example), { minLength: 1, maxLength: 12 }),
    requests: fc.integer({ min: 1, max: 1000 }),
    lost: fc.nat(9),
  })
  .map(({ part, meetings, requests, lost }) => {
    const tally = new Tally();
    Object.assign(tally, { requests, notLookedAt: lost, environments: 1 });
    tally.parts.add(part);
    for (const [met, where] of meetings) tally.count(met, [where]);
    return tally.report({});
  });

function sumOf(reports: readonly CoverageReport[]): CoverageReport {
  const sums = new Tally();
  for (const one of reports) sums.add(tallyOf(one));
  const { parts, ...sum } = sums.report({});
  return { ...sum, parts: parts.toSorted() };
}

const several = fc.array(report, { minLength: 2, maxLength: 6 });

test("reports add up to the same in any order, and in any groups", () => {
  fc.assert(
    fc.property(several, fc.nat(5), (reports, at) => {
      const sum = sumOf(reports);
      expect(sumOf(reports.toReversed())).toEqual(sum);
      expect(sumOf([sumOf(reports.slice(at)), sumOf(reports.slice(0, at))])).toEqual(sum);
      expect(sum.requests).toBe(reports.reduce((all, { requests }) => all + requests, 0));
    }),
  );
});

/** Files of three jobs, each of a process. */
const [first, second, third] = fc.sample(report, { numRuns: 3, seed: 7 }) as [
  CoverageReport,
  CoverageReport,
  CoverageReport,
];

/** Writes reports into folders below a new one, and returns a function that runs `coverage` there. */
function jobs(files: Readonly<Record<string, CoverageReport | string>>) {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const coverage = (...args: readonly string[]) => run(["coverage", ...args], { cwd });
  const sum = async (...args: readonly string[]): Promise<CoverageReport> => {
    const { parts, ...rest } = JSON.parse((await coverage(...args, "--json")).stdout) as CoverageReport;
    return { ...rest, parts: parts.toSorted() };
  };
  return { cwd, coverage, sum };
}

test("coverage adds up folders and files, and counts each process once", async () => {
  const { sum } = jobs({
    "a/1.json": first,
    "a/2.json": second,
    "b/1.json": third,
    "b/again.json": first,
    "b/read.me": "?",
  });
  const all = sumOf([first, second, third]);
  expect(await sum("a", "b")).toEqual(all);
  expect(await sum("b", "a", "a", "a/2.json")).toEqual(all);
});

test("a sum stands beside its parts, and not beside some of them", async () => {
  const both = sumOf([first, second]);
  expect(await jobs({ "a/1.json": first, "a/2.json": second, "a/coverage.json": both }).sum("a")).toEqual(both);
  const { coverage } = jobs({ "a/coverage.json": both, "a/other.json": sumOf([second, third]) });
  const { code, stderr } = await coverage("a");
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/a\/(coverage|other)\.json has processes of other reports here/),
  ]);
});

test("requirements and an earlier report decide about the exit code", async () => {
  const [one, other] = behaviours.map(({ id: name }) => name) as [string, string];
  const tally = (...met: readonly string[]): CoverageReport => {
    const sums = new Tally();
    sums.parts.add("one");
    sums.requests = 1;
    for (const name of met) sums.count(name, []);
    return sums.report({});
  };
  const { coverage, cwd } = jobs({
    "now.json": tally(one, "too-early"),
    "before.json": tally(one, other),
    "nothing.json": new Tally().report({}),
  });
  const codeOf = async (...flags: readonly string[]): Promise<number | null> =>
    (await coverage("now.json", ...flags)).code;
  expect(await codeOf("--require", `${one},1%,no-risks.page-lost`)).toBe(0);
  for (const missed of [other, "reactions", "3%", "no-risks", "no-risks.too-early"]) {
    const { code, stdout } = await coverage("now.json", "--require", `${one},${missed}`);
    expect([code, stdout]).toEqual([3, expect.stringContaining(`\nRequired, not met: ${missed}\n`)]);
  }
  expect(await codeOf("--not-below", "now.json")).toBe(0);
  const below = await coverage("now.json", "--not-below", "before.json", "--summary", "summary.md");
  expect([below.code, below.stdout]).toEqual([3, expect.stringContaining(`${other}, no-risks.too-early`)]);
  expect(readFileSync(join(cwd, "summary.md"), "utf8")).toContain(`**Below the earlier report**\n\n- \`${other}\``);
});

test("bad input is refused with its place, and the nearest valid thing", async () => {
  const foreign = JSON.stringify(first, null, 1).replace(
    '"operations.offering.partner"',
    '"operations.offering.parner"',
  );
  const { coverage } = jobs({
    "good.json": first,
    "cut.json": JSON.stringify(first).slice(0, 99),
    "foreign.json": foreign,
    "empty/read.me": "",
    "empty/folder.json/read.me": "",
  });
  const line = foreign.split("\n").findIndex((text) => text.includes("offering.parner")) + 1;
  const refusals: readonly (readonly [args: readonly string[], words: readonly string[]])[] = [
    [["cut.json"], ["cut.json:1:"]],
    [["foreign.json"], [`foreign.json:${line}:`, 'Did you mean "operations.offering.partner"?']],
    [["good.json", "--not-below", "cut.json"], ["cut.json:1:"]],
    [
      ["good.json", "--require", "refusals.428"],
      ['"refusals.428"', '"refusals.429"'],
    ],
    [["good.json", "--require", "no-risk"], ['"no-risks"']],
    [["good.json", "--require", "101%"], ['"101%"']],
    [["missing"], ["missing is not there; expected a folder"]],
  ];
  for (const [args, words] of refusals) {
    const { code, stdout, stderr } = await coverage(...args);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
    for (const word of words) expect(stderr).toContain(word);
  }
  expect((await coverage("empty")).code).toBe(3);
});

test("exceptions of the config file hold for reports that were made without them", async () => {
  const met = behaviours.filter(({ id: name }) => first.behaviours.some((one) => one.id === name && one.count > 0));
  const { coverage, cwd } = jobs({ "job.json": first });
  const except = Object.fromEntries([...behaviours, ...risks].map((one) => [one.id, "not ours"]));
  for (const { id: name } of met) delete except[name];
  writeFileSync(join(cwd, "package.json"), "{}");
  writeFileSync(join(cwd, "offering-sandbox.config.json"), JSON.stringify({ coverage: { except } }));
  const { code, stdout } = await coverage("job.json", "--require", "100%,no-risks");
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`Contract coverage: ${met.length} of ${met.length} behaviours`),
  ]);
});
