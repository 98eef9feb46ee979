import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./e2e/chromium.ts";

// Reporters do not say why tests are skipped. Workers read this file too.
if (!chromium.isThere && process.env["TEST_WORKER_INDEX"] === undefined) console.warn(chromium.advice);

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.test.ts",
  outputDir: "node_modules/.cache/playwright",
  reporter: "list",
  // Far longer than a busy machine needs: the limits only end what hangs.
  timeout: 120_000,
  expect: { timeout: 60_000 },
  // One worker is enough for so few tests, and starts only one Vite.
  workers: 1,
  use: { ...devices["Desktop Chrome"], launchOptions: chromium.launchOptions, trace: "retain-on-failure" },
});
