import type { Page, Request } from "@playwright/test";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import type { RequestEntry } from "../../src/index.ts";
import { openPortal } from "./portal.ts";

/** A token with characters that an address must encode. */
const token = "let&me#in%2F=/";
const link = `#token=${encodeURIComponent(token)}`;

/** The clock, which is shown on every page. */
const data = (page: Page) => page.getByText("2026-01-15").first();
const form = (page: Page) => page.getByLabel("Admin token");

test("the token of a link stays in the tab, and is sent only to the admin API", async () => {
  const entries: RequestEntry[] = [];
  const browserRequests: Request[] = [];
  const { page, sandbox, context, tab } = await openPortal({
    sandbox: { adminToken: token, onRequest: (entry) => entries.push(entry) },
    expected: [/status of 401/],
  });
  context.on("request", (request) => browserRequests.push(request));
  await form(page).waitFor();

  const linked = await tab(`${link}&/default/keys`);
  await data(linked).waitFor();
  await linked.waitForURL(`${sandbox.url}/#/default/keys`);
  await linked.reload();
  await data(linked).waitFor();
  expect(linked.url()).toBe(`${sandbox.url}/#/default/keys`);
  // Another tab has its own session and asks again.
  await form(await tab()).waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(await linked.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/let.me/);

  // A link can also be pasted into an open tab.
  await page.evaluate((hash) => void (location.hash = hash), link);
  await data(page).waitFor();
  expect(page.url()).not.toContain("token");

  // The log does not contain pulses, which continue.
  await expect.poll(() => entries.length).toBeGreaterThan(10);
  for (const request of browserRequests.slice()) {
    const { authorization, ...headers } = await request.allHeaders();
    expect(request.url().split("#", 1)[0]).not.toMatch(/token|let/);
    expect(JSON.stringify(headers)).not.toMatch(/token=|let.me/);
    expect(headers["referer"] ?? "").toBe("");
    if (authorization !== undefined) {
      expect(authorization).toBe(`Bearer ${token}`);
      expect(request.url()).toMatch(new RegExp(`^${sandbox.url}/__admin/`));
    }
  }
  expect(browserRequests.length).toBeGreaterThan(10);
  const { data: journal } = await sandbox.requests.list();
  expect(journal).toEqual([]);
  expect(JSON.stringify(entries)).not.toMatch(/let.me|let%26me/);
});

test("a rejected token can be typed again", async () => {
  const { page } = await openPortal({ sandbox: { adminToken: token }, expected: [/status of 401/] });
  await form(page).fill("let-me-in");
  await form(page).press("Enter");
  await page.getByText("This token was not accepted.").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  expect(await form(page).inputValue()).toBe("let-me-in");
  await form(page).fill(token);
  await page.getByRole("button", { name: "Open" }).click();
  await data(page).waitFor();
  await expect.poll(focused).toBe("H1");
  expect(page.url()).not.toMatch(/token|let/);
});

test("the page continues when the server stops asking for a token", async () => {
  const { page } = await openPortal({ expected: [/status of 401/] });
  await data(page).waitFor();
  await page.route("**/pulse?*", (route) => route.fulfill({ status: 401, json: {} }));
  await form(page).waitFor();
  await page.unroute("**/pulse?*");
  await data(page).waitFor();
});

test("beyond loopback the portal opens by the machine's addresses", async () => {
  const { page, sandbox, context } = await openPortal({
    sandbox: { host: "0.0.0.0" },
    // Browsers trust network addresses less than loopback.
    expected: [/status of 401/, /^request: http:\/\/[\d.]+:/, /Cross-Origin-Opener-Policy header has been ignored/],
  });
  await form(page).waitFor();
  const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each);
  const address = addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  for (const host of ["127.0.0.1", ...(address === undefined ? [] : [address])]) {
    const url = new URL(sandbox.url);
    url.hostname = host;
    const tab = await context.newPage();
    await tab.goto(`${url.href}#token=${sandbox.adminToken}`);
    await data(tab).waitFor();
  }
});
