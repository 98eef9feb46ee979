import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { profileNames, catalogue } from "../../src/assumptions/catalogue.ts";
import { formOf, type Row } from "../../src/assumptions/row.ts";
import type { Environment, EnvironmentOptions, LocalSandbox } from "../../src/control.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { draws } from "../support/draws.ts";
import { newFile, restart, startWithDatabase, stateOf } from "./databases.ts";

/** A command with unusual values; `pick` chooses them. */
type Command = (environment: Environment, pick: number) => Promise<unknown>;

const instants = ["0000-01-01", "2026-02-03T04:05:06.789+10:00", "9999-12-31T23:59:59.999Z"];

const bodies = [null, "", -0, 1e308, Number.NaN, "\u2028\uD800", { a: [undefined, { b: "ü" }] }, new Date(0)];

const commands: readonly Command[] = [
  ({ clock }, pick) => clock.set({ now: new Date(Date.UTC(2026, 0, 1 + (pick % 60))).toISOString() }),
  ({ clock }, pick) => clock.set({ now: instants[pick % 3], speed: [0, 1e-9, 1, 100_000_000][pick % 4] }),
  (environment, pick) =>
    environment.play(["closing", "polling", "busy-day", "flaky-service", "key-revoked-midway", "mine"][pick % 6] ?? ""),
  async ({ runs }, pick) => runs.next((await runs.list()).at(pick % 3)?.id ?? ""),
  ({ faults }, pick) =>
    faults.add({
      match: { path: `/investments/${pick}` },
      respond: { status: 500, headers: { "X-Pick": pick }, body: bodies[pick % bodies.length] },
      times: pick % 2 ? pick : Number.MAX_SAFE_INTEGER,
    }),
  async (environment) => environment.restore(await environment.snapshot()),
  (environment, pick) => (pick % 4 === 0 && environment.id !== "default" ? environment.close() : Promise.resolve()),
];

/** Any assumption with any of its values. */
const assumption = fc.constantFrom<Row[]>(...catalogue).chain((row) => {
  const { values, accepts } = row;
  const bounds = typeof accepts === "object" ? [accepts.from, accepts.to] : [];
  const texts = accepts === "text" ? ["any text", "__proto__"] : accepts ? [formOf(accepts).example] : [];
  return fc.tuple(fc.constant(row.id), fc.constantFrom(...Object.keys(values), ...bounds, ...texts));
});

/** Any options of an environment, including their least and greatest values. */
const options: fc.Arbitrary<Required<Omit<EnvironmentOptions, "id" | "snapshot">>> = fc.record({
  label: fc.constantFrom(undefined, "a label"),
  fixture: fc.constantFrom(undefined, "known", "minimal", "empty"),
  clock: fc.constantFrom("now", "fixture", ...instants),
  speed: fc.constantFrom(0, Number.MIN_VALUE, 1, 100_000_000),
  scenarios: fc.subarray(["mine", "closing", "polling", "flaky-service"]),
  profile: fc.constantFrom(undefined, ...profileNames),
  assumptions: fc.array(assumption, { maxLength: 5 }).map((pairs) => Object.fromEntries(pairs)),
  rateLimit: fc.constantFrom(undefined, 0, 1, 1_000_000),
  ttlSeconds: fc.constantFrom(undefined, Number.MIN_VALUE, 0.1, 1_000_000_000),
});

const step = fc.record({
  environment: fc.nat(2),
  options,
  command: fc.nat(commands.length - 1),
  pick: fc.nat(200),
  restart: fc.nat(3).map((one) => one === 0),
  /** Whether the restart names the scenario file again. */
  named: fc.boolean(),
});

test("after any commands, a restart restores the state", async () => {
  const mine = join(temporaryFolder(), "mine.yaml");
  await writeFile(mine, "investment: { amount: 70 }\nsteps: [{ event: A B }, { next: true, event: C D }]\n");
  const start = { scenarios: [mine] };
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const file = newFile();
      let sandbox = await startWithDatabase(file, start);
      for (const {
        environment: index,
        options: environmentOptions,
        command,
        pick,
        restart: again,
        named: namesScenario,
      } of steps) {
        const environment = await environmentAt(sandbox, index, environmentOptions);
        // A command that fails must change nothing.
        await commands[command]?.(environment, pick).catch(() => {});
        if (again) sandbox = await restart(sandbox, file, namesScenario ? start : {});
      }
      const before = await stateOf(sandbox);
      const used = newFile();
      await copyFile(file, used);
      const copied = await startWithDatabase(used);
      // Compared as JSON, which has neither -0 nor NaN.
      expect(asJson(await stateOf(copied))).toEqual(asJson(before));
      await copied.close();
      const opened = await openings(sandbox);
      sandbox = await restart(sandbox, file);
      expect(asJson(await stateOf(sandbox))).toEqual(asJson(before));
      expect(await openings(sandbox)).toEqual(opened);
      await sandbox.close();
    }),
    { numRuns: draws(5) },
  );
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The default environment or another one; opens a missing one if possible. */
async function environmentAt(
  sandbox: LocalSandbox,
  index: number,
  environmentOptions: EnvironmentOptions,
): Promise<Environment> {
  if (index === 0) return sandbox;
  const id = ["", "__proto__", "number-2"][index] ?? "";
  return sandbox
    .environment(id)
    .catch(() => sandbox.openEnvironment({ ...environmentOptions, id }))
    .catch(() => sandbox);
}

/** The descriptions of all environments after a reset, which a restored snapshot then undoes. */
async function openings(sandbox: LocalSandbox): Promise<unknown[]> {
  const descriptions: unknown[] = [];
  for (const { id } of await sandbox.environments()) {
    const environment = await sandbox.environment(id);
    const snapshot = await environment.snapshot();
    await environment.reset();
    descriptions.push([{ ...(await environment.describe()), base_url: null }, await environment.assumptions.list()]);
    await environment.restore(snapshot);
  }
  return descriptions;
}
