import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { UnwritableFile } from "../../model/mistakes.ts";

/** Writes a file whole or not at all; a device or a pipe, such as `/dev/stdout`, as it is. Follows a link. Throws UnwritableFile. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const isKept = found !== undefined && !found.isFile();
  const path = await realpath(file).catch(() => file);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    if (found?.isDirectory()) throw new Error("it is a folder");
    await writeFile(isKept ? file : draft, text);
    if (!isKept) await rename(draft, path);
  } catch (error) {
    // Where none could be written, none can be removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new UnwritableFile(file, error);
  }
}
