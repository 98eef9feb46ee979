import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { openPortal } from "./portal.ts";

const field = (page: Page) => page.getByRole("combobox", { name: "Number, id, alias" });
const found = (page: Page, group: string): Promise<string[]> =>
  page.getByRole("group", { name: group, exact: true }).getByRole("option").allInnerTexts();
const active = (page: Page): Promise<string> => page.locator("[role=option][aria-selected=true]").innerText();

test("Ctrl-K finds each kind of item by its names, without a mouse", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] } });
  const { id: run } = await sandbox.play("closing", { offering_id: "aurora" });
  await fetch(`${sandbox.baseUrl}/offerings/x`, { headers: { authorization: `Bearer ${sandbox.keys.partner}` } });
  await page.getByRole("link", { name: "GET /offerings/x" }).waitFor();
  const [investment] = (await sandbox.investments.list({ limit: 1 })).data;
  const [investor] = investment?.investors ?? [];
  const [offering] = sandbox.offerings;
  const [key] = await sandbox.keys.list();
  const [scenario] = await sandbox.scenarios.list();
  const at = `${sandbox.url}/#/default`;

  const searches: readonly (readonly [group: string, text: string | undefined, address: string])[] = [
    ["Investments", investment?.id, `investments/${investment?.id}`],
    ["Investments", investor?.email, `investments/${investment?.id}`],
    ["Offerings", offering?.name, `investments/offerings/${offering?.id}`],
    ["Offerings", offering?.id, `investments/offerings/${offering?.id}`],
    ["Keys", key?.label ?? "", `keys/${key?.id}`],
    ["Keys", key?.id, `keys/${key?.id}`],
    ["Scenarios", scenario?.name, `scenarios/${scenario?.name}`],
    ["Scenarios", scenario?.description.slice(0, 40), `scenarios/${scenario?.name}`],
    ["Runs", run, `scenarios/runs/${run}`],
    ["Requests", "403 /offerings/x", "journal/1"],
    ["Pages", "assumptions", "assumptions"],
  ];
  for (const [group, text = "", address] of searches) {
    await page.keyboard.press("Control+k");
    await page.keyboard.insertText(text);
    await expect.poll(() => found(page, group)).not.toEqual([]);
    await page.getByText("Searching investments").waitFor({ state: "detached" });
    const [first] = await found(page, group);
    for (let steps = 0; steps < 30 && (await active(page)) !== first; steps++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toBe(`${at}/${address}`);
    expect(await page.getByRole("dialog").count()).toBe(0);
  }
});

test("a pasted key is found only in the page, and its text is neither sent nor shown", async () => {
  const { page, sandbox } = await openPortal();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  const key = (await sandbox.keys.list()).find((apiKey) => apiKey.key === sandbox.keys.partner);
  await page.getByRole("button", { name: "Search Ctrl K" }).click();
  await page.keyboard.insertText(sandbox.keys.partner);
  await expect.poll(() => found(page, "Keys")).toEqual([expect.stringContaining(key?.label ?? "")]);
  await expect.poll(() => addresses.some((address) => address.includes(`search=${key?.id}`))).toBe(true);
  expect(await field(page).inputValue()).toBe(key?.id);
  expect(await page.content()).not.toContain(sandbox.keys.partner);
  await field(page).fill("sandbox_partner_ofanotherenvironment");
  await page.getByText("This is not a key of this environment.").waitFor();
  await field(page).fill("148");
  await page.getByText("Searching investments").waitFor({ state: "detached" });
  await expect.poll(() => addresses.some((address) => address.includes("search=%23148"))).toBe(true);
  expect(addresses.join("\n")).not.toMatch(/sandbox_partner/);
});

test("Enter waits for the investments, Esc returns the focus, and the field does not move", async () => {
  const { page } = await openPortal({ hash: "#/default/keys" });
  await page.getByRole("heading", { name: "Active" }).waitFor();
  const button = page.getByRole("button", { name: "Search Ctrl K" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => found(page, "Pages")).toContain("Journal");
  await field(page).fill("aurora");
  await expect.poll(() => found(page, "Keys")).not.toEqual([]);
  await page.keyboard.press("Escape");
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

  await page.keyboard.press("Control+k");
  const { y } = (await field(page).boundingBox()) ?? {};
  await page.keyboard.insertText("closing-soon nothing");
  await page.getByText("No match for “closing-soon nothing”.").waitFor();
  expect((await field(page).boundingBox())?.y).toBe(y);
  await field(page).fill("7");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^#7 / }).waitFor();
});

test("late results do not move the selection, and a command that begins with the text is first", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] } });
  const pendingRequests: (() => Promise<void>)[] = [];
  await page.route("**/investments?*", (route) => void pendingRequests.push(() => route.continue()));
  const find = async (text: string): Promise<string> => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await field(page).fill(text);
    await page.getByText("Searching investments").waitFor();
    await expect.poll(() => found(page, "Commands")).not.toEqual([]);
    return active(page);
  };
  expect(await find("clos")).toMatch(/^Play closing/);
  await expect.poll(() => pendingRequests.length).toBe(1);
  await pendingRequests[0]?.();
  await expect.poll(() => found(page, "Investments")).not.toEqual([]);
  expect(await active(page)).toMatch(/^Play closing/);
  expect(await find("1 change")).toMatch(/^Play at 1 change\/s/);
  expect(await find("day")).toMatch(/^Advance 1 day/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.keyboard.press("Control+k");
  await expect
    .poll(() => page.locator("#results").innerText())
    .toMatch(/^Recent\nAdvance 1 day .*\nCommands\nPlay closing .*\nUndo .*\nPages\nOverview\n/);
  const runs = await sandbox.runs.list();
  await page.keyboard.press("Enter");
  expect(await page.locator("#results [aria-selected=true]").count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await sandbox.runs.list()).toEqual(runs);
});
