// Processor time of a suite of fifty Vitest files, with and without the product.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { RunningServer } from "../measure/running-server.js";
import { childrenTime } from "../measure/usage.js";
import { installInto, npmEnvironment, pack } from "../servers/npm.js";
import { product } from "../servers/product.js";
import { serversOf } from "../servers/servers.js";
import { table, withSpread } from "../table.js";
import { Figures } from "./figures.js";

const execute = promisify(execFile);
const files = 50;

/** What a test of each suite imports, and the request that it makes. */
const withoutProduct = {
  head: 'import { expect, test } from "vitest";',
  test: "async () => {",
  request: "process.env.SUITE_URL, { headers: { authorization: process.env.SUITE_AUTHORIZATION } }",
};
const withSandbox = (options) => ({
  head: `import { expect, test } from "offering-sandbox/vitest";\n${options}`,
  test: "async ({ sandbox }) => {",
  request:
    "`${sandbox.baseUrl}/offerings/${sandbox.offering.id}`, { headers: { authorization: `Bearer ${sandbox.keys.partner}` } }",
});
const withSharedSandbox = withSandbox("test.override({ sandboxServerOptions: { url: process.env.SUITE_SERVER } });");
const withOwnSandbox = withSandbox("");

const suites = [
  { id: "plain", title: "without the product: its tests ask a running server", source: withoutProduct },
  { id: "shared", title: "against one running sandbox: `sandboxServerOptions: { url }`", source: withSharedSandbox },
  { id: "in-process", title: "a sandbox in each file's worker", source: withOwnSandbox },
  {
    id: "plain-shared-process",
    title: "without the product, `--no-isolate`",
    source: withoutProduct,
    flags: ["--no-isolate"],
  },
  {
    id: "server-shared-process",
    title: "against one running sandbox, `--no-isolate`",
    source: withSharedSandbox,
    flags: ["--no-isolate"],
  },
  {
    id: "in-process-shared",
    title: "a sandbox in each worker, `--no-isolate`",
    source: withOwnSandbox,
    flags: ["--no-isolate"],
  },
];

export const suite = {
  id: "suite",
  title: "A suite of tests",
  async run({ options, servers, datasets, say }) {
    const project = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
    const dataset = await datasets.get("demo");
    const running = await RunningServer.start(
      servers.find(({ isFirst }) => isFirst),
      dataset,
    );
    try {
      say("installs the packed product and Vitest");
      await prepare(project);
      const env = npmEnvironment(await variables(running, dataset));
      const figures = new Figures();
      // The first round warms the disk's cache.
      for (let round = 0; round <= options.rounds; round++) {
        for (const { id, flags = [] } of serversOf(suites, round, true)) {
          say(`suite, round ${round}: ${id}`);
          const start = [childrenTime(), performance.now()];
          const vitest = join(project, "node_modules/vitest/vitest.mjs");
          await execute(process.execPath, [vitest, "run", "--root", id, ...flags], { cwd: project, env });
          const [processor, seconds] = [childrenTime() - start[0], performance.now() - start[1]];
          if (round > 0) figures.add({ server: id, round, processor: processor / 1e6, seconds: seconds / 1000 });
        }
      }
      const rows = suites.map(({ id, title }) => [
        title,
        ...["processor", "seconds"].map((member) => withSpread(figures.values({ server: id }, member))),
        figures.ratio({}, "processor", { over: id, to: "plain" }),
      ]);
      return table([`${files} files with a test each`, "CPU s", "seconds", "× CPU"], rows);
    } finally {
      await running.stop();
      await rm(project, { recursive: true, force: true });
    }
  },
};

/** Writes the suites into a project with the packed product and the Vitest of this repository. */
async function prepare(project) {
  const manifest = new URL("../../package.json", import.meta.url);
  const { devDependencies } = JSON.parse(await readFile(manifest, "utf8"));
  await installInto(project, [await pack(project), `vitest@${devDependencies.vitest}`]);
  for (const { id, source } of suites) {
    const folder = join(project, id);
    await mkdir(folder);
    await symlink(join(project, "node_modules"), join(folder, "node_modules"));
    const text = [
      source.head,
      `test("an offering is read", ${source.test}`,
      `  const response = await fetch(${source.request});`,
      "  expect(response.status).toBe(200);",
      "});\n",
    ].join("\n");
    for (let number = 1; number <= files; number++) await writeFile(join(folder, `${number}.test.js`), text);
  }
}

/** The variables that the tests read: a server, and a request to it. */
async function variables({ url }, { samples }) {
  const [{ path, headers }] = product.requests("one", samples);
  return { SUITE_SERVER: url, SUITE_URL: url + path, SUITE_AUTHORIZATION: headers.authorization };
}
