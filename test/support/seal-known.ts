import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { expandFixture } from "../../src/fixture/tools.ts";

declare module "vitest" {
  interface ProvidedContext {
    knownFixture: string;
  }
}

/** Completes and seals the known fixture once for all tests, so that no sandbox has to. */
export default async function sealKnown({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-known-"));
  const file = join(folder, "known.json");
  const source = fileURLToPath(new URL("known.json", import.meta.url));
  await writeFile(file, await expandFixture(source));
  provide("knownFixture", file);
  return () => rm(folder, { recursive: true });
}
