import fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment, LocalSandbox } from "../../src/control.ts";
import { known } from "../support/sandbox.ts";
import { newFile, restart, startKept, stateOf } from "./kept.ts";

/** A command on an environment; `pick` decides what there is to decide. */
type Command = (environment: Environment, pick: number) => Promise<unknown>;

const commands: readonly Command[] = [
  ({ clock }, pick) => clock.advance(pick * 60_000),
  ({ clock }, pick) => clock.set({ now: new Date(Date.UTC(2026, 0, 1 + (pick % 60))).toISOString() }),
  ({ keys }, pick) => keys.issue({ type: pick % 2 ? "partner" : "marketing", offering_id: "aurora", label: `${pick}` }),
  async ({ keys }, pick) => keys.revoke((await keys.list()).at(pick % 5)?.id ?? ""),
  ({ investments }, pick) => investments.create({ offering_id: "borealis", amount: pick + 1 }),
  ({ investments }, pick) => investments.change(known.whole, { step: pick % 2 ? "SIGNERS" : null }),
  ({ investments }) => investments.recordEvent(known.closed, { event: "A", action: "B" }),
  (environment, pick) =>
    environment.play(["closing", "polling", "busy-day", "flaky-service", "key-revoked-midway"][pick % 5] ?? ""),
  async ({ runs }, pick) => runs.stop((await runs.list()).at(pick % 3)?.id ?? ""),
  async ({ runs }, pick) => runs.next((await runs.list()).at(pick % 3)?.id ?? ""),
  ({ faults }, pick) =>
    faults.add({ match: { path: `/investments/${pick}` }, respond: { status: 500 }, times: pick + 1 }),
  async ({ faults }, pick) => faults.remove((await faults.list()).at(pick % 3)?.id),
  ({ assumptions }, pick) => assumptions.set({ "list.default_size": (pick % 50) + 1 }),
  (environment) => environment.reset(),
];

const step = fc.record({
  environment: fc.nat(2),
  command: fc.nat(commands.length - 1),
  pick: fc.nat(200),
  restart: fc.boolean(),
});

test("whatever is commanded, the state after a restart is the state before", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const file = newFile();
      let sandbox = await startKept(file);
      for (const { environment: index, command, pick, restart: again } of steps) {
        const environment = await environmentAt(sandbox, index);
        // What a command cannot do must be as if it had not been asked for.
        await commands[command]?.(environment, pick).catch(() => {});
        if (again) sandbox = await restart(sandbox, file);
      }
      const before = await stateOf(sandbox);
      sandbox = await restart(sandbox, file);
      expect(await stateOf(sandbox)).toEqual(before);
      await sandbox.close();
    }),
    { numRuns: 30 },
  );
});

/** The default environment, or another one, which is opened when it is not there. */
async function environmentAt(sandbox: LocalSandbox, index: number): Promise<Environment> {
  if (index === 0) return sandbox;
  const id = `number-${index}`;
  return sandbox.environment(id).catch(() => sandbox.openEnvironment({ id }));
}
