import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { late } from "../../src/model/late.ts";

/** Lets every file fail to open with a code, after so many. */
function exhaust(code: string, after = 0): { opened: number; closed: number } {
  const { openSync, closeSync } = fs;
  const counts = { opened: 0, closed: 0 };
  fs.openSync = (...given) => {
    if (counts.opened === after) throw Object.assign(new Error(`${code}: no more`), { code });
    counts.opened++;
    return openSync(...given);
  };
  fs.closeSync = (descriptor) => {
    counts.closed++;
    closeSync(descriptor);
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
  return counts;
  function restore(): void {
    Object.assign(fs, { openSync, closeSync });
    syncBuiltinESMExports();
  }
}

test.each(["EMFILE", "ENFILE"])(
  "a module is loaded once, and not before files can be opened again after %s",
  async (code) => {
    let loads = 0;
    const load = late(async () => Promise.resolve(++loads));
    const { openSync, closeSync } = fs;
    const counts = exhaust(code, 5);
    await expect(load()).rejects.toThrow(`A part of offering-sandbox cannot be loaded: ${code}: no more. Close some`);
    expect([loads, counts]).toEqual([0, { opened: 5, closed: 5 }]);
    Object.assign(fs, { openSync, closeSync });
    syncBuiltinESMExports();
    expect([await load(), await load(), loads]).toEqual([1, 1, 1]);
  },
);

test("a module is loaded where no empty file can be opened for another reason", async () => {
  const counts = exhaust("ENOENT");
  expect(await late(async () => Promise.resolve("loaded"))()).toBe("loaded");
  expect(counts).toEqual({ opened: 0, closed: 0 });
});

test("files are left for others while a module is loaded", async () => {
  const counts = exhaust("EMFILE", 100);
  await late(async () => Promise.resolve())();
  expect(counts).toEqual({ opened: 12, closed: 12 });
});
