import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { execute, pack, packedProject, root } from "../support/packed.ts";
import { fromRegistry } from "../support/registry.ts";

let project = "";
let tarball = "";

beforeAll(async () => {
  project = await packedProject();
  tarball = await pack(project);
  return () => rm(project, { recursive: true, force: true });
});

/** Runs a script with Node in a folder; returns what it prints, even if it fails. */
async function run(cwd: string, script: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST)/i.test(name)));
  const result = await execute(process.execPath, [script, ...args], {
    cwd,
    env: { ...env, OFFERING_SANDBOX_SNAPSHOT_DIR: "cases" },
  }).catch((error: { stdout: string; stderr: string }) => error);
  return result.stdout + result.stderr;
}

const failingTest = `
  import { test } from "node:test";
  import { openSandbox } from "offering-sandbox/node-test";
  test("fails", async (t) => {
    const { sandbox } = await openSandbox(t);
    const headers = { authorization: "Bearer " + sandbox.keys.partner };
    await fetch(sandbox.baseUrl + "/offerings/" + sandbox.offering.id, { headers });
    throw new Error("on purpose");
  });
`;

test.for([
  ["pnpm", "pnpm@10", "pnpm/bin/pnpm.cjs", ["add"], ["exec", "node"], "pnpm exec offering-sandbox"],
  ["Yarn PnP", "@yarnpkg/cli-dist@4", "@yarnpkg/cli-dist/bin/yarn.js", ["add"], ["node"], "yarn offering-sandbox"],
] as const)("%s installs the package, and the line below a failed test replays it", async (row, context) => {
  const [, name, bin, add, node, command] = row;
  const manager = join(await fromRegistry(context, project, [name]), bin);
  const folder = join(manager.slice(0, manager.indexOf("node_modules")), "user");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", type: "module" }));
  await writeFile(join(folder, "yarn.lock"), "");
  await writeFile(join(folder, "failing.test.mjs"), failingTest);
  await run(folder, manager, ...add, `offering-sandbox@file:${tarball}`);
  const output = await run(folder, manager, ...node, "--test", "failing.test.mjs");
  const [, line = ""] = new RegExp(`(${command} replay cases/\\S+)`).exec(output) ?? [output];
  const [, ...args] = line.split(" ");
  expect(await run(folder, manager, ...args)).toContain("1 same");
});

test("a client that openapi-zod-client made parses real responses", async (context) => {
  await using sandbox = await startSandbox({ config: false });
  const tool = "openapi-zod-client";
  const modules = await fromRegistry(context, project, [tool]);
  const folder = join(modules, "..");
  for (const [name, address] of [
    ["admin", `${sandbox.adminUrl}/openapi.json`],
    ["client", `${sandbox.url}/openapi.json`],
  ] as const) {
    await writeFile(join(folder, `${name}.json`), await (await fetch(address)).text());
    await run(folder, join(modules, tool, "bin.js"), `./${name}.json`, "-o", `${name}.ts`);
    const flags = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
    expect(await run(folder, join(root, "node_modules/typescript/bin/tsc"), `${name}.ts`, ...flags)).toBe("");
  }
  expect(await readFile(join(folder, "client.ts"), "utf8")).toContain('type: z.literal("signing_parties")');
  const {
    data: [investment],
  } = await sandbox.investments.list({ offering_id: sandbox.offerings[0]?.id, limit: 1 });
  await writeFile(
    join(folder, "use.cjs"),
    `const { createApiClient } = require("./client.js");
    const headers = { authorization: process.argv[4] };
    (async () => {
      const api = createApiClient(process.argv[2], { axiosConfig: { headers } });
      for (const [call, id] of Object.entries(JSON.parse(process.argv[3]))) {
        const { data } = await api[call]({ params: { id } });
        console.log(call, [data].flat().length > 0);
      }
    })();`,
  );
  const [offering, id] = [sandbox.offerings[0]?.id, investment?.id];
  const calls = {
    getOffering: offering,
    listInvestments: offering,
    getInvestment: id,
    getInvestmentStatus: id,
    listInvestmentEvents: id,
  };
  const useArguments = [sandbox.baseUrl, JSON.stringify(calls), `Bearer ${sandbox.keys.partner}`];
  const expected = Object.keys(calls).map((call) => `${call} true\n`);
  expect(await run(folder, "use.cjs", ...useArguments)).toBe(expected.join(""));
});

test("ESLint's import/no-unresolved finds the package", async (context) => {
  const modules = await fromRegistry(context, project, ["eslint@9", "eslint-plugin-import"]);
  const plugin = join(modules, "eslint-plugin-import", "lib", "index.js");
  await writeFile(
    join(project, "eslint.config.mjs"),
    `import plugin from ${JSON.stringify(plugin)};
    export default [{ files: ["used.mjs"], plugins: { import: plugin }, rules: { "import/no-unresolved": "error" } }];`,
  );
  const eslint = join(modules, "eslint", "bin", "eslint.js");
  await writeFile(join(project, "used.mjs"), 'import "offering-sandbox";\n');
  expect(await run(project, eslint, "used.mjs")).toBe("");
  await writeFile(join(project, "used.mjs"), 'import "offering-sandbx";\n');
  expect(await run(project, eslint, "used.mjs")).toContain("import/no-unresolved");
});

test.for([["esm"], ["cjs"]] as const)(
  "the package refuses to run in a bundle of the form %s",
  async ([format], context) => {
    const esbuild = join(await fromRegistry(context, project, ["esbuild"]), "esbuild", "bin", "esbuild");
    await writeFile(
      join(project, "bundled.mjs"),
      'import { startSandbox } from "offering-sandbox";\nstartSandbox();\n',
    );
    await execute(
      esbuild,
      ["bundled.mjs", "--bundle", "--platform=node", `--format=${format}`, "--outfile=out/bundled.js"],
      {
        cwd: project,
      },
    );
    await writeFile(
      join(project, "out", "package.json"),
      JSON.stringify({ type: format === "esm" ? "module" : "commonjs" }),
    );
    expect(await run(project, "out/bundled.js")).toContain("so it cannot be bundled; mark it external");
  },
);
