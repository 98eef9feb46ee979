import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { Sandbox, Snapshot } from "../../src/public/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, ways } from "../support/sandboxes.ts";

const unknownId = known.unknown;

type Command = (sandbox: Sandbox) => Promise<unknown>;

/** Errors of a caller, by their code and by description. */
const errors: { readonly [Code in ControlError["code"]]?: Readonly<Record<string, Command>> } = {
  invalid: {
    "a malformed id of an environment": (sandbox) => sandbox.openEnvironment({ id: "no spaces" }),
    "an environment's id that is null": (sandbox) => sandbox.openEnvironment({ id: null as never }),
    "an unknown fixture": (sandbox) => sandbox.openEnvironment({ fixture: "dmo" }),
    "a fixture's file": (sandbox) => sandbox.openEnvironment({ fixture: "./nowhere.json" }),
    "a scenario's file to open with": (sandbox) => sandbox.openEnvironment({ scenarios: ["./nowhere.yaml"] }),
    "a lifetime": (sandbox) => sandbox.openEnvironment({ ttlSeconds: 0 }),
    "a speed beyond reason": ({ clock }) => clock.set({ speed: 1e12 }),
    "a clock that is not an instant": ({ clock }) => clock.set("5pm"),
    "a duration": ({ clock }) => clock.advance("2 days"),
    "a span for a duration": ({ clock }) => clock.advance("1d..2d"),
    "a duration below zero": ({ clock }) => clock.advance(-1),
    "a duration that is missing": ({ clock }) => clock.advance(undefined as never),
    "an instant to advance to that is missing": ({ clock }) => clock.advanceTo(undefined as never),
    "a key of an unknown offering": ({ keys }) => keys.issue({ type: "partner", offering_id: unknownId }),
    "an unknown key to filter by": ({ requests }) => requests.list({ key_id: "unknown" }),
    "a filter's broken limit": ({ requests }) => requests.count({ limit: 1.5 }),
    "an unknown scenario": (sandbox) => sandbox.play("clsing"),
    "a scenario's file": (sandbox) => sandbox.play("../nowhere.yaml"),
    "a scenario with an error": (sandbox) => sandbox.play({ steps: [{ evnt: "PAYMENT APPROVED" }] }),
    "a scenario's text with an error": (sandbox) => sandbox.play("steps:\n  - evnt: PAYMENT APPROVED\n"),
    "a scenario that is missing": (sandbox) => sandbox.play(undefined as never),
    "a subject that is a string": (sandbox) => sandbox.play("closing", "aurora" as never),
    "a subject with a scenario": (sandbox) => sandbox.play("closing", { scenario: "busy-day" } as object),
    "a scenario on an unknown investment": (sandbox) => sandbox.play("closing", { investment_id: unknownId }),
    "an investment in an unknown offering": ({ investments }) => investments.create({ offering_id: "zephyr" }),
    "an investment of a future date": ({ investments }) =>
      investments.create({ create_date: "2026-02-01T00:00:00.000Z" }),
    "an id of an investment": ({ investments }) => investments.change(known.whole, { id: unknownId }),
    "an event without a name": ({ investments }) =>
      investments.recordEvent(known.whole, { event: "", action: "APPROVED" }),
    "a fault that does two things": ({ faults }) => faults.add({ respond: { status: 500 }, connection: "reset" }),
    "a fault's path": ({ faults }) => faults.add({ match: { path: "investments" }, delay: "1s" }),
    "an unknown key to fail": ({ faults }) => faults.add({ match: { key_id: "unknown" }, delay: "1s" }),
    "a limit with a fraction": ({ limits }) => limits.set(known.keys.partner, 1.5),
    "a limit that is null": ({ limits }) => limits.set(known.keys.partner, null as never),
    "assumptions that are a list": ({ assumptions }) => assumptions.set([] as never),
    "an unknown assumption": ({ assumptions }) => assumptions.set({ "errors.bdy": "empty" }),
    "a snapshot that is none": (sandbox) => sandbox.restore({} as Snapshot),
    "a snapshot to replay that is an empty text": (sandbox) => sandbox.replay("" as never),
  },
  conflict: {
    "an environment's id that is taken": (sandbox) => sandbox.openEnvironment({ id: "taken" }),
    "the default environment's id": (sandbox) => sandbox.openEnvironment({ id: "default" }),
    "an unknown key in a step": (sandbox) =>
      sandbox.play({ steps: [{ fault: { match: { key_id: "unknown" }, delay: "1s" } }] }),
    "a run that does not wait": ({ runs }) => runs.next("run-1"),
    "a snapshot of another fixture": async (sandbox) =>
      sandbox.restore(await (await sandbox.openEnvironment({ fixture: "demo" })).snapshot()),
  },
  not_found: {
    "an empty id of an environment": (sandbox) => sandbox.environment(""),
    "a long id of an environment": (sandbox) => sandbox.environment("x".repeat(100_000)),
    "an unknown key to revoke": ({ keys }) => keys.revoke(unknownId),
    "an id that no path can hold": ({ keys }) => keys.revoke("\ud800"),
    "a known key's text for an investment": ({ investments }) =>
      investments.change("sandbox_partner_aurora", { step: null }),
    "an unknown run": ({ runs }) => runs.next("run-99"),
    "an empty id": ({ runs }) => runs.stop(""),
    "an unknown investment": ({ investments }) => investments.change(unknownId, { step: null }),
    "an investment that is no UUID": ({ investments }) => investments.change("../../clock", { step: null }),
    "an investment that is not a string": ({ investments }) =>
      investments.change(5 as unknown as string, { step: null }),
    "a long id": ({ investments }) => investments.get("x".repeat(100_000)),
    "an event of an unknown investment": ({ investments }) =>
      investments.recordEvent(unknownId, { event: "PAYMENT", action: "APPROVED" }),
    "an unknown fault": ({ faults }) => faults.remove("fault-99"),
    "an unknown key's limit": ({ limits }) => limits.set(unknownId, 5),
  },
};

test.each(ways)("an argument of the wrong type is refused with an example of the right one, %s", async (way) => {
  const { clock, keys, openEnvironment, requests } = await openControl({}, way).then((sandbox) => ({
    ...sandbox,
    openEnvironment: (options: never) => sandbox.openEnvironment(options),
  }));
  const expectedObject = "expected an object such as";
  await expect(clock.set(null as never)).rejects.toThrow(
    `the clock is null; ${expectedObject} { now: "2026-01-15T12:00:00Z", speed: 0 }.`,
  );
  await expect(keys.issue("partner" as never)).rejects.toThrow(
    `the key is "partner"; ${expectedObject} { type: "partner", offering_id: "aurora" }.`,
  );
  await expect(requests.list(5 as never)).rejects.toThrow(`the filter is 5; ${expectedObject} { status: 429 }.`);
  await expect(openEnvironment(null as never)).rejects.toThrow("the environment is null; expected an object such as");
  await expect(clock.advance(10n as never)).rejects.toThrow("by is a bigint");
  await expect(clock.set({ now: () => 5 } as never)).rejects.toThrow("now is a function");
  await expect(clock.set({ speed: Infinity })).rejects.toThrow("speed is ");
});

/** The parts of a sandbox that a refused command could have changed. */
async function stateOf(sandbox: Sandbox): Promise<unknown[]> {
  const { clock, faults, limits, assumptions } = sandbox;
  const manualChanges = (await sandbox.timeline()).filter(({ run }) => run === null);
  return [await clock.get(), manualChanges, await faults.list(), await limits.list(), await assumptions.list()];
}

test("an error is refused with the same message in process and over HTTP, and changes nothing", async () => {
  const failures: unknown[] = [];
  const { sandbox } = await openSandbox({ onFailure: (error) => failures.push(error) });
  await sandbox.openEnvironment({ id: "taken" });
  await sandbox.play("closing");
  const connectedSandbox = await connectSandbox(sandbox.url);
  const stateBefore = await stateOf(sandbox);
  const commands = Object.entries(errors).flatMap(([code, commandsByName]) =>
    Object.entries(commandsByName).map(([name, command]) => [code, name, command] as const),
  );
  for (const [code, name, command] of commands) {
    const refusals: unknown[] = [];
    for (const control of [sandbox, connectedSandbox]) {
      const refusal: unknown = await command(control).catch((error: unknown) => error);
      expect(refusal, name).toBeInstanceOf(ControlError);
      refusals.push([(refusal as ControlError).code, (refusal as ControlError).message]);
      expect(await stateOf(sandbox), name).toEqual(stateBefore);
    }
    const [inProcess, overHttp] = refusals;
    expect(inProcess, name).toEqual([code, expect.not.stringMatching(/sandbox_partner|root:|"name"/)]);
    expect(overHttp, name).toEqual(inProcess);
  }
  expect(failures).toEqual([]);
});

test.each(ways)("values without a JSON form are refused %s", async (way) => {
  const sandbox = await openControl({}, way);
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  for (const body of [1n, circular]) {
    const respond = { status: 500, body };
    for (const command of [
      () => sandbox.faults.add({ respond }),
      () => sandbox.play({ steps: [{ fault: { respond } }] }),
      () => sandbox.investments.create({ amount: body }),
    ]) {
      await expect(command()).rejects.toMatchObject({ name: "ControlError", code: "invalid" });
    }
  }
});
