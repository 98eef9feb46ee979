import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { DatabaseError, FileWriteError } from "../../src/index.ts";
import { FileLock, newLockText } from "../../src/storage/file-lock.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { deadPid, newFile, startWithDatabase } from "./databases.ts";

/** A lock waits for another process to write its text. Here it does not wait. */
beforeEach(() => void vi.spyOn(Atomics, "wait").mockReturnValue("timed-out"));

/** Mocks `process.kill`: a lock signals a process to learn whether it runs. */
function onSignal(response: () => true) {
  return vi.spyOn(process, "kill").mockImplementation(response);
}

const stale: Readonly<Record<string, () => string>> = {
  "of a process that is gone": () => newLockText(deadPid),
  "whose pid belongs to another process now": () => newLockText(process.pid, "12"),
  "of a process without a start time that is gone": () => newLockText(deadPid, "unknown"),
  "that was never written to the end": () => "",
  "that a power cut left as zeros": () => "\0".repeat(80),
};

test.each(Object.entries(stale))("a lock %s does not prevent a start", async (_, lock) => {
  const file = newFile();
  await writeFile(`${file}.lock`, lock());
  const sandbox = await startWithDatabase(file);
  await sandbox.close();
  expect(await readdir(join(file, ".."))).toEqual(["stored.json"]);
});

test("locks left by killed processes during a takeover do not prevent a start", async () => {
  const file = newFile();
  const lock = newLockText(deadPid);
  for (const name of [".lock", ".lock.lock", ".lock.lock.lock"]) await writeFile(file + name, lock);
  await startWithDatabase(file);
  expect((await readdir(join(file, ".."))).toSorted()).toEqual(["stored.json", "stored.json.lock"]);
});

test.each([
  ["this process", () => newLockText()],
  ["this process, without a start time", () => newLockText(process.pid, "unknown")],
  ["another process", () => newLockText(process.ppid)],
])("a lock of %s is respected while it runs, and named in the refusal", async (_, lock) => {
  const file = newFile();
  const text = lock();
  await writeFile(`${file}.lock`, text);
  const pid = text.split(" ")[1];
  expect(() => new FileLock(file)).toThrow(
    expect.objectContaining({
      name: "DatabaseError",
      message: expect.stringMatching(
        `^${file} is in use by process ${pid}\\. .*stop that process, or use another file`,
      ),
    }),
  );
  expect(await readFile(`${file}.lock`, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toEqual(["stored.json.lock"]);
});

test.each([
  ["ESRCH", true],
  ["EPERM", false],
])("if a signal to a lock's process fails with %s, the lock is free: %s", async (code, free) => {
  const file = newFile();
  await writeFile(`${file}.lock`, newLockText(deadPid, "unknown"));
  onSignal(() => {
    throw Object.assign(new Error(code), { code });
  });
  if (free) new FileLock(file).release();
  else expect(() => new FileLock(file)).toThrow("is in use by process");
  expect(await readdir(dirname(file))).toEqual(free ? [] : ["stored.json.lock"]);
});

test.runIf(existsSync("/proc/self/stat"))(
  "a lock is free once its process ended, even before its parent noticed",
  async () => {
    const file = newFile();
    const child = execFile("cat");
    writeFileSync(`${file}.lock`, newLockText(child.pid));
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    // Node notices the end in a later turn.
    while (!/\) Z /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")));
    new FileLock(file).release();
    expect(existsSync(`${file}.lock`)).toBe(false);
    await exit;
  },
);

test("a process that finds a stale lock does not take it from a quicker one", () => {
  const file = newFile();
  const lock = `${file}.lock`;
  writeFileSync(lock, newLockText(deadPid, "unknown"));
  let quicker: FileLock | undefined;
  const signal = onSignal(() => {
    signal.mockRestore();
    quicker = new FileLock(file);
    return false as true;
  });
  expect(() => new FileLock(file)).toThrow(`${file} is in use by process ${process.pid}`);
  quicker?.hold();
  quicker?.release();
  expect(existsSync(lock)).toBe(false);
});

test("a process that finds a stale lock takes it even if another took and released it meanwhile", async () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, newLockText(deadPid, "unknown"));
  const signal = onSignal(() => {
    signal.mockRestore();
    new FileLock(file).release();
    return false as true;
  });
  const slower = new FileLock(file);
  expect(await readdir(dirname(file))).toEqual(["stored.json.lock"]);
  slower.release();
});

test("a lock whose process is about to write its text is respected", () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, "");
  const text = newLockText(process.ppid);
  vi.spyOn(Atomics, "wait").mockImplementation(() => {
    writeFileSync(`${file}.lock`, text);
    return "timed-out";
  });
  expect(() => new FileLock(file)).toThrow(`is in use by process ${process.ppid}`);
  expect(readFileSync(`${file}.lock`, "utf8")).toBe(text);
});

test("hold writes a deleted lock again, and fails if another process owns it", () => {
  const file = newFile();
  const lock = `${file}.lock`;
  const fileLock = new FileLock(file);
  const text = readFileSync(lock, "utf8");
  rmSync(lock);
  fileLock.hold();
  expect(readFileSync(lock, "utf8")).toBe(text);
  fileLock.hold();
  writeFileSync(lock, newLockText());
  expect(() => fileLock.hold()).toThrow("another process has taken its lock");
  fileLock.release();
  expect(existsSync(lock)).toBe(true);
});

test.each([
  "# yarn lockfile v1\n",
  " offering-sandbox 1 1 x\n",
  "offering-sandbox one 1 x\n",
  "offering-sandbox 1\n",
  " ",
])("a foreign file at the lock's path is left alone: %j", async (text) => {
  const file = newFile();
  await writeFile(`${file}.lock`, text);
  expect(() => new FileLock(file)).toThrow(DatabaseError);
  expect(() => new FileLock(file)).toThrow(
    `${file}.lock is in the place of the lock file, but offering-sandbox did not write it. The file is unchanged`,
  );
  expect(await readFile(`${file}.lock`, "utf8")).toBe(text);
  expect(await readdir(dirname(file))).toEqual(["stored.json.lock"]);
});

test("a folder at the lock's path, or a missing parent folder, is reported", async () => {
  const file = newFile();
  mkdirSync(`${file}.lock`);
  expect(() => new FileLock(file)).toThrow(FileWriteError);
  expect(() => new FileLock(file)).toThrow(`${file}.lock cannot be written: EISDIR`);
  expect(() => new FileLock(join(file, "none"))).toThrow(
    `${join(file, "none.lock")} cannot be written: its folder does not exist.`,
  );
  expect(await readdir(dirname(file))).toEqual(["stored.json.lock"]);
});

test("a second sandbox on the file is refused by any path in the same process, and the first continues", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  await expect(startWithDatabase(file)).rejects.toThrow(DatabaseError);
  const link = join(temporaryFolder(), "link.json");
  await symlink(file, link);
  await expect(startWithDatabase(link)).rejects.toThrow(`${file} is in use by process ${process.pid}`);
  await sandbox.clock.advance("1d");
  await sandbox.close();
  await (await startWithDatabase(link)).close();
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("a sandbox that lost its lock to another process writes nothing", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  await writeFile(`${file}.lock`, newLockText());
  const text = await readFile(file, "utf8");
  await expect(sandbox.clock.advance("1d")).rejects.toThrow("another process has taken its lock");
  expect(await readFile(file, "utf8")).toBe(text);
  await expect(sandbox.close()).rejects.toThrow("another process has taken its lock");
  expect(existsSync(`${file}.lock`)).toBe(true);
});
