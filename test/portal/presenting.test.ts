import { expect, test } from "vitest";
import { lastMessage, openPortal } from "./portal.ts";

test("the presentation shows progress and activity, steps at one change a second, and ends with Esc", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: ["live-demo"] } });
  const {
    investment_ids: [id = ""],
  } = await sandbox.play("closing", { offering_id: "aurora" });
  await go(`#/default/investments/${id}`);
  const comparison = page.getByRole("region", { name: "Comparison" });
  const tabs = page.getByRole("navigation", { name: "Views" }).getByRole("link");
  await comparison.waitFor();
  const size = () =>
    page
      .getByRole("heading", { level: 1 })
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const before = [await size(), await tabs.count()] as const;
  await page.keyboard.press("p");
  await comparison.waitFor({ state: "detached" });
  expect(await size()).toBeGreaterThan(before[0] * 1.2);
  expect(await tabs.allInnerTexts()).toEqual(["Overview", "Investments", "Scenarios"]);
  // The presentation survives a reload.
  await page.reload();
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  expect(await comparison.count()).toBe(0);
  await page.getByRole("button", { name: /^Play, 1 change\/s of #/ }).click();
  await expect.poll(async () => (await sandbox.investments.get(id))["status"]).toBe("CLOSED");
  await page.keyboard.press("Escape");
  await comparison.waitFor();
  expect([await size(), await tabs.count()]).toEqual(before);
  expect(page.url()).toContain(id);
});

test.each([
  [1440, 900],
  [1280, 720],
  [1024, 768],
] as const)("at %i × %i, steps move past Now, which stays where it is on screen", async (width, height) => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] }, width, height });
  const {
    investment_ids: [id = ""],
  } = await sandbox.play("closing");
  await go(`#/default/investments/${id}`);
  const next = page.getByRole("button", { name: /^Next change of #/ });
  const past = page.locator(".history .past");
  const dates = [...new Set((await sandbox.timeline({ investment_id: id })).map(({ date }) => date))];
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  for (const isPresented of [false, true]) {
    if (isPresented) await page.keyboard.press("p");
    await page.locator(isPresented ? "[data-presenting]" : ":root:not([data-presenting])").waitFor();
    const places: number[] = [];
    for (const [index, date] of dates.entries()) {
      if (index > 0) await next.click();
      await past.nth(index).waitFor();
      await expect.poll(() => past.count()).toBe(index + 1);
      expect((await sandbox.clock.get()).now).toBe(date);
      const box = await page.locator(".at-now").boundingBox();
      places.push((box?.y ?? 0) + (box?.height ?? 0) / 2);
    }
    const [first = 0, ...rest] = places;
    expect(rest.filter((place) => Math.abs(place - first) > 0.5)).toEqual([]);
    expect(first).toBeLessThan(height * (isPresented ? 0.6 : 0.95));
    expect(first).toBeGreaterThan(height * 0.4);
    if (isPresented) {
      const oldest = await past.last().boundingBox();
      expect((oldest?.y ?? height) + (oldest?.height ?? 0)).toBeLessThanOrEqual(height);
    }
    const newest = past.first();
    expect(await newest.innerText()).toContain("Payment approved · CLOSED");
    expect((await newest.boundingBox())?.y).toBeLessThan(height - 40);
    await sandbox.clock.set(dates[0] ?? "");
    await expect.poll(() => past.count()).toBe(1);
  }
});

test("p and Esc end the presentation, as does a page without a tab, and Ctrl K works in it", async () => {
  const { page, go } = await openPortal({ hash: "#/default/investments/unpaid" });
  const presented = page.locator("[data-presenting]");
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  await page.keyboard.press("p");
  await presented.waitFor();
  await page.getByRole("button", { name: /^Search / }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await presented.waitFor();
  await page.keyboard.press("p");
  await presented.waitFor({ state: "detached" });
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "End (Esc)" }).waitFor();
  // While it is down, the key repeats: only its first press counts.
  await page.keyboard.down("Escape");
  await page.keyboard.down("Escape");
  await page.keyboard.up("Escape");
  await presented.waitFor({ state: "detached" });
  expect(page.url()).toContain("unpaid");
  await page.keyboard.press("p");
  await presented.waitFor();
  await go("#/default/keys");
  await presented.waitFor({ state: "detached" });
});

test("Ctrl K plays, moves the clock, changes the theme, asks before a reset, and undoes nothing after it", async () => {
  // After the reset, the investment on the page is gone.
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 40[049]/] });
  const { now } = await sandbox.clock.get();
  const act = async (text: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.keyboard.insertText(text);
    await page.getByText("Searching investments").waitFor({ state: "detached" });
    const first = page.getByRole("group", { name: "Commands" }).getByRole("option").first();
    for (let steps = 0; steps < 30 && (await first.getAttribute("aria-selected")) !== "true"; steps++)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  await act("play closing");
  await page.getByRole("heading", { name: /^#\d+ / }).waitFor();
  expect(await sandbox.runs.list()).toMatchObject([{ scenario: "closing" }]);
  await act("advance 1 day");
  await expect.poll(async () => Date.parse((await sandbox.clock.get()).now) - Date.parse(now)).toBe(86_400_000);
  await act("undo");
  await expect.poll(async () => (await sandbox.clock.get()).now).toBe(now);
  await act("advance 1 day");
  await page.locator(".message").getByRole("button", { name: "Undo" }).waitFor();
  await act("dark");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await act("reset");
  const question = page.getByRole("dialog", { name: "Reset default?" });
  await question.waitFor();
  expect(await sandbox.runs.list()).toHaveLength(1);
  await question.getByRole("button", { name: "Reset", exact: true }).click();
  await expect.poll(() => sandbox.runs.list()).toEqual([]);
  await expect.poll(() => lastMessage(page)).toContain("was reset");
  await page.keyboard.press("Control+z");
  await expect.poll(() => lastMessage(page)).toBe("The last action cannot be undone.");
});
