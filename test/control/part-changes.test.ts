import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Environment, InvestmentRecord } from "../../src/public/control.ts";
import { caseCount } from "../support/case-count.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const later = "2026-01-15T13:00:00.000Z";

const ada = "00000030-0000-4000-8000-000000000001";
const charles = "00000030-0000-4000-8000-000000000002";
const unsigned = "00000040-0000-4000-8000-000000000002";
const succeeded = "00000050-0000-4000-8000-000000000001";
const pending = "00000050-0000-4000-8000-000000000002";

/** The attributes of an included resource, as a key reads them. */
async function included(sandbox: Environment, id: string, key?: string): Promise<Record<string, unknown>> {
  const { json } = await read(sandbox, `/investments/${known.whole}`, key);
  const resource = (json.included as { id: string; attributes: Record<string, unknown> }[]).find(
    (item) => item.id === id,
  );
  return resource?.attributes ?? {};
}

/** The bytes of every document in which the investment is, as each type of key reads it. */
async function documents(sandbox: Environment): Promise<string[]> {
  const investmentPath = `/investments/${known.whole}`;
  const paths = [
    investmentPath,
    `${investmentPath}/status`,
    `${investmentPath}/events`,
    `/offerings/${known.aurora}/investments`,
  ];
  const { partner, marketing } = known.keys;
  const responses = [partner, marketing].flatMap((key) => paths.map((path) => read(sandbox, path, key)));
  return (await Promise.all(responses)).map(({ text }) => text);
}

describe("part changes", () => {
  test("an investor is changed: a Partner key reads it, a Marketing key what is not redacted", async () => {
    const sandbox = await openControl();
    await sandbox.clock.advance("1h");
    const change = { first_name: "Augusta", tax_id: null, birthdate: "1985-12-11", ta_sub_type: "TEN COM" };
    const record = await sandbox.investments.change("whole", { investors: [{ id: ada, ...change }] });
    expect(record).toMatchObject({
      modify_date: later,
      investors: [{ id: ada, last_name: "Lovelace", ...change }, {}],
    });
    expect(await included(sandbox, ada)).toMatchObject({ last_name: "Lovelace", ...change });
    const hidden = "[[redacted]]";
    expect(await included(sandbox, ada, known.keys.marketing)).toMatchObject({
      first_name: "Augusta",
      tax_id: hidden,
      birthdate: hidden,
      ta_sub_type: hidden,
    });
    expect((await sandbox.investments.list({ search: "augusta" })).data).toMatchObject([{ id: known.whole }]);
    const found = await sandbox.timeline({ investment_id: "whole", from: later });
    expect(found).toMatchObject([
      {
        kind: "investor",
        date: later,
        subject_id: known.whole,
        summary: expect.stringContaining("first name Augusta"),
      },
    ]);
    await sandbox.clock.set("previous");
    expect((await sandbox.investments.list({ search: "augusta" })).data).toEqual([]);
  });

  test("signing parties and payments are changed with the investment, at its instant", async () => {
    const sandbox = await openControl();
    await sandbox.clock.advance("1h");
    const record = await sandbox.investments.change("whole", {
      step: null,
      signing_parties: [{ id: unsigned, signed: true, phone_number: "+12025550199" }],
      payments: [{ id: pending, status: "succeeded" }],
    });
    expect(record).toMatchObject({ step: null, paid_amount: 700.25, modify_date: later });
    expect(await included(sandbox, unsigned)).toMatchObject({ signed: true, status: "signed" });
    expect(await included(sandbox, unsigned, known.keys.marketing)).toMatchObject({ phone_number: "+12025550199" });
    expect(await included(sandbox, pending)).toMatchObject({ status: "succeeded", modify_date: later });
    expect(await included(sandbox, succeeded)).toMatchObject({ modify_date: "2026-01-07T12:00:00.000Z" });
  });

  test("a stated paid_amount wins over the sum of the payments", async () => {
    const { investments } = await openControl();
    const change = { paid_amount: 1, payments: [{ id: pending, amount: 301 }] };
    expect(await investments.change("whole", change)).toMatchObject({ paid_amount: 1 });
    expect(await investments.change("whole", { payments: [{ id: pending, amount: 302 }] })).toMatchObject({
      paid_amount: 400.25,
    });
  });

  const refusals: [change: object, message: RegExp][] = [
    [{ investors: [{ first_name: "A" }] }, /^investors\[0\]\.id is missing; expected the id of an investor of the /],
    [
      { investors: [{ id: charles.replace(/2$/, "3") }] },
      /^investors\[0\]\.id: there is no investor ".*3"\. Did you mean "00000030-.*"\?$/,
    ],
    [{ payments: [{ id: ada }] }, /^payments\[0\]\.id: there is no payment "00000030-.*"\./],
    [{ payments: [{ id: "unknown" }] }, /^payments\[0\]\.id: there is no payment "unknown"\. There are 00000050-/],
    [{ investors: [{ id: ada }, { id: ada }] }, /^investors\[1\]\.id is the same as that of investors\[0\]; expected /],
    [
      { investors: [{ id: ada, frist_name: "A" }] },
      /^investors\[0\] has no member "frist_name"\. Did you mean "first_/,
    ],
    [
      { investors: [{ id: ada }, { id: charles, email: "charles" }] },
      /^investors\[1\]\.email is "charles"; expected an /,
    ],
    [{ investors: [{ id: ada, first_name: null }] }, /^investors\[0\]\.first_name is null; expected a string\.$/],
    [
      { signing_parties: [{ id: unsigned, signed: "yes" }] },
      /^signing_parties\[0\]\.signed is "yes"; expected true or /,
    ],
    [
      { payments: [{ id: pending, status: "succeded" }] },
      /^payments\[0\]\.status is "succeded"; expected .* Did you mean "succeeded"\?$/,
    ],
    [
      { payments: [{ id: pending, create_date: "2026-01-01T12:00:00Z" }] },
      /^payments\[0\]\.create_date is before the creation of the investment; expected 2026-01-02T12:00:00\.000Z or later\.$/,
    ],
    [{ payments: [{ id: pending, amount: 7e13 }] }, /^payments add up to too much; expected a sum of at most /],
    [{ events: [] }, /^the change has no member "events"; expected one of /],
  ];

  test("a change is refused with the place of the error", async () => {
    const sandbox = await openControl();
    const before = await sandbox.investments.get("whole");
    for (const [change, message] of refusals) {
      const refusal = { code: "invalid", message: expect.stringMatching(message) as string };
      await expect(sandbox.investments.change("whole", { ...change })).rejects.toMatchObject(refusal);
    }
    expect(await sandbox.investments.get("whole")).toEqual(before);
    expect(await sandbox.timeline({ investment_id: "whole", from: "2026-01-15" })).toEqual([]);
  });
});

const personChanges = fc.record(
  {
    id: fc.constantFrom(ada, charles),
    first_name: fc.constantFrom("Émile", "Grace"),
    middle_name: fc.constantFrom(null, "Q"),
    annual_income: fc.constantFrom(null, 1),
    is_kyc: fc.boolean(),
  },
  { requiredKeys: ["id"] },
);
const partyChanges = fc.record(
  { id: fc.constant(unsigned), signed: fc.boolean(), last_name: fc.constantFrom(null, "Hopper") },
  { requiredKeys: ["id"] },
);
const paymentChanges = fc.record(
  {
    id: fc.constantFrom(succeeded, pending),
    amount: fc.constantFrom(0.1, 99.99),
    status: fc.constantFrom("failed", "succeeded"),
    modify_date: fc.constantFrom("2026-01-10T00:00:00.000Z"),
  },
  { requiredKeys: ["id"] },
);

const listOf = <Change extends { readonly id: string }>(change: fc.Arbitrary<Change>): fc.Arbitrary<Change[]> =>
  fc.uniqueArray(change, { selector: ({ id }) => id, minLength: 1, maxLength: 2 });

const changes = fc.record(
  {
    amount: fc.constantFrom(1, 2.5),
    paid_amount: fc.constantFrom(0, 3),
    investors: listOf(personChanges),
    signing_parties: listOf(partyChanges),
    payments: listOf(paymentChanges),
  },
  { requiredKeys: [] },
);

type Part = Readonly<Record<string, unknown>> & { readonly id: string };

/** The values that a change has replaced, and the dates and the sum that follow from it. */
function inverse(change: object, before: InvestmentRecord): Record<string, unknown> {
  const replaced = Object.entries(change).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, before[name]];
    const parts = (value as Part[]).map((part) => {
      const stored = (before[name] as Part[]).find(({ id }) => id === part.id);
      const names = [...Object.keys(part), ...(name === "payments" ? ["modify_date"] : [])];
      return Object.fromEntries(names.map((member) => [member, stored?.[member]]));
    });
    return [name, parts];
  });
  const { modify_date, paid_amount } = before;
  return { ...Object.fromEntries(replaced), modify_date, paid_amount };
}

test("a change is undone byte for byte, by its replaced values and by the clock", async () => {
  const sandbox = await openControl();
  const begin = await documents(sandbox);
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      await sandbox.reset();
      const before = await sandbox.investments.get("whole");
      await sandbox.clock.advance("1h");
      await sandbox.investments.change("whole", change);
      const changed = await documents(sandbox);
      await sandbox.clock.set("previous");
      expect(await documents(sandbox)).toEqual(begin);
      await sandbox.clock.next();
      expect(await documents(sandbox)).toEqual(changed);
      await sandbox.investments.change("whole", inverse(change, before));
      expect(await sandbox.investments.get("whole")).toEqual(before);
      expect(await documents(sandbox)).toEqual(begin);
    }),
    { numRuns: caseCount(10) },
  );
});
