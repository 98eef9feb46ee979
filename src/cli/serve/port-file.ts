import { rename, rm, writeFile } from "node:fs/promises";
import { UnwritableFile } from "../../model/unwritable-file.ts";

/** Writes the port for others to read: whole or not at all. Throws UnwritableFile. */
export async function writePortFile(file: string, url: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, `${new URL(url).port || "80"}\n`);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UnwritableFile(file, error);
  }
}
