import type { Route } from "@playwright/test";
import { expect, test } from "vitest";
import { lastMessage, openPortal } from "./portal.ts";

test("Undo is offered while other investments change, and undoes ten actions, including changed values", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const [investment, otherInvestment] = (await sandbox.investments.list({ limit: 2 })).data;
  await sandbox.play(
    { steps: Array.from({ length: 14 }, (_, step) => ({ after: "1h", event: `STEP${step} DONE` })) },
    { investment_id: investment?.id ?? "" },
  );
  await sandbox.play({ steps: [{ after: "70m", event: "OTHER DONE" }] }, { investment_id: otherInvestment?.id ?? "" });
  const before = await sandbox.clock.get();
  await go(`#/default/investments/${investment?.id}`);
  const next = page.getByRole("button", { name: /^Next change of #/ });
  const undo = page.locator(".message").getByRole("button", { name: /^Undo/ });
  const clock = async (): Promise<string> => (await sandbox.clock.get()).now;
  const hours = (count: number): string => new Date(Date.parse(before.now) + count * 3_600_000).toISOString();
  await next.click();
  await expect.poll(clock).toBe(hours(1));
  await undo.waitFor();
  // The other investment's change passes only by the clock.
  await sandbox.clock.set({ speed: 3600 });
  await expect
    .poll(async () => (await sandbox.histogram({ investment_id: otherInvestment?.id ?? "" })).applied)
    .toBe(1);
  await expect.poll(() => page.locator(".time-bar .present").innerText()).not.toContain("13:00:00");
  expect(await undo.innerText()).toBe("Undo");
  // At the speed before, the hour would be over before this test looks.
  await sandbox.clock.set({ speed: 1 });
  await undo.click();
  await expect.poll(clock).toSatisfy((now) => now < hours(1));
  await sandbox.clock.set(before);

  await next.waitFor();
  for (let step = 1; step <= 12; step++) {
    await page.keyboard.press(".");
    await expect.poll(clock).toBe(hours(step));
    await expect.poll(() => lastMessage(page)).toContain(`Step${step - 1} done`);
  }
  await page
    .getByRole("button", { name: / change amount$|: change amount$/ })
    .first()
    .click();
  await page.locator(".edit input").fill("4321");
  await page.keyboard.press("Enter");
  await expect.poll(() => lastMessage(page)).toMatch(/^amount changed/);
  // Also works from another page.
  await go("#/default/keys");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await sandbox.investments.get(investment?.id ?? ""))["amount"])
    .toBe(investment?.amount);
  for (let step = 11; step >= 3; step--) {
    await page.keyboard.press("Control+z");
    await expect.poll(clock).toBe(hours(step));
    await expect.poll(() => undo.allInnerTexts()).toEqual(step > 3 ? ["Undo more"] : []);
  }
  await page.keyboard.press("Control+z");
  await expect.poll(() => lastMessage(page)).toBe("Nothing to undo.");
  expect(await clock()).toBe(hours(3));
});

test("Undo right after a step undoes that step before its response", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/keys", sandbox: { scenarios: [] } });
  const { now } = await sandbox.clock.get();
  const routes: Route[] = [];
  await page.route("**/clock/advance", (route) => void routes.push(route));
  await page.getByRole("button", { name: "+1 d", exact: true }).click();
  await expect.poll(() => routes.length).toBe(1);
  await page.keyboard.press("Control+z");
  await routes[0]?.continue();
  await expect.poll(() => lastMessage(page)).toBe("No changes.");
  await expect.poll(async () => (await sandbox.clock.get()).now).toBe(now);
});

test("a key that stays down does not confirm a dialog, and plays once", async () => {
  const { page, sandbox, go } = await openPortal();
  await sandbox.faults.add({ respond: { status: 503 } });
  const reset = page.getByRole("button", { name: "Reset…" });
  await reset.focus();
  // Each further keydown repeats the first, until the key is released.
  for (let times = 0; times < 8; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  const question = page.getByRole("dialog", { name: "Reset default?" });
  const cancel = question.getByRole("button", { name: "Cancel" });
  expect(await cancel.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await sandbox.faults.list()).toHaveLength(1);
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  expect(await sandbox.faults.list()).toHaveLength(1);

  const before = (await sandbox.runs.list()).length;
  await go("#/default/scenarios/closing");
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).focus();
  for (let times = 0; times < 8; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.waitForURL(/investments\//);
  expect(await sandbox.runs.list()).toHaveLength(before + 1);
});

test("Undo does not go past an action that cannot be undone, or an action from elsewhere", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 409/] });
  const clock = async (): Promise<string> => (await sandbox.clock.get()).now;
  const clockInstant = page.locator(".time-bar .present");
  await go("#/default/keys");
  await page.getByRole("button", { name: "+1 d", exact: true }).click();
  await expect.poll(() => lastMessage(page)).toBe("No changes.");
  const advanced = await clock();
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Issue key" }).click();
  await expect.poll(async () => (await sandbox.keys.list()).length).toBeGreaterThan(4);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await expect.poll(() => lastMessage(page)).toBe("The last action cannot be undone.");
  expect(await clock()).toBe(advanced);

  await page.getByRole("button", { name: "+1 h", exact: true }).click();
  await expect.poll(clock).not.toBe(advanced);
  await sandbox.clock.set({ now: "2026-03-01T09:00:00.000Z" });
  await expect.poll(() => clockInstant.innerText()).toContain("2026-03-01");
  await page.keyboard.press("Control+z");
  await expect.poll(() => lastMessage(page)).toBe("The last action cannot be undone.");
  expect(await clock()).toBe("2026-03-01T09:00:00.000Z");
});

test("a move without a response blocks the next ones only for a while, and the clock shows it", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/keys", sandbox: { scenarios: [] } });
  const { now } = await sandbox.clock.get();
  // A limit of half a minute ends after a second here.
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 30);
  });
  let isHeld = true;
  await page.route("**/clock/advance", (route) => (isHeld ? undefined : route.continue()));
  const hour = page.getByRole("button", { name: "+1 h", exact: true });
  await hour.click();
  await page.locator('.transport[aria-busy="true"]').waitFor();
  await expect.poll(() => lastMessage(page)).toMatch(/^The sandbox does not respond/);
  await page.locator('.transport[aria-busy="false"]').waitFor();
  isHeld = false;
  await hour.click();
  await expect
    .poll(async () => (await sandbox.clock.get()).now)
    .toBe(new Date(Date.parse(now) + 3_600_000).toISOString());
  await expect.poll(() => lastMessage(page)).toBe("No changes.");
  // A reload does not lose what can be undone.
  await page.reload();
  await hour.waitFor();
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await sandbox.clock.get()).now).toBe(now);
});

test("an environment that is left and opened again within one pulse shows its whole journal", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal" });
  const { id } = await sandbox.openEnvironment();
  for (let times = 0; times < 5; times++) await fetch(`${sandbox.baseUrl}/offerings`);
  const rows = page.locator("main tbody tr");
  await expect.poll(() => rows.count()).toBe(5);
  const routes: Route[] = [];
  await page.route("**/default/pulse*", (route) => (routes.push(route) > 1 ? route.continue() : undefined));
  await expect.poll(() => routes.length).toBe(1);
  await fetch(`${sandbox.baseUrl}/offerings`);
  await page.evaluate((environment) => void (location.hash = `#/${environment}/journal`), id);
  await page.evaluate(() => void (location.hash = "#/default/journal"));
  await routes[0]?.continue();
  await expect.poll(() => rows.count()).toBe(6);
});
