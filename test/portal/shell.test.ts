import type { Locator, Page } from "@playwright/test";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { until } from "../support/until.ts";
import { copied, lastMessage, openPortal, startReplaceable } from "./portal.ts";

const heading = (page: Page): Promise<string> => page.locator("main h1").innerText();
const present = (page: Page): Promise<string> => page.locator("button.present").innerText();
/** The heading of the overview. */
const holdings = /^[\d,]+ offerings?, [\d,]+ investments?(, all invented)?$/;
const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

test("a request appears at once, and otherwise the page requests only pulses", async () => {
  const { page, sandbox } = await openPortal();
  await page.getByText("with the fixture demo").waitFor();
  await page.getByText("No requests yet.").waitFor();
  const requestedPaths: string[] = [];
  page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
  const pulse = "/__admin/environments/default/pulse";
  // At this point the page has requested everything that it needs when it opens.
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
  await expect.poll(() => requestedPaths.slice(-2)).toEqual([pulse, pulse]);
  requestedPaths.length = 0;
  await fetch(`${sandbox.baseUrl}/investments/x`, { headers: { authorization: `Bearer ${sandbox.keys.partner}` } });
  await page.getByRole("link", { name: "GET /investments/x" }).waitFor();
  await page.getByRole("link", { name: "Journal 1 errors" }).waitFor();
  await until(() => requestedPaths.length > 2);
  expect(new Set(requestedPaths)).toEqual(new Set([pulse]));
});

test("the clock moves forward and back from the keyboard, and the page names what it undid", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: ["closing"] }, expected: [/status of 400/] });
  const slider = page.getByRole("slider", { name: "Timeline" });
  await slider.waitFor();
  const begin = await present(page);

  await page.keyboard.press(".");
  await expect.poll(() => lastMessage(page)).toMatch(/^\d+ changes? happened\.$/);
  await expect.poll(() => present(page)).not.toBe(begin);
  const after = await present(page);
  await page.keyboard.press(",");
  await expect.poll(() => lastMessage(page)).toMatch(/^Undone: .*\. (It stays|They stay) on the timeline\.$/);

  // After dragging it away and back, the slider is at the clock's instant.
  await slider.evaluate((element: HTMLInputElement) => {
    const { value } = element;
    for (const to of ["1", value]) {
      element.value = to;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }
    element.click();
  });
  await page.locator(".preview").waitFor({ state: "detached" });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => lastMessage(page)).toMatch(/^\d+ changes? happened\.$/);
  await expect.poll(() => present(page)).toBe(after);
  await page.keyboard.press("End");
  await expect.poll(async () => (await sandbox.runs.list()).map(({ status }) => status)).toEqual(["finished"]);
  await expect.poll(() => slider.evaluate(({ value, max }: HTMLInputElement) => value === max)).toBe(true);
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, /);
  await page.keyboard.press("Home");
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/before the first change$/);
  await page.locator(".preview").waitFor({ state: "detached" });

  await page.keyboard.press(" ");
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(60);
  await page.getByRole("button", { name: "Pause (space)" }).waitFor();
  const running = await present(page);
  await expect.poll(() => present(page)).not.toBe(running);
  await page.keyboard.press(" ");
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(0);

  await page.getByRole("button", { name: /^Clock: / }).click();
  await page.getByRole("textbox", { name: "Instant" }).fill("tomorrow");
  await page.getByRole("button", { name: "Set clock", exact: true }).click();
  const instant = page.getByRole("dialog").getByRole("textbox", { name: "Instant" });
  await page.getByText('It is "tomorrow"; expected an instant such as').waitFor();
  expect(await instant.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => hasFocus(instant)).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByText("You have unsaved changes.").waitFor();
  expect(await instant.inputValue()).toBe("tomorrow");
  await page.getByRole("textbox", { name: "Instant" }).fill("2031-02-03");
  await page.keyboard.press("Enter");
  await expect.poll(() => present(page)).toContain("2031-02-03 00:00");
});

test("a pause and Play do not change the speed, wherever it was set", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { speed: 1 } });
  await page.getByRole("button", { name: "Pause (space)" }).click();
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(0);
  await page.getByRole("button", { name: "Play, real time (space)" }).click();
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(1);
  await sandbox.clock.set({ speed: 7 });
  await page.getByRole("combobox", { name: "Speed" }).getByText("7 s/s").waitFor({ state: "attached" });
  await sandbox.clock.set({ speed: 0 });
  await page.getByRole("button", { name: "Play, 7 s/s (space)" }).click();
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(7);
});

test("an active fault is seen in every view, and turned off there", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/keys" });
  const tab = page.getByRole("navigation").getByRole("link", { name: "Faults" });
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  expect(await tab.innerText()).toBe("Faults");
  await sandbox.faults.add({ delay: "2s" });
  await page.getByText("Slow is on for every request: delay 2 s.").waitFor();
  await expect.poll(() => tab.innerText()).toMatch(/^Faults\s+1/);
  const { id } = await sandbox.faults.add({ match: { path: "/offerings/*" }, respond: { status: 503 } });
  await page.getByText("2 faults are on.").waitFor();
  await sandbox.faults.remove(id);
  await tab.click();
  await page.getByRole("switch", { name: "Slow" }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Turn off" }).count()).toBe(0);
  await page.goBack();
  await page.getByText("Slow is on").waitFor();
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect.poll(() => lastMessage(page)).toBe("Slow turned off.");
  expect((await sandbox.faults.list()).filter(({ active }) => active)).toEqual([]);
});

test("a fault, a refused call and a message do not move the frame", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: ["closing"] }, width: 1440 });
  const boxes = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all.map((element) => element.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width]),
      );
  const frame = "nav a, .find, .transport > *, .timeline, main h1";
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  await expect.poll(() => heading(page)).toMatch(holdings);
  expect((await page.locator(".time-bar").boundingBox())?.height).toBe(48);
  expect((await page.locator(".find").boundingBox())?.width).toBe(220);
  const before = await boxes(frame);
  const { id } = await sandbox.faults.add({ match: { path: "/offerings/*" }, respond: { status: 503 } });
  await fetch(`${sandbox.baseUrl}/investments/x`);
  await page.getByRole("link", { name: "Journal 1 errors" }).waitFor();
  await page.getByRole("link", { name: "Faults 1 faults" }).waitFor();
  await sandbox.faults.remove(id);
  await page.getByRole("link", { name: "Faults", exact: true }).waitFor();
  await page.keyboard.press(".");
  await page.locator(".message").waitFor();
  expect(await boxes(frame)).toEqual(before);

  await page.setViewportSize({ width: 1024, height: 800 });
  await expect.poll(async () => (await page.locator(".time-bar").boundingBox())?.height).toBe(48);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(390);
  const buttons = await boxes(".transport > *");
  const gaps = buttons.slice(1).map(([x = 0], at) => x - (buttons[at]?.[0] ?? 0) - (buttons[at]?.[2] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8);
});

test("a pulse older than a command does not set the clock back", async () => {
  const { page } = await openPortal({ sandbox: { scenarios: ["closing"] } });
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  const begin = await present(page);
  const delayedPulses: (() => Promise<void>)[] = [];
  await page.route("**/pulse?*", async (route) => {
    const response = await route.fetch();
    delayedPulses.push(() => route.fulfill({ response }));
  });
  await expect.poll(() => delayedPulses.length).toBe(1);
  await page.keyboard.press(".");
  await expect.poll(() => present(page)).not.toBe(begin);
  const after = await present(page);
  await delayedPulses[0]?.();
  // The page applies the pulse before it requests the next.
  await expect.poll(() => delayedPulses.length).toBe(2);
  expect(await present(page)).toBe(after);
});

test("Tab begins with the link to the content, and a dialog with its first field", async () => {
  const { page } = await openPortal({ hash: "#/default/journal", width: 360 });
  await page.getByText("No requests yet.").waitFor();
  const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.textContent ?? null);
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  for (const name of ["+1 h", "+1 d"]) await page.getByRole("button", { name }).waitFor();
  await page.getByRole("button", { name: /^Clock: / }).click();
  const instant = page.getByRole("textbox", { name: "Instant" });
  await expect.poll(() => hasFocus(instant)).toBe(true);
  await page.keyboard.type("tomorrow");
  expect(await instant.inputValue()).toMatch(/tomorrow$/);
});

test("the help lists the keys, returns the focus, and can switch them off for good", async () => {
  const portal = await openPortal();
  const { page } = portal;
  const button = page.getByRole("button", { name: /^Help/ });
  const keys = page.getByRole("switch", { name: "Single keys are shortcuts" });
  await button.click();
  await page.getByText("Play or pause").waitFor();
  expect(await hasFocus(keys)).toBe(false);
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(button)).toBe(true);

  // A key right after Esc is not lost, however fast it comes.
  for (const key of ["?", "?", "Control+k", "?"]) {
    await page.keyboard.press("?");
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press(key)]);
    await page.getByRole("dialog", { name: key === "?" ? "Help" : "Search or run a command" }).waitFor();
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("?");
  await keys.uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  const secondTab = await portal.tab();
  // The keys work once this text is shown.
  await secondTab.getByText("No changes yet").waitFor();
  await secondTab.keyboard.press("?");
  expect(await secondTab.getByRole("dialog").count()).toBe(0);
});

test("a chosen theme survives a reload", async () => {
  const { page } = await openPortal({ scheme: "light" });
  const scheme = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await scheme()).toBe("dark");
  await page.reload();
  await page.getByRole("button", { name: "Theme: dark" }).click();
  expect(await scheme()).toBe("light dark");
});

test("an unknown address is reported with the nearest one", async () => {
  const portal = await openPortal({ hash: "#/default/jurnal", expected: [/status of 404/] });
  const { page } = portal;
  await expect.poll(() => heading(page)).toBe("View not found");
  await page.getByRole("link", { name: "Journal", exact: true }).last().click();
  await expect.poll(() => heading(page)).toBe("Journal");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Journal");
  await expect.poll(() => page.title()).toBe("Journal · default · offering-sandbox");

  await portal.go("#/defalt/keys");
  await expect.poll(() => heading(page)).toBe("Environment not found");
  await page.locator("main").getByRole("link", { name: "default" }).click();
  await expect.poll(() => heading(page)).toMatch(holdings);
});

test("an environment has its own page and clock, and is chosen in the header", async () => {
  const { page, sandbox } = await openPortal();
  const environment = await sandbox.openEnvironment({ id: "other", label: "a test", scenarios: ["closing"] });
  await page.goto(`${sandbox.url}/#/other/overview?at=2031-02-03T00:00:00Z`);
  await expect.poll(() => heading(page)).toBe("a test");
  await page.getByRole("button", { name: "Set clock", exact: true }).click();
  await expect.poll(async () => (await environment.clock.get()).now).toBe("2031-02-03T00:00:00.000Z");
  expect((await sandbox.clock.get()).now).not.toContain("2031");
  await expect.poll(() => page.url()).not.toContain("at=");
  await page.getByRole("combobox", { name: "Environment" }).selectOption("default");
  await expect.poll(() => heading(page)).toMatch(holdings);
});

test("a key is copied without being shown, and an example request is sent", async () => {
  const { page, sandbox } = await openPortal();
  await page.getByRole("button", { name: "Copy key Aurora Robotics partner" }).click();
  await expect.poll(() => copied(page)).toBe(sandbox.keys.partner);
  expect(await page.content()).not.toContain(sandbox.keys.partner);

  // As at http://192.168.…, which is not a secure context and has no clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  await page.getByRole("button", { name: "Copy key Aurora Robotics marketing", exact: true }).click();
  await expect.poll(() => lastMessage(page)).toBe("Key Aurora Robotics marketing copied.");
  await page.evaluate(() => delete (navigator as { clipboard?: unknown }).clipboard);
  await expect.poll(() => copied(page)).toBe(sandbox.keys.marketing);

  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("details summary").click();
  await page.getByRole("region", { name: ": body" }).waitFor();
  expect(await sandbox.requests.count()).toBe(1);
});

test("the page retains its address and data while the server is gone, and continues with another server", async () => {
  const first = await startReplaceable({ rateLimit: 0 });
  onTestFinished(() => first.close());
  const { page } = await openPortal({
    sandbox: first,
    hash: "#/default/investments?status=PENDING",
    expected: [/net::ERR_/],
  });
  await page.locator("[data-row]").nth(49).waitFor();
  const address = page.url();
  await first.close();
  const notice = page.getByRole("alert").getByText("Cannot reach the sandbox.");
  await notice.waitFor();
  expect(await page.locator("[data-row]").count()).toBe(50);
  const second = await startSandbox({ rateLimit: 0, fixture: "empty", port: Number(new URL(first.url).port) });
  onTestFinished(() => second.close());
  await page.getByText("No matching investments.").waitFor();
  expect(await notice.count()).toBe(0);
  expect(page.url()).toBe(address);
  await second.clock.set("2030-01-01");
  await page.getByText("2030").first().waitFor();
});
