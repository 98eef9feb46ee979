import type { Locator, Page } from "@playwright/test";
import { expect, test } from "vitest";
import type { LocalSandbox } from "../../src/index.ts";
import { copied, lastMessage, openPortal } from "./portal.ts";

const widths = [1440, 1024, 390];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxesOf(locator: Locator): Promise<readonly Box[]> {
  return locator.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON() as Box));
}

function meet(left: Box, right: Box): boolean {
  return left.left < right.right && right.left < left.right && left.top < right.bottom && right.top < left.bottom;
}

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
}

/** Changes the first investments, one per hour, and sets the clock back to before the changes. Returns their ids. */
async function changed(sandbox: LocalSandbox, count: number): Promise<readonly string[]> {
  const { now } = await sandbox.clock.get();
  const { data } = await sandbox.investments.list({ limit: count, order: "-create_date" });
  for (const { id } of data) {
    await sandbox.clock.advance("1h");
    await sandbox.investments.change(id, { amount: 4321 });
  }
  await sandbox.clock.set(now);
  return data.map(({ id }) => id);
}

test("dates are on the axis at every width, and never overlap", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: ["live-demo"] } });
  await sandbox.clock.advance("30d");
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  for (const width of widths) {
    await resize(page, width);
    await expect
      .poll(async () => (await boxesOf(page.locator(".axis span"))).every(({ right }) => right <= width))
      .toBe(true);
    const dates = page.locator(".axis span");
    expect((await dates.first().innerText()).trim()).toMatch(/^\d{4}-\d\d-\d\d$/);
    const labels = await boxesOf(dates);
    expect(labels.length).toBeGreaterThan(1);
    expect(labels.filter((left) => labels.some((right) => left !== right && meet(left, right)))).toEqual([]);
  }
});

test("a single change is a bar with the marker on it, and the page explains the bars", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] }, width: 1440 });
  await changed(sandbox, 1);
  await sandbox.clock.advance("1h");
  await page.locator(".timeline path.past[d^=M]").waitFor();
  await page.getByRole("slider", { name: "Timeline" }).hover();
  await page.locator(".preview").getByText("Filled bars are past changes, outlined bars are upcoming ones.").waitFor();
  const [[bar], [pin]] = [
    await boxesOf(page.locator(".timeline path.past")),
    await boxesOf(page.locator(".marker").first()),
  ];
  expect((bar?.right ?? 0) - (bar?.left ?? 0)).toBeLessThan(15);
  expect(((pin?.right ?? 0) + (pin?.left ?? 0)) / 2).toBeCloseTo(((bar?.right ?? 0) + (bar?.left ?? 0)) / 2, 0);
});

test("the last step's changes are marked until the next one", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/investments", sandbox: { scenarios: [] } });
  const [first = "", second = ""] = await changed(sandbox, 2);
  const rows = page.locator("tbody tr").filter({ has: page.getByText("just changed") });
  const numberOf = async (id: string): Promise<string> =>
    String((await sandbox.investments.get(id))["investment_number"]);
  for (const id of [first, second]) {
    await page.getByRole("button", { name: /^Next change/ }).click();
    await expect
      .poll(() => rows.getByRole("link", { name: "just changed" }).allInnerTexts())
      .toEqual([expect.stringMatching(await numberOf(id))]);
  }
  await page.getByRole("button", { name: "+1 h" }).click();
  await expect.poll(() => lastMessage(page)).toBe("No changes.");
  await expect.poll(() => rows.count()).toBe(0);
  // The same change without a command of this page.
  await sandbox.clock.set("previous");
  await sandbox.clock.set("previous");
  await expect.poll(() => page.getByRole("button", { name: /^Previous change/ }).isDisabled()).toBe(true);
  await sandbox.clock.advanceTo("next");
  await expect.poll(() => rows.count()).toBe(1);
});

test("a step that changed more than ten rows of a list marks none", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/investments", sandbox: { scenarios: [] } });
  const marks = page.locator("tbody").getByText("just changed");
  for (const [count, expected] of [
    [10, 10],
    [11, 0],
  ] as const) {
    const { data } = await sandbox.investments.list({ order: "-create_date", limit: count });
    const steps = [{ after: "30m", investment: { step: "SIGNERS" } }];
    for (const { id } of data) await sandbox.play({ steps }, { investment_id: id });
    await page.getByRole("button", { name: "+1 h" }).click();
    await expect.poll(() => lastMessage(page)).toMatch(new RegExp(`^${count} changes happened`));
    await expect.poll(() => marks.count()).toBe(expected);
  }
});

test("a manual change has a row of its own, next to those of a scenario at the same instant", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const { investment_ids } = await sandbox.play("closing");
  await sandbox.investments.change(investment_ids[0] ?? "", { amount: 5001 });
  await go(`#/default/investments/${investment_ids[0]}`);
  await expect
    .poll(() => page.locator(".history .past .what").allInnerTexts())
    .toEqual([expect.stringMatching(/^Amount 5,001/), expect.stringMatching(/^New investment of 5,000/)]);
});

test("a step marks what it changed in the open investment", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const [id = ""] = await changed(sandbox, 1);
  await go(`#/default/investments/${id}`);
  const row = page
    .locator(".comparison tr")
    .filter({ has: page.getByRole("rowheader", { name: "amount", exact: true }) });
  await row.locator("td").first().waitFor();
  const marks = page.getByText("just changed");
  await expect.poll(() => marks.count()).toBe(0);
  await page.getByRole("button", { name: /^Next change of #/ }).click();
  await expect.poll(() => row.locator("td").filter({ has: marks }).count()).toBe(3);
  await page.locator(".headline strong").getByText("just changed").waitFor();
  await page.locator(".history").getByText("just happened").waitFor();
  const [dot] = await boxesOf(page.locator(".history .changed"));
  expect((dot?.right ?? 0) - (dot?.left ?? 0)).toBeLessThan(12);
  expect(await page.locator(".comparison tr").filter({ hasText: "first_name" }).filter({ has: marks }).count()).toBe(0);
  await page.getByRole("button", { name: "+1 h" }).click();
  await expect.poll(() => marks.count()).toBe(0);
});

test("a message covers neither the clock nor a title with its buttons, and disappears when the clock or the page changes", async () => {
  const { page, sandbox, go } = await openPortal({
    hash: "#/default/investments",
    sandbox: { scenarios: [] },
  });
  await changed(sandbox, 1);
  await page.getByRole("button", { name: /^Next change/ }).click();
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  const message = page.locator(".message");
  await message.getByRole("button", { name: "Undo" }).waitFor();
  const { now } = await sandbox.clock.get();
  const isThere = async (): Promise<boolean> => (await sandbox.clock.get()).now === now;
  for (const width of widths) {
    await resize(page, width);
    await page.keyboard.press(",");
    await expect.poll(isThere).toBe(false);
    await page.keyboard.press(".");
    await expect.poll(isThere).toBe(true);
    await expect.poll(() => lastMessage(page)).toMatch(/happened/);
    await message.getByRole("button", { name: "Undo" }).waitFor();
    const [said] = await boxesOf(message);
    const boxes = await boxesOf(page.locator("header.page, header.shell, button.present, .transport, .timeline"));
    expect(boxes).toHaveLength(5);
    expect(boxes.filter((box) => said && meet(said, box))).toEqual([]);
  }
  // Beyond the last change, the keys move nothing, and the last message stays.
  await expect.poll(() => page.getByRole("button", { name: /^Next change/ }).isDisabled()).toBe(true);
  const responded: string[] = [];
  page.on("response", (response) => responded.push(response.url()));
  await page.keyboard.press(".");
  await page.keyboard.press("Shift+Period");
  await expect.poll(() => responded.filter((url) => url.endsWith("/clock/advance")).length).toBe(2);
  expect(await isThere()).toBe(true);
  expect(await lastMessage(page)).toMatch(/happened/);
  await message.getByRole("button", { name: "Undo" }).waitFor();
  await go("#/default/keys");
  await message.waitFor({ state: "detached" });
});

test("the link to a view leads a colleague to it, at its instant", async () => {
  const { page, sandbox, context, go } = await openPortal({ hash: "#/default/investments?status=CLOSED" });
  const { now: startedAt } = await sandbox.clock.get();
  await sandbox.play("closing");
  await sandbox.clock.advance("36h");
  const { now } = await sandbox.clock.get();
  await page.getByText(now.slice(0, 10), { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy link to this view at this instant" }).click();
  await expect.poll(() => lastMessage(page)).toBe("Link copied.");
  const link = await copied(page);
  await sandbox.clock.set(startedAt);
  const colleaguePage = await context.newPage();
  await colleaguePage.goto(link);
  await colleaguePage.getByText("This link was created").waitFor();
  expect(await colleaguePage.getByRole("combobox", { name: "Status" }).inputValue()).toBe("CLOSED");
  await colleaguePage.getByRole("button", { name: "Set clock", exact: true }).click();
  await expect.poll(async () => (await sandbox.clock.get()).now).toBe(now);
  await colleaguePage.getByText("This link was created").waitFor({ state: "detached" });
  // A reader whose clock already matches is not asked later.
  await colleaguePage.goto(`${sandbox.url}/`);
  await colleaguePage.goto(link);
  await colleaguePage.getByText(now.slice(0, 10), { exact: true }).waitFor();
  await colleaguePage.getByRole("button", { name: "+1 d" }).click();
  await expect.poll(() => lastMessage(colleaguePage)).toMatch(/happened|No changes/);
  expect(await colleaguePage.getByText("This link was created").count()).toBe(0);
  // The open item has not changed in between.
  const { now: later } = await sandbox.clock.get();
  await page.getByText(later.slice(0, 10), { exact: true }).waitFor();
  await go(`#/default/investments/unpaid?at=${startedAt}`);
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  await expect.poll(() => page.url()).not.toContain("at=");
  expect(await page.getByText("This link was created").count()).toBe(0);

  await sandbox.clock.set({ speed: 1 });
  await page.getByRole("button", { name: "Copy link to this view", exact: true }).click();
  await expect.poll(() => copied(page)).toBe(`${sandbox.url}/#/default/investments/unpaid`);
  await page.getByRole("button", { name: "Copy link to this instant" }).click();
  await expect.poll(() => copied(page)).toContain("/investments/unpaid?at=");
});

test("an investment with many changes shows the newest, and says how many there are", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const [investment] = (await sandbox.investments.list({ limit: 1 })).data;
  const id = investment?.id ?? "";
  await sandbox.clock.set("2026-02-01");
  await sandbox.play(
    { steps: Array.from({ length: 520 }, () => ({ after: "1m", event: "PAYMENT SUBMITTED" })) },
    { investment_id: id },
  );
  await sandbox.clock.advance("510m");
  await go(`#/default/investments/${id}`);
  const history = page.locator(".history");
  const [past, future] = [history.locator(".past"), history.locator(".future")];
  await page.getByText("The newest 500 of 520 changes.").waitFor();
  await expect.poll(() => past.count()).toBe(490);
  const buttons = async (all: Locator): Promise<readonly string[]> =>
    (await all.getByRole("button").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect((await buttons(past))[0]).toContain("2026-02-01 08:30:00, now : 0 changes of it undone");
  expect((await buttons(past)).at(-1)).toMatch(/2026-02-01 00:21:00, .* : 489 changes of it undone/);
  // The nearest upcoming ones are above Now; the furthest is on top.
  expect((await buttons(future)).map((text) => /00:(\d\d):00|08:(\d\d):00/.exec(text)?.[0])).toEqual([
    "08:33:00",
    "08:32:00",
    "08:31:00",
  ]);
  const [now] = await boxesOf(page.locator(".at-now"));
  expect(now?.bottom).toBeLessThan(700);
  await page.getByRole("button", { name: "7 more upcoming" }).click();
  await expect.poll(() => future.count()).toBe(10);
  expect((await buttons(future))[0]).toMatch(/08:40:00, in 10 min : 10 changes of it applied/);
});
