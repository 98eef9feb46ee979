import { describe, expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import { maxAmount } from "../../src/model/money.ts";
import type { Investment, Key, Payment, DatedEffect, Effect } from "../../src/model/resources.ts";
import { keyOf, offeringIds, present, configOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(2);
const template = dataset.investment(uuid(2, 0));
if (!template) throw new Error("the small dataset has no investments");
const [first, created] = [uuid(2, 0), uuid(2, 7)];
const [investor, party, payment] = [uuid(3, 0), uuid(4, 0), uuid(5, 0)];

const onDay = (day: number): string => `2026-01-${day}T12:00:00.000Z`;

function open(): Environment {
  return new Environment({ ...configOf(dataset), keys: [keyOf(0)] });
}

type Dated = Effect & { readonly date?: string; readonly origin?: NonNullable<DatedEffect["origin"]> };
const dated = (effect: Dated): DatedEffect => ({ date: onDay(17), ...effect });

const newInvestment = (members: Partial<Investment> = {}): Effect => ({
  kind: "new_investment",
  investment: { ...template, id: created, investment_number: 70, create_date: onDay(17), ...members },
});
const investment = (attributes: Effect<"investment">["attributes"], investment_id = first): Effect => ({
  kind: "investment",
  investment_id,
  attributes,
});
const amountOf = (amount: number, id = payment, investment_id = first): Effect => ({
  kind: "payment",
  investment_id,
  id,
  attributes: { amount },
});
const newPayment = (index: number, amount = 5, investment_id = first): Effect => {
  const [paid] = template.payments as [Payment];
  return { kind: "new_payment", investment_id, payment: { ...paid, id: uuid(5, index), amount } };
};
const newEvent = (index: number): Effect => ({
  kind: "event",
  investment_id: first,
  event: { id: uuid(6, index), event: "PROFILE", action: "SUBMITTED", description: null, create_date: onDay(17) },
});
const newKey = (index: number, members: Partial<Key> = {}): Effect => ({
  kind: "new_key",
  key: { ...keyOf(index), ...members },
});
const newFault: Effect = {
  kind: "new_fault",
  fault: { id: "fault-1", rule: { delay: "1s" }, from: onDay(17), until: null },
};
const revoked = (index: number): Effect => ({
  kind: "key",
  key_id: uuid(8, index),
  attributes: { revoke_date: onDay(17) },
});
const offering = (offering_id: string): Effect => ({ kind: "offering", offering_id, attributes: { name: "X" } });

const refusals: Readonly<Record<string, readonly [effects: readonly Dated[], reason: RegExp]>> = {
  "an unknown offering": [[offering(uuid(1, 9))], /there is no offering 00000001-.*9$/],
  "an investment of an unknown offering": [[newInvestment({ offering_id: uuid(1, 9) })], /there is no offering/],
  "an investment's id": [[newInvestment({ id: first })], /another investment has the id 00000002-/],
  "a created investment's id": [[newInvestment(), newInvestment()], /another investment has the id 00000002-/],
  "a created investment's alias": [
    [newInvestment({ alias: "mine" }), newInvestment({ alias: "mine", id: uuid(2, 8), investment_number: 71 })],
    /alias is the same as that of another investment; expected a unique one$/,
  ],
  "an investment's number": [[newInvestment({ investment_number: 2 })], /investment_number is the same as/],
  "a created investment's number": [
    [newInvestment(), investment({ investment_number: 70 })],
    /investment_number is the same as/,
  ],
  "a number that a change gave": [
    [{ ...investment({ investment_number: 70 }), date: onDay(18) }, newInvestment()],
    /investment_number is the same as/,
  ],
  "a change of an unknown investment": [[investment({}, uuid(2, 9))], /there is no investment 00000002-/],
  "a change before the creation": [
    [newInvestment(), { ...investment({ step: null }, created), date: onDay(16) }],
    /the change is impossible at 2026-01-16T12:00:00.000Z: there is no investment/,
  ],
  "an unknown investor": [
    [{ kind: "investor", investment_id: first, id: party, attributes: {} }],
    /there is no investor 00000004-/,
  ],
  "an unknown signing party": [
    [{ kind: "signing_party", investment_id: first, id: investor, attributes: {} }],
    /there is no signing party 00000003-/,
  ],
  "an unknown payment": [[amountOf(5, uuid(5, 9))], /there is no payment 00000005-/],
  "a payment that comes later": [
    [newPayment(9), { ...amountOf(5, uuid(5, 9)), date: onDay(16) }],
    /there is no payment/,
  ],
  "another investment's payment": [[newPayment(9), amountOf(5, uuid(5, 9), uuid(2, 1))], /there is no payment/],
  "a payment's id": [[newPayment(0)], /another payment has the id 00000005-/],
  "a created payment's id": [[newPayment(9), newPayment(9)], /another payment has the id 00000005-/],
  "an event's id": [[newEvent(0)], /another event has the id 00000006-/],
  "a created event's id": [[newEvent(9), newEvent(9)], /another event has the id 00000006-/],
  "a key of an unknown offering": [[newKey(9, { offering_id: uuid(1, 9) })], /there is no offering 00000001-/],
  "a key's id": [[newKey(0)], /another key has the id 00000008-/],
  "a created key's id": [[newKey(9), newKey(9)], /another key has the id 00000008-/],
  "an unknown key": [[revoked(9)], /there is no key 00000008-/],
  "a key that comes later": [[newKey(9), { ...revoked(9), date: onDay(16) }], /there is no key 00000008-/],
  "a fault's id": [[newFault, newFault], /another fault has the id fault-1/],
};

/** One effect of each kind, possible together in any order. */
const possible: readonly Dated[] = [
  offering(offeringIds[0]),
  { ...investment({ price: 1, quantity: 2, investment_number: 71 }, created), date: onDay(18) },
  newInvestment({ alias: "mine" }),
  { kind: "investor", investment_id: first, id: investor, attributes: { last_name: "X" } },
  { kind: "signing_party", investment_id: first, id: party, attributes: { signed: true } },
  newPayment(9, maxAmount / 2),
  { ...amountOf(maxAmount - 1000, uuid(5, 9)), date: onDay(18) },
  newEvent(9),
  newKey(9),
  revoked(9),
  newFault,
];

describe("an impossible effect is refused, and nothing is recorded:", () => {
  test.each(Object.entries(refusals))("%s", (_, [effects, reason]) => {
    const environment = open();
    const before = environment.data();
    expect(() => environment.record(effects.map(dated))).toThrow(reason);
    expect(environment.data()).toEqual(before);
  });
});

test("effects refused because of a later one are possible without it; those of a stopped run can be recorded again", () => {
  const environment = open();
  const { history } = environment.internals;
  const look = (): unknown => {
    environment.internals.clock.set({ now: onDay(20) });
    const { state } = environment.read();
    const ids = [...history.idsInUse(new Map([created, uuid(5, 9), uuid(6, 9), uuid(8, 9)].map((id) => [id, 0])))];
    const investments = [first, created].map((id) => state.investment(id));
    const list = state.investmentsOf(offeringIds[0]).byCreation.map(({ id }) => id);
    environment.internals.clock.set({ now: present });
    return [investments, list, ids, history.keysBy(onDay(17)), [...state.faults], environment.data().changes.length];
  };
  const initialView = look();
  expect(initialView).toMatchObject([[{ id: first }, undefined], [first, uuid(2, 1)], [], [{ id: uuid(8, 0) }], [], 0]);
  const origin = { run: "run-1", step: 2 };
  const ofRun = possible.map((effect) => dated({ ...effect, origin }));
  const impossible = dated({ ...newKey(0), date: onDay(19), origin });
  expect(() => environment.record([...ofRun, impossible])).toThrow(/^step 3 is impossible at 2026-01-19T12:00/);
  expect(look()).toEqual(initialView);
  environment.record(ofRun);
  const recorded = look();
  expect(recorded).toMatchObject([
    [{ signing_parties: [{ signed: true }] }, { investment_number: 71, price: 1, quantity: 2, modify_date: onDay(18) }],
    [first, uuid(2, 1), created],
    [created, uuid(5, 9), uuid(6, 9), uuid(8, 9)],
    [{ id: uuid(8, 0) }, { id: uuid(8, 9) }],
    [{ id: "fault-1" }],
    possible.length,
  ]);
  history.removeRunChanges("run-1", present);
  expect(look()).toEqual(initialView);
  for (const members of [{ alias: "mine" }, { investment_number: 71 }]) {
    const otherChange = dated({ ...newInvestment({ id: uuid(2, 8), ...members }), origin });
    environment.record([otherChange]);
    history.removeRunChanges("run-1", present);
  }
  environment.record(ofRun);
  expect(look()).toEqual(recorded);
});
