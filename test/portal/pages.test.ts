import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { fill, fillable } from "./all-pages.ts";
import { expectAccessible, expectFits, lastMessage, openPortal, schemes } from "./portal.ts";

/** Waits until a page has its data. */
async function arrive(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
}

const lists = ["overview", "investments", "scenarios", "keys", "faults", "journal", "coverage", "environments", "api"];

test.each([
  ["demo", "light"],
  ["demo", "dark"],
  ["empty", "light"],
] as const)("each page of the fixture %s is accessible and fits its window, %s", async (fixture, scheme) => {
  const { page, sandbox, go } = await openPortal({ fixture, scheme, sandbox: fillable });
  for (const path of fixture === "demo" ? await fill(sandbox) : lists) {
    await go(`#/default/${path}`);
    await arrive(page);
    await expectAccessible(page);
    expect(await page.locator("main img").count()).toBe(0);
    if (scheme === "light") await expectFits(page);
  }
});

test.each([
  ["a telephone", 390, 844],
  ["a zoom of 200 %", 640, 400],
] as const)("each page is accessible on %s", async (_name, width, height) => {
  const { page, sandbox, go } = await openPortal({ width, height, sandbox: fillable });
  for (const path of await fill(sandbox)) {
    await go(`#/default/${path}`);
    await arrive(page);
    await expectAccessible(page);
  }
});

/** The dialogs, by the page and button that open them. */
const dialogs = [
  ["overview", /^Help/],
  ["overview", /^Search/],
  ["overview", /^Clock: /],
  ["overview", /^Reset…/],
  ["investments", /^Create investment/],
  ["investments/unpaid", /^Record event/],
  ["investments/unpaid", /^Play scenario/],
  ["investments/unpaid", /^Save as scenario/],
  ["keys", /^Issue key/],
  ["environments", /^Open environment/],
] as const;

test("each dialog is accessible, and so are a form with an error, a mark of a change and a refused value", async () => {
  const { page, go } = await openPortal({ expected: [/status of 400/], sandbox: { scenarios: ["closing"] } });
  for (const [path, name] of dialogs) {
    await go(`#/default/${path}`);
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
  await page.getByText("expected an email address").waitFor();
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
  const { page, go } = await openPortal({ hash: at, scheme, expected: [/status of 40[04]/] });
  await page.getByRole("list", { name: "Investment progress" }).waitFor();
  await page.keyboard.press("p");
  await page.locator("[data-presenting]").waitFor();
  for (const next of [at, "#/default/jurnal", "#/default/investments/unknown", "#/defalt/keys"]) {
    await go(next);
    await arrive(page);
    await expectAccessible(page);
    await expectFits(page);
  }
});
