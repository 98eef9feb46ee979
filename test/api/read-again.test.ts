import fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../src/index.ts";
import { known, openSandbox } from "../support/sandbox.ts";

/** What brings an environment about; the number makes one differ from another. */
const commands: readonly ((environment: Environment, number: number) => Promise<unknown>)[] = [
  ({ investments }, number) => investments.change(known.whole, { step: `STEP_${number}` }),
  ({ investments }, number) => investments.change(known.closed, { status: number % 2 === 0 ? "PENDING" : "CLOSED" }),
  ({ investments }, number) => investments.create({ amount: 1000 + number, offering_id: known.aurora }),
  ({ investments }) => investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" }),
  ({ clock }, number) => clock.advance(`${number}h`),
  async ({ clock }, number) => {
    const { now } = await clock.get();
    await clock.set({ now: new Date(Date.parse(now) - number * 3_600_000).toISOString() });
  },
  (environment, number) =>
    environment.play({
      offering: known.aurora,
      investment: known.whole,
      steps: [{ after: `${number}h`, offering: { name: `Aurora ${number}` }, payment: { amount: number } }],
    }),
  ({ assumptions }, number) => assumptions.set({ "list.included": number % 2 === 0 ? "yes" : "no" }),
  ({ assumptions }, number) => assumptions.set({ "list.order": number % 2 === 0 ? "-modify_date" : "create_date" }),
  ({ assumptions }, number) =>
    assumptions.set({ "offering.document": number % 2 === 0 ? "resource" : "resource-with-counts" }),
];

const list = `/offerings/${known.aurora}/investments`;
const paths = [
  `/offerings/${known.aurora}`,
  list,
  `${list}?page=2&size=7`,
  `${list}?size=3&modify_date[gte]=2026-01-15`,
  `/investments/${known.whole}`,
  `/investments/${known.whole}/status`,
  `/investments/${known.whole}/events`,
];

test("what was read before reads as it does for the first time, whatever has happened meanwhile", async () => {
  const { sandbox, raw } = await openSandbox();
  // Not held against the OpenAPI document, which describes the default environment's assumptions.
  const read = async ({ keys }: Environment): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (const key of [keys.partner, keys.marketing]) {
      for (const path of paths) {
        const { status, text, headers } = await raw(`/api/v1${path}`, { key });
        answers.push([status, text, headers["sandbox-assumptions"]]);
      }
    }
    return answers;
  };
  const command = fc.record({ which: fc.nat(commands.length - 1), number: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 8 }), async (given) => {
      const environment = await sandbox.openEnvironment();
      for (const { which, number } of given) {
        await read(environment);
        await commands[which]?.(environment, number);
      }
      const again = await read(environment);
      // Everything that has changed is made anew, so nothing of it can have been kept.
      await environment.restore(await environment.snapshot());
      expect(again).toEqual(await read(environment));
      await environment.close();
    }),
    { numRuns: 15 },
  );
});
