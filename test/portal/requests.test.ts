import type { Locator, Page } from "@playwright/test";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LocalSandbox } from "../../src/index.ts";
import { until } from "../support/until.ts";
import { copied, openPortal } from "./portal.ts";

/** The problem that the browser reports in the console for each failed call. */
const failedCalls = [/Failed to load resource/];

async function call(sandbox: LocalSandbox, path: string, key = sandbox.keys.partner): Promise<void> {
  const response = await fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${key}` } }).catch(
    () => null,
  );
  await response?.text();
}

/** Makes a call with the key of another offering: a 403. */
async function callOther(sandbox: LocalSandbox): Promise<void> {
  await call(sandbox, `/offerings/${sandbox.offerings[1]?.id}`);
}

function rows(page: Page): Locator {
  return page.getByRole("region", { name: "Requests" }).locator("tbody tr");
}

test("the journal shows why a request got 403", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal", expected: failedCalls });
  await page.getByText("No requests yet.").waitFor();
  await call(sandbox, `/offerings/${sandbox.offerings[1]?.id}/investments?create_date[gt]=2026-01-01`);
  await page.getByText("the key is for the offering Aurora Robotics, and 1 more").waitFor();

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const why = page.locator(".detail .notice");
  await expect.poll(() => why.innerText()).toContain("The key is for another offering.");
  expect(await why.innerText()).toContain("Aurora Robotics partner is for Aurora Robotics");
  expect(await why.innerText()).toContain("the path is for Harbor Light Energy");
  expect(await why.innerText()).toContain("create_date[gt], did you mean create_date[gte]?");
  await page.locator(".assumed li").first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("403 GET /offerings/");

  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Preview of the response").waitFor();
  expect(await sandbox.requests.count()).toBe(1);
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByText("Response to the resent request").waitFor();
  expect(await sandbox.requests.count()).toBe(2);

  await page.locator("h1").click();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches("[data-row]"))).toBe(true);
});

test("a request is received in real time, by the sandbox's machine, wherever its clock is", async () => {
  const real = vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2031, 1, 3, 4, 5, 6, 789));
  const { page, sandbox, go } = await openPortal();
  await call(sandbox, `/offerings/${sandbox.offering.id}`);
  await sandbox.clock.set({ now: "2026-01-01T00:00:00Z" });
  const receivedTimes = page.locator("li", { has: page.locator('[href*="/journal/"]') }).locator("time");
  await expect.poll(() => receivedTimes.allInnerTexts()).toEqual(["now"]);
  real.mockReturnValue(Date.UTC(2031, 1, 3, 4, 7, 30));
  await expect.poll(() => receivedTimes.allInnerTexts()).toEqual(["2 min ago"]);
  await go("#/default/journal");
  const row = await rows(page).innerText();
  expect(row).toContain("04:05:06.789Z, 2 min ago");
  expect(row).toContain("2026-01-15 12:00:00");
  await rows(page).getByRole("link").click();
  await page.locator(".detail dd", { hasText: "2031-02-03 04:05:06.789 UTC, 2 min ago" }).waitFor();
});

test("copy buttons appear only after the keys are loaded", async () => {
  const { sandbox, context } = await openPortal();
  await call(sandbox, `/offerings/${sandbox.offering.id}`);
  const page = await context.newPage();
  const responses: (() => Promise<void>)[] = [];
  await page.route(/environments\/default$/, (route) => void responses.push(() => route.continue()));
  await page.goto(`${sandbox.url}/#/default/journal/1`);
  const detail = page.locator(".detail");
  await detail.getByText("Loading …").first().waitFor();
  expect(await detail.getByRole("button", { name: "Copy as" }).count()).toBe(0);
  await expect.poll(() => responses.length).toBe(1);
  await responses[0]?.();
  await detail.getByRole("button", { name: "Copy as curl" }).waitFor();
});

test("a request shows its replayed response, or why there is none; a failed request offers a snapshot", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/journal", expected: failedCalls });
  const { id } = await sandbox.investments.create({ amount: 4321 });
  await call(sandbox, `/investments/${id}`);
  await sandbox.investments.change(id, { amount: 1234 });
  const fault = await sandbox.faults.add({ respond: { status: 503 }, times: 1 });
  await call(sandbox, `/investments/${id}`);
  await go("#/default/journal/1");
  const detail = page.locator(".detail");
  const body = detail.getByRole("region", { name: "Replayed response: body" });
  await expect.poll(() => body.innerText()).toContain('"amount": 4321');
  await detail.getByRole("heading", { name: "Replayed response 200" }).waitFor();
  expect(await detail.getByRole("button", { name: "Download snapshot" }).count()).toBe(0);

  await go("#/default/journal/2");
  await detail.getByText(`This response cannot be replayed: ${fault.id} responded.`).waitFor();
  await detail.getByRole("link", { name: "the fault for every request: status 503, once" }).waitFor();
  await rows(page).filter({ hasText: "affected by the fault for every request: status 503, once" }).waitFor();
  expect(await body.count()).toBe(0);
  const saved = page.waitForEvent("download");
  await detail.getByRole("button", { name: "Download snapshot" }).click();
  expect((await saved).suggestedFilename()).toBe("snapshot-default-2.json");
  const content: unknown = JSON.parse(await readFile(await (await saved).path(), "utf8"));
  expect(content).toMatchObject({
    format: "offering-sandbox-environment",
    traffic: { journal: { data: [{ id: 1 }, { id: 2 }] } },
  });

  const { id: run, investment_ids } = await sandbox.play("closing");
  await sandbox.clock.advance("2d");
  await call(sandbox, `/investments/${investment_ids[0]}`);
  await sandbox.clock.set({ now: "2026-01-15T12:00:00.000Z" });
  await sandbox.runs.stop(run);
  await go("#/default/journal/3");
  await detail.getByText("The response at that time was different.").waitFor();
});

/** Targets below a list of investments, and whether the journal has each completely. */
const targets: readonly (readonly [sent: string, isWhole: boolean])[] = [
  ["?create_date[gte]=2026-01-07T01:00:00+01:00", true],
  ["?create_date[gte]=2026-01-07T01:00:00%2B01:00", true],
  ["/../../offerings?size=1", true],
  ["/..?page=", true],
  ["?create_date[gte]=yesterday", true],
  ["?status=PENDING,CLOSED&name=Zo%C3%AB's%22%24(x)", true],
  ["?token=abc", false],
  [`?${"size=1&".repeat(20)}size=1`, false],
];

test("copied requests include the hidden secret, if the journal has the complete path", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/journal" });
  const received: (string | undefined)[] = [];
  const mirror = createServer((incoming, response) => {
    received.push(incoming.url);
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void mirror.close());
  await once(mirror, "listening");
  const { port } = mirror.address() as AddressInfo;
  const button = page.getByRole("button", { name: "Copy as curl" });
  for (const [index, [below, isWhole]] of targets.entries()) {
    const path = `/api/v1/offerings/${sandbox.offering.id}/investments${below}`;
    await sendAsIs(sandbox, path);
    await go(`#/default/journal/${index + 1}`);
    await page.locator(`.current [href="#/default/journal/${index + 1}"]`).waitFor();
    await page
      .getByRole("heading", { name: below.split("?")[0] || "/investments?" })
      .first()
      .waitFor();
    expect(await button.isEnabled(), path).toBe(isWhole);
    if (!isWhole) continue;
    await button.click();
    await expect.poll(() => copied(page)).toContain(path);
    const curl = await copied(page);
    await promisify(execFile)("bash", ["-c", curl.replace(sandbox.url, `http://127.0.0.1:${port}`)]);
    expect(received.at(-1)).toBe(path);
  }
  await call(sandbox, "/offerings/x");
  await go(`#/default/journal/${targets.length + 1}`);
  await page.getByRole("button", { name: "Copy as fetch" }).click();
  await expect.poll(() => copied(page)).toContain(`fetch("${sandbox.baseUrl}/offerings/x", {`);
  await button.click();
  await expect.poll(() => copied(page)).toMatch(new RegExp(`^curl .*Authorization: Bearer ${sandbox.keys.partner}"`));
  expect(await page.locator("body").innerText()).not.toContain(sandbox.keys.partner);
});

/** Sends a target unchanged: browsers and `fetch` would resolve its dots. */
function sendAsIs({ url }: LocalSandbox, path: string): Promise<unknown> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) =>
    get({ hostname, port, path }, (response) => response.resume().once("end", done)).once("error", fail),
  );
}

test("the journal does not move while a person reads it, and counts new requests", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal" });
  await callOther(sandbox);
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.keyboard.press("j");
  for (let times = 0; times < 3; times++) await callOther(sandbox);
  await page.getByRole("button", { name: "3 new" }).waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.getByRole("button", { name: "3 new" }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
});

test("the journal is filtered by the address, groups equal failures, and is exported and cleared", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/journal?status=4xx&grouped=yes" });
  for (let times = 0; times < 3; times++) await callOther(sandbox);
  await call(sandbox, `/offerings/${sandbox.offering.id}`);
  await call(sandbox, `/offerings/${sandbox.offering.id}`, "unknown-key");
  await page.getByText("4 of 5 requests in 2 rows").waitFor();
  expect(await rows(page).nth(1).innerText()).toContain("× 3");
  await page.getByLabel("Key", { exact: true }).selectOption("No known key");
  await page.getByText("1 of 5 requests").waitFor();
  expect(page.url()).toContain("key=none");

  await go("#/default/journal?code=nonsense");
  await page.getByText("No matching requests.").waitFor();
  expect(await page.getByLabel("Error", { exact: true }).inputValue()).toBe("nonsense");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Search requests").fill("offerings/*another");
  await page.getByText("0 of 5 requests").waitFor();
  await page.getByLabel("Search requests").fill("");
  await expect.poll(() => rows(page).count()).toBe(5);

  const saved = async (format: string): Promise<string> => {
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: `Export ${format}` }).click();
    return readFile(await (await file).path(), "utf8");
  };
  const statuses = (JSON.parse(await saved("JSON")) as { readonly status: number }[]).map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 403, 200, 401]);
  expect((await saved("CSV")).split("\r\n")).toHaveLength(7);

  await page.getByRole("button", { name: "Clear…" }).click();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByText("No requests yet.").waitFor();
  expect(await sandbox.requests.count()).toBe(0);
});

test.each([1440, 1024])("an opened row stays where it is, next to its detail, at a width of %s", async (width) => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal", width, height: 900 });
  for (let times = 0; times < 30; times++) await callOther(sandbox);
  await expect.poll(() => rows(page).count()).toBe(30);
  const row = rows(page).nth(3);
  const top = async (): Promise<number> => (await row.boundingBox())?.y ?? 0;
  const before = await top();
  await row.getByRole("link").click();
  await page.getByRole("button", { name: "Resend" }).waitFor();
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(2);
  expect((await page.locator(".detail").boundingBox())?.x).toBeGreaterThan(width / 2);
});

test("on a narrow screen the filters are folded and the list is in view", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/journal?status=5xx", width: 360, height: 740 });
  await callOther(sandbox);
  await page.getByText("No matching requests.").waitFor();
  const status = page.getByRole("combobox", { name: "Status" });
  expect(await status.isVisible()).toBe(false);

  await page.getByRole("button", { name: "Filters (1)" }).press("Enter");
  await status.selectOption("4xx");
  await page.getByRole("button", { name: "Filters (1)" }).press("Enter");
  await rows(page).first().waitFor();
  await expect.poll(async () => (await rows(page).first().boundingBox())?.y).toBeLessThan(640);
});

test("keys are issued, brought to their limit and revoked without a mouse", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/keys", sandbox: { rateLimit: 120 } });
  await page.getByRole("button", { name: "Issue key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Label").focus();
  await page.keyboard.type("Checkout <img onerror=alert(1)>");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Checkout <img onerror=alert(1)>" }).waitFor();
  const issued = (await sandbox.keys.list()).find(({ label }) => label?.startsWith("Checkout"));
  expect(await page.locator("body").innerText()).not.toContain(issued?.key);
  await page
    .locator(".detail")
    .getByRole("button", { name: /^Copy key Checkout/i })
    .focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => copied(page)).toBe(issued?.key);
  await page.getByRole("button", { name: "Show key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText(issued?.key ?? "").waitFor();
  await page.getByRole("button", { name: "Fill limit" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".detail").getByText("120 of 120").waitFor();
  await call(sandbox, `/offerings/${sandbox.offering.id}`, issued?.key);
  await page.locator(".detail").getByText("1 request in the journal").waitFor();
  expect(await page.locator("main").innerText()).not.toContain("121");
  await page.getByRole("button", { name: "Revoke…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Revoke", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Revoked keys" }).getByText("Checkout").waitFor();
  expect((await sandbox.keys.list()).filter(({ status }) => status === "revoked")).toHaveLength(2);
});

test("each switch adds and removes one fault, and shows the state of the sandbox", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/faults", sandbox: { rateLimit: 120 } });
  const names = [
    "Slow",
    "500, twice",
    "503 for 30 seconds",
    "Connection reset, once",
    "Empty response, once",
    "Half of all responses late",
  ];
  const toggle = (name: string) => page.getByRole("switch", { name });
  for (const [index, name] of names.entries()) {
    await toggle(name).click();
    await page.locator(`[role=switch][aria-checked=true]`).nth(index).waitFor();
  }
  expect(await sandbox.faults.list()).toMatchObject([
    { delay: "2s" },
    { respond: { status: 500 }, times: 2 },
    { respond: { status: 503, headers: { "Retry-After": 5 } } },
    { connection: "reset", times: 1 },
    { connection: "empty", times: 1 },
    { delay: "1s..3s", share: 0.5 },
  ]);
  for (const name of names) {
    // The whole row switches it.
    await page.getByText(name, { exact: true }).click();
    await page
      .locator(`[role=switch][aria-checked=true]`)
      .nth(names.length - names.indexOf(name) - 1)
      .waitFor({ state: "detached" });
  }
  await until(async () => (await sandbox.faults.list()).length === 0);

  // Another client has added the same fault, and a request has met it.
  await sandbox.faults.add({ respond: { status: 500 }, times: 2 });
  await page.locator("[role=switch][aria-checked=true]").waitFor();
  await call(sandbox, `/offerings/${sandbox.offering.id}`);
  await page.getByText("applied to 1 request, 1 remaining").waitFor();
  await call(sandbox, `/offerings/${sandbox.offering.id}`);
  await page.getByText("exhausted: applied to 2 requests").waitFor();
  expect(await toggle("500, twice").getAttribute("aria-checked")).toBe("false");

  await toggle("429 now").click();
  await page.locator("[role=switch][aria-checked=true]").waitFor();
  // The key of the last call is chosen.
  const called = (await sandbox.keys.list()).find(({ key }) => key === sandbox.keys.partner);
  expect((await sandbox.limits.list()).find(({ key_id }) => key_id === called?.id)).toMatchObject({ used: 120 });
  await toggle("429 now").click();
  await page.locator("[role=switch][aria-checked=true]").waitFor({ state: "detached" });
});

test("a fault of any kind is a rule in JSON, with an example of each, which the sandbox checks", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/faults", expected: failedCalls });
  const rule = page.getByLabel("Rule (JSON)");
  const add = () => page.getByRole("button", { name: "Add fault" }).click();
  await rule.fill('{ "respond": { "status": 99 }, "share": 2 }');
  await add();
  await page.getByText("respond.status is 99; expected a status from 200 to 599").waitFor();
  await page.getByText("share is 2; expected a share of the matching requests, from 0 to 1").waitFor();
  await rule.fill("{ respond }");
  await add();
  await page.getByText("The body is not JSON: see line 1, column 3.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Add fault" }).waitFor();
  expect(await rule.inputValue()).toBe("{ respond }");
  const written = { match: { path: "/investments/*" }, respond: { status: 503, body: { error: "<b>none</b>" } } };
  await rule.fill(JSON.stringify({ ...written, delay: "1s..3s", share: 0.25 }));
  await add();
  await page
    .getByRole("region", { name: "Faults" })
    .getByText("25 % of /investments/*: delay 1 s to 3 s, status 503 (a body)")
    .waitFor();
  expect(await sandbox.faults.list()).toMatchObject([{ ...written, delay: "1s..3s", share: 0.25 }]);
  await page.getByRole("button", { name: "Remove fault-1" }).click();
  await page.getByText("No faults.").waitFor();

  await rule.fill(JSON.stringify({ match: { path: "/investmens/{id}" }, delay: "1s" }));
  await add();
  await page.getByRole("cell").getByText('"/investmens/{id}", which matches no operation. Did you mean').waitFor();
  await page.getByRole("button", { name: "Remove fault-2" }).click();

  const example = page.getByLabel("Example");
  const effects = (await example.locator("option").allInnerTexts()).slice(1);
  for (const effect of effects) {
    await example.selectOption(effect);
    await add();
    await until(async () => (await sandbox.faults.list()).length === effects.indexOf(effect) + 1);
  }
  expect(effects).toHaveLength(6);
});
