import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { freePort } from "../support/free-port.ts";
import { execute, linkModules, root } from "../support/packed.ts";

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** The lines of a Dockerfile or .dockerignore, without comments. A backslash continues a line. */
const linesOf = (file: string): string[] =>
  textOf(file)
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => /^[^#\s]/.test(line));

const patterns = linesOf(".dockerignore").map((line) => {
  const [, negation, glob = ""] = /^(!?)\/?(.*?)\/?$/.exec(line) ?? [];
  const source = glob
    .replaceAll(/[.+^${}()|[\]]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/?|\*|\?/g, (wildcard) => (wildcard === "?" ? "[^/]" : wildcard === "*" ? "[^/]*" : ".*"));
  return { isIncluded: negation === "!", matches: new RegExp(`^${source}$`) };
});

/** Whether a path of this checkout is in the context of a build: the last pattern to match it or a parent decides. */
function isInContext(path: string): boolean {
  const parents = path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
  return patterns.findLast(({ matches }) => parents.some((parent) => matches.test(parent)))?.isIncluded ?? true;
}

/** Copies what the context has of a path. */
async function copyFromContext(path: string, to: string): Promise<void> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
  if (entries) for (const { name } of entries) await copyFromContext(join(path, name), join(to, name));
  else if (isInContext(path)) await cp(join(root, path), to);
}

/** The folder of each stage: what its COPY lines bring, and what a build makes in the first one. */
const stages: string[] = [];
let folder = "";
const variables: Record<string, string> = {};
let entry: string[] = [];
/** The command of its health check. */
let check: string[] = [];

/** Installed packages that the shipped program may load, as `npm prune --omit=dev` leaves them. */
async function linkProductionModules(stage: string): Promise<void> {
  const { packages } = JSON.parse(textOf("package-lock.json")) as {
    packages: Readonly<Record<string, { dev?: true; devOptional?: true; optional?: true; peer?: true }>>;
  };
  for (const [path, { dev, devOptional, optional, peer }] of Object.entries(packages)) {
    if (!/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || dev || devOptional || optional || peer) continue;
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await symlink(join(root, path), join(stage, path));
  }
}

async function build(stage: string): Promise<void> {
  await linkModules(stage);
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Readonly<Record<string, string>> };
  await execute("sh", ["-c", scripts["postprepare"] ?? ""], { cwd: stage });
  await rm(join(stage, "node_modules"));
  await linkProductionModules(stage);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "offering-sandbox-image-")));
  for (const line of linesOf("Dockerfile")) {
    const [instruction, ...words] = line.split(/\s+/);
    const stage = stages.at(-1) ?? "";
    if (instruction === "FROM") {
      stages.push(join(folder, String(stages.length)));
      await mkdir(stages.at(-1) ?? "");
    } else if (instruction === "COPY") {
      const [to = "", ...from] = words.filter((word) => !word.startsWith("--")).toReversed();
      for (const path of from) {
        const target = to.endsWith("/") ? join(stage, to, basename(path)) : join(stage, to);
        if (!words[0]?.startsWith("--from=")) await copyFromContext(path, target);
        else
          await cp(join(stages[0] ?? "", relative("/app", path)), target, { recursive: true, verbatimSymlinks: true });
      }
    } else if (instruction === "RUN" && words.includes("ci")) await build(stage);
    else if (instruction === "ENV")
      for (const word of words) variables[word.slice(0, word.indexOf("="))] = word.slice(word.indexOf("=") + 1);
    else if (instruction === "ENTRYPOINT") entry = JSON.parse(words.join(" ")) as string[];
    else if (instruction === "HEALTHCHECK") check = JSON.parse(line.slice(line.indexOf("["))) as string[];
  }
  return () => rm(folder, { recursive: true, force: true });
});

const children: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** Runs the image's program in its folder. */
function launch(args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const inheritedVariables = Object.entries(process.env).filter(
    ([name]) => name !== "PORT" && !name.startsWith("OFFERING_SANDBOX_"),
  );
  const childVariables = { ...Object.fromEntries(inheritedVariables), ...variables, ...env };
  const child = spawn(process.execPath, [...entry.slice(1), ...args], { cwd: stages.at(-1), env: childVariables });
  children.push(child);
  return child;
}

/** Lines for a sandbox with the demo, in this order. `code=3` in front of a line is its exit code, if it is not 0. */
const session = `
assumptions
questions
openapi
openapi --admin
fixture expand scratch/my.json
fixture check scratch/my.json
fixture generate --out scratch/made.json
fixture from-responses scratch/response.json
scenario list
scenario check scratch/my.yaml
scenario show closing
scenario play closing
scenario save scratch/my.yaml
scenario delete my
runs list
runs show run-1
runs stop run-1
code=1 scenario next run-1
clock show
clock advance 2d
clock undo
clock set fixture
timeline
keys list
keys issue partner --label mine
keys revoke mine
limits list
limits set b220a480-3027-480f-9d0b-48a564d4580d --used 7
limits clear
faults add --status 503 --times 1
faults list
faults remove
investments list --limit 2
investments show 5dbb81dc-3bff-4f19-a3ec-3d86612279fc
investments change 5dbb81dc-3bff-4f19-a3ec-3d86612279fc --set amount=7
scenario record scratch/mine.yaml
investments create --alias fresh
exec -- node --version
portal
requests
code=1 requests show 1
code=3 coverage
examples
reset
environments list
environments open one
environments delete one
snapshot scratch/state.json
restore scratch/state.json
code=3 replay scratch/state.json
calibrate --url https://demo.example.com/api/v1 --offering 5dbb81dc-3bff-4f19-a3ec-3d86612279fc --dry-run
help keys issue
version
completion
mcp
stop
`;

test("every command works in the image, which has only the files that its build includes", async () => {
  const stage = stages.at(-1) ?? "";
  expect(existsSync(join(stage, "src"))).toBe(false);
  await mkdir(join(stage, "scratch"));
  await writeFile(join(stage, "scratch/my.json"), JSON.stringify({ offerings: [{ alias: "one" }] }));
  await writeFile(join(stage, "scratch/my.yaml"), "steps:\n  - investment: { amount: 7 }\n");
  await writeFile(join(stage, "scratch/response.json"), JSON.stringify({ data: [] }));

  const lines = session.trim().split("\n");
  const triedLines = lines.map((line) => line.replace(/^code=\d /, ""));
  const names = commands.map(({ name }) => name).filter((name) => name !== "start");
  expect(names.filter((name) => !triedLines.some((line) => `${line} `.startsWith(`${name} `)))).toEqual([]);

  const token = "only-for-these-tests";
  const start = ["--port", "0", "--no-scenario", "--clock", "fixture", "--speed", "0", "--log-format", "json"];
  const server = launch(start, { OFFERING_SANDBOX_ADMIN_TOKEN: token });
  let url = "";
  for await (const line of createInterface(server.stdout)) {
    const { event, admin_url = "" } = JSON.parse(line) as { event: string; admin_url?: string };
    if (event === "ready") url = new URL(admin_url).origin;
    if (url !== "") break;
  }
  server.stdout.resume();
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="portal">') as string]);

  const failures: unknown[] = [];
  for (const line of lines) {
    const [code = "0", ...args] = line
      .replace(/^(?!code=)/, "code=0 ")
      .slice(5)
      .split(" ");
    const child = launch(args, { OFFERING_SANDBOX_URL: url, OFFERING_SANDBOX_ADMIN_TOKEN: token });
    const toolRequest = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    child.stdin.end(args[0] === "mcp" ? `${JSON.stringify(toolRequest)}\n` : "");
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [exitCode] = (await once(child, "close")) as [number | null];
    if (
      exitCode !== Number(code) ||
      / bug |ENOENT/.test(output) ||
      (args[0] === "mcp" && !output.includes('"getEnvironment"'))
    )
      failures.push([line, exitCode, output]);
  }
  expect(failures).toEqual([]);
});

test("the health check requests the port that a variable sets", async () => {
  for (const name of ["PORT", "OFFERING_SANDBOX_PORT"]) {
    const env = { [name]: String(await freePort()) };
    const codeOfCheck = async (): Promise<number | null> => {
      const child = spawn(process.execPath, check.slice(1), { env: { ...process.env, PORT: "", ...env } });
      const [code] = (await once(child, "close")) as [number | null];
      return code;
    };
    const server = launch(["--log-format", "json"], env);
    await once(createInterface(server.stdout), "line");
    server.stdout.resume();
    expect(await codeOfCheck()).toBe(0);
    server.kill();
    await once(server, "close");
    expect(await codeOfCheck()).toBe(1);
  }
});

test("the image and the pages name the same folder for data, in which the image's user may write", () => {
  const folders = linesOf("Dockerfile").flatMap((line) => /^RUN mkdir -m 777 (\S+)$/.exec(line)?.[1] ?? []);
  expect(folders).toEqual([expect.stringMatching(/^\//)]);
  const namedFolders = Array.from(textOf("docs/ci.md").matchAll(/(\/[\w/]+)\/[\w-]+\.json/g), ([, name]) => name);
  expect(new Set(namedFolders)).toEqual(new Set(folders));
});
