import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { VaryReport } from "../../src/cli/exec/vary-report.ts";
import { listenUntilTestEnds } from "../support/listening.ts";
import { execute, packedProject } from "../support/packed.ts";
import { type CommandResult, launch, runProcess, temporaryFolder } from "./cli.ts";

/** A client that reads a page of a list, and fails if `weakness`, an expression about it and the run, is true. */
function client(weakness: string): { readonly command: string[]; readonly runs: () => number } {
  const file = join(temporaryFolder(), "client.mjs");
  writeFileSync(`${file}.runs`, "");
  writeFileSync(
    file,
    `import { appendFileSync, readFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(`${file}.runs`)}, "x");
    const begun = () => readFileSync(${JSON.stringify(`${file}.runs`)}).length;
    const run = begun();
    const { OFFERING_SANDBOX_BASE_URL: base, OFFERING_SANDBOX_PARTNER_KEY: key, OFFERING_SANDBOX_OFFERING_ID: id } = process.env;
    const { startSandbox } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
    const ask = async (path, token = key, address = base) => {
      const response = await fetch(address + path, { headers: { authorization: "Bearer " + token } });
      return { status: response.status, text: await response.text() };
    };
    const page = await ask("/offerings/" + id + "/investments?page=1");
    const list = JSON.parse(page.text);
    console.log("run " + run);
    process.exitCode = (${weakness}) ? 9 : 0;`,
  );
  return { command: ["--", process.execPath, file], runs: () => readFileSync(`${file}.runs`).length };
}

const startsAtZero = `(await ask("/offerings/" + id + "/investments?page=0")).status === 200`;

function vary(rows: string, { command }: ReturnType<typeof client>, ...flags: string[]): Promise<CommandResult> {
  return runProcess(["exec", "--vary", ...(rows === "" ? [] : [rows]), ...flags, ...command]);
}

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

test("each alternative value with which a command fails is named, with a command that shows it", async () => {
  const reader = client(`${startsAtZero} || list.included`);
  const { code, stdout, stderr } = await vary("list.first_page,list.past_end,list.included,list.document", reader);
  expect([code, stdout]).toEqual([1, "run 1\n"]);
  const results = Array.from(stderr.matchAll(/^(\d\/4) {2}(\S+) +(\w+) +\d+\.\d s$/gm), (match) => match.slice(1));
  expect(results).toEqual([
    ["1/4", "list.document=data", "passes"],
    ["2/4", expect.stringMatching(/^list\.document=like:/), "passes"],
    ["3/4", "list.included=yes", "fails"],
    ["4/4", "list.first_page=0", "fails"],
  ]);
  expect(stderr).toMatch(/\nlist\.first_page=0 {3}\(8: First page's number; counted from 0\)\n {2}\S/);
  expect(stderr).toMatch(/\nPassed with 2 of 4 alternative values\.\nNo response depended on: list\.past_end\n$/);
  const pastedLines = Array.from(
    stderr.matchAll(/^ {2}npx --no-install offering-sandbox (.*)$/gm),
    ([, line = ""]) => line,
  );
  expect(pastedLines).toHaveLength(2);
  for (const line of pastedLines)
    await expect(execute("sh", ["-c", `node ${bin} ${line}`])).rejects.toMatchObject({ code: 9 });
});

test("--report writes each alternative value with its verdict and its command, even if it fails", async () => {
  const cwd = temporaryFolder();
  const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  const runWithReport = async (
    weakness: string,
    ...flags: string[]
  ): Promise<CommandResult & { report: VaryReport }> => {
    const args = ["exec", "--vary", "list.first_page,list.included", "--report", "out/r.json", ...flags];
    const result = await runProcess([...args, ...client(weakness).command], { cwd, env });
    const text = readFileSync(join(cwd, "out/r.json"), "utf8");
    return { ...result, report: JSON.parse(text) as VaryReport };
  };
  const { code, report } = await runWithReport(startsAtZero);
  expect(report).toMatchObject({ version: 1, exit_code: code, unused: [] });
  const row = report.rows.find(({ id }) => id === "list.first_page");
  expect(row).toMatchObject({ section: "8", value: "1", alternatives: [{ value: "0", verdict: "fails" }] });
  expect(row?.alternatives[0]?.command).toMatch(/ exec --assume list\.first_page=0 -- /);
  expect(report.rows.map(({ id }) => id)).toContain("content_type");
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")).toMatch(
    /^```text\n(?:.*\n)*Passed with 1 of 2 alternative values\.\n```\n$/,
  );
  expect((await runWithReport("true")).report).toMatchObject({ exit_code: 9, passed: false, rows: expect.any(Array) });
});

test("a word of the command that looks secret is neither in the report nor on the page of the job", async () => {
  const cwd = temporaryFolder();
  const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  const secrets = ["sandbox_partner_10cb0532d3f9bbea182760868ad52d6a", "API_KEY=tulip", "hunter2"];
  const [key = "", pair = "", word = ""] = secrets;
  const flags = ["--vary", "list.first_page", "--report", "r.json", "--assume", "errors.www_authenticate=yes"];
  const { command } = client(startsAtZero);
  const { stderr } = await runProcess(["exec", ...flags, ...command, key, pair, "--token", word, "plain"], {
    cwd,
    env,
  });
  expect(stderr).toContain(word);
  for (const file of ["r.json", "summary.md"]) {
    const text = readFileSync(join(cwd, file), "utf8");
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).toMatch(/ --token \S*…\S* plain/);
    expect(text).toContain("errors.www_authenticate=yes");
  }
});

test("a report that cannot be written is named before the command runs", async () => {
  const reader = client("false");
  const { code, stderr } = await vary("", reader, "--report", temporaryFolder());
  expect([code, stderr, reader.runs()]).toEqual([
    1,
    expect.stringMatching(/ cannot be written: it is a folder\.\n$/),
    0,
  ]);
});

test("without names, the rows on which a response depended vary, except those that are set or vary only by name", async () => {
  const reader = client("false");
  const { code, stderr } = await vary("", reader, "--jobs", "4", "--assume", "list.order=create_date");
  const rows = new Set(Array.from(stderr.matchAll(/^ *\d+\/\d+ {2}([\w.]+)=.* passes/gm), ([, id]) => id));
  expect([code, rows.has("list.document"), rows.has("list.first_page")]).toEqual([0, true, true]);
  for (const id of ["list.order", "cors", "limit.counts", "status.document"]) expect(rows).not.toContain(id);
  const [, unused = ""] = /\nNo response depended on: (.*)\n$/.exec(stderr) ?? [];
  expect(unused.split(", ")).toContain("status.document");
  expect(unused.split(", ").filter((id) => rows.has(id) || id === "list.order")).toEqual([]);
});

test.for([
  ["fails without any variation", "true", 9, "The command fails without any variation. Fix that first.\n"],
  ["sends no request", "", 3, "Nothing to vary: no request came whose response depends on an assumption.\n"],
] as const)("a command that %s runs once", async ([, weakness, code, stderr]) => {
  const reader = weakness === "" ? { command: ["--", process.execPath, "-e", "0"], runs: () => 1 } : client(weakness);
  expect(await vary("", reader)).toMatchObject({ code, stderr });
  expect(reader.runs()).toBe(1);
});

test("an alternative value that fails once is flaky", async () => {
  const { code, stderr } = await vary("list.first_page,list.included", client("run === 2"));
  expect(stderr).toMatch(/1\/2 {2}list\.included=yes {3}flaky +.* s\n2\/2 {2}list\.first_page=0 {3}passes /);
  expect(stderr).toMatch(
    /\nFlaky, failed and then passed: list\.included=yes\nPassed with 1 of 2 alternative values\.\n$/,
  );
  expect([code, stderr.includes("fails with")]).toEqual([1, false]);
});

test("an alternative value that an inner sandbox overrides does not count as passed", async () => {
  const overridesRow = `await (async () => {
    const sandbox = await startSandbox({ assumptions: { "list.document": "resources" } });
    const { baseUrl, keys, offering } = await sandbox.openEnvironment({ profile: "conventional" });
    await ask("/offerings/" + offering.id, keys.partner, baseUrl);
    await sandbox.close();
  })()`;
  const { code, stderr } = await vary("offering.document,status.document", client(overridesRow));
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /\n1\/1 {2}offering\.document=resource-with-counts {3}not used .*\nNot used, no response depended on these: offering\.document=resource-with-counts\nPassed with 0 of 1 alternative values\.\n/,
    ),
  ]);
});

test("with --jobs, several runs take place at the same time, each with its own sandbox", async () => {
  const waitsForOthers = `run > 1 && await (async () => {
    while (begun() < 4) await new Promise((done) => setTimeout(done, 20));
    return (await (await fetch(process.env.OFFERING_SANDBOX_ADMIN_URL + "/requests")).json()).data.length !== 1;
  })()`;
  const rows = "list.first_page,list.included,list.document";
  const { code, stderr } = await vary(
    rows,
    client(waitsForOthers.replace("< 4", "< Math.min(4, run + 2)")),
    "--jobs",
    "3",
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining("\nPassed with 4 of 4 alternative values.\n")]);
});

test.each([
  ["SIGINT", 1],
  ["SIGTERM", 3],
  ["SIGHUP", 2],
] as const)("%s ends the variation in run %i, with the results of the runs before", async (signal, run) => {
  const silentServer = createServer();
  const port = await listenUntilTestEnds(silentServer);
  const { command } = client(`run === ${run} && (await fetch("http://127.0.0.1:${port}")).ok`);
  const running = launch(["exec", "--vary", "list.first_page,list.included", ...command]);
  await once(silentServer, "request");
  expect(await running.stop(signal)).toBe(run === 1 ? 128 + { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }[signal] : 1);
  const output = running.stderr;
  expect(output).not.toMatch(/fails|Warning|Fix/);
  if (run > 1)
    expect(output).toContain(
      `\nEnded after ${run - 2} of 2 alternative values.\nPassed with ${run - 2} of ${run - 2} `,
    );
});

test.each([["vitest"], ["node:test"]])("--vary and --assume of exec reach the sandboxes of %s", async (runner) => {
  const project = await packedProject(["vitest"]);
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  const isVitest = runner === "vitest";
  const imports = isVitest
    ? `import { expect, test } from "offering-sandbox/vitest";
      const opens = (act) => ({ sandbox }) => act(sandbox);`
    : `import { test } from "node:test"; import { openSandbox } from "offering-sandbox/node-test";
      const opens = (act) => async (t) => act((await openSandbox(t)).sandbox);`;
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(
    join(project, "list.test.js"),
    `${imports}
    test("the first page is 1", opens(async ({ baseUrl, keys, offering }) => {
      const path = baseUrl + "/offerings/" + offering.id + "/investments?size=1&page=";
      const headers = { authorization: "Bearer " + keys.partner };
      const first = await (await fetch(path + 1, { headers })).json();
      if (first.data[0].attributes.investment_number !== 1) throw new Error("another first page");
    }));`,
  );
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_TEST|TEST|npm_)/.test(name)),
  );
  const local = (name: string): string => join(project, "node_modules", ".bin", name);
  const command = isVitest ? [local("vitest"), "run", "--testTimeout=120000"] : ["--test"];
  const exec = (...flags: string[]): Promise<unknown> =>
    execute(process.execPath, [local("offering-sandbox"), "exec", ...flags, "--", process.execPath, ...command], {
      cwd: project,
      env,
    });
  await expect(exec("--vary", "list.first_page,list.included")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1\/2 {2}list\.included=yes {3}passes [^]*2\/2 {2}list\.first_page=0 {3}fails /),
  });
  await expect(exec("--assume", "list.first_page=0")).rejects.toMatchObject({ code: 1 });
});
