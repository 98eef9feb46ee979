import { existsSync } from "node:fs";
import { chromium as playwrightChromium, type LaunchOptions } from "@playwright/test";

const given = process.env["CHROMIUM_PATH"];

/** The browser at CHROMIUM_PATH, or else Playwright's own. */
export const chromium: { readonly isThere: boolean; readonly advice: string; readonly launchOptions: LaunchOptions } = {
  isThere: existsSync(given ?? playwrightChromium.executablePath()),
  advice: `No Chromium${given === undefined ? "" : ` at ${given}`}: run npx playwright install chromium, or name one with CHROMIUM_PATH.`,
  launchOptions: {
    ...(given === undefined ? {} : { executablePath: given }),
    // Chromium refuses to run its sandbox as root, which containers often do.
    chromiumSandbox: process.getuid?.() !== 0,
  },
};
