import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { complete } from "../support/complete.ts";
import { printFixture } from "../../src/fixture/printed-fixture.ts";
import { distFiles, packagesIn } from "./dist.ts";

const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** yargs with all its imports. */
const commandLine = join("dist", "packages", "yargs.js");

/** A loader that prints the address of each imported module. */
const printImports = `export async function load(url, context, next) {
  process._rawDebug("imports " + url);
  return next(url, context);
}`;

/** Registers the loader, and prints at the end the path of each required module. */
const printLoads = `import { createRequire, register } from "node:module";
register("${asModule(printImports)}");
const required = createRequire(process.execPath).cache;
process.on("exit", () => Object.keys(required).forEach((path) => process._rawDebug("requires " + path)));`;

function generateFixture(): string {
  const fixture = complete({ offerings: [{ generate: { investments: 20 } }] }, { name: "mine" });
  return [...printFixture(fixture, "investment")].join("");
}

describe.each([
  ["a shipped fixture", "demo", "{}"],
  ["a generated fixture", "mine.json", generateFixture()],
])("starting with %s", (_what, fixture, expectedModules) => {
  let [imported, required]: [string[], string[]] = [[], []];

  /** Starts a sandbox from the command line, and lists the modules loaded until it is ready. */
  beforeAll(async () => {
    const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));
    const args = ["--import", asModule(printLoads), bin, "--port", "0", "--fixture", fixture];
    const cwd = await mkdtemp(join(tmpdir(), "offering-sandbox-start-"));
    await writeFile(join(cwd, "mine.json"), expectedModules);
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let loads = "";
    child.stderr.on("data", (chunk: Buffer) => (loads += chunk.toString()));
    child.stdout.once("data", () => child.kill());
    await once(child, "close");
    imported = Array.from(loads.matchAll(/^imports (.*)$/gm), ([, url = ""]) =>
      url.startsWith("file:") ? fileURLToPath(url) : url,
    );
    required = Array.from(loads.matchAll(/^requires (.*)$/gm), ([, path = ""]) => path);
    return () => rm(cwd, { recursive: true });
  });

  test("loads at most seven files of dist/, not the plugin of Vite, and no bundled package but yargs", () => {
    const ownFiles = imported.filter((path) => distFiles.includes(path));
    expect(ownFiles.length).toBeGreaterThan(0);
    expect(ownFiles.length).toBeLessThanOrEqual(7);
    expect(ownFiles.filter((path) => !path.endsWith(commandLine)).flatMap(packagesIn)).toEqual([]);
    expect(ownFiles.filter((path) => path.endsWith(join("dist", "vite.js")))).toEqual([]);
  });

  test("loads no bundled package from node_modules", () => {
    const bundled = /\/node_modules\/(?:@faker-js\/faker|cross-spawn|jsonc-parser|yaml|yargs|zod)\//;
    expect([...imported, ...required].filter((path) => bundled.test(path))).toEqual([]);
  });

  test("loads modules that are slow to import by require", () => {
    const slowModules = /^node:http$|\/node_modules\/express(?:-rate-limit)?\//;
    expect(required.some((path) => slowModules.test(path))).toBe(true);
    expect(imported.filter((path) => slowModules.test(path))).toEqual([]);
  });
});
