import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSums } from "../../coverage/sums.ts";
import { partEnding, CoverageTally } from "../../coverage/tally.ts";
import { readTextFile, unreadable } from "../../model/file.ts";
import { codeOf, Mistake } from "../../model/mistakes.ts";
import { escaped } from "../../model/text.ts";

/**
 * Adds up what processes wrote to folders; each counts once, however often it is there. Throws UnreadableFile, FileMistakes, and
 * Mistake for a folder that is none.
 */
export async function addedUp(folders: readonly string[]): Promise<CoverageTally> {
  const sum = new CoverageTally();
  const known = new Set<string>();
  for (const file of (await Promise.all(folders.map(partsIn))).flat()) {
    const sums = readSums(await readTextFile(file), file);
    if (!known.has(sums.part)) sum.add(CoverageTally.of(sums));
    known.add(sums.part);
  }
  return sum;
}

async function partsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(partEnding)).map((name) => join(folder, name));
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw unreadable(folder, error);
    throw new Mistake(
      `${escaped(folder)} is no folder; expected one that exec --coverage-dir or coverageDir wrote to.`,
    );
  }
}
