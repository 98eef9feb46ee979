import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { LocalSandbox } from "../../src/control.ts";
import { startSandbox, UnusableDatabase } from "../../src/index.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { knownFixture } from "../support/sandbox.ts";
import { keptIds, newFile, restart, startWithDatabase, stateOf } from "./databases.ts";

/** Starts a sandbox with some environments, whose file is a document without changes after it. */
async function startWithEnvironments(file: string, count: number): Promise<LocalSandbox> {
  const sandbox = await startWithDatabase(file);
  for (let nth = 0; nth < count; nth++) await sandbox.openEnvironment();
  return restart(sandbox, file);
}

/** Returns a file while it is used: the document, and the lines of the commands after it. */
async function readUsed(file: string): Promise<{ readonly document: string; readonly lines: string[] }> {
  const text = await readFile(file, "utf8");
  const end = text.indexOf("\n]}\n") + 4;
  return { document: text.slice(0, end), lines: text.slice(end).split(/(?<=\n)/) };
}

test("the bytes that a command writes do not grow with the number of environments", async () => {
  const written: number[] = [];
  for (const count of [10, 100]) {
    const file = newFile();
    const sandbox = await startWithEnvironments(file, count);
    const before = await stat(file);
    const environment = await sandbox.environment("environment-5");
    await environment.clock.set({ now: "2026-07-08T09:10:11.000Z" });
    await environment.keys.issue({ type: "partner", offering_id: "aurora" });
    await sandbox.openEnvironment({ id: "another" });
    await environment.close();
    const after = await stat(file);
    expect(after.ino).toBe(before.ino);
    written.push(after.size - before.size);
  }
  const [few = 0, many = 0] = written;
  // A checksum has up to ten digits.
  expect(Math.abs(many - few)).toBeLessThan(40);
});

test("a file grows to twice its document, then it is written anew; closing leaves one document", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 3);
  const documents = new Set<string>();
  for (let nth = 0; nth < 40; nth++) {
    await sandbox.keys.issue({ type: "partner", offering_id: "aurora" });
    const { document, lines } = await readUsed(file);
    documents.add(document);
    expect(lines.join("").length).toBeLessThanOrEqual(document.length);
  }
  expect(documents.size).toBeGreaterThan(3);
  expect(documents.size).toBeLessThan(40);
  await sandbox.openEnvironment({ id: "last" });
  const before = await stateOf(sandbox);
  await sandbox.close();
  const document = JSON.parse(await readFile(file, "utf8"));
  expect(document).toMatchObject({ format: "offering-sandbox-db", version: 3 });
  const ids = ["default", "environment-1", "environment-2", "environment-3", "last"];
  expect(document.environments.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(await stateOf(await startWithDatabase(file))).toEqual(before);
});

test("a file in use and its copy keep every environment, in the order of opening", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 10);
  for (const nth of [1, 3, 5]) await (await sandbox.environment(`environment-${nth}`)).close();
  await sandbox.openEnvironment({ id: "environment-3" });
  await sandbox.faults.add({ respond: { status: 500, body: "\u2028\uD800\r\n" } });
  const { lines } = await readUsed(file);
  expect(lines).toHaveLength(5);
  const ids = (await sandbox.environments()).map(({ id }) => id);
  expect(ids.at(-1)).toBe("environment-3");
  expect(await keptIds(file)).toEqual(ids);
});

test("of a file that was cut off anywhere, every whole line is kept", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 10);
  const opened = ["a", "b", "c"];
  for (const id of opened) await sandbox.openEnvironment({ id, label: "für uns" });
  const { document, lines } = await readUsed(file);
  let end = Buffer.byteLength(document);
  for (const [nth, line] of lines.entries()) {
    const bytes = Buffer.from(line);
    // The third cut goes through a letter of two bytes.
    for (const cut of [1, 13, bytes.indexOf("ü") + 1, bytes.length - 2]) {
      const copy = newFile();
      await copyFile(file, copy);
      await truncate(copy, end + cut);
      const again = await startWithDatabase(copy);
      const whole = opened.slice(0, nth);
      expect((await again.environments()).slice(11).map(({ id }) => id)).toEqual(whole);
      await again.openEnvironment({ id: "next" });
      expect((await keptIds(copy)).slice(11)).toEqual([...whole, "next"]);
      await again.close();
    }
    end += bytes.length;
  }
  // A power cut leaves zeros, an editor may take the last line's end.
  await truncate(file, end + 5000);
  expect((await keptIds(file)).slice(11)).toEqual(opened);
  await truncate(file, end - 1);
  expect((await keptIds(file)).slice(11)).toEqual(opened);
});

test("a start over a file whose last line was cut off warns of it, the next does not", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 3);
  await sandbox.openEnvironment({ id: "a" });
  const copy = newFile();
  await copyFile(file, copy);
  await truncate(copy, (await stat(copy)).size - 5);
  const warnings = [];
  for (let nth = 0; nth < 2; nth++) {
    const running = await startRunning({ fixture: knownFixture, db: copy });
    warnings.push(running.warnings);
    await running.sandbox.close();
  }
  expect(warnings).toEqual([[expect.stringContaining(`${copy} was cut off, and is left out`)], []]);
});

test.each<[string, (lines: string[]) => string]>([
  ["another letter", (lines) => lines.join("").replace(`"dropped":"`, `"dropped":"x`)],
  ["a line that is missing", (lines) => lines.slice(1).join("")],
  ["a line twice", ([first = "", ...others]) => [first, first, ...others].join("")],
  ["lines in another order", (lines) => lines.toReversed().join("")],
  ["a line without a checksum", (lines) => `${lines.join("")}{"dropped":"environment-7"}\n`],
  ["an end of another kind", (lines) => `${lines.join("")}and more`],
  ["zeros between lines", (lines) => lines.join(`${"\0".repeat(50)}\n`)],
])("a file with %s after its document is refused and left unchanged", async (_, damage) => {
  const used = newFile();
  const sandbox = await startWithEnvironments(used, 10);
  for (const nth of [2, 4]) await (await sandbox.environment(`environment-${nth}`)).close();
  const { document, lines } = await readUsed(used);
  const file = newFile();
  const text = document + damage(lines);
  await writeFile(file, text);
  const start = startSandbox({ fixture: knownFixture, db: file });
  await expect(start).rejects.toThrow(UnusableDatabase);
  await expect(start).rejects.toThrow(`${file} is damaged, or was edited by hand. It is left as it is`);
  expect(await readFile(file, "utf8")).toBe(text);
});

test.each<[string, (file: string) => Promise<unknown>]>([
  ["deleted", (file) => rm(file)],
  ["replaced by a copy", async (file) => copyFile(file, `${file}.copy`).then(() => rename(`${file}.copy`, file))],
  ["cut off", (file) => truncate(file, 100)],
  ["written over", (file) => writeFile(file, "another text")],
])("a file that was %s while it is used is written anew by the next command", async (_, change) => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 10);
  await sandbox.openEnvironment({ id: "before" });
  await change(file);
  await sandbox.openEnvironment({ id: "after" });
  expect((await readUsed(file)).lines).toEqual([""]);
  expect((await keptIds(file)).slice(-2)).toEqual(["before", "after"]);
});

test("a document half written by a killed process is no obstacle", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 3);
  const ids = (await sandbox.environments()).map(({ id }) => id);
  await sandbox.close();
  const half = join(dirname(file), ".kept.json.tmp");
  await writeFile(half, (await readFile(file)).subarray(0, 500));
  const again = await startWithDatabase(file);
  expect((await again.environments()).map(({ id }) => id)).toEqual(ids);
  expect(await readdir(dirname(file))).toEqual(["kept.json", "kept.json.lock"]);
});
