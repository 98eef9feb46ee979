import { describe, expect, test } from "vitest";
import type { Investment } from "../../src/model/resources.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

describe("runs", () => {
  test("an unknown run is refused with the ids of the first twelve runs", async () => {
    const sandbox = await openControl();
    for (let count = 0; count < 13; count++) await sandbox.play({ steps: [{ event: "PAYMENT APPROVED" }] });
    await expect(sandbox.runs.next("none")).rejects.toThrow(
      /^There is no run "none"\. There are (run-\d+, ){11}run-\d+ and 1 more\.$/,
    );
  });

  test("`next` changes no repetition if a single one refuses it", async () => {
    const sandbox = await openControl();
    const { id } = await sandbox.play({
      repeat: { count: 2, every: "1m" },
      investment: { amount: 100, investors: [{ email: "ada@example.com" }] },
      steps: [
        { event: "REGISTRATION COMPLETED" },
        { next: true, investor: { email: "ada@example.com", company: "B" } },
      ],
    });
    await sandbox.clock.advance("1h");
    const [, secondId = ""] = (await sandbox.runs.get(id)).investment_ids;
    const { investors } = (await sandbox.investments.get(secondId)) as unknown as Investment;
    await sandbox.investments.change(secondId, { investors: [{ id: investors[0]?.id, email: "b@example.com" }] });
    const stateBefore = [await sandbox.runs.get(id), await sandbox.timeline()];
    await expect(sandbox.runs.next(id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("no investor has the email"),
    });
    expect([await sandbox.runs.get(id), await sandbox.timeline()]).toEqual(stateBefore);
  });

  test("a scenario is described with its text, by name and after a check", async () => {
    const scenario = {
      name: "mine",
      investment: "whole",
      steps: [
        { after: "1h..2h", sign: "all" },
        { next: true, event: "PAYMENT APPROVED" },
      ],
    };
    const sandbox = await openControl({ scenarios: [scenario] });
    const { text, ...description } = await sandbox.scenarios.get("mine");
    expect(description).toMatchObject({
      name: "mine",
      subject: "the investment whole of the first offering",
      steps: [{ when: "1 h to 2 h later", since: "1 h to 2 h" }, { when: "on command" }],
    });
    const commented = `# As written\n${text}`;
    expect(await sandbox.scenarios.check(commented)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      scenario: { text: commented, ...description },
    });
    expect((await sandbox.scenarios.check(scenario)).scenario).toEqual({ text, ...description });
    expect(await sandbox.scenarios.check({ ...scenario, steps: [] })).toMatchObject({ valid: false, scenario: null });
    expect((await sandbox.scenarios.get("closing")).text).toContain("# yaml-language-server");
    await expect(sandbox.scenarios.get("mime")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining('Did you mean "mine"?') as string,
    });
    await expect(sandbox.scenarios.get("scenarios/closing.yaml")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a repetition after the year 9999 never begins, and requests and commands still work", async () => {
    const sandbox = await openControl();
    const scenarioOfYears = {
      repeat: { count: 10_000, every: "36500d" },
      investment: { amount: 1 },
      steps: [{ event: "A B" }],
    };
    await sandbox.play(scenarioOfYears);
    await sandbox.clock.set({ now: "9999-12-31T23:59:59.999Z" });
    expect((await read(sandbox, `/investments/${known.whole}`)).status).toBe(200);
    expect(await sandbox.runs.list()).toMatchObject([{ status: "running", problem: null }]);
    const lateScenario = { investment: { amount: 1 }, steps: [{ after: "1ms", event: "A B" }] };
    await expect(sandbox.play(lateScenario)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching("9999"),
    });
  });
});

test("a run makes a limited number of changes to one investment", async () => {
  const { sandbox } = await openSandbox();
  const issue = { key: { issue: { type: "partner", label: "many" } } };
  const steps = [
    ...Array.from({ length: 100 }, () => issue),
    ...Array.from({ length: 100 }, () => ({ key: { revoke: "many" } })),
  ];
  const snapshotBefore = await sandbox.snapshot();
  for (const tooManySteps of [steps, [{ event: Array.from({ length: 3001 }, () => "A B") }]]) {
    await expect(sandbox.play({ investment: { amount: 1 }, steps: tooManySteps })).rejects.toThrow(
      /more than 3,?000 changes on one investment|at most 3,000 events/,
    );
  }
  expect(await sandbox.snapshot()).toEqual(snapshotBefore);
});
