import * as fc from "fast-check";
import { expect, test } from "vitest";
import { completeFile } from "../../src/fixture/check.ts";
import { contradictions, unseenValues } from "../../src/fixture/mistakes/contradictions.ts";
import type { SparseInvestment } from "../../src/fixture/schema.ts";
import { FileMistakes } from "../../src/model/mistakes.ts";
import { checkScenario, parseScenario } from "../../src/scenario/parse.ts";
import { contradictoryInvestments, sparseInvestments } from "../fixture/sparse-fixtures.ts";

test.for<[name: string, text: string, warnings: string[]]>([
  [
    "an event that is not shown",
    "steps:\n  - event: PAYMENT APROVED",
    [
      '2:12 steps[0].event is "PAYMENT APROVED", which the specification does not show; it shows REGISTRATION COMPLETED, PROFILE SUBMITTED, SUBSCRIPTION SUBMITTED, PAYMENT SUBMITTED, PAYMENT APPROVED, and ADDRESS SUBMITTED. Did you mean "PAYMENT APPROVED"?',
    ],
  ],
  [
    "a status and a step that are not shown",
    "steps:\n  - investment: { status: PAUSED, step: LEGAL }",
    [
      '2:27 steps[0].investment.status is "PAUSED", which the specification does not show; it shows PENDING and CLOSED.',
      '2:41 steps[0].investment.step is "LEGAL", which the specification does not show; it shows SIGNERS and null.',
    ],
  ],
  [
    "small numbers as durations",
    "repeat: { count: 2, every: 10 }\nsteps:\n  - { after: 5, sign: all }\n  - { at: 5000, sign: all }\n  - { after: 0, fault: { delay: 5, for: '30' } }",
    [
      "1:28 repeat.every is 10 milliseconds; write 10ms if so, or another unit: 10s, 10m.",
      "3:14 steps[0].after is 5 milliseconds; write 5ms if so, or another unit: 5s, 5m.",
      "5:41 steps[2].fault.for is 30 milliseconds; write 30ms if so, or another unit: 30s, 30m.",
    ],
  ],
  [
    "an event with a description",
    "steps:\n  - event: { event: PROFILE, action: SUBMITTED, description: again }",
    ['2:12 steps[0].event is "again", which the specification does not show; it shows a description of null.'],
  ],
  [
    "CLOSED, and nothing done for it",
    "investment: { amount: 10, step: SIGNERS }\nsteps:\n  - investment: { status: CLOSED }",
    [
      "3:27 steps[0].investment.status is CLOSED with money outstanding: 0 of 10 is paid.",
      "3:27 steps[0].investment.status is CLOSED although somebody has not signed.",
      "3:27 steps[0].investment.status is CLOSED in the step SIGNERS; expected null.",
      "3:27 steps[0].investment.status is CLOSED although no payment was approved; expected an event: PAYMENT APPROVED.",
    ],
  ],
  [
    "CLOSED, paid in part perhaps, as the amount is left to the seed",
    `steps:
  - sign: all
    event: [PAYMENT SUBMITTED, PAYMENT APPROVED]
    payment: { amount: 100, status: succeeded }
    investment: { status: CLOSED }`,
    [
      "5:27 steps[0].investment.status is CLOSED with 100 paid of an amount that is not written; expected an amount of 100.",
    ],
  ],
  [
    "a price and a quantity of two steps",
    `investment: { amount: 100 }
steps: [{ investment: { price: 7 } }, { investment: { quantity: 7 } }]`,
    ["2:39 steps[1] is the last, and amount is 100; price × quantity is 49."],
  ],
  [
    "CLOSED, and one of two has not signed",
    `investment: { amount: 10, investors: [{ email: a@example.com }, { email: b@example.com, is_signer: true }] }
steps:
  - { sign: a@example.com, payment: { amount: 10, status: succeeded }, event: PAYMENT APPROVED }
  - investment: { status: CLOSED }`,
    ["4:27 steps[1].investment.status is CLOSED although somebody has not signed."],
  ],
  [
    "an approval without money",
    "steps:\n  - { event: PAYMENT APPROVED, payment: { amount: 10, status: pending } }",
    ["2:14 steps[0].event approves a payment that did not succeed or had not been submitted yet."],
  ],
  [
    "a submission without a payment",
    "steps:\n  - event: PAYMENT SUBMITTED",
    ["2:12 steps[0].event submits a payment too many; the number of payments is 0."],
  ],
  [
    "too much money",
    "investment: { price: 2.5, quantity: 4 }\nsteps:\n  - payment: { amount: 11, status: succeeded }",
    ["3:14 steps[0].payment goes too far: paid_amount is 11, more than the amount of 10."],
  ],
  [
    "dates before the creation",
    `investment: { create_date: 2026-01-15T12:00:00.000Z }
steps:
  - { at: 2026-01-14, payment: { amount: 10, create_date: 2026-01-13T00:00:00.000Z } }
  - offering: { create_date: 2026-01-02T00:00:00.000Z, modify_date: 2026-01-01T00:00:00.000Z }`,
    [
      "3:11 steps[0].at is before the creation of the investment; expected 2026-01-15T12:00:00.000Z or later.",
      "3:59 steps[0].payment.create_date is before the creation of the investment; expected 2026-01-15T12:00:00.000Z or later.",
      "4:69 steps[1].offering.modify_date is before the creation of the offering; expected 2026-01-02T00:00:00.000Z or later.",
    ],
  ],
  [
    "signers to wait for when there are none",
    "steps:\n  - sign: all\n  - investment: { step: SIGNERS }",
    ["3:25 steps[1].investment.step is SIGNERS although everybody has signed."],
  ],
  [
    "what a new investment is, and what is left of it",
    `investment:
  amount: 10
  step: SIGNERS
  signing_parties: [{ email: a@example.com, status: signed, signed: false }, { email: b@example.com }]
  investors: [{ is_primary: false, email: b@example.com }]
  events: [{ event: PROFILE, action: SUBMITTED }, { event: REGISTRATION, action: COMPLETED }]
steps:
  - { sign: [a@example.com, b@example.com], event: PROFILE SUBMITTED }
  - { payment: { alias: card, amount: 10, status: succeeded }, event: PAYMENT APPROVED }
  - investment: { status: CLOSED, step: null, amount: 11 }
  - { payment: { alias: card, status: pending }, investment: { amount: 10 } }`,
    [
      "4:69 investment.signing_parties[0].signed is false; its status contradicts that.",
      "5:14 investment.investors do not have exactly one primary investor.",
      "6:51 investment.events[1] is REGISTRATION COMPLETED after PROFILE SUBMITTED; expected it earlier.",
      "8:52 steps[0].event is a second PROFILE SUBMITTED.",
      "10:27 steps[2].investment.status is CLOSED with money outstanding: 10 of 11 is paid.",
      "10:55 steps[2].investment.amount is 11; price × quantity is 10.",
      "9:71 steps[1].event approves a payment that did not succeed or had not been submitted yet.",
    ],
  ],
  [
    "the last state of an investment",
    `investment: { signing_parties: [{ email: a@example.com }], step: SIGNERS }
steps:
  - { sign: a@example.com, event: REGISTRATION COMPLETED }
  - event: PROFILE SUBMITTED`,
    ["4:5 steps[1] is the last, and step is SIGNERS although everybody has signed."],
  ],
  [
    "investors who have all signed: nobody signs but those written",
    `investment: { investors: [{ email: a@example.com }] }
steps:
  - sign: a@example.com
  - investment: { step: SIGNERS }`,
    ["4:25 steps[1].investment.step is SIGNERS although everybody has signed."],
  ],
  [
    "an investor who signs, as each does who is no exception",
    `investment: { investors: [{ email: a@example.com }, { email: b@example.com }], amount: 10 }
steps:
  - { sign: a@example.com, payment: { amount: 10, status: succeeded }, event: PAYMENT APPROVED }
  - investment: { status: CLOSED }`,
    ["4:27 steps[1].investment.status is CLOSED although somebody has not signed."],
  ],
  [
    "a countersigner who has not signed",
    `investment: { investors: [{ email: a@example.com }], signing_parties: [{ countersigner: true }], amount: 10 }
steps:
  - { sign: investors, payment: { amount: 10, status: succeeded }, event: PAYMENT APPROVED }
  - investment: { status: CLOSED }`,
    ["4:27 steps[1].investment.status is CLOSED although somebody has not signed."],
  ],
  [
    "a signature of somebody beside the investors",
    `investment: { investors: [{ email: ada@example.com }], amount: 10 }
steps: [{ sign: ada@example.com }, { sign: adda@example.com }]`,
    [
      '2:44 steps[1].sign is "adda@example.com", whom investors do not have: this party signs beside them. Did you mean "ada@example.com"?',
    ],
  ],
  [
    "keys with nearly the name of another; others are the sandbox's",
    `steps:
  - { key: { issue: { type: partner, label: new } }, fault: { match: { key_id: new }, times: 1, delay: 1s } }
  - { key: { revoke: patner }, fault: { match: { key_id: old }, times: 1, delay: 1s } }
  - { key: { revoke: marketing } }`,
    ['3:22 steps[1].key.revoke is no key of an earlier step. Did you mean "partner"?'],
  ],
  [
    "a payment of an amount that is drawn",
    `investment: { amount: 10, payments: [{}] }
steps:
  - payment: { amount: 10, status: succeeded }
  - { sign: all, event: [PAYMENT SUBMITTED, PAYMENT APPROVED], investment: { status: CLOSED } }`,
    [],
  ],
  [
    "a fault for no operation",
    "steps:\n  - fault: { match: { path: /investment/:id }, delay: 1s }",
    [
      '2:29 steps[0].fault.match.path is "/investment/:id", which matches no operation. Did you mean "/investments/:id"?',
    ],
  ],
  ["a fault for all", "steps:\n  - fault: { match: { path: /** }, delay: 1s }", []],
  [
    "an investment that exists, of which nothing is known",
    `investment: first
steps:
  - { investment: { status: CLOSED }, event: PAYMENT APPROVED, sign: [a@example.com, 2] }
  - { investor: { email: a@example.com, is_kyc: true }, payment: { number: 2, status: succeeded }, sign: investors }`,
    [],
  ],
])("%s", ([, text, warnings]) => {
  const printed = parseScenario(text, "mine.yaml").warnings.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
  expect(printed.toSorted()).toEqual(warnings.toSorted());
});

/** Warnings without the investment's place, and without an amount that may be random. */
function withoutPlace(warnings: Iterable<{ readonly message: string }>): string[] {
  return Array.from(warnings, ({ message }) =>
    message
      .replace(/^(?:offerings\[0\]\.investments\[0\]|investment)\./, "")
      .replace(/(?<=outstanding: ).* of .*(?= is paid)/, "some"),
  ).toSorted();
}

/** The warnings of a fixture with the investment, at a present after every date; undefined if it is refused. */
async function warnedOfInFixture(investment: SparseInvestment): Promise<string[] | undefined> {
  const begins = { create_date: "2001-01-02T00:00:00.000Z", status: "PENDING", step: null, payments: [], events: [] };
  const offering = { create_date: "2001-01-01T00:00:00.000Z", investments: [{ ...begins, ...investment }] };
  const text = JSON.stringify({ now: "2040-01-01T00:00:00.000Z", offerings: [offering] });
  const file = { name: "one", path: "one.json", shipped: false };
  try {
    const content: unknown = JSON.parse(text);
    const fixture = await completeFile(file, { text, content }, { investmentStatuses: "any" });
    return withoutPlace([...contradictions(fixture), ...unseenValues(fixture)]);
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return undefined;
  }
}

/** Whether warnings depend on random values: a random date beside contradictory ones, or a random amount paid in full. */
function dependsOnChance({ payments = [], events = [], ...stated }: SparseInvestment): boolean {
  const { modify_date, status, paid_amount, amount, price } = stated;
  const dates = [
    ...payments.flatMap((one) => [one.create_date, one.modify_date]),
    ...events.map((one) => one.create_date),
  ];
  const isLate = dates.some((date) => date !== undefined && modify_date !== undefined && date > modify_date);
  const isPaid = status === "CLOSED" && paid_amount !== undefined && (amount ?? price) === undefined;
  return (isLate && dates.includes(undefined)) || isPaid;
}

test("a scenario has the same warnings for an investment as a fixture", async () => {
  const counts = { warned: 0, fine: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(contradictoryInvestments, sparseInvestments), async (sparse) => {
      const investment = JSON.parse(JSON.stringify(sparse)) as SparseInvestment;
      fc.pre(!dependsOnChance(investment));
      const fixtureWarnings = await warnedOfInFixture(investment);
      fc.pre(fixtureWarnings !== undefined);
      const { warnings } = checkScenario({ investment, steps: [{ offering: { name: "Aurora" } }] });
      expect(withoutPlace(warnings)).toEqual(fixtureWarnings);
      counts[warnings.length > 0 ? "warned" : "fine"]++;
    }),
    { numRuns: 80 },
  );
  expect(Math.min(counts.warned, counts.fine)).toBeGreaterThan(10);
});
