import { expect, test } from "vitest";
import { openPortal } from "./portal.ts";

test("a view that cannot be shown says so, and the others still open", async () => {
  const { page, context, go } = await openPortal({ expected: [/Cannot read properties/] });
  await context.route(/\/coverage$/, (route) => route.fulfill({ json: { met: 1 } }));
  await go("#/default/coverage");
  await page.getByRole("alert").getByText("This part of the page cannot be shown").waitFor();
  await page.getByRole("button", { name: "Reload" }).waitFor();
  await go("#/default/keys");
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  await context.unroute(/\/coverage$/);
  await go("#/default/coverage");
  await page.getByRole("heading", { name: "Coverage", level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: "Reload" }).count()).toBe(0);
});

test("a tab that is older than the sandbox's new version reloads itself once", async () => {
  const { page, context } = await openPortal({ hash: "#/default/keys" });
  await page.locator("main [data-row]").first().waitFor();
  let loads = 0;
  page.on("load", () => loads++);
  let version = 1;
  await context.route(/\/pulse\?/, async (route) => {
    const response = await route.fetch();
    // Two versions share a database during an upgrade.
    await route.fulfill({ json: { ...((await response.json()) as object), version: `9.0.${version++ % 2}` } });
  });
  await page.waitForEvent("load");
  await page.locator("main [data-row]").first().waitFor();
  const before = version;
  await expect.poll(() => version).toBeGreaterThan(before + 4);
  expect(loads).toBeLessThan(3);
});

test("a link to an offering or a run mentions another time only if the opened item has changed since", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const { now } = await sandbox.clock.get();
  const [aurora, borealis] = sandbox.offerings;
  const run = await sandbox.play("closing", { offering_id: aurora?.id });
  await sandbox.clock.advance("2d");
  const about = page.getByText("This link was created");
  await go(`#/default/scenarios/runs/${run.id}`);
  await page.getByText("finished").first().waitFor();
  await go(`#/default/investments/offerings/${aurora?.id}?at=${now}`);
  await about.waitFor();
  await go(`#/default/scenarios/runs/${run.id}?at=${now}`);
  await about.waitFor();
  // An unchanged page removes the instant from its address.
  await go(`#/default/investments/offerings/${borealis?.id}?at=${now}`);
  await expect.poll(() => page.url()).not.toContain("at=");
  expect(await about.count()).toBe(0);
});

test("the chosen example stays selected when other examples disappear", async () => {
  const { page, sandbox } = await openPortal();
  const choice = page.getByRole("combobox", { name: "Request with response" });
  await expect.poll(() => choice.locator("option").count()).toBeGreaterThan(3);
  await choice.selectOption({ index: (await choice.locator("option").count()) - 1 });
  for (const { id, status } of await sandbox.keys.list()) if (status === "active") await sandbox.keys.revoke(id);
  await sandbox.keys.issue({ type: "partner" });
  await expect.poll(() => choice.locator("option").count()).toBeGreaterThan(0);
  await expect.poll(() => choice.locator("option").allInnerTexts()).not.toContainEqual(expect.stringMatching(/^\d$/));
});

test("an incomplete date says that it does not filter", async () => {
  const { page } = await openPortal({ hash: "#/default/investments?from=2026-01-10" });
  const field = page.getByRole("textbox", { name: "Created from" });
  await field.fill("2026-01-1");
  expect(await field.getAttribute("aria-invalid")).toBeNull();
  await field.blur();
  await page.getByText("Still filtered by 2026-01-10.").waitFor();
  await field.fill("2026-01-12");
  await expect.poll(() => page.url()).toContain("from=2026-01-12");
  expect(await field.getAttribute("aria-invalid")).toBeNull();
});
