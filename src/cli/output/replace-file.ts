import { realpath, rename, rm, writeFile } from "node:fs/promises";
import { UnwritableFile } from "../../model/mistakes.ts";

/** Writes a file whole or not at all. Follows a link to its target. Throws UnwritableFile. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const path = await realpath(file).catch(() => file);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    // Where none could be written, none can be removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new UnwritableFile(file, error);
  }
}
