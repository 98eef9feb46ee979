import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import type { LocalSandbox } from "../../src/index.ts";
import { expectAccessible, expectFits, lastMessage, openPortal, schemes } from "./portal.ts";

/** Waits until a page has its data. */
async function arrive(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
}

const hostile = "<img src=x onerror=alert(1)>";
const long = "x".repeat(4000);

/** Texts and numbers that must not become markup or widen a page. */
const odd = {
  status: long,
  step: hostile,
  amount: 69_999_999_999_999.99,
  investors: [{ first_name: hostile, last_name: long, email: "odd@example.com" }],
};

/** Does something of each kind, so that no page is empty. Returns the addresses of all pages. */
async function fill(sandbox: LocalSandbox): Promise<readonly string[]> {
  const { keys, offerings, investments } = sandbox;
  const run = await sandbox.play("closing", { offering_id: "aurora" });
  const busy = await sandbox.play("busy-day");
  const { id: oddId } = await investments.create(odd);
  const oddRun = await sandbox.play({ steps: [{ next: true, event: `${"X".repeat(90)} <b>Y</b>` }] });
  await sandbox.play({ steps: [{ offering: { name: hostile } }] });
  await sandbox.clock.advance("2h");
  const [id = ""] = run.investment_ids;
  await investments.change(id, { amount: 5001 });
  for (const path of [`/investments/${id}`, `/offerings/${offerings[1]?.id}/investments?size=0`, "/nowhere"]) {
    await fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${keys.partner}` } });
  }
  await sandbox.faults.add({ respond: { status: 503 }, times: 3 });
  await sandbox.assumptions.set({ "ids.case": "exact" });
  await sandbox.openEnvironment({ id: "other", label: "A demo for somebody" });
  const [key] = await sandbox.keys.list();
  return [
    "overview",
    "investments",
    `investments/${id}`,
    `investments/${id}?document=events`,
    `investments/${oddId}`,
    `investments/offerings/${offerings[0]?.id}`,
    "scenarios",
    "scenarios/joint-investors-with-countersigner",
    `scenarios/runs/${run.id}`,
    `scenarios/runs/${busy.id}`,
    `scenarios/runs/${oddRun.id}`,
    "scenarios/draft/new",
    "keys",
    `keys/${key?.id}`,
    "faults",
    "journal",
    "journal/1",
    "journal/2",
    "coverage",
    "assumptions",
    "assumptions/errors.body",
    "environments",
    "environments/other",
    "api",
    "api/listInvestments",
  ];
}

const lists = ["overview", "investments", "scenarios", "keys", "faults", "journal", "coverage", "environments", "api"];

test.each([
  ["demo", "light"],
  ["demo", "dark"],
  ["empty", "light"],
] as const)("each page of the fixture %s is accessible and fits its window, %s", async (fixture, scheme) => {
  const assumptions = { "investment.statuses": "any" };
  const options = { rateLimit: 120, scenarios: [], assumptions };
  const { page, sandbox, go } = await openPortal({ fixture, scheme, sandbox: options });
  for (const at of fixture === "demo" ? await fill(sandbox) : lists) {
    await go(`#/default/${at}`);
    await arrive(page);
    await expectAccessible(page);
    expect(await page.locator("main img").count()).toBe(0);
    if (scheme === "light") await expectFits(page);
  }
});

/** The dialogs, by the page and button that open them. */
const dialogs = [
  ["overview", /^Help/],
  ["overview", /^Find/],
  ["overview", /^The clock stands at/],
  ["overview", /^Reset…/],
  ["investments", /^New investment/],
  ["investments/unpaid", /^Record an event/],
  ["investments/unpaid", /^Play a scenario/],
  ["investments/unpaid", /^Save what I did/],
  ["keys", /^Issue a key/],
  ["environments", /^Open an environment/],
] as const;

test("each dialog is accessible, and so are a form with a mistake, a mark of a change and a refused value", async () => {
  const { page, go } = await openPortal({ expected: [/status of 400/], sandbox: { scenarios: ["closing"] } });
  for (const [at, name] of dialogs) {
    await go(`#/default/${at}`);
    await arrive(page);
    await page.getByRole("button", { name }).click();
    await page.getByRole("dialog").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await go("#/default/investments/unpaid");
  await page.getByRole("button", { name: ": change email" }).first().click();
  await page.locator(".edit input").fill("ada");
  await page.keyboard.press("Enter");
  await page.getByText("expected an e-mail address").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("Shift+Period");
  await expect.poll(() => lastMessage(page)).toMatch(/happened/);
  await go("#/default/investments");
  await page.getByText("just changed").first().waitFor({ state: "attached" });
  await expectAccessible(page);
});

test.each(schemes)("the presentation, a wrong address and a lost environment are accessible, %s", async (scheme) => {
  const at = "#/default/investments/unpaid";
  const { page, go } = await openPortal({ at, scheme, expected: [/status of 40[04]/] });
  await page.getByRole("list", { name: "Way of the investment" }).waitFor();
  await page.keyboard.press("p");
  await page.locator("[data-presenting]").waitFor();
  for (const next of [at, "#/default/jurnal", "#/default/investments/nobody", "#/defalt/keys"]) {
    await go(next);
    await arrive(page);
    await expectAccessible(page);
    await expectFits(page);
  }
});
