import { expect, test } from "vitest";
import type { InvestmentRecord } from "../../src/public/control.ts";
import { known, openSandbox } from "../support/sandbox.ts";

test("calls during a long advance see its end", async () => {
  const { sandbox, api } = await openSandbox();
  const list = async () => (await api(`/offerings/${known.aurora}/investments?size=1`)).json.meta.total;
  await sandbox.play({ repeat: { count: 450, every: "1m" }, investment: { amount: 100 }, steps: [{ event: "A B" }] });
  const before = (await list()) - 1;
  const [advance, { runs }, created, total] = await Promise.all([
    sandbox.clock.advance("1d"),
    sandbox.describe(),
    sandbox.investments.create({ amount: 100 }),
    list(),
  ]);
  expect(advance.applied).toHaveLength(2 * 449);
  expect(runs[0]?.investment_ids).toHaveLength(450);
  const numbers = advance.applied.map(({ kind, ...change }) => {
    return kind === "new_investment" ? (change["investment"] as InvestmentRecord)["investment_number"] : 0;
  });
  expect(created).toMatchObject({
    create_date: advance.now,
    investment_number: Math.max(...numbers.map(Number)) + 1,
  });
  expect([before + 450, before + 451]).toContain(total);
});

const longAdvance = { repeat: { count: 10_000, every: "1s" }, steps: [{ event: "A B" }] };

test("a reset ends a long advance without waiting for it", async () => {
  const { sandbox } = await openSandbox();
  for (let run = 0; run < 2; run++) await sandbox.play(longAdvance);
  const advance = expect(sandbox.clock.advance("5h")).rejects.toMatchObject({ code: "conflict" });
  await sandbox.reset();
  await advance;
  expect(await sandbox.runs.list()).toEqual([]);
  expect(await sandbox.clock.get()).toMatchObject({ now: (await sandbox.describe()).create_date });
});

test("closing the environment or the sandbox ends a long advance", async () => {
  const { sandbox } = await openSandbox();
  const environment = await sandbox.openEnvironment();
  for (const closed of [environment, sandbox]) {
    for (let run = 0; run < 2; run++) await closed.play(longAdvance);
    const advance = closed.clock.advance("5h");
    await Promise.all([expect(advance).rejects.toMatchObject({ code: "not_found" }), closed.close()]);
  }
});
