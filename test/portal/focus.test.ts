import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { openPortal } from "./portal.ts";

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at === null ? "" : (at.getAttribute("aria-label") ?? `${at.tagName} ${at.textContent}`.trim());
  });

test("rows that arrive late do not take the focus from the search", async () => {
  const { page, context } = await openPortal({ hash: "#/default/investments" });
  await page.locator("main [data-row]").first().click();
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  let release = (): void => {};
  const pendingRelease = new Promise<void>((done) => (release = done));
  await context.route(/\/investments\?/, async (route) => {
    await pendingRelease;
    await route.continue();
  });
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("a");
  release();
  await page.locator("main [data-row]").first().waitFor();
  await page.keyboard.type("p.");
  expect(await page.getByRole("searchbox").inputValue()).toBe("ap.");
  expect(await page.locator("[data-presenting]").count()).toBe(0);
});

test("a list returns the focus to its row, and another environment leaves it in the chooser", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/investments" });
  await sandbox.openEnvironment({ id: "other" });
  const row = page.locator("main [data-row]").nth(2);
  const name = await row.innerText();
  await row.click();
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focusedName(page)).toContain(name.split("\n")[0]);
  const chooser = page.getByRole("combobox", { name: "Environment" });
  await chooser.focus();
  await expect.poll(() => chooser.locator("option").count()).toBe(2);
  await chooser.selectOption("other");
  await page.waitForURL(/#\/other\//);
  await page.locator("main [data-row]").first().waitFor();
  expect(await chooser.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("Space scrolls a page, and plays after a press in the clock's bar", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal", sandbox: { scenarios: ["closing"] } });
  await page.getByText("No requests yet.").waitFor();
  await page.locator("h1").click();
  await page.keyboard.press(" ");
  // The commands of a page follow each other.
  await page.getByRole("button", { name: "+1 h" }).click();
  await page.locator(".message").waitFor();
  expect((await sandbox.clock.get()).speed).toBe(0);
  await page.locator(".time-bar").click({ position: { x: 3, y: 3 } });
  await page.keyboard.press(" ");
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(60);
});

test("Ctrl K offers Reset only where the clock bar is shown", async () => {
  const { page, go } = await openPortal({ expected: [/status of 404/] });
  await page.getByRole("button", { name: /^Reset…/ }).waitFor();
  await go("#/gone/overview");
  await page.getByRole("heading", { name: "Environment not found" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("reset");
  await page.getByText("Searching investments").waitFor({ state: "detached" });
  expect(await page.getByRole("option", { name: "Reset…" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await go("#/default/overview");
  await page.getByRole("button", { name: /^Reset…/ }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("reset");
  await page.getByRole("option", { name: "Reset…" }).click();
  await page.getByRole("dialog", { name: "Reset default?" }).waitFor();
});

test("a double click opens a dialog that stays open", async () => {
  const { page } = await openPortal({ hash: "#/default/keys" });
  await page.getByRole("button", { name: "Issue key" }).dblclick();
  const dialog = page.getByRole("dialog", { name: "Issue key" });
  await dialog.getByLabel("Label").fill("Checkout");
  await page.keyboard.press("Escape");
  await dialog.getByText("You have unsaved changes.").waitFor();
});
