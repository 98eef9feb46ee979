import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

interface Party {
  readonly email: string;
  readonly signed: boolean;
  readonly countersigner: boolean;
}

/** The parties of an investment: `ada@example.com signed`, `a countersigner`, `unnamed signed` without an address. */
function partiesOf({ signing_parties: parties }: Readonly<Record<string, unknown>>): string[] {
  return (parties as Party[]).map(({ email, signed, countersigner }) => {
    const name = /^(?:ada|bob|issuer)@/.test(email) ? email.replace(/@.*/, "") : "unnamed";
    return `${name}${countersigner ? " countersigning" : ""}${signed ? " signed" : ""}`;
  });
}

/** A scenario that leaves open whether there is a countersigner, and who has signed before: neither may be random. */
const twenty = `
repeat: { count: 20, every: 1h }
investment: { amount: 5000, investors: [{ email: ada@example.com }, { email: bob@example.com }] }
steps:
  - { event: SUBSCRIPTION SUBMITTED, investment: { step: SIGNERS } }
  - { after: 1h, sign: [ada@example.com, bob@example.com], investment: { step: null } }
  - { after: 1h, event: [PAYMENT SUBMITTED, PAYMENT APPROVED], payment: { amount: 5000, status: succeeded }, investment: { status: CLOSED } }
`;

test("twenty couples sign by email, and every investment closes, signed by those two alone", async () => {
  const { sandbox } = await openSandbox({ fixture: "minimal" });
  expect(await sandbox.scenarios.check(twenty)).toMatchObject({ valid: true, warnings: [] });
  const { id } = await sandbox.play(twenty);
  await sandbox.clock.advance("3d");
  const run = await sandbox.runs.get(id);
  expect(run).toMatchObject({ status: "finished", problem: null, repetitions: 20 });
  for (const investmentId of run.investment_ids) {
    const investment = await sandbox.investments.get(investmentId);
    expect(investment["status"]).toBe("CLOSED");
    expect(partiesOf(investment)).toEqual(["ada signed", "bob signed"]);
  }
  expect(new Set(run.investment_ids).size).toBe(20);
});

const [ada, bob, issuer] = ["ada", "bob", "issuer"].map((name) => ({ email: `${name}@example.com` }));
const countersigner = { ...issuer, countersigner: true };

/** The investment, the signatures of its steps, and the parties in the end. */
const cases: readonly (readonly [investment: object, signs: readonly unknown[], parties: readonly string[]])[] = [
  [{}, ["all"], ["unnamed signed"]],
  [{}, ["investors"], ["unnamed signed"]],
  [{}, ["investors", "countersigners"], ["unnamed signed", "unnamed countersigning signed"]],
  [{}, ["countersigners"], ["unnamed", "unnamed countersigning signed"]],
  [{}, ["ada@example.com", "bob@example.com"], ["ada signed", "bob signed"]],
  [{}, [1], ["unnamed signed"]],
  [{ step: "SIGNERS" }, [], ["unnamed"]],
  [{ status: "CLOSED" }, [], ["unnamed signed"]],
  [{ investors: [ada, bob] }, ["ada@example.com"], ["ada signed", "bob"]],
  [{ investors: [ada, { ...bob, is_signer: false }] }, ["all"], ["ada signed"]],
  [{ investors: [ada, { ...bob, is_signer: false }] }, ["bob@example.com"], ["ada", "bob signed"]],
  [{ investors: [ada] }, ["investors", "issuer@example.com"], ["ada signed", "issuer signed"]],
  [{ investors: [{}, {}] }, [["ada@example.com", "bob@example.com"]], ["ada signed", "bob signed"]],
  [
    { investors: [ada], signing_parties: [{ countersigner: true }] },
    [["ada@example.com", "issuer@example.com"]],
    ["ada signed", "issuer countersigning signed"],
  ],
  [
    { signing_parties: [countersigner] },
    ["ada@example.com", "countersigners"],
    ["ada signed", "issuer countersigning signed"],
  ],
  [
    { investors: [ada, bob], signing_parties: [countersigner, ada] },
    ["investors"],
    ["issuer countersigning", "ada signed"],
  ],
  [{ signing_parties: [{ ...ada, signed: true }, {}] }, ["bob@example.com"], ["ada signed", "bob signed"]],
  [{ signing_parties: [] }, ["all"], []],
];

test.for(cases)("%j signed with %j has the parties %j, whatever the seed", async ([investment, signs, parties]) => {
  const steps = [{ event: "PROFILE SUBMITTED" }, ...signs.map((sign) => ({ sign }))];
  for (const seed of [1, 2, 3]) {
    const { sandbox } = await openSandbox({ fixture: "minimal", seed });
    const { investment_ids } = await sandbox.play({ investment, steps });
    expect(partiesOf(await sandbox.investments.get(investment_ids[0] ?? ""))).toEqual(parties);
  }
});

test("the signing parties of the fixture's investments do not change", async () => {
  const { sandbox } = await openSandbox();
  const before = partiesOf(await sandbox.investments.get("whole"));
  await sandbox.play({ investment: "whole", steps: [{ sign: "countersigners" }] });
  expect(partiesOf(await sandbox.investments.get("whole")).map((party) => party.replace(" signed", ""))).toEqual(
    before.map((party) => party.replace(" signed", "")),
  );
});
