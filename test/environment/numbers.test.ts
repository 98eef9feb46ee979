import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../src/public/control.ts";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox, type TestResponse } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const instant = (day: number): string => new Date(Date.UTC(2026, 0, 15 + day, 12)).toISOString();

/** A scenario whose investment begins after this number of days. */
const after = (days: number) => ({ steps: [{ after: `${days}d`, event: "PROFILE SUBMITTED" }] });

const day = fc.integer({ min: -5, max: 5 });
interface Seen {
  readonly id: string;
  readonly attributes: { readonly investment_number: number; readonly create_date: string };
}

const listed = ({ json }: Pick<TestResponse, "json">): Seen[] => json.data as Seen[];

test("numbers follow the order of commands, and reads change nothing", async () => {
  const { sandbox, api } = await openSandbox();
  const { id } = await sandbox.play(after(3));
  const first = (await sandbox.runs.get(id)).investment_ids[0] ?? "";
  const second = await sandbox.investments.create({});
  const earlier = await sandbox.investments.create({ create_date: "2026-01-14T12:00:00.000Z" });
  await sandbox.clock.advance("4d");
  const before = await sandbox.snapshot();
  const { data } = (await api(`/investments/${first}`)).json;
  const numbers = [second, earlier].map(({ investment_number }) => investment_number);
  expect([data.attributes.investment_number, ...numbers]).toEqual([26, 27, 28]);
  const { traffic, checksum: _, ...members } = await sandbox.snapshot();
  const { journal: __, ...counts } = traffic as Readonly<Record<string, unknown>>;
  expect(before).toMatchObject({ ...members, traffic: counts });
});

const number = fc.constantFrom(1, 25, 26, 27, 500, 1_000_000);
type Act = (environment: Environment, ids: readonly string[]) => Promise<unknown>;
const acts: fc.Arbitrary<Act> = fc
  .record({ at: day, days: fc.nat(4), nth: fc.nat(3), investment_number: number })
  .chain(({ at, days, nth, investment_number }) =>
    fc.constantFrom<Act[]>(
      ({ clock }) => clock.set({ now: instant(at) }),
      ({ investments }) => investments.create({ create_date: instant(at) }),
      (environment) => environment.play(after(days)),
      async ({ runs }) => runs.stop((await runs.list()).at(nth)?.id ?? ""),
      ({ investments }) => investments.create({ create_date: instant(at), investment_number }),
      ({ investments }, ids) => investments.change(ids.at(-nth) ?? "", { investment_number }),
      (environment, ids) => {
        const steps = [{ after: `${days}d`, investment: { investment_number } }];
        return environment.play({ investment: ids.at(-nth) ?? "", steps });
      },
    ),
  );

test("at no instant do two investments of an offering share a number, whatever is stated or undone", async () => {
  const sandbox = await openControl();
  const look = async (): Promise<string[]> => {
    const investments = listed(await read(sandbox, `/offerings/${known.aurora}/investments?size=100`));
    const numbers = investments.map(({ attributes }) => attributes.investment_number);
    expect([...new Set(numbers)]).toEqual(numbers);
    return investments.map(({ id }) => id);
  };
  const stopOfRenumbering: Act[] = [
    (environment, [first = ""]) =>
      environment.play({ investment: first, steps: [{ after: "2d", investment: { investment_number: 500 } }] }),
    ({ clock }) => clock.advance("3d"),
    ({ investments }) => investments.create({ investment_number: 1 }),
    ({ clock }) => clock.set({ now: instant(1) }),
    ({ runs }) => runs.stop("run-1"),
    ({ clock }) => clock.set({ now: instant(4) }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 10 }), async (actList) => {
      await sandbox.reset();
      for (const act of actList) await act(sandbox, await look()).catch(() => {});
      for (const at of [-5, -1, 0, 1, 2, 3, 4, 6, 10]) {
        await sandbox.clock.set({ now: instant(at) });
        await look();
      }
    }),
    { numRuns: caseCount(5), examples: [[stopOfRenumbering]] },
  );
});

test("a former number stays reserved for its investment, and is free in other offerings", async () => {
  const sandbox = await openControl();
  const { investments } = sandbox;
  await investments.change(known.whole, { investment_number: 500 });
  for (const investment_number of [1, 500]) {
    await expect(investments.create({ investment_number })).rejects.toMatchObject({ code: "conflict" });
    await investments.create({ offering_id: known.borealis, investment_number: investment_number + 100 });
  }
  await investments.change(known.whole, { investment_number: 1 });
  await investments.change(known.whole, { investment_number: 500 });
  const next = async (): Promise<unknown> => (await investments.create({}))["investment_number"];
  expect(await next()).toBe(501);
  await sandbox.play({ investment: known.whole, steps: [{ after: "2d", investment: { investment_number: 700 } }] });
  expect(await next()).toBe(701);
  await sandbox.runs.stop("run-1");
  await investments.change(known.whole, { investment_number: 800 });
  await investments.change(known.whole, { investment_number: 1 });
  expect(await next()).toBe(801);
});
