import { expect, test } from "vitest";
import { openPortal } from "./portal.ts";

test("an offering has a page, along whose changes the clock steps", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 404/] });
  const [first, second] = await sandbox.offeringSummaries();
  if (!first || !second) throw new Error("the demo has two offerings");
  const event = (after: string) => ({ investment: { amount: 50 }, steps: [{ after, event: "PROFILE SUBMITTED" }] });
  await sandbox.play(event("1h"), { offering_id: second.id });
  await sandbox.play(event("2h"), { offering_id: first.id });
  const start = Date.parse((await sandbox.clock.get()).now);
  const sinceStart = async () => Date.parse((await sandbox.clock.get()).now) - start;

  await page.getByRole("link", { name: first.name, exact: true }).click();
  await page.getByRole("heading", { name: first.name, level: 1 }).waitFor();
  const status = page.locator(".comparison tr", { has: page.getByRole("rowheader", { name: "status", exact: true }) });
  const shownStatus = String(first.attributes["status"]);
  await expect
    .poll(() => status.first().locator("td").allInnerTexts())
    .toEqual([shownStatus, shownStatus, shownStatus]);
  await page.getByRole("region", { name: "Newest investments" }).locator("[data-row]").first().waitFor();

  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press(".");
  await expect.poll(sinceStart).toBe(2 * 3_600_000);
  await page.keyboard.press(",");
  await expect.poll(sinceStart).toBe(2 * 3_600_000 - 1);

  const [word = ""] = Object.keys(first.statuses);
  await page.getByRole("link", { name: new RegExp(`^${word} \\d`) }).click();
  await expect.poll(() => page.getByLabel("Status", { exact: true }).inputValue()).toBe(word);
  expect(page.url()).toContain(`offering_id=${first.id}`);
  await page.locator("[data-row]").first().click();
  await page.locator("main .headline").getByRole("link", { name: first.name }).click();
  await page.getByRole("link", { name: /^\d+ active keys?$/ }).click();
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe(first.name);

  await go("#/default/investments/offerings/aurra");
  await page.getByText('Did you mean "aurora"? All offerings come from the fixture').waitFor();
});
