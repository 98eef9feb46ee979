// Finds a Chromium and starts it, for the tests of the portal and its pictures.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const { CHROMIUM_PATH, PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH } = process.env;
const namedFile = CHROMIUM_PATH ?? PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH;

/** The places where a Chromium may be: only that of the variable, if it is set. */
const candidates =
  namedFile === undefined
    ? [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        chromium.executablePath(),
      ]
    : [namedFile];

/** The file of a Chromium; undefined if there is none. */
export const chromiumFile = candidates.find((file) => existsSync(file));

export const missingChromium = "There is no Chromium: npx playwright install chromium, or name one in CHROMIUM_PATH.";

/** Starts a Chromium without background connections; `hasScrollbars` leaves those that take room. */
export function launchChromium({ hasScrollbars = false } = {}) {
  if (chromiumFile === undefined) throw new Error(missingChromium);
  const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"].map((name) => `--disable-${name}`);
  // Chromium's own sandbox needs rights that are missing in a container.
  const args = [...quiet, "--no-sandbox", "--no-first-run"];
  const ignoreDefaultArgs = hasScrollbars ? ["--hide-scrollbars"] : [];
  return chromium.launch({ executablePath: chromiumFile, args, ignoreDefaultArgs });
}
