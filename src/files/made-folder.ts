import { mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, UnwritableFile } from "../mistakes/mistakes.ts";

/** Makes a folder and those above it. Node's `recursive` never ends on a system that refuses a folder with ENOENT. */
export async function makeFolder(folder: string): Promise<void> {
  const make = async (): Promise<string | undefined> => mkdir(folder).then(() => undefined, codeOf);
  if ((await make()) !== "ENOENT" || dirname(folder) === folder) return;
  await makeFolder(dirname(folder));
  await make();
}

/** Makes a folder for files to come. Throws UnwritableFile if none could be written there. */
export async function makeWritableFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  try {
    // Only an attempt shows whether files can be written: permissions say nothing about a read-only volume.
    await rmdir(await mkdtemp(join(folder, ".writable-")));
  } catch (error) {
    throw new UnwritableFile(folder, error);
  }
}
