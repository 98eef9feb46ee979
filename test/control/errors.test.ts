import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { Environment, EventOrder, FaultRule, KeyOrder, Sandbox, Snapshot } from "../../src/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { startSandbox } from "../../src/index.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import { openControl, ways } from "../support/sandboxes.ts";

const nobody = known.unknown;

/** Mistakes of a caller, by description. */
const mistakes: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  "an environment's id that is no id": (sandbox) => sandbox.openEnvironment({ id: "no spaces" }),
  "an environment's id that is null": (sandbox) => sandbox.openEnvironment({ id: null as never }),
  "an environment's id that is taken": (sandbox) => sandbox.openEnvironment({ id: "taken" }),
  "the default environment's id": (sandbox) => sandbox.openEnvironment({ id: "default" }),
  "an unknown fixture": (sandbox) => sandbox.openEnvironment({ fixture: "dmo" }),
  "a fixture's file": (sandbox) => sandbox.openEnvironment({ fixture: "./nowhere.json" }),
  "an unknown scenario to open with": (sandbox) => sandbox.openEnvironment({ scenarios: ["clsing"] }),
  "a scenario's file to open with": (sandbox) => sandbox.openEnvironment({ scenarios: ["./nowhere.yaml"] }),
  "an unknown profile": (sandbox) => sandbox.openEnvironment({ profile: "minimla" as "minimal" }),
  "an unknown assumption to open with": (sandbox) => sandbox.openEnvironment({ assumptions: { "errors.bdy": "x" } }),
  "a clock to open with": (sandbox) => sandbox.openEnvironment({ clock: "tomorrow" }),
  "a speed to open with": (sandbox) => sandbox.openEnvironment({ speed: -1 }),
  "a rate limit": (sandbox) => sandbox.openEnvironment({ rateLimit: 1.5 }),
  "a misspelt option to open with": (sandbox) => sandbox.openEnvironment({ fixtur: "demo" } as object),
  "a misspelt member of the clock": ({ clock }) => clock.set({ spede: 1 } as object),
  "a misspelt member of a key": ({ keys }) =>
    keys.issue({ type: "partner", offering_id: known.aurora, lable: "mine" } as KeyOrder),
  "a misspelt subject": (sandbox) => sandbox.play("closing", { investmnt_id: known.whole } as object),
  "a misspelt member of an event": ({ investments }) =>
    investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED", descripton: "" } as EventOrder),
  "a lifetime": (sandbox) => sandbox.openEnvironment({ ttlSeconds: 0 }),
  "an unknown environment": (sandbox) => sandbox.environment("nobody"),
  "an environment that was dropped": async (sandbox) => {
    const environment = await sandbox.openEnvironment({ id: "dropped" });
    await environment.close();
    await environment.clock.get();
  },
  "an instant for the clock": ({ clock }) => clock.set({ now: "yesterday" }),
  "a speed that is no number": ({ clock }) => clock.set({ speed: "5" as unknown as number }),
  "a speed below zero": ({ clock }) => clock.set({ speed: -1 }),
  "a speed beyond reason": ({ clock }) => clock.set({ speed: 1e12 }),
  "a duration": ({ clock }) => clock.advance("2 days"),
  "a span for a duration": ({ clock }) => clock.advance("1d..2d"),
  "a clock that is nothing": ({ clock }) => clock.set(null as never),
  "a clock that is no instant": ({ clock }) => clock.set("5pm"),
  "a key that is a word": ({ keys }) => keys.issue("partner" as never),
  "a key's label": ({ keys }) => keys.issue({ type: "partner", offering_id: "aurora", label: 5 as never }),
  "an environment that is nothing": (sandbox) => sandbox.openEnvironment(null as never),
  "an environment that is a number": (sandbox) => sandbox.openEnvironment(5 as never),
  "a filter that is nothing": ({ requests }) => requests.list(null as never),
  "a filter that is a number": ({ requests }) => requests.list(5 as never),
  "a subject that is a text": (sandbox) => sandbox.play("closing", "aurora" as never),
  "a duration that is an object": ({ clock }) => clock.advance({} as never),
  "a duration that is missing": ({ clock }) => clock.advance(undefined as never),
  "an instant to advance to that is an object": ({ clock }) => clock.advanceTo({} as never),
  "an instant to advance to that is missing": ({ clock }) => clock.advanceTo(undefined as never),
  "a key that is missing": ({ keys }) => keys.issue(undefined as never),
  "a fault that is missing": ({ faults }) => faults.add(undefined as never),
  "an investment that is missing": ({ investments }) => investments.create(undefined as never),
  "an event that is missing": ({ investments }) => investments.recordEvent(known.whole, undefined as never),
  "a scenario that is missing": (sandbox) => sandbox.play(undefined as never),
  "a scenario that is a number": (sandbox) => sandbox.play(5 as never),
  "a subject with a scenario": (sandbox) => sandbox.play("closing", { scenario: "busy-day" } as object),
  "a snapshot that is missing": (sandbox) => sandbox.restore(undefined as never),
  "a snapshot to replay that is null": (sandbox) => sandbox.replay(null as never),
  "a snapshot to replay that is an empty text": (sandbox) => sandbox.replay("" as never),
  "a preview of a long path": (sandbox) => sandbox.preview({ path: `/${"x".repeat(8000)}`, key_id: null }),
  "a preview of a path with a space": (sandbox) => sandbox.preview({ path: "/a b", key_id: null }),
  "a comparison of nothing": (sandbox) => sandbox.compare({}),
  "a comparison of two": (sandbox) => sandbox.compare({ offering_id: "aurora", investment_id: known.whole }),
  "an empty id": ({ runs }) => runs.stop(""),
  "an id that is a step up": ({ faults }) => faults.remove(".."),
  "an id that no path can hold": ({ keys }) => keys.revoke("\ud800"),
  "a long id": ({ investments }) => investments.get("x".repeat(100_000)),
  "an empty id of an environment": (sandbox) => sandbox.environment(""),
  "a long id of an environment": (sandbox) => sandbox.environment("x".repeat(100_000)),
  "a duration that is nothing": ({ clock }) => clock.advance(null as never),
  "a duration below zero": ({ clock }) => clock.advance(-1),
  "a duration beyond the years that there are": ({ clock }) => clock.advance(1e18),
  "an instant to advance to": ({ clock }) => clock.advanceTo("soon"),
  "an instant that is past": ({ clock }) => clock.advanceTo("2026-01-01T00:00:00.000Z"),
  "a type of key": ({ keys }) => keys.issue({ type: "markting" as "marketing", offering_id: known.aurora }),
  "a key of an unknown offering": ({ keys }) => keys.issue({ type: "partner", offering_id: nobody }),
  "an unknown key to revoke": ({ keys }) => keys.revoke(nobody),
  "a text to revoke that is no key's": ({ keys }) => keys.revoke("sandbox_partner_aurore"),
  "a known key's text for an investment": ({ investments }) =>
    investments.change("sandbox_partner_aurora", { step: null }),
  "an unknown key to fail": ({ faults }) => faults.add({ match: { key_id: "nobody" }, delay: "1s" }),
  "an unknown key in a step": (sandbox) =>
    sandbox.play({ steps: [{ fault: { match: { key_id: "nobody" }, delay: "1s" } }] }),
  "an unknown key to filter by": ({ requests }) => requests.list({ key_id: "nobody" }),
  "an investment that is no text": ({ investments }) => investments.change(5 as unknown as string, { step: null }),
  "an unknown scenario": (sandbox) => sandbox.play("clsing"),
  "a scenario's file": (sandbox) => sandbox.play("../nowhere.yaml"),
  "a scenario with a mistake": (sandbox) => sandbox.play({ steps: [{ evnt: "PAYMENT APPROVED" }] }),
  "a scenario's text with a mistake": (sandbox) => sandbox.play("steps:\n  - evnt: PAYMENT APPROVED\n"),
  "a scenario on an unknown offering": (sandbox) => sandbox.play("closing", { offering_id: "zephyr" }),
  "a scenario on an unknown investment": (sandbox) => sandbox.play("closing", { investment_id: nobody }),
  "an unknown run to look at": ({ runs }) => runs.get("run-99"),
  "an unknown run": ({ runs }) => runs.next("run-99"),
  "an unknown run to stop": ({ runs }) => runs.stop("run-99"),
  "a run that does not wait": async (sandbox) => sandbox.runs.next((await sandbox.play("closing")).id),
  "a member of an investment": ({ investments }) => investments.create({ amont: 5 }),
  "a value of an investment": ({ investments }) => investments.create({ amount: "much" }),
  "several values of an investment": ({ investments }) =>
    investments.create({ amount: "much", investors: [{ email: 1 }] }),
  "an investment in an unknown offering": ({ investments }) => investments.create({ offering_id: "zephyr" }),
  "an investment that is there already": ({ investments }) => investments.create({ id: known.whole }),
  "an unknown investment": ({ investments }) => investments.change(nobody, { step: null }),
  "an investment that is no UUID": ({ investments }) => investments.change("../../clock", { step: null }),
  "a member that an investment has not": ({ investments }) => investments.change(known.whole, { stpe: null }),
  "an id of an investment": ({ investments }) => investments.change(known.whole, { id: nobody }),
  "an event of an unknown investment": ({ investments }) =>
    investments.recordEvent(nobody, { event: "PAYMENT", action: "APPROVED" }),
  "an event without a name": ({ investments }) =>
    investments.recordEvent(known.whole, { event: "", action: "APPROVED" }),
  "a filter's instant": ({ requests }) => requests.list({ since: "yesterday" }),
  "a filter's limit": ({ requests }) => requests.list({ limit: -1 }),
  "a filter's broken limit": ({ requests }) => requests.count({ limit: 1.5 }),
  "a fault that does nothing": ({ faults }) => faults.add({}),
  "a fault that does two things": ({ faults }) => faults.add({ respond: { status: 500 }, connection: "reset" }),
  "a fault's status": ({ faults }) => faults.add({ respond: { status: 42 } }),
  "a fault's member": ({ faults }) => faults.add({ responds: { status: 500 } } as FaultRule),
  "a fault's delay": ({ faults }) => faults.add({ delay: "1 minute" }),
  "a fault's path": ({ faults }) => faults.add({ match: { path: "investments" }, delay: "1s" }),
  "an unknown fault": ({ faults }) => faults.remove("fault-99"),
  "an unknown key's limit": ({ limits }) => limits.set(nobody, 5),
  "a limit below zero": async (sandbox) => sandbox.limits.set(await firstKey(sandbox), -1),
  "a limit that is no number": async (sandbox) => sandbox.limits.set(await firstKey(sandbox), "5" as never),
  "a limit with a fraction": async (sandbox) => sandbox.limits.set(await firstKey(sandbox), 1.5),
  "a limit that is missing": async (sandbox) => sandbox.limits.set(await firstKey(sandbox), undefined as never),
  "assumptions that are a list": ({ assumptions }) => assumptions.set([] as never),
  "assumptions that are nothing": ({ assumptions }) => assumptions.set(undefined as never),
  "an unknown assumption": ({ assumptions }) => assumptions.set({ "errors.bdy": "empty" }),
  "an assumption's value": ({ assumptions }) => assumptions.set({ "errors.body": "emtpy" }),
  "an assumption's type": ({ assumptions }) => assumptions.set({ "list.default_size": true }),
  "a snapshot that is none": (sandbox) => sandbox.restore({} as Snapshot),
  "a snapshot of another fixture": async (sandbox) => {
    const other = await sandbox.openEnvironment({ fixture: "demo" });
    await sandbox.restore(await other.snapshot());
  },
  "a snapshot with a change of nothing": async (sandbox) => {
    const change = { kind: "nothing", date: "2026-01-15T12:00:00.000Z", sequence: 0 };
    await sandbox.restore({ ...(await sandbox.snapshot()), changes: [change] });
  },
};

/** The error codes of some of the mistakes. */
const codes: Readonly<Record<string, ControlError["code"]>> = {
  "a duration": "invalid",
  "an unknown scenario": "invalid",
  "an unknown environment": "not_found",
  "an unknown key to revoke": "not_found",
  "an unknown investment": "not_found",
  "an unknown fault": "not_found",
  "an unknown run": "not_found",
  "an environment's id that is null": "invalid",
  "an environment's id that is taken": "conflict",
  "an instant that is past": "conflict",
  "a snapshot of another fixture": "conflict",
  "an investment that is there already": "conflict",
  "a run that does not wait": "conflict",
};

test.each(ways)("an argument of the wrong type is refused with an example of the right one, %s", async (way) => {
  const { clock, keys, openEnvironment, requests } = await openControl({}, way).then((sandbox) => ({
    ...sandbox,
    openEnvironment: (options: never) => sandbox.openEnvironment(options),
  }));
  const an = "expected an object such as";
  await expect(clock.set(null as never)).rejects.toThrow(
    `the clock is null; ${an} { now: "2026-01-15T12:00:00Z", speed: 0 }.`,
  );
  await expect(keys.issue("partner" as never)).rejects.toThrow(
    `the key is "partner"; ${an} { type: "partner", offering_id: "aurora" }.`,
  );
  await expect(requests.list(5 as never)).rejects.toThrow(`the filter is 5; ${an} { status: 429 }.`);
  await expect(openEnvironment(null as never)).rejects.toThrow("the environment is null; expected an object such as");
  await expect(clock.advance(10n as never)).rejects.toThrow("by is a bigint");
  await expect(clock.set({ now: () => 5 } as never)).rejects.toThrow("now is a function");
  await expect(clock.set({ speed: Infinity })).rejects.toThrow("speed is ");
});

async function firstKey({ keys }: Environment): Promise<string> {
  return (await keys.list())[0]?.id ?? "";
}

/** The refusal of a command; fails if the command changed the sandbox. */
async function refusalOf(
  sandbox: Sandbox,
  command: (sandbox: Sandbox) => Promise<unknown>,
): Promise<Pick<ControlError, "code" | "message">> {
  const before = await sandbox.snapshot();
  const refusal = await command(sandbox).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(ControlError);
  const { changes, clock, assumptions } = await sandbox.snapshot();
  expect({ clock, assumptions }).toEqual({ clock: before["clock"], assumptions: before["assumptions"] });
  if (changes)
    expect((changes as unknown[]).filter((change) => (change as { origin: unknown }).origin === null)).toEqual([]);
  const { code, message } = refusal as ControlError;
  return { code, message };
}

describe("a mistake is refused with the same message in process and over HTTP, and changes nothing", () => {
  const failures: unknown[] = [];
  let [sandbox, remote]: Sandbox[] = [];

  beforeAll(async () => {
    const onFailure = (error: unknown): void => void failures.push(error);
    sandbox = await startSandbox({ fixture: knownFixture, rateLimit: 0, onFailure });
    remote = await connectSandbox(sandbox.url);
    await sandbox.openEnvironment({ id: "taken" });
  });

  afterAll(async () => {
    await sandbox?.close();
    expect(failures).toEqual([]);
  });

  test.each(Object.entries(mistakes))("%s", async (name, command) => {
    const refusals: Pick<ControlError, "code" | "message">[] = [];
    for (const control of [sandbox, remote]) {
      if (!control) throw new Error("there is no sandbox");
      refusals.push(await refusalOf(control, command));
      await control.reset();
    }
    const [inProcess, overHttp] = refusals;
    expect(inProcess?.message).not.toContain("sandbox_partner");
    expect(inProcess?.message).not.toMatch(/root:|"name"/);
    expect(overHttp).toEqual(inProcess);
    if (name in codes) expect(inProcess?.code).toBe(codes[name]);
  });
});

test.each(ways)("values without a JSON form are refused %s", async (way) => {
  const sandbox = await openControl({}, way);
  const endless: Record<string, unknown> = {};
  endless["self"] = endless;
  for (const body of [1n, endless]) {
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
