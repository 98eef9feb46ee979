import { parse } from "yaml";
import { expect, test } from "vitest";
import type { Environment } from "../../src/public/control.ts";
import { shippedScenarios } from "../../src/scenario/load.ts";
import { checksumOf } from "../support/checksum.ts";
import { openSandbox } from "../support/sandbox.ts";

const scenarioText = "# A remark stays.\nname: mine\ntitle: It pays\nsteps: [{ event: PAYMENT SUBMITTED }]\n";

const savedNames = async ({ scenarios }: Environment): Promise<string[]> =>
  (await scenarios.list()).filter(({ saved }) => saved).map(({ name }) => name);

test("a saved scenario outlives a reset, plays by its name, and ends when it is deleted", async () => {
  const { sandbox } = await openSandbox();
  const { scenarios } = sandbox;
  const description = { name: "mine", title: "It pays", description: "", steps: 1, saved: true };
  expect(await scenarios.save(scenarioText)).toEqual(description);
  await sandbox.reset();
  expect((await scenarios.list())[0]).toEqual(description);
  expect(await scenarios.get("mine")).toMatchObject({ title: "It pays", text: scenarioText });
  expect(await sandbox.play("mine")).toMatchObject({ scenario: "mine", status: "finished" });

  await scenarios.save({ name: "mine", steps: [{ event: "PROFILE SUBMITTED" }, { next: true, sign: "all" }] });
  expect(await savedNames(sandbox)).toEqual(["mine"]);
  expect(parse((await scenarios.get("mine")).text)).toMatchObject({ steps: [{}, { next: true }] });
  expect(await savedNames(await sandbox.openEnvironment())).toEqual([]);

  await scenarios.delete("mine");
  expect(await savedNames(sandbox)).toEqual([]);
  await expect(sandbox.play("mine")).rejects.toThrow('There is no scenario "mine".');
  await expect(scenarios.delete("mine")).rejects.toMatchObject({
    code: "not_found",
    message: 'There is no saved scenario "mine".',
  });
});

test("a scenario is not saved under the name of another one, without a name, or with an error", async () => {
  const { sandbox } = await openSandbox({ scenarios: [{ name: "loaded", steps: [{ event: "PROFILE SUBMITTED" }] }] });
  const { scenarios } = sandbox;
  for (const name of ["closing", "loaded"]) {
    await expect(scenarios.save(scenarioText.replace("mine", name))).rejects.toMatchObject({
      code: "conflict",
      message: `Scenario "${name}" ships or was loaded at the start; choose another name.`,
    });
  }
  await expect(scenarios.save("steps: [{ sign: all }]")).rejects.toThrow(
    "no name under which to save it; expected one, such as",
  );
  await expect(scenarios.save({ name: "mine", steps: [] })).rejects.toThrow("at least one step");
  await expect(scenarios.save("mine.yaml")).rejects.toMatchObject({ code: "invalid" });
  expect(await savedNames(sandbox)).toEqual([]);

  for (let index = 0; index < 100; index++) await scenarios.save(scenarioText.replace("mine", `mine-${index}`));
  await expect(scenarios.save(scenarioText)).rejects.toThrow("100 saved scenarios, the limit; delete one first.");
  await scenarios.save(scenarioText.replace("mine", "mine-7"));
});

test("a snapshot has the saved scenarios, with their text", async () => {
  const { sandbox } = await openSandbox();
  await sandbox.scenarios.save(scenarioText);
  const snapshot = await sandbox.snapshot();
  await using restoredEnvironment = await sandbox.openEnvironment({ snapshot });
  expect(await restoredEnvironment.scenarios.get("mine")).toMatchObject({ text: scenarioText });
  await restoredEnvironment.scenarios.save(scenarioText.replace("mine", "later"));
  await restoredEnvironment.reset();
  expect(await savedNames(restoredEnvironment)).toEqual(["later", "mine"]);
  await restoredEnvironment.restore(snapshot);
  expect(await savedNames(restoredEnvironment)).toEqual(["mine"]);
  await sandbox.scenarios.delete("mine");
  await sandbox.restore(snapshot);
  expect(await sandbox.scenarios.get("mine")).toMatchObject({ text: scenarioText });

  const { checksum: _, ...body } = snapshot as unknown as { readonly checksum: string; readonly content: object };
  const forgedSnapshot = { ...body, content: { ...body.content, scenarios: [scenarioText, "name: other\nsteps: []"] } };
  await expect(sandbox.restore({ ...forgedSnapshot, checksum: checksumOf(forgedSnapshot) } as never)).rejects.toThrow(
    /at least one step/,
  );
});

test("a recording of an investment that a run created plays after a reset, with the steps of the run", async () => {
  const { sandbox } = await openSandbox();
  /** Describes the investment 90 days later, and its changes with their distances from the first one. */
  const describeEffects = async (investment_id: string): Promise<unknown[]> => {
    await sandbox.clock.advance("90d");
    const { status, step, amount, paid_amount, signing_parties } = await sandbox.investments.get(investment_id);
    const signed = (signing_parties as { signed: boolean }[]).map((party) => party.signed);
    const changes = await sandbox.timeline({ investment_id });
    const start = Date.parse(changes[0]?.date ?? "");
    const distance = (date: string): number => Math.round((Date.parse(date) - start) / 1000);
    // A recorded `sign: all` signs again for those who have signed.
    const comparedChanges = changes.filter(({ kind }) => kind !== "signing_party" && kind !== "new_investment");
    const lines = comparedChanges.map(({ date, summary }) => `${distance(date)} s: ${summary}`);
    return [{ status, step, amount, paid_amount, signed }, ...lines];
  };
  for (const { name } of await shippedScenarios()) {
    await sandbox.reset();
    await sandbox.clock.set("2026-01-15T12:00:00Z");
    const [originalId = ""] = (await sandbox.play(name)).investment_ids;
    await sandbox.clock.advance("2m");
    await sandbox.investments.recordEvent(originalId, { event: "PROFILE", action: "SUBMITTED" });
    const originalEffects = await describeEffects(originalId);
    const { text, warnings } = await sandbox.scenarios.record({ investment_id: originalId, name: "recorded" });
    const expectedWarnings =
      name === "polling" ? [expect.stringMatching(/^Omitted: \w+ steps of run-1 that wait/)] : [];
    expect(warnings.filter((warning) => !warning.includes("dates stay in each play"))).toEqual(expectedWarnings);
    await sandbox.scenarios.save(text);
    await sandbox.reset();
    const [recordedId = ""] = (await sandbox.play("recorded")).investment_ids;
    expect([name, await describeEffects(recordedId)]).toEqual([name, originalEffects]);
  }
});

test("a check warns that the investment or the offering does not exist at this time", async () => {
  const { sandbox } = await openSandbox();
  const { scenarios } = sandbox;
  const { id } = await sandbox.investments.create({ alias: "made" });
  const text = "name: mine\ninvestment: made\nsteps: [{ event: PAYMENT SUBMITTED }]\n";
  expect((await scenarios.check(text)).warnings).toEqual([]);
  await sandbox.reset();
  const message = 'investment cannot be played on now. There is no investment "made".';
  expect(await scenarios.check(text)).toMatchObject({ valid: true, warnings: [{ line: 2, column: 13, message }] });
  expect((await scenarios.check({ investment: id, steps: [{ sign: "all" }] })).warnings).toMatchObject([{ line: 1 }]);
  expect((await scenarios.check("offering: zephyr\nsteps: [{ sign: all }]")).warnings).toMatchObject([
    { line: 1, message: expect.stringContaining('There is no offering "zephyr".') as string },
  ]);
});
