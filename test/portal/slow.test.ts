import type { BrowserContext } from "@playwright/test";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { lastMessage, openPortal } from "./portal.ts";

const stepHours = { steps: Array.from({ length: 40 }, (_, step) => ({ after: "1h", event: `STEP${step} DONE` })) };

/** Adds the latency of a far network to each request. */
async function delay(context: BrowserContext, milliseconds: number): Promise<void> {
  await context.route(/__admin/, async (route) => {
    await new Promise((doneRow) => setTimeout(doneRow, milliseconds));
    await route.continue();
  });
}

test("with 300 ms of latency, the page shows its own step at once, with few requests", async () => {
  const { page, sandbox, context, go } = await openPortal({ sandbox: { scenarios: [] } });
  const { investment_ids } = await sandbox.play(stepHours, { investment_id: "unpaid" });
  await go(`#/default/investments/${investment_ids[0]}`);
  await page.getByRole("button", { name: /^Next change of #/ }).waitFor();
  await page.getByText("Step0 done", { exact: true }).waitFor();
  await delay(context, 300);
  const done = page.locator(".past", { hasText: "Step1 done" });
  let requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const pulses = (): number => requested.filter((url) => url.includes("/pulse")).length;
  await page.keyboard.press(".");
  await page.locator(".past", { hasText: "Step0 done" }).waitFor();
  await until(() => pulses() > 3);
  // The next step comes while the responses to the first could still rest.
  requested = [];
  const begin = performance.now();
  await page.keyboard.press(".");
  await done.waitFor();
  // Three round trips: the step, its pulse, and the data. Resting for the network took 3.9 s.
  expect(performance.now() - begin).toBeLessThan(2500);
  await until(() => pulses() > 3);
  const paths = requested.map((url) => new URL(url).pathname.replace("/__admin/environments/default", ""));
  const once = ["", "/clock/advance", "/comparison", "/timeline", "/timeline/histogram"];
  expect(paths.filter((path) => path !== "/pulse").toSorted()).toEqual(once);
});

test("a key that stays down steps once for each response, and stops when it is released", async () => {
  const { page, sandbox, context } = await openPortal({ sandbox: { scenarios: [] } });
  await sandbox.play(stepHours, { investment_id: "unpaid" });
  await page.getByRole("button", { name: /^Next change, / }).waitFor();
  await delay(context, 100);
  const moves: string[] = [];
  page.on("request", (request) => request.method() === "POST" && moves.push(request.url()));
  for (let press = 0; press < 30; press++) await page.keyboard.down(".");
  await page.keyboard.up(".");
  await expect.poll(() => lastMessage(page)).toMatch(/happened/);
  const slider = page.getByRole("slider", { name: "Timeline" });
  await slider.focus();
  for (let press = 0; press < 30; press++) await page.keyboard.down("ArrowRight");
  await page.keyboard.up("ArrowRight");
  await until(async () => (await sandbox.histogram()).applied >= 2);
  // The presses take less time than a few responses.
  expect(moves.length).toBeLessThan(20);
});

test("a pulse without a response times out, and the page says so", async () => {
  const { page, context } = await openPortal({ hash: "#/default/keys", expected: [/ERR_/] });
  await page.locator("main [data-row]").first().waitFor();
  await context.route(/__admin/, () => {});
  await page.getByText("The sandbox does not respond.").waitFor();
  await context.unroute(/__admin/);
  await page.getByText("The sandbox does not respond.").waitFor({ state: "detached" });
});

test("while the sandbox is unreachable, a view and the command palette say so, and Try again asks without a reload", async () => {
  const { page, context, go } = await openPortal({ expected: [/ERR_FAILED/] });
  await page.getByText("with the fixture demo").waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await context.route(/__admin/, (route) => route.abort());
  await go("#/other/coverage");
  await page.locator("main .notice .button").nth(1).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ada");
  await page.getByRole("status").getByText("Cannot reach the sandbox.").waitFor();
  await page.keyboard.press("Escape");
  await go("#/default/coverage");
  const again = page
    .locator("main .notice", { hasText: "Cannot reach the sandbox" })
    .getByRole("button", { name: "Try again" });
  await expect.poll(() => again.count()).toBe(2);
  await context.unroute(/__admin/);
  await again.last().click();
  await page.getByRole("heading", { name: "Covered", exact: true }).waitFor();
  expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
});

test("the journal is complete after two switches of the environment within one pulse", async () => {
  const { page, sandbox, context, go } = await openPortal({ hash: "#/default/journal" });
  await sandbox.openEnvironment({ id: "other" });
  for (let request = 0; request < 6; request++) await fetch(`${sandbox.url}/api/v1/nowhere`);
  const rows = page.locator("main tbody tr");
  await expect.poll(() => rows.count()).toBe(6);
  let release = (): void => {};
  const pendingRelease = new Promise<void>((done) => (release = done));
  await new Promise<void>((begun) => {
    void context.route(/\/default\/pulse/, async (route) => {
      begun();
      await pendingRelease;
      await route.continue();
    });
  });
  await fetch(`${sandbox.url}/api/v1/nowhere`);
  await go("#/other/journal");
  await go("#/default/journal");
  release();
  await expect.poll(() => rows.count()).toBe(7);
});
