import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Environment, FaultRule } from "../../src/public/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { instantAfter } from "../../src/time/instant.ts";
import { caseCount } from "../support/case-count.ts";
import { known, knownFixture, openSandbox, startForTest } from "../support/sandbox.ts";

type Members = Record<string, unknown>;

/** Makes a manual change in an environment, usually to the investment with this id. */
type Action = (environment: Environment, id: string) => Promise<unknown>;

const event = fc.record(
  {
    event: fc.constantFrom("PAYMENT", "PROFILE"),
    action: fc.constantFrom("SUBMITTED", "APPROVED"),
    description: fc.constantFrom(null, "a: note # of two\nlines"),
  },
  { noNullPrototype: true },
);
const attributes = fc.record(
  {
    status: fc.constantFrom("PENDING", "CLOSED"),
    step: fc.constantFrom("SIGNERS", null),
    amount: fc.constantFrom(100, 2500.5),
    paid_amount: fc.constantFrom(0, 100),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const fault = fc.constantFrom<FaultRule>(
  { respond: { status: 503 }, for: "30m" },
  { delay: "1s..3s", times: 2 },
  { connection: "reset", share: 0.5, match: { method: "GET", path: "/investments/:id" } },
);

/** Changes an investor, signing party or payment of an investment, by an index. */
function changePart(list: string, index: number, values: Members): Action {
  return async ({ investments }, id) => {
    const parts = (await investments.get(id))[list] as readonly Members[];
    const part = parts[index % parts.length];
    return part && investments.change(id, { [list]: [{ id: part["id"], ...values }], step: "SIGNERS" });
  };
}

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  event.map((newEvent) => (environment: Environment, id: string) => environment.investments.recordEvent(id, newEvent)),
  attributes.map((change) => (environment: Environment, id: string) => environment.investments.change(id, change)),
  fc.nat(2).map((index) => changePart("signing_parties", index, { signed: true })),
  fc
    .tuple(fc.nat(2), fc.constantFrom({ status: "succeeded" }, { status: "failed", amount: 70 }))
    .map(([index, values]) => changePart("payments", index, values)),
  fc.nat(2).map((index) => changePart("investors", index, { last_name: "By Hand" })),
  fc.constantFrom("marketing" as const, "partner" as const).map((type): Action => async ({ keys }) => {
    await keys.issue({ type, label: `by hand ${(await keys.list()).length}` });
  }),
  fc.nat(9).map((index): Action => async ({ keys }) => {
    const active = (await keys.list()).filter((key) => key.offering_id === known.aurora && key.status === "active");
    if (active.length > 0) await keys.revoke(active[index % active.length]?.id ?? "");
  }),
  fault.map((rule) => (environment: Environment) => environment.faults.add(rule)),
);
const anyActions = fc.array(fc.tuple(fc.constantFrom(0, 0, 1000, 5 * 60_000, 86_400_000), anyAction), { maxLength: 7 });

const ada = { email: "ada@example.com" };
const submitted = { event: "PAYMENT", action: "SUBMITTED" };
const creation = fc.constantFrom<Members | null>(
  null,
  { amount: 100 },
  { amount: 100, expedited: true, signing_parties: [ada, { email: "bob@example.com", signed: true }] },
  { amount: 50, paid_amount: 20, payments: [{ amount: 50, status: "pending" }], events: [submitted] },
  { create_date: "2026-01-14", status: "CLOSED", investors: [ada, { is_signer: true }] },
);

/**
 * The part of an environment that a recorded scenario reproduces. Each play generates the unwritten values of a new
 * investment, so of its people only those count who signed, or whose name was changed.
 */
async function describeEffects(
  environment: Environment,
  id: string,
  creationMembers: Members | null,
): Promise<Members> {
  const { status, step, amount, paid_amount, ...parts } = await environment.investments.get(id);
  const {
    events = [],
    payments = [],
    signing_parties: parties = [],
    investors = [],
  } = parts as Record<string, Members[]>;
  return {
    investment: { status, step, paid_amount, ...((!creationMembers || "amount" in creationMembers) && { amount }) },
    events: events.map((record) => [record["event"], record["action"], record["description"]]),
    payments: payments.map((payment) => [payment["amount"], payment["status"]]),
    people: creationMembers
      ? [parties.every(({ signed }) => signed), investors.filter(({ last_name: name }) => name === "By Hand").length]
      : [...parties, ...investors].map(({ email, signed, last_name: name }) => [email, signed, name]),
    keys: (await environment.keys.list()).map(({ type, label, status: keyStatus }) => [type, label, keyStatus].join()),
    faults: (await environment.faults.list()).map(({ respond, delay, match, used, active }) => {
      return { respond, delay, match, used, active };
    }),
  };
}

test("a recorded scenario has the same effects on another investment and at another time", async () => {
  const sandbox = await startForTest({ fixture: knownFixture, rateLimit: 0 });
  await fc.assert(
    fc.asyncProperty(creation, anyActions, async (creationMembers, sequence) => {
      await using original = await sandbox.openEnvironment({ clock: "2026-01-15T12:00:00Z" });
      await using target = await sandbox.openEnvironment({ clock: "2027-03-01" });
      const createdInvestment = creationMembers && (await original.investments.create(creationMembers));
      const id = createdInvestment?.id ?? known.whole;
      if (!createdInvestment) await original.investments.recordEvent(id, submitted);
      const instants = [(await original.clock.get()).now];
      for (const [pause, action] of sequence) {
        instants.push((await original.clock.advance(pause)).now);
        await action(original, id).catch((error: unknown) => expect(error).toBeInstanceOf(ControlError));
      }
      const { text, warnings } = await original.scenarios.record();
      expect(warnings.filter((warning) => !/^It plays only on|between the creation/.test(warning))).toEqual([]);
      expect(await original.scenarios.check(text)).toMatchObject({ valid: true });

      const run = await target.play(text, createdInvestment ? {} : { investment_id: known.whole });
      const firstChange = (await original.timeline()).find(({ kind }) => kind !== "new_investment");
      // A new investment comes into being with its first step.
      const firstDate = firstChange?.date ?? instants[0] ?? "";
      for (const instant of [...instants, instantAfter(instants.at(-1) ?? "", 3_600_000)]) {
        if (instant < firstDate) continue;
        const distance = Date.parse(instant) - Date.parse(firstDate);
        await original.clock.set(instant);
        await target.clock.set(instantAfter("2027-03-01T00:00:00.000Z", distance));
        expect(await describeEffects(target, run.investment_ids[0] ?? "", creationMembers), text).toEqual(
          await describeEffects(original, id, creationMembers),
        );
      }
      await original.clock.set(instants[0] ?? "");
      expect(await original.scenarios.record()).toEqual({ text, warnings });
    }),
    { numRuns: caseCount(12) },
  );
});

test("a recording has the values of its commands, distances in whole seconds, and the requested name", async () => {
  const { sandbox } = await openSandbox();
  const { investments, clock, scenarios } = sandbox;
  const { id } = await investments.create({ amount: 5000, investors: [{ first_name: "Ada" }], alias: "mine" });
  await clock.advance(26_210);
  await investments.recordEvent(id, submitted);
  await clock.advance(3_600_441);
  await investments.change(id, { step: "SIGNERS" });
  const { text, warnings } = await scenarios.record({ name: "ada-pays" });
  expect(parse(text)).toEqual({
    name: "ada-pays",
    description: "Manual changes from 2026-01-15T12:00:00Z to 2026-01-15T13:00:26Z.",
    offering: "aurora",
    investment: { amount: 5000, investors: [{ first_name: "Ada" }] },
    steps: [{ event: "PAYMENT SUBMITTED" }, { after: "1h", investment: { step: "SIGNERS" } }],
  });
  expect(warnings).toEqual([
    'The alias "mine" is omitted: other investments have other aliases.',
    "Omitted: 26 s between the creation and the first step; a play does both at once.",
  ]);

  // A change that is omitted as a whole does not become a step.
  const { investors } = (await investments.get(id)) as unknown as { investors: Members[] };
  await investments.change(id, { investors: [{ id: investors[0]?.["id"], email: "ada@example.org" }] });
  const secondRecording = await scenarios.record();
  expect(secondRecording.warnings.at(-1)).toMatch(/^The email address "ada@example\.org" is omitted/);
  expect((parse(secondRecording.text) as { steps: unknown[] }).steps).toHaveLength(2);

  // If a step names one of several people, the recording lists all of them as they are.
  const { signing_parties: parties } = (await investments.get(id)) as unknown as { signing_parties: Members[] };
  await investments.change(id, { signing_parties: [{ id: parties[0]?.["id"], signed: true }] });
  const { investment } = parse((await scenarios.record()).text) as { investment: Record<string, Members[]> };
  expect(investment["signing_parties"]).toEqual(
    parties.map(({ email, signed, countersigner }) => ({ email, signed, countersigner })),
  );
});

test("a recording names what it omits, and the investments to choose from", async () => {
  const { sandbox } = await openSandbox({ scenarios: [{ name: "mine", steps: [{ event: "PROFILE SUBMITTED" }] }] });
  const { investments, scenarios, keys } = sandbox;
  await expect(scenarios.record()).rejects.toThrow(
    "There are no manual changes. run-1 (mine) made 2 changes; play its scenario too.",
  );
  const { signing_parties: parties } = (await investments.get("whole")) as unknown as { signing_parties: Members[] };
  const party = { id: parties[1]?.["id"], phone_number: "+1", signed: true };
  await investments.change("whole", { investment_number: 77, signing_parties: [party] });
  await investments.recordEvent("whole", { event: "PROFILE", action: "SUBMITTED" });
  await keys.issue({ type: "partner", offering_id: "borealis" });
  const { text, warnings } = await scenarios.record();
  expect(warnings).toEqual([
    "Omitted at 2026-01-15T12:00:00.000Z: Signing party: phone number +1; a step lets a party sign, and changes nothing else of it.",
    "The number 77 is omitted: other investments have other numbers.",
    "Omitted at 2026-01-15T12:00:00.000Z: Partner key issued; it is of another offering.",
  ]);
  expect(text.split("\n").filter((line) => line.startsWith("# "))).toEqual(warnings.map((warning) => `# ${warning}`));

  await investments.recordEvent("on-1", submitted);
  await expect(scenarios.record()).rejects.toThrow(
    "choose the one to record:\nwhole: Signing party signed, Investment number 77, Profile submitted\non-1: Payment submitted",
  );
  expect((await scenarios.record({ investment_id: "on-1" })).warnings).toContain("Omitted: the changes of whole.");
  await sandbox.play("mine", { investment_id: "on-1" });
  expect((await scenarios.record({ investment_id: "on-1" })).warnings).toContain(
    "run-2 (mine) made 1 change of the investment; play its scenario too.",
  );
  await expect(scenarios.record({ from: "2026-01-16" })).rejects.toThrow("from 2026-01-16T00:00:00.000Z on.");
});
