import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CoverageExample, CoverageReport } from "../../src/public/control.ts";
import { behaviors, risks } from "../../src/coverage/catalog.ts";
import type { SerializedCounts } from "../../src/coverage/sums.ts";
import { CoverageCounts } from "../../src/coverage/counts.ts";
import { version } from "../../src/package.ts";
import { run, temporaryFolder } from "../cli/cli.ts";

const example: fc.Arbitrary<CoverageExample> = fc.record({
  test: fc.constantFrom(null, "a.test.ts > one", "b.test.ts > two"),
  request: fc.constantFrom(
    "GET /api/v1/offerings/1",
    "GET /api/v1/investments/1",
    "GET /api/v1/investments/1?a=1",
    "GET /api/v1/investments/1?a=2",
  ),
  environment: fc.constantFrom("default", "environment-1"),
  id: fc.integer({ min: 1, max: 4 }),
});

const id = fc.constantFrom(...[...behaviors, ...risks].map((behavior) => behavior.id));

/** The sums of a process. */
const sums: fc.Arbitrary<SerializedCounts> = fc
  .record({
    part: fc.uuid(),
    occurrences: fc.array(fc.tuple(id, example), { minLength: 1, maxLength: 12 }),
    requests: fc.integer({ min: 1, max: 1000 }),
    undecided: fc.nat(9),
  })
  .map(({ part, occurrences, ...totals }) => {
    const counts = Object.assign(new CoverageCounts(), { ...totals, environments: 1 });
    for (const [coveredId, where] of occurrences) counts.count(coveredId, [where]);
    return counts.serialize(part);
  });

function sumOf(parts: readonly SerializedCounts[]): CoverageCounts {
  const counts = new CoverageCounts();
  for (const part of parts) counts.add(CoverageCounts.of(part));
  return counts;
}

test("counts add up to the same in any order, and in any groups", () => {
  fc.assert(
    fc.property(fc.array(sums, { minLength: 2, maxLength: 6 }), fc.nat(5), (parts, split) => {
      const report = sumOf(parts).report();
      const groups = [parts.slice(split), parts.slice(0, split)].map((group, index) =>
        sumOf(group).serialize(String(index)),
      );
      expect(sumOf(parts.toReversed()).report()).toEqual(report);
      expect(sumOf(groups).report()).toEqual(report);
      for (const name of ["requests", "undecided", "environments"] as const) {
        expect(report[name]).toBe(parts.reduce((total, part) => total + part[name], 0));
      }
    }),
  );
});

const [first, second, third] = fc.sample(sums, { numRuns: 3, seed: 7 }) as [
  SerializedCounts,
  SerializedCounts,
  SerializedCounts,
];

/** Writes files below a new folder, and returns a function that runs `coverage` there. */
function writeJobs(files: Readonly<Record<string, SerializedCounts | string>>) {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const coverage = (...args: readonly string[]) => run(["coverage", ...args], { cwd });
  const report = async (...args: readonly string[]): Promise<CoverageReport> =>
    JSON.parse((await coverage(...args, "--json")).stdout) as CoverageReport;
  return { cwd, coverage, report };
}

test("coverage adds up folders, and counts each process once", async () => {
  const { report } = writeJobs({
    "a/1.part.json": first,
    "a/2.part.json": second,
    "b/3.part.json": third,
    "b/again.part.json": first,
    "b/coverage.json": "?",
    "b/read.me": "?",
  });
  const all = sumOf([first, second, third]).report();
  expect(await report("a", "b")).toEqual(all);
  expect(await report("b", "a", "a")).toEqual(all);
});

test("requirements decide the exit code", async () => {
  const [coveredId = "", uncoveredId = ""] = behaviors.map((behavior) => behavior.id);
  const counts = Object.assign(new CoverageCounts(), { requests: 1, undecided: 2 });
  for (const behaviorId of [coveredId, "too-early"]) counts.count(behaviorId, []);
  const { coverage } = writeJobs({
    "now/1.part.json": counts.serialize("one"),
    "none/1.part.json": new CoverageCounts().serialize("none"),
  });
  expect(await coverage("now", "--require", `${coveredId},1%,no-risks.refused-again`)).toMatchObject({ code: 0 });
  for (const uncoveredRequirement of [uncoveredId, "reactions", "4%", "no-risks", "no-risks.too-early"]) {
    const { code, stdout } = await coverage("now", "--require", `${coveredId},${uncoveredRequirement}`);
    expect([code, stdout]).toEqual([3, expect.stringContaining(`\nRequired, not covered: ${uncoveredRequirement}\n`)]);
    expect(stdout).toContain("\nNot decided: 2 pairs of requests. ");
  }
  expect(await coverage("none")).toMatchObject({ code: 3 });
});

test("bad input is refused with its position and the nearest valid name", async () => {
  const foreign = JSON.stringify(first, null, 1).replace(/"id": "[a-z][^"]*"/, '"id": "operations.offering.parner"');
  const { coverage } = writeJobs({
    "good/1.part.json": first,
    "cut/1.part.json": JSON.stringify(first).slice(0, 99),
    "foreign/1.part.json": foreign,
    "older/1.part.json": foreign.replace(version, "1.9.0"),
    "folder/1.part.json/read.me": "",
  });
  const line = foreign.split("\n").findIndex((text) => text.includes("offering.parner")) + 1;
  const refusals: readonly (readonly [args: readonly string[], words: readonly string[]])[] = [
    [["cut"], ["cut/1.part.json:1:"]],
    [["foreign"], [`foreign/1.part.json:${line}:`, 'Did you mean "operations.offering.partner"?']],
    [["older"], [`older/1.part.json is of offering-sandbox 1.9.0, and this is ${version};`]],
    [
      ["good", "--require", "refusals.428"],
      ['"refusals.428"', '"refusals.429"'],
    ],
    [["good", "--require", "no-risk"], ['"no-risks"']],
    [["good", "--require", "101%"], ['"101%"']],
    [["missing"], ["missing is not a folder"]],
    [["good/1.part.json"], ["good/1.part.json is not a folder"]],
    [["folder"], ["it is a folder"]],
  ];
  for (const [args, words] of refusals) {
    const { code, stdout, stderr } = await coverage(...args);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
    for (const word of words) expect(stderr).toContain(word);
  }
});
