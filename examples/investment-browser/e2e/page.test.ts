import { expect } from "@playwright/test";
import type { Environment } from "offering-sandbox";
import { chromium } from "./chromium.ts";
import { test } from "./page-test.ts";

test.skip(!chromium.isThere, chromium.advice);

test("shows the sandbox that runs next to it, with either key", async ({ page, pageUrl }) => {
  await page.goto(pageUrl);
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeFocused();
  await page.getByRole("link", { name: "Investment 1", exact: true }).click();
  await expect(page.getByText("This key does not show personal data.")).toBeVisible();
  await page.getByRole("button", { name: "Partner key" }).click();
  await expect(page.getByText("This key does not show personal data.")).toBeHidden();
  await expect(page.getByRole("heading", { name: "Investment 1", exact: true })).toBeVisible();
});

test("leads through the list by pages and by dates", async ({ connected }) => {
  const page = await connected();
  const first = page.getByRole("rowheader").first();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("Page 2 of 8")).toBeVisible();
  await expect(first).toHaveText("21");
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeFocused();
  await page.getByRole("group", { name: "Created" }).getByLabel("from").fill("2025-12-01");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(first).not.toHaveText("21");
  await first.getByRole("link").click();
  await page.getByRole("link", { name: "All investments" }).click();
  await expect(page.getByRole("group", { name: "Created" }).getByLabel("from")).toHaveValue("2025-12-01");
  await page.getByRole("group", { name: "Modified" }).getByLabel("to").fill("2020-01-01");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No investment fits these dates.")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(first).toHaveText("1");
});

test("shows what a Marketing key may read of an investor", async ({ connected, sandbox }) => {
  const hash = await investorWith(sandbox, { tax_id: "000-12-3456" });
  const page = await connected({ hash });
  await expect(page.getByRole("definition").filter({ hasText: "Redacted" })).toHaveCount(8);
  await expect(page.getByRole("columnheader", { name: "Telephone" })).toBeVisible();
  await expect(page.getByText("000-12-3456")).toBeHidden();
});

test("shows what a Partner key may read of an investor", async ({ connected, sandbox }) => {
  const hash = await investorWith(sandbox, { tax_id: "000-12-3456", annual_income: null });
  const page = await connected({ hash, key: sandbox.keys.partner });
  await expect(page.getByText("000-12-3456")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Not stored" }).first()).toBeVisible();
  await expect(page.getByText("Redacted")).toBeHidden();
  await expect(page.getByRole("columnheader", { name: "Telephone" })).toBeHidden();
});

test("watches an investment until it is closed", async ({ page, connected, sandbox }) => {
  await page.clock.install();
  const { investment_ids } = await sandbox.play("closing");
  await connected({ hash: `#investment=${investment_ids[0]}` });
  await expect(page.getByText("Watching until it is closed")).toBeVisible();
  await sandbox.clock.advance("20m");
  await page.clock.fastForward(3000);
  await expect(page.getByText("Waiting for: Signers")).toBeVisible();
  await sandbox.clock.advance("2d");
  await page.clock.fastForward(3000);
  await expect(page.getByRole("status").filter({ hasText: "is closed." })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Payment approved" })).toBeVisible();
  await expect(page.getByText("Watching until it is closed")).toBeHidden();
});

test("says how long the limit lasts, waits, and then continues", async ({ page, connected, sandbox }) => {
  await page.clock.install();
  for (const { id } of await sandbox.keys.list()) await sandbox.limits.set(id, 120);
  await connected();
  await expect(page.getByRole("status").filter({ hasText: "continues in 60 seconds" })).toBeVisible();
  await sandbox.clock.advance("60s");
  await page.clock.fastForward("01:00");
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeVisible();
  await expect(page.getByText("continues in")).toBeHidden();
});

test("says when a key is not accepted, and takes another", async ({ connected, sandbox }) => {
  const page = await connected({ key: "unknown-key" });
  await expect(page.getByRole("heading", { name: "The key is not accepted" })).toBeFocused();
  await page.getByRole("button", { name: "Change connection" }).click();
  await page.getByLabel("Key", { exact: true }).fill(sandbox.keys.marketing);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeVisible();
});

test("says when the key is for another offering", async ({ connected, sandbox }) => {
  const page = await connected({ offeringId: sandbox.offerings[1]?.id });
  await expect(page.getByRole("heading", { name: "The key is for another offering" })).toBeVisible();
});

test("says when there is no such investment, and leads back", async ({ connected }) => {
  const page = await connected({ hash: "#investment=00000000-0000-4000-8000-000000000000" });
  await expect(page.getByRole("heading", { name: "There is no such investment" })).toBeVisible();
  await page.getByRole("link", { name: "All investments" }).click();
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeVisible();
});

test("says when the service cannot be reached, and tries again when told to", async ({ connected, sandbox }) => {
  await sandbox.faults.add({ connection: "reset" });
  const page = await connected();
  await expect(page.getByRole("heading", { name: "The service cannot be reached" })).toBeVisible();
  await sandbox.faults.remove();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Aurora Robotics" })).toBeVisible();
});

/** Returns the address of an investment with an investor for whom these values are known. */
async function investorWith({ investments }: Environment, investor: Record<string, unknown>): Promise<string> {
  const { id } = await investments.create({ investors: [investor] });
  return `#investment=${id}`;
}
