import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControlError, type Sandbox } from "../../src/index.ts";
import { completeFile } from "../../src/fixture/check.ts";
import type { SparseInvestment } from "../../src/fixture/schema.ts";
import { FileMistakes } from "../../src/model/mistakes.ts";
import { isExactMoney, largestAmount, mostUnits, sum } from "../../src/model/money.ts";
import { sparseInvestments } from "../fixture/sparse-fixtures.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, ways } from "./sandboxes.ts";

const present = "2026-01-15T12:00:00.000Z";
const id = "0000aaaa-0000-4000-8000-000000000001";
const offering = { id: known.aurora, create_date: "2025-06-01T00:00:00.000Z" };
const file = { name: "one", path: "one.json", shipped: false };

/** The beginning of a new investment, unless it is written otherwise. */
const defaults = { create_date: present, events: [], payments: [], step: null, status: "PENDING" };

/** Messages without the place: that of the investment, and of the offering and the clock. */
function withoutPlace(messages: string): string[] {
  return messages
    .replace(/^Scenario inline: /, "")
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/offerings\[0\]\.investments\[0\]|the investment|investment(?=\.| |;)/g, "IT")
        .replaceAll(/offerings\[0\](?!\.)|the offering/g, "OFFERING")
        .replaceAll("IT.", ""),
    )
    .toSorted();
}

/** The reason why a fixture with the investment is refused; undefined if it is not. */
async function refusedInFixture(investment: object): Promise<string[] | undefined> {
  const content = { offerings: [{ ...offering, investments: [{ ...defaults, ...investment }] }] };
  const text = JSON.stringify(content);
  try {
    await completeFile(file, { text, content: JSON.parse(text) }, { investmentStatuses: "none" });
    return undefined;
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return withoutPlace(error.mistakes.map(({ message }) => message).join("\n"));
  }
}

async function refusal(command: Promise<unknown>): Promise<string[] | undefined> {
  const error = await command.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(ControlError);
  return withoutPlace((error as Error).message);
}

/** Deviations that a fixture is refused for, or not, depending on the rest. */
const deviation: fc.Arbitrary<SparseInvestment> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constantFrom<SparseInvestment[]>(
    { investors: [{ id }], signing_parties: [{ id }] },
    {
      payments: [
        { id, amount: 5 },
        { id, amount: 7 },
      ],
    },
    {
      events: [
        { id, event: "PROFILE", action: "SUBMITTED" },
        { id, event: "A", action: "B" },
      ],
    },
    { id, payments: [{ id, amount: 1 }] },
    { investors: [{ alias: "a" }, { alias: "a" }] },
    { modify_date: "2020-01-01T00:00:00.000Z" },
    { create_date: "2025-01-01T00:00:00.000Z" },
    { payments: [{ amount: 5, create_date: "2001-01-01T00:00:00.000Z" }] },
    { payments: [{ amount: 5, create_date: "2026-01-17T00:00:00.000Z", modify_date: "2026-01-16T00:00:00.000Z" }] },
    { events: [{ event: "PROFILE", action: "SUBMITTED", create_date: "2001-01-01T00:00:00.000Z" }] },
    { price: largestAmount, quantity: 2 },
    { price: largestAmount, quantity: mostUnits },
    { payments: [{ amount: largestAmount }, { amount: 0.01, status: "failed" }] },
    { investment_number: Number.MAX_SAFE_INTEGER },
  ),
);

const investments = fc
  .tuple(sparseInvestments, deviation, deviation)
  .map((parts) => Object.assign({}, ...parts, { broker: null }));

/** The invariants of an investment's document, with its events. */
async function expectInvariants({ api }: Awaited<ReturnType<typeof openSandbox>>, of: string): Promise<void> {
  const { data, included } = (await api(`/investments/${of}`)).json;
  const { events } = (await api(`/investments/${of}/events`)).json.data.relationships;
  const relations = Object.values(data.relationships).flatMap((one) => (one as { data: unknown }).data ?? []);
  const names = (resources: readonly unknown[]): string[] =>
    resources.map((one) => `${(one as { type: string }).type} ${(one as { id: string }).id}`).toSorted();
  expect(names(included)).toEqual(names(relations));
  expect(new Set(names(included)).size).toBe(included.length);
  expect(new Set(names(events.data)).size).toBe(events.data.length);
  const { create_date, modify_date, amount, paid_amount, investment_number } = data.attributes;
  expect(create_date <= modify_date).toBe(true);
  expect([amount, paid_amount].filter((money) => !isExactMoney(money))).toEqual([]);
  expect(Number.isSafeInteger(investment_number)).toBe(true);
  const payments = included.filter((one: { type: string }) => one.type === "payments");
  const paid = payments.map((one: { attributes: Record<string, never> }) => one.attributes);
  expect(sum(paid.map((payment: { amount: number }) => payment.amount))).toBeLessThanOrEqual(largestAmount);
  for (const payment of paid) {
    expect(create_date <= payment.create_date && payment.create_date <= payment.modify_date).toBe(true);
  }
}

const fixture = { offerings: [{ ...offering, investments: [] }], keys: [{ type: "partner", key: known.keys.partner }] };

test("a fixture, a command and a scenario refuse the same investments in the same words", async () => {
  const opened = await openSandbox({ fixture, clock: present });
  const { sandbox } = opened;
  await fc.assert(
    fc.asyncProperty(investments, async (investment) => {
      await sandbox.reset();
      const expected = await refusedInFixture(investment);
      const created = sandbox.investments.create(investment);
      expect(await refusal(created)).toEqual(expected);
      if (!expected) await expectInvariants(opened, (await created).id);
      await sandbox.reset();
      const played = sandbox.play({ investment, steps: [{ offering: { name: "Aurora" } }] });
      // Mistakes that the scenario alone shows come first.
      const refused = await refusal(played);
      expect(refused === undefined).toBe(expected === undefined);
      expect(expected ?? []).toEqual(expect.arrayContaining(refused ?? []));
      if (!expected) await expectInvariants(opened, (await played).investment_ids[0] ?? "");
    }),
    { numRuns: 120 },
  );
});

describe.each(ways)("%s", (way) => {
  const play = (sandbox: Sandbox, investment: object): Promise<unknown> =>
    sandbox.play({ investment, steps: [{ event: "PROFILE SUBMITTED" }] });

  test("an id, an alias or a number that anything has is refused", async () => {
    const sandbox = await openControl(way);
    const { investors } = await sandbox.investments.create({ investors: [{}], alias: "mine", investment_number: 700 });
    const [investor] = investors as { id: string }[];
    const [key] = await sandbox.keys.list();
    for (const taken of [investor?.id, key?.id, known.whole, known.borealis]) {
      const message = expect.stringContaining("id is the same as that of another resource; expected a unique one.");
      for (const written of [{ id: taken }, { payments: [{ id: taken, amount: 1 }] }]) {
        await expect(sandbox.investments.create(written)).rejects.toMatchObject({ code: "conflict", message });
        await expect(play(sandbox, written)).rejects.toMatchObject({ code: "conflict", message });
      }
    }
    await sandbox.clock.set({ now: "2026-01-10T12:00:00.000Z" });
    for (const [name, value] of Object.entries({ alias: "mine", investment_number: 700 })) {
      const message = expect.stringContaining(
        `${name} is the same as that of another investment; expected a unique one`,
      );
      await expect(sandbox.investments.create({ [name]: value })).rejects.toMatchObject({ code: "conflict", message });
      await expect(play(sandbox, { [name]: value })).rejects.toMatchObject({ code: "conflict", message });
    }
    const message = expect.stringContaining("investment_number is the same as that of another investment");
    await expect(sandbox.investments.change(known.whole, { investment_number: 700 })).rejects.toMatchObject({
      code: "conflict",
      message,
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ create_date: "2035-01-01T00:00:00.000Z" }, "create_date is after the clock's present, "],
    [{ modify_date: "2020-01-01T00:00:00.000Z" }, "modify_date is before the creation of the investment; expected "],
    [{ create_date: "2020-01-01T00:00:00.000Z" }, "create_date is before the creation of the offering; expected "],
    [{ create_date: "2026-01-15T11:59:59.999Z" }, "payments[0].create_date is before the creation of the investment"],
    [
      { price: largestAmount, quantity: 2 },
      "quantity is 2; expected price × quantity to be at most 70,000,000,000,000.",
    ],
    [{ status: "WEIRD" }, 'status is "WEIRD"; expected "PENDING" or "CLOSED", or --assume investment.statuses=any'],
  ])("no change makes of an investment what a fixture is refused for: %j", async (change, message) => {
    const sandbox = await openControl(way);
    const refused = { code: "invalid", message: expect.stringContaining(message) };
    await expect(sandbox.investments.change(known.whole, change)).rejects.toMatchObject(refused);
  });

  test("nor does an event before the creation, nor payments of scenarios that are too large together", async () => {
    const sandbox = await openControl(way);
    await sandbox.clock.set({ now: "2020-01-01T00:00:00.000Z" });
    const event = { event: "PROFILE", action: "SUBMITTED" };
    await expect(sandbox.investments.recordEvent(known.whole, event)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^events\[\d+\]\.create_date is before the creation of the investment; expected /),
    });
    await sandbox.clock.set({ now: present });
    const large = { investment: known.whole, steps: [{ after: "1d", payment: { amount: 6e13 } }] };
    await sandbox.play(large);
    const refused = {
      code: "conflict",
      message: expect.stringContaining("payments add up to too much; expected a sum"),
    };
    await expect(sandbox.play(large)).rejects.toMatchObject(refused);
    await expect(sandbox.play({ ...large, steps: [{ payment: { amount: 6e13 } }] })).rejects.toMatchObject(refused);
  });
});
