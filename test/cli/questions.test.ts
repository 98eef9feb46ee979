import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../src/assumptions/catalog.ts";
import type { VaryReport } from "../../src/cli/exec/vary-report.ts";
import { run, temporaryFolder } from "./cli.ts";

const report: VaryReport = {
  version: 1,
  command: ["npm", "test"],
  exit_code: 1,
  passed: true,
  rows: [
    { id: "documents.order", section: "1, 4.1", question: "", value: "specified", alternatives: [] },
    {
      id: "list.first_page",
      section: "8",
      question: "",
      value: 1,
      alternatives: [{ value: "0", verdict: "fails", seconds: 0.5, command: "" }],
    },
  ],
  unused: ["cors"],
};

test("without a report, each row of the catalog is a question with all that a vendor needs", async () => {
  const { code, stdout } = await run(["questions"]);
  const [intro = "", ...blocks] = stdout.split(/^## /m);
  expect([code, blocks.length]).toEqual([0, catalog.length]);
  expect(intro).toMatch(/^# Open questions/);
  for (const [index, row] of catalog.entries()) {
    expect(blocks[index]).toMatch(`(section ${row.section})`);
    expect(blocks[index]).toMatch(
      /Question:\*\* .+\?.*\n.*We assume:\*\* .+\n.*If it is another:\*\* .+\.\n.*This shows it:\*\* `GET \/[^`]+`/,
    );
  }
});

test("a vendor who does not know this program understands each question, and each value of a row", async () => {
  const cwd = temporaryFolder();
  const rows = catalog.map((row) => {
    const values = [...Object.keys(row.values), ...("vary" in row && typeof row.vary === "object" ? row.vary : [])];
    const alternatives = values.map((value) => ({ value, verdict: "fails", seconds: 1, command: "" }));
    return { id: row.id, section: row.section, question: "", value: row.minimal, alternatives };
  });
  writeFileSync(join(cwd, "report.json"), JSON.stringify({ ...report, rows }));
  for (const args of [["questions"], ["questions", "report.json"]]) {
    const { stdout } = await run(args, { cwd });
    const ids = catalog.flatMap(({ id }) => (id.includes(".") ? [id.replace(".", "\\.")] : []));
    const ownWords = new RegExp(
      `\\b(?:${ids.join("|")}|seed|shuffle|fixtures?|scenarios?|sandbox|profile|404-path|like:)`,
      "g",
    );
    expect(stdout.match(ownWords)).toBe(null);
  }
});

test("a report of a command that failed without any variation gives no letter", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "report.json"), JSON.stringify({ ...report, passed: false, rows: [] }));
  expect(await run(["questions", "report.json"], { cwd })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^report\.json is the report of a command that failed without any variation, .*\.\n$/,
    ),
  });
});

test("with a report, only the rows on which a response depended are questions, those that failed first", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "report.json"), JSON.stringify(report));
  const { code, stdout } = await run(["questions", "report.json"], { cwd });
  expect([code, stdout.match(/^## .*/gm)]).toEqual([
    0,
    ["## 1. First page's number (section 8)", "## 2. Order of an object's members, and of included (section 1, 4.1)"],
  ]);
  expect(stdout).toContain("Our tests fail with: counted from 0.");
  writeFileSync(join(cwd, "none.json"), JSON.stringify({ ...report, rows: [] }));
  expect((await run(["questions", "none.json"], { cwd })).stdout).toContain("No response depended on an open point");
});

test.each([
  ["not JSON", "{", "bad.json is not a report that exec --vary --report wrote: it is not JSON.\n"],
  ["another file", "[]", "bad.json is not a report that exec --vary --report wrote: invalid at the top level.\n"],
  [
    "an unknown row",
    JSON.stringify({ ...report, rows: [{ ...report.rows[0], id: "x\u001b[2J" }] }),
    "bad.json is not a report that exec --vary --report wrote: invalid at rows.0.id.\n",
  ],
  [
    "a later version",
    JSON.stringify({ ...report, version: 2 }),
    "bad.json is a report of version 2; this version of offering-sandbox reads version 1.\n",
  ],
])("a file that is not a report is refused in one sentence: %s", async (_, content, stderr) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "bad.json"), content);
  expect(await run(["questions", "bad.json"], { cwd })).toMatchObject({ code: 2, stdout: "", stderr });
});
