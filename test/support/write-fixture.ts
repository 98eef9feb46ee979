import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a fixture into a folder of its own, removed when the test is over; answers the file's path. */
export async function writeFixture(fixture: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "fixture.json");
  await writeFile(file, typeof fixture === "string" ? fixture : JSON.stringify(fixture, null, 2));
  return file;
}
