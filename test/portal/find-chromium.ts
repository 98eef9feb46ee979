import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { chromiumFile, missingChromium } from "../../scripts/chromium.js";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for files of this run. */
    portalFolder: string;
  }
}

/** Finds Chromium for all tests of the portal. Without it they are skipped, and in CI they fail. */
export default async function findChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  if (chromiumFile === undefined && process.env["CI"]) throw new Error(missingChromium);
  if (chromiumFile === undefined) process.stderr.write(`${missingChromium}\n`);
  const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-portal-"));
  provide("portalFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
