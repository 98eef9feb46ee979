import { chromiumFile, missingChromium } from "../../scripts/chromium.js";

/** Finds Chromium for all tests of the portal. Without one, they are skipped; in CI they fail. */
export default function findChromium(): void {
  if (chromiumFile === undefined && process.env["CI"]) throw new Error(missingChromium);
  if (chromiumFile === undefined) process.stderr.write(`${missingChromium}\n`);
}
