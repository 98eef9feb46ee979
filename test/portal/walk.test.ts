import { expect, test } from "vitest";
import { lastMessage, openPortal } from "./portal.ts";

test("the first steps of the guide end in CLOSED while live-demo plays", async () => {
  const { page, sandbox } = await openPortal({
    hash: "#/default/scenarios",
    sandbox: { scenarios: ["live-demo"], clock: "now", speed: 1 },
  });
  await page.getByRole("link", { name: "An investment closes", exact: true }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/investments\//);
  const status = page.locator(".headline > span").first();
  await expect.poll(() => status.innerText()).toBe("PENDING");
  const [, id = ""] = /investments\/([\da-f-]{36})/.exec(page.url()) ?? [];
  const { investment_number } = await sandbox.investments.get(id);
  const next = page.getByRole("button", { name: new RegExp(`^Next change of #${String(investment_number)} .*, `) });
  for (const step_dates = (await sandbox.timeline({ investment_id: id })).map(({ date }) => date); ;) {
    const now = Date.parse((await sandbox.clock.get()).now);
    const due = step_dates.find((date) => Date.parse(date) > now);
    if (due === undefined) break;
    await next.waitFor();
    await page.keyboard.press(".");
    await expect.poll(async () => (await sandbox.clock.get()).now >= due).toBe(true);
  }
  await expect.poll(() => status.innerText()).toMatch(/^CLOSED/);
  await expect
    .poll(() => lastMessage(page))
    .toMatch(new RegExp(`^#${String(investment_number)} .* is CLOSED, [\\d,]+\\.00 paid\\.$`));
  await expect.poll(() => page.getByRole("button", { name: /^Next change of #/ }).isDisabled()).toBe(true);
  // While the clock runs, a message ends with the next change of anything.
  await page.getByRole("button", { name: "Pause (space)" }).click();
  await expect.poll(async () => (await sandbox.clock.get()).speed).toBe(0);
  await page.keyboard.press(",");
  await expect.poll(() => status.innerText()).toMatch(/^PENDING/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => status.innerText()).toMatch(/^CLOSED/);
  await status.getByText("just changed").waitFor();
});

test("Upcoming names an investment that does not exist yet", async () => {
  const { page, sandbox } = await openPortal({ sandbox: { scenarios: [] }, expected: [/status of 404/] });
  const { now } = await sandbox.clock.get();
  const { title } = await sandbox.play("closing");
  await sandbox.clock.set(new Date(Date.parse(now) - 1000).toISOString());
  const name = title.replace("closing on ", "");
  const links = page.getByRole("link", { name });
  await expect.poll(() => links.count()).toBe(7);

  // The link marks its change, and is not about another time.
  await links.nth(1).click();
  await page.locator(".history .meant", { hasText: "Profile submitted" }).waitFor();
  expect(await page.getByText("This link was created").count()).toBe(0);
  // Before its creation, the investment has its name and a way there.
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Set clock to its creation" }).click();
  await expect.poll(() => page.locator(".headline").innerText()).toContain("PENDING");
  expect((await sandbox.clock.get()).now).toBe(now);
});

test("with Shift, the clock steps along all changes", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: [] } });
  const [first, second] = await sandbox.investments.list({ limit: 2 }).then(({ data }) => data);
  await sandbox.investments.change(first?.id ?? "", { amount: 1 });
  await sandbox.clock.advance("1h");
  await sandbox.investments.change(second?.id ?? "", { amount: 2 });
  await sandbox.clock.advance("1h");
  const { now } = await sandbox.clock.get();
  const before = new Date(Date.parse(now) - 7_200_000).toISOString();
  await expect.poll(() => page.getByRole("button", { name: /^Previous change/ }).isEnabled()).toBe(true);
  await go(`#/default/investments/${first?.id ?? ""}`);
  const back = page.getByRole("button", { name: /^Previous change of #/ });
  await expect.poll(() => back.isEnabled()).toBe(true);
  await page.keyboard.press("Shift+Comma");
  await expect.poll(async () => (await sandbox.clock.get()).now).not.toBe(now);
  expect(await sandbox.investments.get(second?.id ?? "")).not.toMatchObject({ amount: 2 });
  expect(await sandbox.investments.get(first?.id ?? "")).toMatchObject({ amount: 1 });
  await page.keyboard.press(",");
  await expect.poll(async () => (await sandbox.clock.get()).now < before).toBe(true);
  expect(await sandbox.investments.get(first?.id ?? "")).not.toMatchObject({ amount: 1 });
});

test("the overview, the clock bar and the run say when a scenario continues: after a start, at night, after a reset", async () => {
  const { page, sandbox, go } = await openPortal({ sandbox: { scenarios: ["live-demo"] } });
  const panel = page.locator(".panel").filter({ hasText: "Upcoming" });
  const begins = panel.getByText(/^live-demo begins today \d\d:\d\d$/);
  const next = page.getByRole("button", { name: /^Next change/ });
  const first = ((await sandbox.pulse()).next ?? "").replace("T", " ").slice(0, 19);
  expect(await sandbox.timeline()).toEqual([]);
  await page.getByText(`No changes yet; the first is at ${first}.`).waitFor();
  await begins.waitFor();
  expect(await next.getAttribute("title")).toBe(`Next change, ${first} ( . )`);
  expect(await panel.getByText("No upcoming changes").count()).toBe(0);

  await sandbox.clock.advance("5h");
  const morning = ((await sandbox.pulse()).next ?? "").replace("T", " ").slice(0, 19);
  const time = morning.slice(11, 16);
  await panel.getByText(`live-demo continues tomorrow ${time}`).waitFor();
  await expect.poll(() => next.getAttribute("title")).toBe(`Next change, ${morning} ( . )`);
  await go("#/default/scenarios/runs/run-1");
  await page.getByText(`24 of 720 have begun; it continues tomorrow ${time}`).waitFor();
  await page.getByText("168 of 5,040").waitFor();
  await expect.poll(() => next.getAttribute("title")).toBe(`Next change of live-demo, ${morning} ( . )`);
  await go("#/default/overview");

  await sandbox.clock.advance("60d");
  await page.getByText("No upcoming changes").waitFor();
  await sandbox.reset();
  await begins.waitFor();
});
