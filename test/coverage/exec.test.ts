import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CoverageReport } from "../../src/public/control.ts";
import { type CommandResult, runProcess, temporaryFolder } from "../cli/cli.ts";
import { execute, packedProject } from "../support/packed.ts";

/** A client that reads the offering and a number of missing investments, and exits with a code. */
const client = (code = 0, missing = 0): string => `
  const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_PARTNER_KEY: key, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
  const ask = async (path) => {
    await (await fetch(base + path, { headers: { authorization: "Bearer " + key } })).text();
    await new Promise((done) => setTimeout(done, 250));
  };
  await ask("/offerings/" + id);
  for (let time = 0; time < ${missing}; time++) await ask("/investments/00000000-0000-4000-8000-000000000000");
  process.exitCode = ${code};`;

const cover = (cwd: string, flags: readonly string[], script = client(), env = {}): Promise<CommandResult> =>
  runProcess(["exec", "--coverage", ...flags, "--", process.execPath, "--input-type=module", "-e", script], {
    cwd,
    env: { GITHUB_STEP_SUMMARY: "", ...env },
  });

const reportIn = (file: string): CoverageReport => JSON.parse(readFileSync(file, "utf8")) as CoverageReport;

test("exec --coverage prints the report after the command, writes it, and appends it to the page of a job", async () => {
  const cwd = temporaryFolder();
  const required = "refusals.429,operations.offering.partner,no-risks";
  const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  writeFileSync(env.GITHUB_STEP_SUMMARY, "before\n");
  const { code, stdout, stderr } = await cover(cwd, ["--require", required], client(0, 3), env);
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(/^Contract coverage: \d+ of 26 behaviors, 1 environment, 4 requests\n/);
  expect(stderr).toContain("\nRequired, not covered: refusals.429, no-risks\n");
  const lines = stderr.trimEnd().split("\n");
  expect(lines.at(-1)).toBe("Written: coverage.json");
  const summary = ["before", "```text", ...lines.slice(0, -1), "```", ""].join("\n");
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")).toBe(summary);
  const report = reportIn(join(cwd, "coverage.json"));
  expect([report.requests, report.risks.map(({ id }) => id)]).toEqual([4, ["not-found-again"]]);
});

test("the exit code is the command's own, or 3 if a requirement is not covered or no request was sent", async () => {
  const codeOf = async (flags: readonly string[], script?: string): Promise<number | null> =>
    (await cover(temporaryFolder(), flags, script)).code;
  expect(await codeOf(["--require", "operations.offering.partner,no-risks"])).toBe(0);
  expect(await codeOf(["--require", "refusals.429"], client(5))).toBe(5);
  expect(await codeOf([], "")).toBe(3);
  expect(await codeOf([], "process.exitCode = 7")).toBe(7);
});

/** Scripts that send requests, until they have three 429s if they ignore `Retry-After`, or one. */
const loop = (sendScript: string, refusalCount: number): string => `
  import { get } from "node:http";
  const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_PARTNER_KEY: key, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
  const url = base + "/offerings/" + id;
  const headers = { authorization: "Bearer " + key };
  const ask = ${sendScript};
  for (let left = ${refusalCount}; left > 0; ) for (const status of await ask()) if (status === 429) left -= 1;`;
const byFetch =
  "async () => { const response = await fetch(url, { headers }); await response.text(); return [response.status]; }";
const byConnections =
  "() => new Promise((done) => get(url, { headers, agent: false }, (response) => response.resume().once('end', () => done([response.statusCode]))))";
const byParallelFetch = `async () => (await Promise.all([1, 2, 3].map(${byFetch}))).flat()`;

test.each([
  ["fetch, one after the other", byFetch, 3, 3, "too-early"],
  ["a connection for each request", byConnections, 3, 3, "too-early"],
  ["fetch, until the limit", byFetch, 1, 0, ""],
  ["three at once, until the limit", byParallelFetch, 1, 0, ""],
])(
  "a client that ignores Retry-After is found on any connection: %s",
  async (_, sendScript, refusalCount, expectedCode, risks) => {
    const cwd = temporaryFolder();
    const flags = ["--rate-limit", "10", "--require", "no-risks"];
    const { code, stderr } = await cover(cwd, flags, loop(sendScript, refusalCount));
    expect(
      [
        code,
        reportIn(join(cwd, "coverage.json"))
          .risks.map(({ id }) => id)
          .join(),
      ],
      stderr,
    ).toEqual([expectedCode, risks]);
  },
);

test("no-risks says how many pairs are undecided, and no-undecided requires that there are none", async () => {
  const flags = ["--rate-limit", "1", "--require", "no-risks,no-undecided"];
  const { code, stderr } = await cover(temporaryFolder(), flags, loop(byParallelFetch, 1));
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^no-risks: 0 risks, and \d+ pairs? undecided\. no-undecided requires that there are none\.$/m,
  );
  expect(stderr).toMatch(/^Required, not covered: no-undecided$/m);
});

test("the command's exit code outlives a report that cannot be written", async () => {
  for (const exitCode of [5, 0]) {
    const script = `import { rmSync, writeFileSync } from "node:fs"; rmSync("out", { recursive: true }); writeFileSync("out", ""); ${client(exitCode)}`;
    const { code, stderr } = await cover(temporaryFolder(), ["--coverage-dir", "out"], script);
    expect([code, stderr]).toEqual([
      exitCode || 1,
      expect.stringMatching(/(?:^|\n)out\/coverage\.json cannot be written: .*\n$/),
    ]);
  }
});

test("wrong flags, and a folder that cannot be made, are reported before the command runs", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "file"), "");
  const folders = ["file", "file/below", ...(process.platform === "linux" ? ["/proc/nope"] : [])];
  for (const [flag, value, expectedCode, pattern] of [
    ...folders.map((folder) => ["--coverage-dir", folder, 1, `^${folder} cannot be written: .*\n$`] as const),
    ["--require", "refusals.428", 2, String.raw`Did you mean "refusals\.429"\?`],
    ["--requires", "no-risks", 2, "--require"],
  ] as const) {
    const { code, stderr } = await cover(cwd, [flag, value], 'require("node:fs").writeFileSync("ran", "")');
    expect([code, stderr]).toEqual([expectedCode, expect.stringMatching(pattern)]);
  }
  expect(readdirSync(cwd)).toEqual(["file"]);
});

test("the counts of jobs with separate folders add up, and a folder has the counts of all its runs", async () => {
  const cwd = temporaryFolder();
  for (const job of ["job-1", "job-2", "job-2"]) await cover(cwd, ["--coverage-dir", job]);
  const { code, stdout } = await runProcess(["coverage", "job-1", "job-2", "--json"], { cwd });
  const report = JSON.parse(stdout) as CoverageReport;
  expect([code, report.requests, report.environments]).toEqual([0, 3, 3]);
  expect(reportIn(join(cwd, "job-2", "coverage.json")).requests).toBe(1);
});

test("a start without coverage writes nothing, and does not load its modules", async () => {
  const cwd = temporaryFolder();
  const filesOf = /\/covered\.js/;
  const exec = (...flags: readonly string[]): Promise<CommandResult> =>
    runProcess(["exec", ...flags, "--", process.execPath, "-e", "0"], { cwd, env: { NODE_DEBUG: "esm" } });
  expect((await exec()).stderr).not.toMatch(filesOf);
  expect(readdirSync(cwd)).toEqual([]);
  expect((await exec("--coverage")).stderr).toMatch(filesOf);
});

test("four workers of Vitest report the same as one", async () => {
  const project = await packedProject(["vitest"]);
  try {
    const body = `
      import { test } from "offering-sandbox/vitest";
      const ask = async ({ baseUrl, keys }, path) => {
        await (await fetch(baseUrl + path, { headers: { authorization: "Bearer " + keys.partner } })).text();
        await new Promise((done) => setTimeout(done, 250));
      };
      test("reads", ({ sandbox }) => ask(sandbox, "/offerings/" + sandbox.offering.id));
      test("misses", async ({ sandbox }) => {
        for (let time = 0; time < 3; time++) await ask(sandbox, "/investments/00000000-0000-4000-8000-000000000000");
      });`;
    await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
    for (let index = 0; index < 8; index++) await writeFile(join(project, `${index}.test.js`), body);
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)),
    );
    const reports = [];
    for (const workers of [1, 4]) {
      const bin = (name: string): string => join(project, "node_modules", ".bin", name);
      const vitest = [bin("vitest"), "run", "--testTimeout=120000", `--maxWorkers=${workers}`];
      const args = [bin("offering-sandbox"), "exec", "--coverage", "--", process.execPath, ...vitest];
      await execute(process.execPath, args, { cwd: project, env });
      const { behaviors, risks, requests, environments, covered } = reportIn(join(project, "coverage.json"));
      const counts = [...behaviors, ...risks].map(({ id, count }) => [id, count]);
      reports.push({ counts, requests, environments, covered });
    }
    expect(reports[0]).toMatchObject({ requests: 32, environments: 16 });
    expect(reports[1]).toEqual(reports[0]);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
