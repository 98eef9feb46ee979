import { mkdtemp, rm, writeFile as write } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a fixture into a new folder, which is removed after the test; returns the path of the file. */
export function writeFixture(fixture: unknown): Promise<string> {
  return writeFile("fixture.json", typeof fixture === "string" ? fixture : JSON.stringify(fixture, null, 2));
}

/** Writes a file into a new folder, which is removed after the test; returns its path. */
export async function writeFile(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await write(file, text);
  return file;
}
