import type { BrowserContext, Page } from "@playwright/test";
import { expect, onTestFinished, test } from "vitest";
import { type OpenedEnvironment, startSandbox } from "../../src/index.ts";
import { copied, lastMessage, openPortal, type Portal } from "./portal.ts";

/** Opens a sandbox with a shared environment that contains something of each kind. */
async function openShared() {
  const sandbox = await startSandbox({
    openToken: "the-token-to-open-with",
    adminToken: "the-admin-token-of-all",
    rateLimit: 120,
  });
  onTestFinished(() => sandbox.close());
  const environment = await sandbox.openEnvironment({ id: "mine", label: "Theirs" });
  const { id: run, investment_ids } = await environment.play({ steps: [{ next: true, event: "PAYMENT APPROVED" }] });
  await environment.faults.add({ delay: "1ms" });
  const authorization = `Bearer ${environment.keys.partner}`;
  await fetch(`${environment.baseUrl}/investments/nothing`, { headers: { authorization } });
  const [key] = await environment.keys.list();
  const pages = [
    "overview",
    "investments",
    `investments/${investment_ids[0] ?? ""}`,
    `investments/offerings/${environment.offering.id}`,
    "scenarios",
    "scenarios/closing",
    `scenarios/runs/${run}`,
    `keys/${key?.id ?? ""}`,
    "faults",
    "journal/1",
    "assumptions/list.order",
    "environments/mine",
    "coverage",
    "api",
  ];
  return { sandbox, environment, pages };
}

/** Collects the refused calls, whatever the reason. */
function watchRefusals(context: BrowserContext): readonly string[] {
  const refused: string[] = [];
  context.on("response", (response) => {
    const path = new URL(response.url()).pathname;
    if (path.startsWith("/__admin") && response.status() >= 400) refused.push(`${response.status()} ${path}`);
  });
  return refused;
}

/** Opens a page of the environment and waits until it has its data. */
async function visit({ page, go }: Portal, at: string): Promise<void> {
  await go(`#/mine/${at}`);
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
}

const hashOf = (link: string | null | undefined): string => new URL(link ?? "").hash;

/** Returns the state of an environment, except its limits, which end by real time. */
async function stateOf(environment: OpenedEnvironment): Promise<object> {
  const { traffic, checksum: _checksum, ...rest } = await environment.snapshot();
  const { limits: _limits, ...requests } = traffic as Readonly<Record<string, unknown>>;
  return { ...rest, traffic: requests };
}

/** Buttons that change nothing, by the beginnings of their names. */
const harmless =
  /^(Search|Theme|Present|Help|Copy|Filters|Export|As CSV|Save as scenario|Download|Edit copy|Show|Preview|Empty|Close|Dismiss|Number|Status|Step|Amount|Created|Changed|Investment|Events|Only|All)/;

const enabledButtons = (page: Page): Promise<string[]> =>
  page.$$eval("button:not([disabled]), [type=range]:not([disabled])", (all) =>
    all.map((button) => (button.getAttribute("aria-label") ?? button.textContent).trim()),
  );

test("a person with a view link sees everything and changes nothing", async () => {
  const { sandbox, environment, pages } = await openShared();
  const before = await stateOf(environment);
  const portal = await openPortal({ sandbox, hash: hashOf(environment.viewLink) });
  const { page, context } = portal;
  const refused = watchRefusals(context);
  await page.getByText("You have view-only access").waitFor();
  expect(page.url()).toBe(`${sandbox.url}/#/mine`);
  expect((await page.locator(".timeline").boundingBox())?.width).toBeGreaterThan(800);
  for (const at of pages) {
    await visit(portal, at);
    const buttons = await enabledButtons(page);
    expect([at, buttons.filter((name) => !harmless.test(name))]).toEqual([at, []]);
    const words = (await page.locator("body").innerText()).split("\n");
    expect([at, words.filter((line) => /\b(?:press|play) |move the clock|make calls/i.test(line))]).toEqual([at, []]);
    for (const key of [" ", ",", ".", "Shift+Comma"]) await page.keyboard.press(key);
  }
  await visit(portal, "faults");
  expect(await page.locator("main :is(button, input):disabled, main select").count()).toBe(0);
  const [badge, title] = await page.locator("main .badge, main li strong").all();
  const [badgeBox, titleBox] = [await badge?.boundingBox(), await title?.boundingBox()];
  expect(
    Math.abs((badgeBox?.y ?? 0) + (badgeBox?.height ?? 0) / 2 - (titleBox?.y ?? 0) - (titleBox?.height ?? 0) / 2),
  ).toBeLessThan(3);
  expect(refused).toEqual([]);
  expect(await stateOf(environment)).toEqual(before);
});

async function clockOf({ clock }: OpenedEnvironment): Promise<string> {
  return (await clock.get()).now;
}

test("the link of an environment gives access to it, and to no other environment", async () => {
  const { sandbox, environment, pages } = await openShared();
  await sandbox.openEnvironment({ id: "other" });
  const portal = await openPortal({ sandbox, hash: hashOf(environment.portalLink), expected: [/status of 401/] });
  const { page, context, go } = portal;
  const refused = watchRefusals(context);
  for (const at of pages) await visit(portal, at);
  const begin = await clockOf(environment);
  await page.getByRole("button", { name: "+1 d" }).click();
  await expect.poll(() => clockOf(environment)).not.toBe(begin);
  await go("#/default/environments");
  await page.getByText("1 environment", { exact: true }).waitFor();
  expect(await page.getByRole("combobox", { name: "Environment" }).innerText()).toBe("Theirs");
  expect(await page.getByRole("button", { name: "Open environment" }).count()).toBe(0);
  expect(refused).toEqual([]);

  await visit(portal, "environments/mine");
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  // The token ended with the environment. The token of another environment opens its page.
  await page.getByText("This token was not accepted.").waitFor();
  const { adminToken: newToken } = await sandbox.openEnvironment({ id: "mine", label: "Another" });
  await page.getByLabel("Admin token").fill(newToken ?? "");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("option", { name: "Another" }).waitFor({ state: "attached" });
});

test("the header copies a link and a view-only link", async () => {
  const adminToken = "the-admin-token-of-all";
  const { page, sandbox, tab } = await openPortal({
    sandbox: { adminToken, scenarios: [] },
    hash: `#token=${adminToken}&/default/keys`,
  });
  const copiedAs = async (subject: string): Promise<string> => {
    await expect.poll(() => lastMessage(page)).toBe(`${subject} copied.`);
    return copied(page);
  };
  const chain = page.getByRole("button", { name: "Copy link to this view at this instant" });
  await chain.click();
  await page.getByRole("button", { name: "Copy view-only link" }).click();
  const look = await copiedAs("View-only link");
  expect(look).toMatch(/#token=sandbox_view_default_[\da-f]{32}&\/default\/keys\?at=/);
  await chain.click();
  await page.getByRole("button", { name: "Copy link", exact: true }).click();
  const all = await copiedAs("Link");
  expect(all + look).not.toContain(adminToken);

  const viewer = await tab(look.slice(look.indexOf("#")));
  await viewer.getByText("You have view-only access").waitFor();
  await viewer.getByRole("heading", { name: "Keys" }).waitFor();
  expect(await viewer.getByRole("button", { name: "Issue key" }).count()).toBe(0);
  const colleague = await tab(all.slice(all.indexOf("#")));
  await colleague.getByRole("button", { name: "+1 d" }).click();
  await expect.poll(() => lastMessage(colleague)).toBe("No changes.");
  // The key of another environment, on its page.
  const { id } = await sandbox.openEnvironment({ label: "a demo" });
  await page.goto(`${sandbox.url}/#/default/environments/${id}`);
  await page.getByRole("button", { name: "Copy view-only link" }).click();
  await expect.poll(() => copied(page)).toContain(`#token=sandbox_view_${id}_`);
});
