import { chromium } from "@playwright/test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The file of a Chromium; null where there is none. */
    chromium: string | null;
    /** A folder for the files of a run. */
    portalFolder: string;
  }
}

const { CHROMIUM_PATH, PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH, CI } = process.env;
const named = CHROMIUM_PATH ?? PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH;

/** Where a Chromium may be: where a variable says, and nowhere else. */
const places =
  named === undefined
    ? [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        chromium.executablePath(),
      ]
    : [named];

export const missing =
  "The tests of the portal need Chromium: npx playwright install chromium, or name one in CHROMIUM_PATH.";

/** Finds the browser for all tests of the portal. Without one they are skipped, and in CI they fail. */
export default async function findChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  const found = places.find((place) => existsSync(place)) ?? null;
  if (found === null && CI) throw new Error(missing);
  if (found === null) process.stderr.write(`${missing}\n`);
  const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-portal-"));
  provide("chromium", found);
  provide("portalFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
