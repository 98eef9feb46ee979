import { expect, test } from "vitest";
import { parseScenario } from "../../src/scenario/parse.ts";

test.for<[name: string, text: string, warnings: string[]]>([
  [
    "an event that is not shown",
    "steps:\n  - event: PAYMENT APROVED",
    [
      '2:12 steps[0].event is "PAYMENT APROVED", which the specification does not show; it shows those of section 6. Did you mean "PAYMENT APPROVED"?',
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
      "3:27 steps[0].investment.status is CLOSED although no payment was approved.",
    ],
  ],
  [
    "CLOSED, and one of two has not signed",
    `investment: { amount: 10, investors: [{ email: a@example.com }, { email: b@example.com }] }
steps:
  - { sign: a@example.com, payment: { amount: 10, status: succeeded }, event: PAYMENT APPROVED }
  - investment: { status: CLOSED }`,
    ["4:27 steps[1].investment.status is CLOSED although somebody has not signed."],
  ],
  [
    "an approval without money",
    "steps:\n  - { event: PAYMENT APPROVED, payment: { amount: 10, status: pending } }",
    ["2:14 steps[0].event is PAYMENT APPROVED without a payment that succeeded."],
  ],
  [
    "a submission without a payment",
    "steps:\n  - event: PAYMENT SUBMITTED",
    ["2:12 steps[0].event is PAYMENT SUBMITTED without a payment."],
  ],
  [
    "too much money",
    "investment: { price: 2.5, quantity: 4 }\nsteps:\n  - payment: { amount: 11, status: succeeded }",
    ["3:14 steps[0].payment raises the paid amount to 11, more than the amount of 10."],
  ],
  [
    "dates before the creation",
    `investment: { create_date: 2026-01-15T12:00:00.000Z }
steps:
  - { at: 2026-01-14, payment: { amount: 10, create_date: 2026-01-13T00:00:00.000Z } }
  - offering: { create_date: 2026-01-02T00:00:00.000Z, modify_date: 2026-01-01T00:00:00.000Z }`,
    [
      "3:11 steps[0].at is before the creation, 2026-01-15T12:00:00.000Z.",
      "3:59 steps[0].payment.create_date is before the creation, 2026-01-15T12:00:00.000Z.",
      "4:69 steps[1].offering.modify_date is before the creation, 2026-01-02T00:00:00.000Z.",
    ],
  ],
  [
    "signers to wait for when there are none",
    "steps:\n  - sign: all\n  - investment: { step: SIGNERS }",
    ["3:25 steps[1].investment.step is SIGNERS although everybody has signed."],
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
    "investment: first\nsteps:\n  - { investment: { status: CLOSED }, event: PAYMENT APPROVED, sign: a@example.com }",
    [],
  ],
])("%s", ([, text, warnings]) => {
  const found = parseScenario(text, "mine.yaml").warnings.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
  expect(found.toSorted()).toEqual(warnings.toSorted());
});
