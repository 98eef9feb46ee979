import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chromiumFile, missingChromium } from "../../scripts/chromium.js";
import { execute, packedProject } from "../support/packed.ts";

let project = "";

beforeAll(async () => {
  project = await packedProject(["@playwright/test"]);
  return () => rm(project, { recursive: true, force: true });
});

const spec = `
import { expect, test } from "offering-sandbox/playwright";

const read = (page) => page.evaluate(() => new Date().toISOString());

test.describe("moved", () => {
  test.use({ sandboxSyncsPageClock: true });

  test("pages show the time of the sandbox, from before it and from after it", async ({ sandbox, page }) => {
    expect(await read(page)).toBe("2026-01-15T12:00:00.000Z");
    await sandbox.play("closing");
    const { now } = await sandbox.clock.next();
    expect(await read(page)).toBe(now);
    await sandbox.clock.advance("2d");
    const popup = await page.context().newPage();
    expect(await read(popup)).toBe((await sandbox.clock.get()).now);
    await sandbox.clock.previous();
    expect(await read(popup)).toBe((await sandbox.clock.get()).now);
    await sandbox.reset();
    expect([await read(page), await read(popup)]).toEqual(["2026-01-15T12:00:00.000Z", "2026-01-15T12:00:00.000Z"]);
    await sandbox.clock.set({ now: "2026-03-01", speed: 1 });
    expect(await read(page)).toMatch(/^2026-03-01T/);
  });

  test("a test without a page needs no browser", async ({ sandbox }) => {
    await sandbox.clock.advance("1d");
  });
});

test("by default, pages show their own time", async ({ sandbox, page }) => {
  await sandbox.clock.set("2030-01-01");
  expect(Math.abs(Date.parse(await read(page)) - Date.now())).toBeLessThan(600_000);
});
`;

test("Playwright's pages follow the clock of their test's sandbox", async ({ skip }) => {
  skip(chromiumFile === undefined, missingChromium);
  const use = { launchOptions: { executablePath: chromiumFile, args: ["--no-sandbox"] } };
  await writeFile(join(project, "playwright.config.mjs"), `export default ${JSON.stringify({ use, workers: 1 })};`);
  await writeFile(join(project, "moved.spec.mjs"), spec);
  const bin = join(project, "node_modules", ".bin", "playwright");
  const { stdout } = await execute(process.execPath, [bin, "test", "--timeout=120000", "--reporter=line"], {
    cwd: project,
  });
  expect(stdout).toContain("3 passed");
});
