import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { lastMessage, openPortal, type Portal } from "./portal.ts";

const playButton = (page: Page, of = "") =>
  page.getByRole("button", { name: `Play, 1 change/s${of} (space)`, exact: true });
const pauseButton = (page: Page) => page.getByRole("button", { name: "Pause (space)" });

interface Steps {
  /** The instants of the completed steps, in order. */
  readonly dates: string[];
  /** The maximum number of concurrent steps. */
  readonly most: () => number;
  /** Lets the page's own seconds pass until a number of steps has a response. */
  readonly reach: (count: number) => Promise<void>;
  /** Lets some seconds pass, and expects that no step is made. */
  readonly expectNone: () => Promise<void>;
}

/** Opens the portal with an own clock for the page, at one change a second. */
async function openPlaying(options: Parameters<typeof openPortal>[0]): Promise<Portal & Steps> {
  const portal = await openPortal(options);
  const { page } = portal;
  const dates: string[] = [];
  let [begun, underway, most] = [0, 0, 0];
  const isStep = (url: string): boolean => url.endsWith("/clock/advance");
  page.on("request", (request) => {
    if (!isStep(request.url())) return;
    begun++;
    most = Math.max(most, ++underway);
  });
  page.on("response", (response) => {
    if (!isStep(response.url())) return;
    underway--;
    void response.json().then(({ now }: { now: string }) => dates.push(now));
  });
  await page.clock.install();
  await page.reload();
  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "1 change/s" });
  return {
    ...portal,
    dates,
    most: () => most,
    reach: (count) =>
      expect.poll(async () => (await page.clock.runFor(1000), dates.length)).toBeGreaterThanOrEqual(count),
    expectNone: async () => {
      await expect.poll(() => dates.length).toBe(begun);
      const before = begun;
      await page.clock.runFor(10_000);
      expect(begun).toBe(before);
    },
  };
}

test("one change a second steps from change to change, skips the night, and ends after the last change", async () => {
  const { page, sandbox, dates, most, reach, expectNone } = await openPlaying({
    sandbox: { scenarios: ["live-demo"] },
  });
  await playButton(page).click();
  await reach(12);
  await page.keyboard.press(" ");
  await playButton(page).waitFor();
  await expectNone();
  const known = [...new Set((await sandbox.timeline()).map(({ date }) => date))];
  expect(dates).toEqual(known.slice(0, dates.length));
  expect(most()).toBe(1);
  expect((await sandbox.clock.get()).speed).toBe(0);

  await sandbox.clock.advance("5h");
  const { next } = await sandbox.pulse();
  const evening = dates.length;
  await page.reload();
  await playButton(page).click();
  await reach(evening + 1);
  expect(dates[evening]).toBe(next);
  await pauseButton(page).click();
  await playButton(page).waitFor();
  await expectNone();

  await sandbox.clock.advance("60d");
  await playButton(page).click();
  await expect.poll(() => lastMessage(page)).toBe("No upcoming changes. The clock is paused.");
  await playButton(page).waitFor();
});

test("one change a second ends when the clock is set elsewhere, and when the page is hidden", async () => {
  const { page, sandbox, reach, expectNone } = await openPlaying({ sandbox: { scenarios: ["live-demo"], speed: 60 } });
  // The clock was running: choosing the speed freezes it and starts the steps.
  await pauseButton(page).waitFor();
  await reach(2);
  expect((await sandbox.clock.get()).speed).toBe(0);
  await sandbox.clock.set("fixture");
  await playButton(page).waitFor();
  await expectNone();

  await playButton(page).click();
  await reach(4);
  await sandbox.clock.set({ speed: 7 });
  await page.getByRole("combobox", { name: "Speed" }).getByText("7 s/s").waitFor({ state: "attached" });
  await expectNone();
  expect((await sandbox.clock.get()).speed).toBe(7);

  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "1 change/s" });
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(0);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await playButton(page).waitFor();
  await page.getByText("The clock is paused: this page was hidden.").waitFor();
  await expectNone();
});

test("on an investment's page, one change a second steps along its changes", async () => {
  const { page, sandbox, go, dates, reach, expectNone } = await openPlaying({
    sandbox: { scenarios: ["live-demo"] },
  });
  const run = await sandbox.play("closing");
  const [id = ""] = run.investment_ids;
  await go(`#/default/investments/${id}`);
  const heading = page.getByRole("heading", { name: /^#\d+ / });
  await playButton(page, ` of ${await heading.innerText()}`).click();
  await reach(3);
  await pauseButton(page).click();
  await expectNone();
  const ownChanges = new Set((await sandbox.timeline({ investment_id: id })).map(({ date }) => date));
  const { now } = await sandbox.clock.get();
  expect(dates).toEqual([...ownChanges].filter((date) => date <= now).slice(-dates.length));

  // At its end, the result of the last step stays with its Undo.
  const all = [...ownChanges].filter((date) => date > now).length + dates.length;
  await playButton(page, ` of ${await heading.innerText()}`).click();
  await reach(all);
  await page.clock.runFor(10_000);
  await playButton(page, ` of ${await heading.innerText()}`).waitFor();
  expect(await lastMessage(page)).toBe(`${await heading.innerText()} is CLOSED, 5,000.00 paid.`);
  // Second by second: for the page, a minute at once is a pulse without a response.
  for (let second = 0; second < 60; second++) await page.clock.runFor(1000);
  await page.locator(".message").getByRole("button", { name: "Undo" }).click();
  await page.getByText("is back at PENDING, 0.00 paid.").waitFor();
});
