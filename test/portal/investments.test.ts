import type { Locator, Page } from "@playwright/test";
import { expect, test } from "vitest";
import { alignDocuments } from "../../portal/views/investment/documents.ts";
import { copied, lastMessage, openPortal } from "./portal.ts";

const resultText = (page: Page): Promise<string> => page.locator("main header [role=status]").first().innerText();
const numbers = (page: Page): Promise<string[]> => page.locator("main [data-row]").allInnerTexts();

const field = (page: Page, label: string): Locator => page.getByRole("dialog").getByLabel(label, { exact: true });

test("a search among thousands of investments is as fast as typing", async () => {
  const { page, sandbox, go } = await openPortal({ fixture: "large", hash: "#/default/investments" });
  const [newest] = (await sandbox.investments.list({ limit: 1 })).data;
  const [first = "", ...rest] = newest?.investors[0]?.name.split(" ") ?? [];
  const last = rest.at(-1) ?? "";
  await page.locator("[data-row]").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(`${first} `);
  await expect
    .poll(() => resultText(page))
    .toMatch(/investments match.*Searched: number, the id's beginning, alias, name, email\./);
  await page.keyboard.type(last);
  const search = page.getByRole("searchbox");
  expect(await search.inputValue()).toBe(`${first} ${last}`);
  const { total } = await sandbox.investments.list({ search: `${first} ${last}` });
  await expect.poll(() => resultText(page)).toMatch(new RegExp(`^${total} investments? match`));

  await go("#/default/investments?order=number&from=2000-01-01&offering_id=" + (newest?.offering_id ?? ""));
  await expect.poll(() => resultText(page)).toBe("2,000 investments match, 1 to 50 shown");
  expect((await numbers(page))[0]).toMatch(/^#1 /);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect.poll(() => resultText(page)).toBe("2,000 investments match, 51 to 100 shown");
  const second = await numbers(page);
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect.poll(async () => (await numbers(page))[0]).toMatch(/^#1 /);
  await page.goBack();
  await expect.poll(() => numbers(page)).toEqual(second);
  await page.getByLabel("Status").selectOption("PENDING");
  await expect.poll(() => resultText(page)).toMatch(/^[\d,]+ investments match, 1 to 50 shown$/);
  await page.getByRole("button", { name: "Amount" }).click();
  await expect.poll(() => page.url()).toContain("order=amount");
  await page.reload();
  await page.locator("[data-row]").first().waitFor();
  expect(await page.getByLabel("Status").inputValue()).toBe("PENDING");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => resultText(page)).toContain("4,000 investments");
});

test("a failed search does not count the rows of an earlier one", async () => {
  const { page } = await openPortal({ hash: "#/default/investments", expected: [/ERR_FAILED/] });
  await expect.poll(() => numbers(page)).not.toEqual([]);
  const questions = /\/investments\?.*status=CLOSED/;
  await page.route(questions, (route) => route.abort());
  await page.getByLabel("Status", { exact: true }).selectOption("CLOSED");
  await page.getByText("Cannot reach the sandbox.").waitFor();
  expect(await numbers(page)).toEqual([]);
  expect(await page.getByText(/investments? match/).count()).toBe(0);
  await page.unroute(questions);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => resultText(page)).toMatch(/^\d+ investments match/);
  expect(page.url()).toContain("status=CLOSED");
});

test("an investment is created from few fields, and an error is shown next to its field", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/investments", expected: [/status of 400/] });
  await page.getByRole("button", { name: "Create investment" }).click();
  await field(page, "Amount").fill("-5");
  await field(page, "Email").fill("ada@example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Create investment" }).click();
  await page.getByText("expected an amount of 0 or more").waitFor();
  expect(await field(page, "Amount").getAttribute("aria-invalid")).toBe("true");
  expect(await field(page, "Email").inputValue()).toBe("ada@example.com");
  const status = page.getByRole("dialog").getByLabel("Status", { exact: true });
  const another = page.getByLabel("Another status");
  await status.selectOption("Another …");
  await another.fill("PAID");
  await field(page, "Amount").fill("12,50");
  await page.keyboard.press("Enter");
  await page.getByText('amount is "12,50"').waitFor();
  await field(page, "Amount").fill("12,500");
  await page.keyboard.press("Enter");
  await expect.poll(() => another.getAttribute("aria-invalid")).toBe("true");
  await status.selectOption("CLOSED");
  await page.getByRole("dialog").getByLabel("Step").selectOption("Generated");
  await page.getByRole("dialog").getByRole("button", { name: "Create investment" }).click();
  await page.getByRole("heading", { name: /^#\d+ / }).waitFor();
  const { data } = await sandbox.investments.list({ search: "ada@example.com" });
  expect(data).toMatchObject([{ amount: 12_500, status: "CLOSED" }]);
});

test("an investment is shown as each key reads it, and can be changed", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 40[09]/] });
  const run = await sandbox.play("closing", { offering_id: "aurora" });
  await sandbox.clock.advance("2h");
  const [id = ""] = run.investment_ids;
  await page.goto(`${sandbox.url}/#/default/investments/${id}`);
  const cells = (member: string): Promise<string[]> =>
    page
      .getByRole("row", { name: new RegExp(`^${member} `) })
      .first()
      .locator("td")
      .allInnerTexts();

  await expect
    .poll(() => cells("phone_number"))
    .toEqual([expect.stringMatching(/^\+1/), "absent", expect.stringMatching(/^\+1\d+$/)]);
  const record = await sandbox.investments.get(id);
  const [{ tax_id }] = record["investors"] as [{ tax_id: string }];
  expect(await cells("tax_id")).toEqual([tax_id, tax_id, "[[redacted]]"]);
  expect(await cells("amount")).toEqual(["5000", "5000", "5000"]);

  const rows = (member: string): Promise<number> => page.getByRole("row", { name: new RegExp(`^${member} `) }).count();
  await page.getByLabel("Members").selectOption("Differences between keys");
  await expect.poll(() => rows("amount")).toBe(0);
  expect(await rows("tax_id")).toBeGreaterThan(0);
  await page.getByLabel("Members").selectOption("All members");
  const way = page.getByRole("list", { name: "Investment progress" });
  await expect
    .poll(() => way.getByRole("listitem").allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Pending\s+reached\s+today \d\d:\d\d/),
      expect.stringMatching(/^Signing\s+reached\s+today \d\d:\d\d/),
      expect.stringMatching(/^Paid\s+upcoming\s+Set clock to\s+\d{4}-.*tomorrow \d\d:\d\d/s),
      expect.stringMatching(/^Closed\s+upcoming\s+Set clock to\s+\d{4}-.*tomorrow \d\d:\d\d/s),
    ]);
  expect(await way.locator("[aria-current=step]").innerText()).toMatch(/^Signing/);
  await page.getByText("Personal data: Partner keys only").waitFor();
  await page.getByRole("button", { name: "Copy JSON of Partner" }).click();
  const bytes = await sandbox.preview({ path: `/investments/${id}`, key_id: "aurora-partner" });
  await expect.poll(() => copied(page)).toBe(bytes.body);
  await page.getByRole("button", { name: "Copy request of Marketing as curl" }).click();
  await expect
    .poll(() => copied(page))
    .toContain(`Bearer ${sandbox.keys.marketing}" ${sandbox.url}/api/v1/investments/${id}`);
  expect(await page.locator("main").innerText()).not.toContain(sandbox.keys.marketing);
  await page.getByLabel("Document").selectOption({ label: "Status" });
  await expect.poll(() => cells("status")).toEqual(["PENDING", "PENDING", "PENDING"]);
  await page.getByLabel("Document").selectOption({ label: "Events" });
  await page.getByText("Event · Payment submitted").waitFor();

  await page.getByRole("button", { name: "Record event" }).click();
  await field(page, "Event and action").fill("PAYMENT REFUSED");
  await page.keyboard.press("Enter");
  await expect.poll(() => lastMessage(page)).toBe("Payment refused recorded.");
  await page.getByText("Event · Payment refused").waitFor();

  await page.getByRole("button", { name: "Play scenario" }).click();
  await field(page, "Scenario").selectOption("stalled-at-signers");
  await page.getByRole("dialog").getByRole("button", { name: "Play scenario" }).click();
  await page.getByText("no signing party has the email").waitFor();
  await field(page, "Scenario").selectOption("polling");
  await page.getByRole("dialog").getByRole("button", { name: "Play scenario" }).click();
  await expect.poll(async () => (await sandbox.runs.list()).length).toBe(2);

  const partner = (await sandbox.keys.list()).filter(
    (key) => key.type === "partner" && key.offering_id === record.offering_id,
  );
  for (const key of partner) await sandbox.keys.revoke(key.id);
  await page.getByRole("button", { name: "Issue key" }).click();
  await expect.poll(() => lastMessage(page)).toBe("Partner key issued.");
  await expect.poll(() => page.getByRole("button", { name: "Issue key" }).count()).toBe(0);
});

test("the activity has past and upcoming changes, and each of its instants sets the clock", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 40[04]/] });
  const {
    investment_ids: [id = ""],
  } = await sandbox.play("closing", { offering_id: "aurora" });
  await sandbox.clock.advance("20m");
  await go(`#/default/investments/${id}`);
  const history = page.locator(".history");
  const [future, past] = [history.locator(".future"), history.locator(".past")];
  await future.first().waitFor();
  const texts = async (all: Locator): Promise<readonly string[]> =>
    (await all.locator(".what, .codes").allInnerTexts()).map((text) => text.replace(/\s*, just happened$/, ""));
  const [person] = (await sandbox.investments.list({ search: id })).data[0]?.investors ?? [];
  await expect
    .poll(() => texts(future))
    .toEqual(
      [
        ["Payment approved · CLOSED", "PAYMENT APPROVED"],
        ["Payment of 5,000 submitted", "PAYMENT SUBMITTED"],
        [`${person?.name} signs`, ""],
      ].flat(),
    );
  expect(await texts(past)).toEqual(
    [
      ["Subscription submitted · SIGNERS", "SUBSCRIPTION SUBMITTED"],
      ["Address submitted", "ADDRESS SUBMITTED"],
      ["Profile submitted", "PROFILE SUBMITTED"],
      ["New investment of 5,000 · Registration completed", "REGISTRATION COMPLETED"],
    ].flat(),
  );
  await future
    .first()
    .getByRole("button", { name: /^Set clock to .*: \d+ changes of it applied$/ })
    .press("Enter");
  await expect.poll(() => future.count()).toBe(0);
  expect(await sandbox.investments.get(id)).toMatchObject({ status: "CLOSED" });
  expect((await texts(past))[4]).toBe(`${person?.name} signed`);
  await past.last().getByRole("button").click();
  await expect.poll(() => lastMessage(page)).toMatch(/^#\d+ .* is back at PENDING( in step \w+)?, 0\.00 paid\.$/);
  await page.getByRole("button", { name: "3 more upcoming" }).waitFor();

  await page.getByRole("button", { name: "Record event" }).click();
  await field(page, "Description").fill("by hand");
  const { now } = await sandbox.clock.get();
  const [first] = await sandbox.timeline({ investment_id: id });
  const earlier = new Date(Date.parse(first?.date ?? "") - 1000).toISOString();
  await sandbox.clock.set(earlier);
  await page.getByText("Perhaps the clock is before its creation").waitFor();
  // The comparison may show it before the clock on screen does.
  await page.locator(".time-bar .present", { hasText: earlier.slice(11, 19) }).waitFor();
  expect(await field(page, "Description").inputValue()).toBe("by hand");
  await page.getByRole("button", { name: "Cancel" }).click();
  await go(`#/default/investments/${id}?at=${now}`);
  await page.getByRole("button", { name: "Set clock", exact: true }).click();
  await page.getByRole("heading", { name: /^#\d+ / }).waitFor();
  expect((await sandbox.clock.get()).now).toBe(now);

  await sandbox.reset();
  await page.getByText("A reset may have removed it.").waitFor();
  expect(await history.count()).toBe(0);
  await go("#/default/investments/abc");
  await page.getByText("An id is a UUID; an alias names one investment, from its creation on.").waitFor();
  expect(await page.getByText("Perhaps the clock").count()).toBe(0);
  // The fixture's own content is not undone.
  await go("#/default/investments/closed");
  await past.first().waitFor();
  expect(await past.getByRole("button").count()).toBe(0);
});

test("documents are aligned by member, and differences are marked", () => {
  const document = (attributes: object, included: readonly object[] = []) => ({
    data: { type: "investments", id: "1", attributes },
    included,
  });
  const rows = (...all: readonly unknown[]) =>
    Object.fromEntries(
      alignDocuments(all).flatMap((group) =>
        group.rows.map(({ member, difference, cells }) => [
          `${group.title} ${member}`,
          [difference, ...cells.map(({ isAbsent }) => isAbsent)],
        ]),
      ),
    );
  const stored = document({ amount: 5, tax_id: "1", phone: "+1", alias: "a", ein: null });
  const partner = document({ amount: 5, tax_id: "1", ein: null });
  const marketing = document({ amount: 6, tax_id: "[[redacted]]", phone: "+1", ein: "[[redacted]]" });
  expect(rows(stored, partner, marketing)).toEqual({
    "Resource type": [null, false, false, false],
    "Resource id": [null, false, false, false],
    "Attributes amount": ["keys", false, false, false],
    "Attributes tax_id": ["keys", false, false, false],
    "Attributes phone": ["keys", false, true, false],
    "Attributes alias": ["stored", false, true, true],
    "Attributes ein": ["keys", false, false, false],
  });
  // A missing document does not lack members or differ from others.
  expect(rows(stored, undefined, marketing)).toMatchObject({
    "Attributes amount": ["stored", false, false, false],
    "Attributes alias": ["stored", false, false, true],
  });
  for (const odd of [null, 5, "<html>", [], {}, { data: null }, { data: [1], errors: [{}] }, { included: 3 }]) {
    expect(() => alignDocuments([stored, odd, undefined])).not.toThrow();
  }
});
