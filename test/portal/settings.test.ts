import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { lastMessage, openPortal } from "./portal.ts";

test("an assumption is found, changed in place and set back", async () => {
  const { page, sandbox } = await openPortal({
    hash: "#/default/assumptions",
    sandbox: {
      assumptions: { "ids.case": "exact", cors: "no" },
      calibrated: { date: "2026-11-22", host: "demo.example.com", confidence: { cors: "high" } },
    },
    expected: [/status of 400/],
  });
  const group = (name: string) => page.getByRole("region", { name: `Assumptions: ${name}` });
  await group("Calibrated").getByRole("link", { name: "May browsers of other origins call?" }).waitFor();
  await group("Calibrated").getByText("2026-11-22, confidence high").waitFor();
  // A meaning does not repeat its value, and one that says nothing more is omitted.
  const shownOf = (id: string) => page.getByLabel(`Value of ${id}`).locator("option:checked").innerText();
  expect(await shownOf("errors.method")).toBe("405 with Allow");
  expect(await shownOf("errors.www_authenticate")).toBe("yes");
  await group("Set").getByRole("link", { name: "Is a UUID in the path" }).waitFor();

  await page.getByRole("searchbox").fill("list.o");
  await expect.poll(() => page.locator("main tbody tr").count()).toBe(2);
  expect(page.url()).toContain("search=list.o");
  const order = page.getByLabel("Value of list.order");
  await order.focus();
  await order.selectOption("id");
  await group("Set").getByRole("link", { name: "Order of the list" }).waitFor();
  await expect.poll(() => order.evaluate((control) => control === document.activeElement)).toBe(true);
  await expect
    .poll(() => page.getByRole("region", { name: "Changed values as configuration" }).innerText())
    .toContain('profile: conventional\nassume:\n  ids.case: "exact"\n  list.order: "id"\n  cors: "no"');
  await page.getByRole("button", { name: "Reset to create_date" }).click();
  await group("Assumed by the profile conventional").getByRole("link", { name: "Order of the list" }).waitFor();

  await page.getByRole("searchbox").fill("max_size");
  const size = page.getByLabel("Value of list.max_size");
  await size.fill("5000");
  await size.press("Enter");
  await page.getByRole("alert").getByText("list.max_size cannot be").waitFor();
  expect(await size.inputValue()).toBe("5000");
  await size.fill("50");
  await size.press("Enter");
  await until(async () => (await sandbox.assumptions.list()).some(({ value }) => value === 50));
});

test("an assumption's page has its values, and its link leads to its responses in the journal", async () => {
  const { page, sandbox } = await openPortal({ hash: "#/default/assumptions/errors.body" });
  const service = { headers: { authorization: `Bearer ${sandbox.keys.partner}` } };
  await fetch(`${sandbox.baseUrl}/investments/x`, service);
  await fetch(`${sandbox.baseUrl}/offerings/${sandbox.offering.id}`, service);
  const detail = page.getByRole("region", { name: "Shape of the error body" });
  await detail.getByRole("listitem").getByText("a problem document (RFC 9457)").waitFor();
  await detail.getByLabel("Value of errors.body").selectOption({ label: "any error template …" });
  await detail.getByLabel("Other value of errors.body").fill('like:{"message":"{detail}"}');
  await detail.getByRole("button", { name: "Set", exact: true }).click();
  await expect.poll(() => lastMessage(page)).toBe('errors.body set to like:{"message":"{detail}"}.');
  await detail.getByRole("link", { name: "1 response used errors.body" }).click();
  await page.getByText("1 of 2 requests").waitFor();
});

test("an environment is opened, saved to a file, deleted and restored", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/environments", expected: [/status of 40[04]/] });
  await page.getByRole("button", { name: "Open environment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("<img src=x onerror=alert(1)>");
  await dialog.getByLabel("Scenario").selectOption("closing");
  await dialog.getByLabel("Fixture").selectOption("minimal");
  await dialog.getByLabel("Clock").selectOption("");
  expect(await dialog.getByLabel("Closes after").inputValue()).toBe("3600");
  await dialog.getByLabel("Closes after").selectOption("1 week without a request");
  await dialog.getByText("Works only on this computer.").waitFor();
  await dialog.getByRole("button", { name: "Open environment" }).click();
  await page.waitForURL(/#\/environment-1\/overview$/);
  const opened = await sandbox.environment("environment-1");
  expect(await opened.describe()).toMatchObject({
    fixture: "minimal",
    clock: { speed: 0 },
    runs: [{ scenario: "closing" }],
  });

  await go("#/environment-1/environments/environment-1");
  const detail = page.getByRole("region", { name: "<img src=x onerror=alert(1)>" });
  await detail.getByText("environment-1", { exact: true }).waitFor();
  await detail.getByText(/^in [67] d(?: \d+ h)?$/).waitFor();
  const saved = page.waitForEvent("download");
  await detail.getByRole("button", { name: "Download snapshot" }).click();
  expect((await saved).suggestedFilename()).toBe(`snapshot-${opened.id}.json`);
  const file = await (await saved).path();
  const format = "offering-sandbox-environment";
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    format,
    saved_at: expect.stringMatching(/^20.*Z$/),
  });

  await detail.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.waitForURL(/#\/default\/environments$/);
  expect((await sandbox.environmentSummaries()).map(({ id }) => id)).toEqual(["default"]);

  await page.getByLabel("Open snapshot: the file").setInputFiles(file);
  await page.waitForURL(/#\/environment-2\/overview$/);
  expect((await (await sandbox.environment("environment-2")).describe()).fixture).toBe("minimal");

  // A presentation begins with a click: the clock of a new environment is live.
  await go("#/default/environments");
  await page.getByRole("button", { name: "Open environment" }).click();
  await dialog.getByRole("button", { name: "Open environment" }).click();
  await page.waitForURL(/#\/environment-3\/overview$/);
  expect((await (await sandbox.environment("environment-3")).clock.get()).speed).toBe(1);
});

test("a snapshot that is dropped on the page shows its journal in an environment of its own", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/keys", expected: [/status of 400/] });
  for (const path of ["/offerings", "/nowhere"]) {
    await fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${sandbox.keys.partner}` } });
  }
  const drop = async (...files: readonly (readonly [name: string, content: string])[]): Promise<void> => {
    const dataTransfer = await page.evaluateHandle((all) => {
      const data = new DataTransfer();
      for (const [name, content] of all) data.items.add(new File([content], name));
      return data;
    }, files);
    await page.dispatchEvent("main", "dragover", { dataTransfer });
    await page.getByText("Drop here").waitFor();
    await page.dispatchEvent("main", "drop", { dataTransfer });
    await page.getByText("Drop here").waitFor({ state: "detached" });
  };
  await drop(["cut.json", '{\n"format": }']);
  await expect.poll(() => lastMessage(page)).toBe("cut.json is not JSON: see line 2, column 11.");
  await drop(["bad.json", '{"x":1}']);
  await expect.poll(() => lastMessage(page)).toBe("bad.json is not a snapshot.");
  await drop(["list.json", "[]"]);
  await expect.poll(() => lastMessage(page)).toBe("list.json is not a snapshot.");
  // The clock stays in its place, however long a message is.
  const places = () =>
    page
      .locator(".transport, .timeline")
      .evaluateAll((all) =>
        all.map((element) => [element.getBoundingClientRect().x, element.getBoundingClientRect().width]),
      );
  const before = await places();
  const name = `${"long ".repeat(40)}.json`;
  await drop([name, '{"format":"offering-sandbox-environment"}']);
  await expect.poll(() => lastMessage(page)).toMatch(/^long .*: version is missing/);
  expect(await places()).toEqual(before);
  const { date } = (await sandbox.requests.list()).data[1] ?? {};
  await sandbox.clock.set({ now: "2026-03-01", speed: 60 });
  const snapshot = JSON.stringify({ saved_at: "2026-11-20T08:30:00.000Z", ...(await sandbox.snapshot()) });
  await drop(["anna.json", snapshot]);
  await page.getByText("Opened from anna.json, saved 2026-11-20 08:30:00 UTC, with the requests up to 2.").waitFor();
  await page.getByRole("heading", { name: "/nowhere" }).waitFor();
  await expect.poll(() => lastMessage(page)).toBe("anna opened.");
  const [, opened] = await sandbox.environmentSummaries();
  // The clock stands at the request.
  expect(opened).toMatchObject({ label: "anna", fixture: "demo", clock: { now: date, speed: 0 } });
  expect(page.url()).toContain(`#/${opened?.id}/journal/2?`);
  await go(`#/${opened?.id}/environments`);
  const chosen = {
    name: "again.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(await sandbox.snapshot())),
  };
  await page.getByLabel("Open snapshot: the file").setInputFiles(chosen);
  await expect.poll(() => lastMessage(page)).toBe("again opened.");
  await page.getByText("Opened from again.json, with the requests up to 2.").waitFor();
  await drop(["one.json", snapshot], ["bad.json", "[]"], ["two.json", snapshot]);
  await expect.poll(() => lastMessage(page)).toBe("one opened. bad.json is not a snapshot. two opened.");
  await drop(["mine.yaml", "steps:\n  - event: MINE\n"]);
  await expect.poll(() => page.getByRole("textbox", { name: "The scenario" }).inputValue()).toContain("MINE");
});

test("the page sends requests to the API, with existing ids", async () => {
  const { page, sandbox, go } = await openPortal({ hash: "#/default/api", expected: [/status of 400/] });
  await page.getByRole("heading", { name: "API", level: 1 }).waitFor();
  await page.getByRole("link", { name: "List the investments of an offering" }).click();
  await page.getByRole("heading", { name: "List the investments of an offering" }).waitFor();
  await expect.poll(() => page.getByLabel("id", { exact: true }).inputValue()).toBe(sandbox.offering.id);
  await page.getByLabel("create_date[gte]").fill("2020-01-01");
  await page.getByLabel("size", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Send" }).click();
  await page
    .getByRole("heading", { name: /^Response \d{3}/ })
    .getByText("400")
    .waitFor();
  await page.getByLabel("size", { exact: true }).fill("2");
  await page.getByLabel("size", { exact: true }).press("Enter");
  await page
    .getByRole("heading", { name: /^Response \d{3}/ })
    .getByText("200")
    .waitFor();
  expect(page.url()).toContain("size=2");
  const [entry] = (await sandbox.requests.list({ limit: 1 })).data;
  expect(entry?.path).toContain("create_date[gte]=2020-01-01");

  await go("#/default/api/getInvestment");
  await page.getByRole("heading", { name: "Retrieve one investment" }).waitFor();
  await expect.poll(() => page.getByLabel("id", { exact: true }).inputValue()).toMatch(/^[\da-f-]{36}$/);
  await page.getByRole("button", { name: "Send" }).click();
  await page
    .getByRole("heading", { name: /^Response \d{3}/ })
    .getByText("200")
    .waitFor();
});
