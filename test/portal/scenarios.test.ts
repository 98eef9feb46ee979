import { expect, test } from "vitest";
import { expectFits, lastMessage, openPortal } from "./portal.ts";

const frozen = { scenarios: [] };

test("a scenario is read, played, and followed step by step to its stop", async () => {
  const portal = await openPortal({ sandbox: frozen, hash: "#/default/scenarios" });
  const { page, sandbox } = portal;
  await page.getByText("No runs yet.").waitFor();
  await page.getByRole("link", { name: "An investment closes", exact: true }).click();
  await page.getByRole("heading", { name: "An investment closes", level: 1 }).waitFor();
  const hash = page.getByRole("region", { name: "States over the steps" });
  await hash.getByRole("row", { name: "Status PENDING CLOSED", exact: true }).waitFor();
  await hash.getByRole("row", { name: "Paid 0 5,000.00", exact: true }).waitFor();
  expect(await page.getByRole("region", { name: "Steps", exact: true }).innerText()).toContain("Everybody signs");
  expect(await page.getByRole("region", { name: "Scenario as YAML" }).innerText()).toContain("# yaml-language");

  await page.getByRole("button", { name: "Play", exact: true }).dblclick();
  await page.waitForURL(/investments\/[\da-f-]{36}$/);
  const [run, ...otherRuns] = await sandbox.runs.list();
  expect(otherRuns).toEqual([]);
  expect(page.url()).toContain(run?.investment_ids[0]);
  const { investment_number } = await sandbox.investments.get(run?.investment_ids[0] ?? "");
  await portal.go("#/default/scenarios/closing");
  await page.getByRole("region", { name: "Runs" }).getByText("1 of 7").waitFor();
  await page.getByRole("link", { name: /^closing on #/ }).click();
  await page.getByRole("heading", { name: `closing on #${String(investment_number)} ` }).waitFor();
  expect(page.url()).toMatch(/#\/default\/scenarios\/runs\/run-1$/);
  await page.getByRole("row", { name: /Payment approved\s+CLOSED/ }).waitFor();
  const instants = page.getByRole("button", { name: /^Set clock to \d/ });
  await instants.nth(4).click();
  await page.getByText("5 of 7").waitFor();
  expect((await sandbox.clock.get()).now).toBe(run?.steps[4]?.due);
  await instants.nth(1).click();
  await page.getByText("2 of 7").waitFor();

  await page.getByRole("button", { name: "Stop…", exact: true }).click();
  await page.getByRole("dialog").getByText("A stopped run cannot be resumed.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(async () => (await sandbox.runs.list())[0]?.status).toBe("stopped");
  await page.getByRole("button", { name: "Stop…", exact: true }).waitFor({ state: "hidden" });
});

test("a scenario is written, checked while typing, and played", async () => {
  const portal = await openPortal({ sandbox: frozen, hash: "#/default/scenarios/draft/new" });
  const { page, sandbox } = portal;
  const text = page.getByRole("textbox", { name: "The scenario" });
  await page.getByText("4 steps, can be played").waitFor();
  await text.fill("");
  await page.getByText("1 error").waitFor();
  await text.fill("steps:\n  - event: REGISTRATION COMPLETED\n  - { after: 1h, evnt: PROFILE SUBMITTED }");
  await page.getByText('Did you mean "event"?').waitFor();
  expect(await page.getByRole("button", { name: "Play", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "3:18" }).press("Enter");
  const selected = (): Promise<string> => page.evaluate(() => String(getSelection()));
  await expect.poll(selected).toBe("evnt: PROFILE SUBMITTED }");
  await page.keyboard.type("event: PROFILE SUBMITTED }");
  await page.getByText("2 steps, can be played").waitFor();

  await page.reload();
  await page.getByText("2 steps, can be played").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/investments\//);
  await portal.go("#/default/scenarios/runs/run-1");
  await page.getByRole("heading", { name: "inline on #" }).waitFor();
  await page.getByText("Profile submitted").waitFor();
  expect((await sandbox.runs.list())[0]).toMatchObject({ status: "running" });

  await portal.go("#/default/scenarios/closing");
  await page.getByRole("button", { name: "Edit copy" }).click();
  await page.getByRole("dialog").getByText("Replaces the scenario that you wrote with a copy of").waitFor();
  await page.getByRole("button", { name: "Replace draft" }).click();
  await expect.poll(() => text.inputValue()).toContain("The happy path");
});

test("many runs and repetitions stay readable, including unusual ones", async () => {
  const portal = await openPortal({ sandbox: frozen });
  const { page, sandbox, go } = portal;
  const hostile = { name: "odd", description: "<img src=x onerror=alert(1)>".repeat(60), investment: { amount: 7e13 } };
  await sandbox.play({ ...hostile, steps: [{ next: true, event: `${"X".repeat(90)} <b>Y</b>` }] });
  await sandbox.play("busy-day");
  for (let times = 0; times < 60; times++) await sandbox.play("closing");
  await sandbox.clock.advance("4h");
  await go("#/default/scenarios");
  await page.getByRole("button", { name: "Show 12 more" }).click();
  await expect.poll(() => page.getByRole("region", { name: "Runs" }).locator("tbody tr").count()).toBe(62);
  await page.getByLabel("State of the runs").selectOption("waiting");
  await page.getByRole("link", { name: /^odd on #/ }).waitFor();
  expect(page.url()).toContain("state=waiting");
  await page.getByRole("link", { name: /^odd on #/ }).click();
  await page.getByText("step 1 waits for you").waitFor();
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goBack();
  await page.getByRole("link", { name: /^odd on #/ }).waitFor();
  await page.getByRole("button", { name: /^Play next step of odd on #/ }).click();
  await page.getByText("No runs in this state.").waitFor();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await go("#/default/scenarios/runs/run-2");
  await page.getByText(/of 40 have begun/).waitFor();
  await page.getByRole("button", { name: /^Show \d+ more$/ }).click();
  const investments = page.getByRole("region", { name: "Investments" });
  await expect.poll(() => investments.locator("tbody tr").count()).toBe(20);
  const names = await investments.locator("tbody tr td:first-child").allInnerTexts();
  expect(names.filter((name) => !/^#\d+ \S/.test(name))).toEqual([]);
  expect(requested.filter((path) => path.endsWith("/investments"))).toEqual([]);
  await go("#/default/scenarios/runs/run-99");
  await page.getByText("There is no such run.").waitFor();
  await go("#/default/scenarios/closng");
  await page.getByRole("link", { name: "closing" }).waitFor();
});

test("a refused play shows its message next to the button", async () => {
  const at = "#/default/scenarios/closing?offering_id=zephyr";
  const { page } = await openPortal({ sandbox: frozen, hash: at, expected: [/status of 400/] });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".notice").getByText('there is no offering "zephyr"').waitFor();
});

test("manual changes are saved as a scenario, which every tab lists after a reload and a reset, until it is deleted", async () => {
  const portal = await openPortal({ sandbox: frozen, hash: "#/default/scenarios", expected: [/status of 40[09]/] });
  const { page, sandbox, tab, go } = portal;
  const { investments, clock } = sandbox;
  const save = page.getByRole("button", { name: "Save as scenario" });
  const dialog = page.getByRole("dialog");
  const press = () => dialog.getByRole("button", { name: "Save as scenario" }).click();
  await save.click();
  await press();
  await dialog.getByText("There are no manual changes.").waitFor();
  const [id = ""] = (await sandbox.play("closing")).investment_ids;
  await clock.advance("2m");
  await investments.change(id, { amount: 4321 });
  await investments.recordEvent("unpaid", { event: "PAYMENT", action: "SUBMITTED" });
  await press();
  await dialog.getByText("Several investments have manual changes").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await go(`#/default/investments/${id}`);
  await save.click();
  await dialog.getByLabel("Scenario name").fill("closing");
  await press();
  await dialog.getByText('Scenario "closing" ships or was loaded at the start').waitFor();
  await dialog.getByLabel("Scenario name").fill("ada-closes");
  await press();
  await expect.poll(() => lastMessage(page)).toBe("Scenario ada-closes saved.");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "ada-closes", level: 1 }).waitFor();
  await page.getByText("# Omitted: the changes of unpaid.").waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Delete…" }).waitFor();
  const secondTab = await tab("#/default/scenarios");
  await secondTab.getByRole("link", { name: "ada-closes" }).waitFor();
  await sandbox.reset();
  await secondTab.keyboard.press("Control+k");
  await secondTab.keyboard.type("ada-closes");
  await secondTab.getByRole("option", { name: "Play ada-closes" }).click();
  await secondTab.waitForURL(/investments\//);
  await clock.advance("30d");
  await secondTab.getByRole("main").getByText("CLOSED").first().waitFor();
  await expect.poll(async () => (await sandbox.runs.list()).map(({ status }) => status)).toEqual(["finished"]);

  await page.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => lastMessage(page)).toBe("Scenario ada-closes deleted.");
  await page.getByRole("row", { name: "ada-closes played here" }).waitFor();
  expect((await sandbox.scenarios.list()).filter(({ saved }) => saved)).toEqual([]);
});

test("a draft is opened from a file, saved and downloaded, and says why it cannot be played", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: frozen, hash: "#/default/scenarios/draft/new" });
  const text = page.getByRole("textbox", { name: "The scenario" });
  const buffer = Buffer.from("name: opened\nsteps:\n  - event: PROFILE SUBMITTED\n");
  const file = { name: "opened.yaml", mimeType: "application/yaml", buffer };
  await page.getByLabel("Open file: the file").setInputFiles(file);
  await page.getByText("1 step, can be played").waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("opened.yaml");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => lastMessage(page)).toBe("Scenario opened saved.");
  await go("#/default/scenarios");
  await page.getByRole("button", { name: "Play opened" }).click();
  await page.waitForURL(/investments\//);
  expect((await sandbox.runs.list()).map(({ scenario }) => scenario)).toEqual(["opened"]);
  await go("#/default/scenarios/draft/new");

  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["steps: []"], "dropped.yaml"));
    return data;
  });
  await text.fill("investment: nowhere\nsteps: [{ event: ADDRESS SUBMITTED }]");
  await page.getByText("1 step, 1 warning").waitFor();
  await page.getByText('There is no investment "nowhere".').waitFor();
  await page.dispatchEvent("main", "drop", { dataTransfer: dropped });
  await page.getByRole("dialog").getByText("with a copy of dropped.yaml.").waitFor();
  await page.getByRole("button", { name: "Replace draft" }).click();
  await expect.poll(() => text.inputValue()).toBe("steps: []");
});

test("a scenario is played within the first screen", async () => {
  const { page } = await openPortal({ sandbox: frozen, hash: "#/default/scenarios/live-demo" });
  const play = page.getByRole("button", { name: "Play", exact: true });
  for (const size of [
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect
      .poll(async () => ((await play.boundingBox())?.y ?? Infinity) + ((await play.boundingBox())?.height ?? 0))
      .toBeLessThanOrEqual(size.height);
  }
});
