import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { fill, fillable } from "./all-pages.ts";
import { copied, expectAccessible, lastMessage, openPortal, schemes } from "./portal.ts";

/** Plays closing on a new investment, and returns the address of its page. */
async function playClosing(sandbox: Awaited<ReturnType<typeof openPortal>>["sandbox"]): Promise<string> {
  const { investment_ids } = await sandbox.play("closing", { offering_id: "aurora" });
  return `#/default/investments/${investment_ids[0]}`;
}

async function present(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.keyboard.press("p");
  await page.locator("[data-presenting]").waitFor();
}

/** Finds the elements with a scrollbar: only of text boxes, code and the picture of states it is expected. */
const scrollbars = `Array.from(document.querySelectorAll("body *:not(textarea, select, pre, .lanes)"), (element) => {
  const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
  const high = element.offsetHeight - element.clientHeight - parseFloat(borderTopWidth) - parseFloat(borderBottomWidth);
  const wide = element.offsetWidth - element.clientWidth - parseFloat(borderLeftWidth) - parseFloat(borderRightWidth);
  const isBox = getComputedStyle(element).display !== "inline" && element.clientWidth > 0;
  return isBox && (high > 5 || wide > 5) ? element.className || element.tagName : "";
}).filter(Boolean)`;

test.each([
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const)("at %i × %i nothing but the page scrolls, in any view and on stage", async (width, height) => {
  const { page, go, sandbox } = await openPortal({ sandbox: fillable, width, height, hasScrollbars: true });
  const views = await fill(sandbox);
  const closing = await playClosing(sandbox);
  for (const at of [...views.map((view) => `#/default/${view}`), closing]) {
    await go(at);
    await page.locator("main h1").waitFor();
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    expect([at, await page.evaluate(scrollbars)]).toEqual([at, []]);
  }
  await present(page);
  for (const at of ["#/default/overview", "#/default/scenarios", "#/default/investments", closing]) {
    await go(at);
    await page.locator("main h1").waitFor();
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    expect([at, await page.evaluate(scrollbars)]).toEqual([at, []]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(height);
});

test.each([
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [3840, 2160],
] as const)("the stage fills %i × %i, and the status is as large as the name", async (width, height) => {
  const { page, go, sandbox } = await openPortal({ sandbox: { scenarios: [] }, width, height });
  await go(await playClosing(sandbox));
  await present(page);
  await page.locator(".progress").waitFor();
  const rem = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  expect(rem / width).toBeGreaterThan(0.0155);
  const sizes = await page
    .locator("main h1, .headline .badge")
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).fontSize));
  expect(new Set(sizes).size).toBe(1);
  const dates = new Set((await sandbox.timeline()).map(({ date }) => date));
  await sandbox.clock.advance("2d");
  await expect.poll(() => page.locator(".history .past").count()).toBe(dates.size);
  const last = await page.locator(".history .past").last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(height);
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeGreaterThan(width * 0.95);
});

test.each([true, false])("the dot of the progress travels for 300 ms if motion is welcome: %s", async (hasMotion) => {
  const { page, go, sandbox } = await openPortal({ sandbox: { scenarios: [] }, hasMotion });
  await go(await playClosing(sandbox));
  const dot = `getComputedStyle(document.querySelector(".progress"), "::after")`;
  await page.locator(".progress").waitFor();
  await page.evaluate(`document.addEventListener("transitionrun", ({ propertyName, pseudoElement, target }) => {
    if (propertyName === "left" && pseudoElement === "::after")
      globalThis.travel = target.getAnimations({ subtree: true }).find((element) => element.transitionProperty === "left").effect.getTiming().duration;
  })`);
  const start = await page.evaluate(`${dot}.left`);
  for (let step = 0; step < 6; step++) await page.keyboard.press(".");
  await page.locator(".progress.closed").waitFor();
  await expect.poll(() => page.evaluate(`${dot}.left`)).not.toBe(start);
  expect(await page.evaluate("globalThis.travel ?? 0")).toBe(hasMotion ? 300 : 0);
  const good = await page
    .locator(".badge.good")
    .first()
    .evaluate((badge) => getComputedStyle(badge).color);
  await expect.poll(() => page.evaluate(`${dot}.backgroundColor`)).toBe(good);
});

test.each(schemes)("on stage, r shows what a key of each type reads about one person, %s", async (scheme) => {
  const { page, go, sandbox } = await openPortal({ sandbox: { scenarios: [] }, scheme });
  await go(await playClosing(sandbox));
  await present(page);
  await page.getByRole("button", { name: "Compare keys" }).waitFor();
  await page.keyboard.press("r");
  const members = ["Name", "Email", "Phone", "Birthdate", "Tax ID", "Street"];
  const reader = (name: string) => page.locator(".readers .panel", { has: page.getByRole("heading", { name }) });
  await expect.poll(() => reader("A Partner key reads").locator("dt").allInnerTexts()).toEqual(members);
  const partner = await reader("A Partner key reads").locator("dd").allInnerTexts();
  const marketing = await reader("A Marketing key reads").locator("dd").allInnerTexts();
  expect(partner[2]).toBe("not included");
  expect(marketing[2]).toMatch(/^\+1/);
  expect(marketing.slice(0, 2)).toEqual(partner.slice(0, 2));
  expect(marketing.slice(3)).toEqual(["redacted", "redacted", "redacted"]);
  expect(partner.slice(3).join()).not.toContain("redacted");
  await expectAccessible(page);
  await page.keyboard.press("r");
  await page.locator(".happens").waitFor();
});

test("the story plays on the whole screen from the first button, or by its link, until it is CLOSED", async () => {
  const { page, sandbox, context } = await openPortal({
    sandbox: { scenarios: ["live-demo"], speed: 1 },
    expected: [/status of 400/],
  });
  const status = async (at: number) => {
    const id = (await sandbox.runs.list()).filter(({ scenario }) => scenario === "closing")[at]?.investment_ids[0];
    return id === undefined ? undefined : (await sandbox.investments.get(id))["status"];
  };
  await page.locator("main button").first().waitFor();
  expect(await page.locator("main button").first().innerText()).toBe("Show story");
  await page.getByRole("button", { name: "Copy story link" }).click();
  await expect.poll(() => copied(page)).toContain("story=closing");
  const link = await copied(page);
  await page.clock.install();
  await page.getByRole("button", { name: "Show story" }).click();
  await page.locator("[data-presenting] .progress").waitFor();
  await expect.poll(async () => (await page.clock.runFor(1000), status(0))).toBe("CLOSED");
  await page.close();
  const colleaguePage = await context.newPage();
  await colleaguePage.clock.install();
  await colleaguePage.goto(link);
  await colleaguePage.locator("[data-presenting] .progress").waitFor();
  expect(colleaguePage.url()).not.toContain("story");
  await expect.poll(async () => (await colleaguePage.clock.runFor(1000), status(1))).toBe("CLOSED");
  await colleaguePage.clock.runFor(10_000);
  expect((await sandbox.runs.list()).filter(({ scenario }) => scenario === "closing")).toHaveLength(2);
  const otherPage = await context.newPage();
  await otherPage.goto(link.replace("story=closing", "story=nosuch"));
  await expect.poll(() => lastMessage(otherPage)).toMatch(/^There is no scenario "nosuch"\./);
});

test("on stage, the first Space plays a clock that runs in real time", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: ["live-demo"], speed: 1 } });
  await present(page);
  await page.getByRole("button", { name: "Play, 1 change/s (space)" }).waitFor();
  await page.locator("main h1").click();
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Pause (space)" }).waitFor();
  await expect.poll(async () => (await sandbox.pulse()).previous).not.toBeNull();
  expect((await sandbox.clock.get()).speed).toBe(0);
});

test("the overview begins with a bar for each offering, which grows with its amounts, on stage too", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] } });
  const [offering] = await sandbox.offeringSummaries();
  const row = page.locator(".fundraising li", { hasText: offering?.name ?? "" });
  const widthOf = (stage: string) =>
    row.locator(`.amounts .${stage}`).evaluate((part) => part.getBoundingClientRect().width);
  await row.getByText("1,859,250.00").waitFor();
  const [closed, signed] = [await widthOf("closed"), await widthOf("signed")];
  expect(closed / signed).toBeCloseTo((offering?.amounts.closed ?? 0) / (offering?.amounts.signed ?? 1), 0);
  const bottom = await page.locator(".fundraising").evaluate((panel) => panel.getBoundingClientRect().bottom);
  expect((await page.locator(".panel", { hasText: "Connect your client" }).boundingBox())?.y).toBeGreaterThan(bottom);
  await present(page);
  const pending = await widthOf("pending");
  await sandbox.investments.create({ offering_id: "aurora", amount: 500_000 });
  await expect.poll(() => widthOf("pending")).toBeGreaterThan(pending * 1.3);
});

test.each([1280, 390])(
  "on stage, scenarios are played before their names, and nothing is exported, %i px",
  async (width) => {
    const { page, go } = await openPortal({
      hash: "#/default/scenarios",
      sandbox: { scenarios: [] },
      width,
      height: 720,
    });
    await present(page);
    const plays = page.getByRole("button", { name: /^Play \S+$/ });
    const names = page.locator(".playable [data-row]");
    await plays.nth(3).waitFor();
    for (const row of [0, 3]) {
      const [button, name] = [await plays.nth(row).boundingBox(), await names.nth(row).boundingBox()];
      expect(button?.x ?? -1).toBeGreaterThanOrEqual(0);
      expect((button?.x ?? width) + (button?.width ?? 0)).toBeLessThanOrEqual(name?.x ?? 0);
    }
    const cut = page
      .locator(".playable .wide")
      .evaluateAll((all) => all.filter((element) => element.scrollWidth > element.clientWidth + 1));
    expect(width === 390 || (await cut).length === 0).toBe(true);
    expect(await page.getByText(/^(?:Save as scenario|Write scenario)$/).count()).toBe(0);
    await go("#/default/investments");
    await page.getByRole("button", { name: "Create investment" }).waitFor();
    expect(await page.getByRole("button", { name: /^Export/ }).count()).toBe(0);
  },
);
