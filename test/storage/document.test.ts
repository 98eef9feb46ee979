import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { LocalSandbox } from "../../src/public/control.ts";
import { storedIds, newFile, startWithDatabase } from "./databases.ts";

/** Starts a sandbox with some environments in addition to the default one. */
async function startWithEnvironments(file: string, count: number): Promise<LocalSandbox> {
  const sandbox = await startWithDatabase(file);
  for (let nth = 0; nth < count; nth++) await sandbox.openEnvironment();
  return sandbox;
}

test("the file is one JSON document with a line for each environment, in the order of opening", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 10);
  for (const nth of [1, 3, 5]) await (await sandbox.environment(`environment-${nth}`)).close();
  await sandbox.openEnvironment({ id: "environment-3" });
  await sandbox.faults.add({ respond: { status: 500, body: "\u2028\uD800\r\n" } });
  const ids = (await sandbox.environments()).map(({ id }) => id);
  expect(ids.at(-1)).toBe("environment-3");
  const text = await readFile(file, "utf8");
  const { environments, ...head } = JSON.parse(text);
  expect(head).toEqual({ format: "offering-sandbox-db", version: 4 });
  expect(environments.map(({ environment }: { environment: string }) => environment)).toEqual(ids);
  expect(text.trimEnd().split("\n")).toHaveLength(ids.length + 2);
  expect(await storedIds(file)).toEqual(ids);
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
  expect((await storedIds(file)).slice(-2)).toEqual(["before", "after"]);
});

test("a document half written by a killed process does no harm", async () => {
  const file = newFile();
  const sandbox = await startWithEnvironments(file, 3);
  const ids = (await sandbox.environments()).map(({ id }) => id);
  await sandbox.close();
  const half = join(dirname(file), ".stored.json.tmp");
  await writeFile(half, (await readFile(file)).subarray(0, 500));
  const again = await startWithDatabase(file);
  expect((await again.environments()).map(({ id }) => id)).toEqual(ids);
  expect(await readdir(dirname(file))).toEqual(["stored.json", "stored.json.lock"]);
});
