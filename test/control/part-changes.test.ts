import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Environment, InvestmentRecord } from "../../src/public/control.ts";
import { caseCount } from "../support/case-count.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const changedAt = "2026-01-15T13:00:00.000Z";

const adaId = "00000030-0000-4000-8000-000000000001";
const charlesId = "00000030-0000-4000-8000-000000000002";
const unsignedPartyId = "00000040-0000-4000-8000-000000000002";
const succeededPaymentId = "00000050-0000-4000-8000-000000000001";
const pendingPaymentId = "00000050-0000-4000-8000-000000000002";

/** The attributes of an included resource, as a key reads them. */
async function readIncluded(sandbox: Environment, id: string, key?: string): Promise<Record<string, unknown>> {
  const { json } = await read(sandbox, `/investments/${known.whole}`, key);
  const resource = (json.included as { id: string; attributes: Record<string, unknown> }[]).find(
    (item) => item.id === id,
  );
  return resource?.attributes ?? {};
}

/** The bytes of every document in which the investment is, as each type of key reads it. */
async function readDocuments(sandbox: Environment): Promise<string[]> {
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

describe("changes of nested resources", () => {
  test("an investor is changed: a Partner key reads it, a Marketing key what is not redacted", async () => {
    const sandbox = await openControl();
    await sandbox.clock.advance("1h");
    const change = { first_name: "Augusta", tax_id: null, birthdate: "1985-12-11", ta_sub_type: "TEN COM" };
    const record = await sandbox.investments.change("whole", { investors: [{ id: adaId, ...change }] });
    expect(record).toMatchObject({
      modify_date: changedAt,
      investors: [{ id: adaId, last_name: "Lovelace", ...change }, {}],
    });
    expect(await readIncluded(sandbox, adaId)).toMatchObject({ last_name: "Lovelace", ...change });
    const redacted = "[[redacted]]";
    expect(await readIncluded(sandbox, adaId, known.keys.marketing)).toMatchObject({
      first_name: "Augusta",
      tax_id: redacted,
      birthdate: redacted,
      ta_sub_type: redacted,
    });
    expect((await sandbox.investments.list({ search: "augusta" })).data).toMatchObject([{ id: known.whole }]);
    const changes = await sandbox.timeline({ investment_id: "whole", from: changedAt });
    expect(changes).toMatchObject([
      {
        kind: "investor",
        date: changedAt,
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
      signing_parties: [{ id: unsignedPartyId, signed: true, phone_number: "+12025550199" }],
      payments: [{ id: pendingPaymentId, status: "succeeded" }],
    });
    expect(record).toMatchObject({ step: null, paid_amount: 700.25, modify_date: changedAt });
    expect(await readIncluded(sandbox, unsignedPartyId)).toMatchObject({ signed: true, status: "signed" });
    expect(await readIncluded(sandbox, unsignedPartyId, known.keys.marketing)).toMatchObject({
      phone_number: "+12025550199",
    });
    expect(await readIncluded(sandbox, pendingPaymentId)).toMatchObject({
      status: "succeeded",
      modify_date: changedAt,
    });
    expect(await readIncluded(sandbox, succeededPaymentId)).toMatchObject({ modify_date: "2026-01-07T12:00:00.000Z" });
  });

  test("a stated paid_amount wins over the sum of the payments", async () => {
    const { investments } = await openControl();
    const change = { paid_amount: 1, payments: [{ id: pendingPaymentId, amount: 301 }] };
    expect(await investments.change("whole", change)).toMatchObject({ paid_amount: 1 });
    expect(await investments.change("whole", { payments: [{ id: pendingPaymentId, amount: 302 }] })).toMatchObject({
      paid_amount: 400.25,
    });
  });

  const refusals: [change: object, message: RegExp][] = [
    [{ investors: [{ first_name: "A" }] }, /^investors\[0\]\.id is missing; expected the id of an investor of the /],
    [
      { investors: [{ id: charlesId.replace(/2$/, "3") }] },
      /^investors\[0\]\.id: there is no investor ".*3"\. Did you mean "00000030-.*"\?$/,
    ],
    [{ payments: [{ id: adaId }] }, /^payments\[0\]\.id: there is no payment "00000030-.*"\./],
    [{ payments: [{ id: "unknown" }] }, /^payments\[0\]\.id: there is no payment "unknown"\. There are 00000050-/],
    [
      { investors: [{ id: adaId }, { id: adaId }] },
      /^investors\[1\]\.id is the same as that of investors\[0\]; expected /,
    ],
    [
      { investors: [{ id: adaId, frist_name: "A" }] },
      /^investors\[0\] has no member "frist_name"\. Did you mean "first_/,
    ],
    [
      { investors: [{ id: adaId }, { id: charlesId, email: "charles" }] },
      /^investors\[1\]\.email is "charles"; expected an /,
    ],
    [{ investors: [{ id: adaId, first_name: null }] }, /^investors\[0\]\.first_name is null; expected a string\.$/],
    [
      { signing_parties: [{ id: unsignedPartyId, signed: "yes" }] },
      /^signing_parties\[0\]\.signed is "yes"; expected true or /,
    ],
    [
      { payments: [{ id: pendingPaymentId, status: "succeded" }] },
      /^payments\[0\]\.status is "succeded"; expected .* Did you mean "succeeded"\?$/,
    ],
    [
      { payments: [{ id: pendingPaymentId, create_date: "2026-01-01T12:00:00Z" }] },
      /^payments\[0\]\.create_date is before the creation of the investment; expected 2026-01-02T12:00:00\.000Z or later\.$/,
    ],
    [
      { payments: [{ id: pendingPaymentId, amount: 7e13 }] },
      /^payments add up to too much; expected a sum of at most /,
    ],
    [{ events: [] }, /^the change has no member "events"; expected one of /],
  ];

  test("a change is refused with the position of the error", async () => {
    const sandbox = await openControl();
    const recordBefore = await sandbox.investments.get("whole");
    for (const [change, message] of refusals) {
      const refusal = { code: "invalid", message: expect.stringMatching(message) as string };
      await expect(sandbox.investments.change("whole", { ...change })).rejects.toMatchObject(refusal);
    }
    expect(await sandbox.investments.get("whole")).toEqual(recordBefore);
    expect(await sandbox.timeline({ investment_id: "whole", from: "2026-01-15" })).toEqual([]);
  });
});

const personChanges = fc.record(
  {
    id: fc.constantFrom(adaId, charlesId),
    first_name: fc.constantFrom("Émile", "Grace"),
    middle_name: fc.constantFrom(null, "Q"),
    annual_income: fc.constantFrom(null, 1),
    is_kyc: fc.boolean(),
  },
  { requiredKeys: ["id"] },
);
const partyChanges = fc.record(
  { id: fc.constant(unsignedPartyId), signed: fc.boolean(), last_name: fc.constantFrom(null, "Hopper") },
  { requiredKeys: ["id"] },
);
const paymentChanges = fc.record(
  {
    id: fc.constantFrom(succeededPaymentId, pendingPaymentId),
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
function inverseChange(change: object, before: InvestmentRecord): Record<string, unknown> {
  const replacedMembers = Object.entries(change).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, before[name]];
    const parts = (value as Part[]).map((part) => {
      const stored = (before[name] as Part[]).find(({ id }) => id === part.id);
      const names = [...Object.keys(part), ...(name === "payments" ? ["modify_date"] : [])];
      return Object.fromEntries(names.map((member) => [member, stored?.[member]]));
    });
    return [name, parts];
  });
  const { modify_date, paid_amount } = before;
  return { ...Object.fromEntries(replacedMembers), modify_date, paid_amount };
}

test("a change is undone byte for byte, by its replaced values and by the clock", async () => {
  const sandbox = await openControl();
  const firstDocuments = await readDocuments(sandbox);
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      await sandbox.reset();
      const recordBefore = await sandbox.investments.get("whole");
      await sandbox.clock.advance("1h");
      await sandbox.investments.change("whole", change);
      const changedDocuments = await readDocuments(sandbox);
      await sandbox.clock.set("previous");
      expect(await readDocuments(sandbox)).toEqual(firstDocuments);
      await sandbox.clock.next();
      expect(await readDocuments(sandbox)).toEqual(changedDocuments);
      await sandbox.investments.change("whole", inverseChange(change, recordBefore));
      expect(await sandbox.investments.get("whole")).toEqual(recordBefore);
      expect(await readDocuments(sandbox)).toEqual(firstDocuments);
    }),
    { numRuns: caseCount(10) },
  );
});
