import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../src/control.ts";
import { known, openSandbox, type Answer } from "../support/sandbox.ts";
import { openControl, read, ways } from "./sandboxes.ts";

const instant = (day: number): string => new Date(Date.UTC(2026, 0, 15 + day, 12)).toISOString();

/** A scenario whose investment begins after so many days. */
const after = (days: number) => ({ steps: [{ after: `${days}d`, event: "PROFILE SUBMITTED" }] });

const day = fc.integer({ min: -5, max: 5 });
const commands = fc.oneof(
  day.map((at) => ({ name: `clock ${at}`, run: ({ clock }: Environment) => clock.set({ now: instant(at) }) })),
  day.map((at) => ({
    name: `create ${at}`,
    run: ({ investments }: Environment) => investments.create({ create_date: instant(at) }),
  })),
  fc.constant({ name: "create", run: ({ investments }: Environment) => investments.create({}) }),
  fc.nat(4).map((days) => ({ name: `play ${days}`, run: (environment: Environment) => environment.play(after(days)) })),
  fc.nat(2).map((at) => ({
    name: `stop ${at}`,
    run: async ({ runs }: Environment) => runs.stop((await runs.list()).at(at)?.id ?? ""),
  })),
);

interface Seen {
  readonly id: string;
  readonly attributes: { readonly investment_number: number; readonly create_date: string };
}

const listed = ({ json }: Pick<Answer, "json">): Seen[] => json.data as Seen[];

test("a number that was served never changes, and numbers have neither gaps nor repetitions", async () => {
  const { sandbox, api } = await openSandbox();
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { maxLength: 12 }), async (given) => {
      await sandbox.reset();
      const seen = new Map<string, number>();
      const look = async (): Promise<void> => {
        const investments = listed(await api(`/offerings/${known.aurora}/investments?size=100`));
        const numbers = investments.map(({ attributes }) => attributes.investment_number);
        expect(new Set(numbers).size).toBe(numbers.length);
        for (const { id, attributes } of investments) {
          expect(seen.get(id) ?? attributes.investment_number).toBe(attributes.investment_number);
          seen.set(id, attributes.investment_number);
        }
      };
      let wentBack = false;
      for (const { name, run } of given) {
        await look();
        wentBack ||= /-|clock|stop/.test(name);
        // A command that is not possible now changes nothing.
        await run(sandbox).catch(() => {});
      }
      await look();
      if (wentBack) return;
      await sandbox.clock.set({ now: instant(10) });
      const investments = listed(await api(`/offerings/${known.aurora}/investments?size=100`));
      expect(investments.map(({ attributes }) => attributes.investment_number)).toEqual(
        investments.map((_, index) => index + 1),
      );
    }),
    { numRuns: 60 },
  );
});

test.each(ways)(
  "%s: an investment of the past takes the next number, and none goes beyond what is exact",
  async (way) => {
    const sandbox = await openControl(way);
    const first = await sandbox.investments.create({});
    const earlier = await sandbox.investments.create({ create_date: "2026-01-14T12:00:00.000Z" });
    expect([first["investment_number"], earlier["investment_number"]]).toEqual([26, 27]);
    expect((await read(sandbox, `/investments/${first.id}`)).json.data.attributes.investment_number).toBe(26);
    await sandbox.investments.change(first.id, { investment_number: Number.MAX_SAFE_INTEGER });
    const numbers = [await sandbox.investments.create({}), await sandbox.investments.create({})];
    expect(numbers.map(({ investment_number }) => investment_number)).toEqual([28, 29]);
  },
);
