import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { execute, installedIn, packedProject, root } from "../support/packed.ts";

/** An old name and the new one. */
type Row = readonly [old: string, now: string];

let project = "";
let rows: readonly Row[] = [];

beforeAll(async () => {
  const page = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const section = page.slice(page.indexOf("\n## 2.0.0"), page.indexOf("\n## 1.1.0"));
  rows = Array.from(section.matchAll(/^\|[^|]+\| `([^`]+)` \| `([^`]+)` \|$/gm), ([, old = "", now = ""]) => [
    old,
    now,
  ]);
  project = await packedProject(["@types/node"]);
  await cp(join(root, "test/package/upgrade"), project, { recursive: true });
  return () => rm(project, { recursive: true, force: true });
});

/**
 * Renames as a person does who has only the table: a member after a dot or as a key, anything else wherever it stands.
 */
function upgrade(text: string, [oldName, newName]: Row): string {
  const [, member, call] = /^[A-Z]\w+\.(\w+)(\(\))?$/.exec(oldName) ?? [];
  if (member) {
    const usePattern = new RegExp(`(?<=[.{,] ?)${member}${call ? "(?=\\()" : "(?![\\w(])"}`, "g");
    return text.replaceAll(usePattern, newName.replace(/^\w+\./, "").replace("()", ""));
  }
  const [from = "", to = ""] = [oldName, newName].map((name) => name.split("{id}").at(-1));
  return text.replaceAll(new RegExp(`(?<![\\w-])${from}(?![\\w-])`, "g"), to);
}

/** Runs Node in the project; returns what it prints, even if it fails. */
async function run(...args: readonly string[]): Promise<string> {
  const result = await execute(process.execPath, args, { cwd: project }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return result.stdout + result.stderr;
}

const tsc = join(root, "node_modules/typescript/bin/tsc");

test("a project that uses the old names runs after only the changes in the changelog's table", async () => {
  expect(await run(tsc, "-p", ".")).toContain("error TS");
  for (const file of ["use.mjs", "commands.txt", "offering-sandbox.config.json"]) {
    const oldText = await readFile(join(project, file), "utf8");
    await writeFile(join(project, file), rows.reduce(upgrade, oldText));
  }
  expect(await run(tsc, "-p", ".")).toBe("");
  const bin = join(installedIn(project), "bin/offering-sandbox.js");
  for (const command of (await readFile(join(project, "commands.txt"), "utf8")).trim().split("\n")) {
    const { stderr } = await execute(process.execPath, [bin, ...command.split(" ")], { cwd: project });
    expect(stderr).not.toMatch(/error/i);
  }
  expect(await readdir(project)).toContain("fixture.json");
});

test("the package has all new names of the changelog's table, and no old name", async () => {
  const bin = join(installedIn(project), "bin/offering-sandbox.js");
  const pages = await Promise.all([
    readFile(join(root, "test/package/public-types.txt"), "utf8"),
    readFile(join(root, "schema/openapi-admin.json"), "utf8"),
    readFile(join(root, "docs/snapshots.md"), "utf8"),
    ...["start", "calibrate", "fixture", "environments"].map((command) => run(bin, command, "--help")),
  ]);
  const text = pages.join("\n");
  const isNamed = (name: string): boolean =>
    new RegExp(`(?<![\\w-])${name.replaceAll(/[{}()]/g, "\\$&")}(?![\\w-])`).test(text);
  const bareName = (name: string): string => name.replace(/^[A-Z]\w+\./, "").replace("()", "");
  expect(rows.filter(([, now]) => !isNamed(bareName(now)))).toEqual([]);
  // A member's old name may be a member of other types.
  expect(rows.filter(([old]) => !/^[A-Z]\w+\./.test(old) && isNamed(old))).toEqual([]);
});
