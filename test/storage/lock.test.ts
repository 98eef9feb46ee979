import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UnusableDatabase } from "../../src/index.ts";
import { FileLock, newLockText } from "../../src/storage/file-lock.ts";
import { launch, runProcess, start, temporaryFolder } from "../cli/cli.ts";
import { newFile, startKept } from "./kept.ts";

/** Returns the pid of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

const stale: Readonly<Record<string, () => string>> = {
  "of a process that is gone": () => newLockText(deadPid()),
  "whose pid belongs to another process now": () => newLockText(process.pid, "12"),
  "of a process without a start time that is gone": () => newLockText(deadPid(), "unknown"),
  "that was never written to the end": () => "",
  "that a power cut left as zeros": () => "\0".repeat(80),
};

test.each(Object.entries(stale))("a lock %s is not in the way", async (_, lock) => {
  const file = newFile();
  await writeFile(`${file}.lock`, lock());
  const sandbox = await startKept(file);
  await sandbox.close();
  expect(await readdir(join(file, ".."))).toEqual(["kept.json"]);
});

test("a lock is not in the way when those who were taking it over were killed too", async () => {
  const file = newFile();
  const lock = newLockText(deadPid());
  for (const name of [".lock", ".lock.lock", ".lock.lock.lock"]) await writeFile(file + name, lock);
  await startKept(file);
  expect((await readdir(join(file, ".."))).toSorted()).toEqual(["kept.json", "kept.json.lock"]);
});

test("a lock without a start time is respected while its process runs", async () => {
  const file = newFile();
  const text = newLockText(process.pid, "unknown");
  await writeFile(`${file}.lock`, text);
  expect(() => new FileLock(file)).toThrow(`${file} is in use by process ${process.pid}.`);
  expect(await readFile(`${file}.lock`, "utf8")).toBe(text);
});

test("a file of somebody else in the lock's place is left alone", async () => {
  const file = newFile();
  await writeFile(`${file}.lock`, "# yarn lockfile v1\n");
  await expect(startKept(file)).rejects.toThrow(`${file}.lock is where a lock has to be`);
  expect(await readFile(`${file}.lock`, "utf8")).toBe("# yarn lockfile v1\n");
});

test("a second sandbox of the same process is refused, by whichever path, and the first works on", async () => {
  const file = newFile();
  const sandbox = await startKept(file);
  await expect(startKept(file)).rejects.toThrow(UnusableDatabase);
  const link = join(temporaryFolder(), "link.json");
  await symlink(file, link);
  await expect(startKept(link)).rejects.toThrow(`${file} is in use by process ${process.pid}`);
  await sandbox.clock.advance("1d");
  await sandbox.close();
  await (await startKept(link)).close();
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("a second process is refused, with exit code 1", async () => {
  const file = newFile();
  const first = await start(["--db", file]);
  const { code, stderr } = await runProcess(["--port", "0", "--db", file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(`${file} is in use by process ${first.child.pid}.`);
  expect(await first.stop()).toBe(0);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("of several processes that find a stale lock at once, one starts", { timeout: 60_000 }, async () => {
  const file = newFile();
  await writeFile(`${file}.lock`, newLockText(deadPid()));
  const starters = Array.from({ length: 6 }, () => launch(["--port", "0", "--db", file, "--log-format", "json"]));
  const outcomes = await Promise.all(
    starters.map((starter) =>
      starter.event("ready").then(
        () => "ready",
        () => "refused",
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "ready")).toHaveLength(1);
});

test("many takers in one process exclude each other", async () => {
  const file = newFile();
  await writeFile(`${file}.lock`, newLockText(deadPid()));
  const taken = await Promise.allSettled(Array.from({ length: 50 }, async () => new FileLock(file)));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a sandbox whose lock was taken by another writes nothing any more", async () => {
  const file = newFile();
  const sandbox = await startKept(file);
  await writeFile(`${file}.lock`, newLockText());
  const text = await readFile(file, "utf8");
  await expect(sandbox.clock.advance("1d")).rejects.toThrow("another process has taken its lock");
  expect(await readFile(file, "utf8")).toBe(text);
  await expect(sandbox.close()).rejects.toThrow("another process has taken its lock");
  expect(existsSync(`${file}.lock`)).toBe(true);
});
