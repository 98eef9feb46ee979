/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs. */
import { fileURLToPath } from "node:url";
import { test as playwrightTest, type Page } from "@playwright/test";
import { connectSandbox, type Environment, type Sandbox } from "offering-sandbox";
import { createServer } from "vite";

/** What to connect the page with, if not a Marketing key of the test's own environment. */
export interface Choice {
  readonly key?: string | undefined;
  readonly offeringId?: string | undefined;
  /** The text after the page's address. */
  readonly hash?: string | undefined;
}

interface TestFixtures {
  /** A private environment: keys, clock, faults and limits of its own. */
  sandbox: Environment;
  /** The page, connected to the environment. */
  connected: (choice?: Choice) => Promise<Page>;
}

interface WorkerFixtures {
  /** The sandbox that `offering-sandbox exec` has started. */
  server: Sandbox;
  pageUrl: string;
}

export const test = playwrightTest.extend<TestFixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await connectSandbox(process.env["OFFERING_SANDBOX_URL"] ?? "");
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  pageUrl: [
    async ({}, use) => {
      const root = fileURLToPath(new URL("..", import.meta.url));
      const vite = await createServer({ root, server: { port: 0 }, logLevel: "warn" });
      await vite.listen();
      await use(vite.resolvedUrls?.local[0] ?? "");
      await vite.close();
    },
    { scope: "worker" },
  ],
  sandbox: async ({ server }, use) => {
    const sandbox = await server.openEnvironment();
    await use(sandbox);
    await sandbox.close();
  },
  connected: async ({ page, pageUrl, sandbox }, use) => {
    await use(async ({ key = sandbox.keys.marketing, offeringId = sandbox.offering.id, hash = "" } = {}) => {
      await page.goto(pageUrl + hash);
      await page.getByRole("button", { name: "Other" }).click();
      await page.getByLabel("Base address").fill(sandbox.baseUrl);
      await page.getByLabel("Offering").fill(offeringId ?? "");
      await page.getByLabel("Key", { exact: true }).fill(key ?? "");
      await page.getByRole("button", { name: "Connect" }).click();
      return page;
    });
  },
});
