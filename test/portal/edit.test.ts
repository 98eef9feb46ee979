import type { Locator, Page } from "@playwright/test";
import { expect, test } from "vitest";
import { lastMessage, openPortal } from "./portal.ts";

/** Returns the values in a row, without the marks of a change. */
async function cells(page: Page, member: string): Promise<string[]> {
  const row = page.getByRole("row", { name: new RegExp(`^${member} `) }).first();
  return (await row.locator("td").allInnerTexts()).map((text) => text.replace(/\s*, just changed$/, ""));
}

const value = (page: Page, member: string): Locator =>
  page.getByRole("button", { name: new RegExp(`: change ${member}$`) }).first();

/** Opens the field of a value, and types another text, only by keys. */
async function type(page: Page, member: string, text: string): Promise<void> {
  await value(page, member).focus();
  await page.keyboard.press("Enter");
  await page.locator(".edit :is(input, select)").waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

async function undo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Undo", exact: true }).last().focus();
  await page.keyboard.press("Enter");
}

test("stored values are changed in place with the keyboard alone, and undone in one step", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 400/] });
  const run = await sandbox.play("closing", { offering_id: "aurora" });
  await sandbox.clock.advance("2h");
  const [id = ""] = run.investment_ids;
  const before = await sandbox.investments.get(id);
  const [{ first_name, tax_id }] = before["investors"] as [{ first_name: string; tax_id: string }];
  await go(`#/default/investments/${id}`);
  // Later, the advance would count as a change from elsewhere, past which no Undo reaches.
  await page.getByRole("button", { name: /^Clock: .*14:00:00/ }).waitFor();

  await type(page, "amount", "7,500.50");
  await expect.poll(() => cells(page, "amount")).toEqual(["7500.5", "7500.5", "7500.5"]);
  await expect.poll(() => lastMessage(page)).toMatch(/^amount changed from now on\./);
  await expect.poll(() => value(page, "amount").evaluate((element) => element === document.activeElement)).toBe(true);
  await undo(page);
  await expect.poll(() => cells(page, "amount")).toEqual(["5000", "5000", "5000"]);
  await expect.poll(() => lastMessage(page)).toMatch(/^#146 .*: Amount 5,000 again\. The history has both changes\.$/);

  await type(page, "first_name", "Augusta");
  await expect.poll(() => cells(page, "first_name")).toEqual(["Augusta", "Augusta", "Augusta"]);
  await page
    .getByRole("heading", { name: /Augusta/ })
    .first()
    .waitFor();
  await type(page, "tax_id", "666-00-0001");
  await expect.poll(() => cells(page, "tax_id")).toEqual(["666-00-0001", "666-00-0001", "[[redacted]]"]);
  await type(page, "company", "null");
  await page.getByText("company cannot be the word null: an empty field is null.").waitFor();
  expect((await sandbox.investments.get(id))["investors"]).toMatchObject([{ company: null }]);
  await page.keyboard.press("Escape");
  await type(page, "company", "Engines Ltd");
  await expect.poll(() => cells(page, "company")).toEqual(["Engines Ltd", "Engines Ltd", "Engines Ltd"]);
  await undo(page);
  await expect.poll(() => cells(page, "company")).toEqual(["null", "null", "null"]);

  await type(page, "signed", "f");
  await expect.poll(() => cells(page, "signed")).toEqual(["false", "false", "false"]);
  const payment = page.getByRole("rowgroup").filter({ hasText: "Payment ·" });
  const status = payment.getByRole("button", { name: "pending: change status" });
  await status.focus();
  await page.keyboard.press("Enter");
  await page.locator(".edit select").press("s");
  await page.keyboard.press("Enter");
  await payment.getByRole("button", { name: "succeeded: change status" }).waitFor();
  expect(await sandbox.investments.get(id)).toMatchObject({
    paid_amount: 5000,
    investors: [{ first_name: "Augusta", tax_id: "666-00-0001", company: null }],
    signing_parties: [{ signed: false }],
    payments: [{ status: "succeeded" }],
  });
  await undo(page);
  await status.waitFor();

  const wrong = page.locator(".edit input");
  await type(page, "email", "ada");
  await page.getByText('investors[0].email is "ada"; expected an email address').waitFor();
  expect([await wrong.inputValue(), await wrong.getAttribute("aria-invalid")]).toEqual(["ada", "true"]);
  await wrong.focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => value(page, "email").evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await wrong.count()).toBe(0);
  expect((await sandbox.investments.get(id))["investors"]).toMatchObject([{ email: expect.stringContaining("@") }]);

  await page.getByLabel("Document").selectOption({ label: "Status" });
  await expect.poll(() => page.getByRole("button", { name: /: change / }).count()).toBe(0);
  await sandbox.clock.set(String(before["create_date"]));
  await sandbox.clock.advance("100m");
  const past = { first_name, tax_id };
  expect((await sandbox.investments.get(id))["investors"]).toMatchObject([past]);
});

test("dates of a filter are ISO dates, and a wrong one is reported", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/investments" });
  const from = page.getByLabel("Created from");
  const { total: all } = await sandbox.investments.list({ limit: 0 });
  const { total } = await sandbox.investments.list({ from: "2026-01-10", limit: 0 });
  const count = page.locator("main header [role=status]").first();
  await from.fill("2026-02-30");
  await page.getByText("Not a date: YYYY-MM-DD.").waitFor();
  await expect.poll(() => count.innerText()).toContain(`${all} investments`);
  await from.fill("2026-01-10");
  await expect.poll(() => count.innerText()).toContain(`${total} investments match`);
  expect(page.url()).toContain("from=2026-01-10");
});
