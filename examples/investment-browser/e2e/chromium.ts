import { existsSync } from "node:fs";
import { chromium as playwrightChromium, type LaunchOptions } from "@playwright/test";

const configuredPath = process.env["CHROMIUM_PATH"];

/** The browser at CHROMIUM_PATH, or else Playwright's own. */
export const chromium: { readonly isThere: boolean; readonly advice: string; readonly launchOptions: LaunchOptions } = {
  isThere: existsSync(configuredPath ?? playwrightChromium.executablePath()),
  advice: `No Chromium${configuredPath === undefined ? "" : ` at ${configuredPath}`}: run npx playwright install chromium, or name one with CHROMIUM_PATH.`,
  launchOptions: {
    ...(configuredPath === undefined ? {} : { executablePath: configuredPath }),
    // Chromium refuses to run its sandbox as root, which containers often do.
    chromiumSandbox: process.getuid?.() !== 0,
  },
};
