import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import type { KeyOrder, Sandbox, Snapshot } from "../../src/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { openControl, ways } from "../support/sandboxes.ts";

const nobody = known.unknown;

/** Mistakes of a caller, by description, each with its code. */
const mistakes: Readonly<
  Record<string, readonly [code: ControlError["code"], command: (sandbox: Sandbox) => Promise<unknown>]>
> = {
  "an environment's id that is no id": ["invalid", (sandbox) => sandbox.openEnvironment({ id: "no spaces" })],
  "an environment's id that is null": ["invalid", (sandbox) => sandbox.openEnvironment({ id: null as never })],
  "an environment's id that is taken": ["conflict", (sandbox) => sandbox.openEnvironment({ id: "taken" })],
  "the default environment's id": ["conflict", (sandbox) => sandbox.openEnvironment({ id: "default" })],
  "an unknown fixture": ["invalid", (sandbox) => sandbox.openEnvironment({ fixture: "dmo" })],
  "a fixture's file": ["invalid", (sandbox) => sandbox.openEnvironment({ fixture: "./nowhere.json" })],
  "a scenario's file to open with": [
    "invalid",
    (sandbox) => sandbox.openEnvironment({ scenarios: ["./nowhere.yaml"] }),
  ],
  "an unknown profile": ["invalid", (sandbox) => sandbox.openEnvironment({ profile: "minimla" as "minimal" })],
  "a clock to open with": ["invalid", (sandbox) => sandbox.openEnvironment({ clock: "tomorrow" })],
  "a rate limit": ["invalid", (sandbox) => sandbox.openEnvironment({ rateLimit: 1.5 })],
  "a lifetime": ["invalid", (sandbox) => sandbox.openEnvironment({ ttlSeconds: 0 })],
  "a misspelt option to open with": ["invalid", (sandbox) => sandbox.openEnvironment({ fixtur: "demo" } as object)],
  "an environment that is nothing": ["invalid", (sandbox) => sandbox.openEnvironment(null as never)],
  "an unknown environment": ["not_found", (sandbox) => sandbox.environment("nobody")],
  "an empty id of an environment": ["not_found", (sandbox) => sandbox.environment("")],
  "a long id of an environment": ["not_found", (sandbox) => sandbox.environment("x".repeat(100_000))],
  "an environment that was dropped": [
    "not_found",
    async (sandbox) => {
      const environment = await sandbox.openEnvironment({ id: "dropped" });
      await environment.close();
      await environment.clock.get();
    },
  ],
  "an instant for the clock": ["invalid", ({ clock }) => clock.set({ now: "yesterday" })],
  "a speed beyond reason": ["invalid", ({ clock }) => clock.set({ speed: 1e12 })],
  "a misspelt member of the clock": ["invalid", ({ clock }) => clock.set({ spede: 1 } as object)],
  "a clock that is no instant": ["invalid", ({ clock }) => clock.set("5pm")],
  "a duration": ["invalid", ({ clock }) => clock.advance("2 days")],
  "a span for a duration": ["invalid", ({ clock }) => clock.advance("1d..2d")],
  "a duration below zero": ["invalid", ({ clock }) => clock.advance(-1)],
  "a duration that is missing": ["invalid", ({ clock }) => clock.advance(undefined as never)],
  "an instant to advance to that is missing": ["invalid", ({ clock }) => clock.advanceTo(undefined as never)],
  "an instant that is past": ["conflict", ({ clock }) => clock.advanceTo("2026-01-01T00:00:00.000Z")],
  "a type of key": [
    "invalid",
    ({ keys }) => keys.issue({ type: "markting" as "marketing", offering_id: known.aurora }),
  ],
  "a key of an unknown offering": ["invalid", ({ keys }) => keys.issue({ type: "partner", offering_id: nobody })],
  "a misspelt member of a key": ["invalid", ({ keys }) => keys.issue({ type: "partner", lable: "mine" } as KeyOrder)],
  "an unknown key to revoke": ["not_found", ({ keys }) => keys.revoke(nobody)],
  "a text to revoke that is no key's": ["not_found", ({ keys }) => keys.revoke("sandbox_partner_aurore")],
  "an id that no path can hold": ["not_found", ({ keys }) => keys.revoke("\ud800")],
  "a known key's text for an investment": [
    "not_found",
    ({ investments }) => investments.change("sandbox_partner_aurora", { step: null }),
  ],
  "an unknown key to filter by": ["invalid", ({ requests }) => requests.list({ key_id: "nobody" })],
  "a filter that is a number": ["invalid", ({ requests }) => requests.list(5 as never)],
  "a filter's instant": ["invalid", ({ requests }) => requests.list({ since: "yesterday" })],
  "a filter's broken limit": ["invalid", ({ requests }) => requests.count({ limit: 1.5 })],
  "an unknown scenario": ["invalid", (sandbox) => sandbox.play("clsing")],
  "a scenario's file": ["invalid", (sandbox) => sandbox.play("../nowhere.yaml")],
  "a scenario with a mistake": ["invalid", (sandbox) => sandbox.play({ steps: [{ evnt: "PAYMENT APPROVED" }] })],
  "a scenario's text with a mistake": ["invalid", (sandbox) => sandbox.play("steps:\n  - evnt: PAYMENT APPROVED\n")],
  "a scenario that is missing": ["invalid", (sandbox) => sandbox.play(undefined as never)],
  "a subject that is a text": ["invalid", (sandbox) => sandbox.play("closing", "aurora" as never)],
  "a subject with a scenario": ["invalid", (sandbox) => sandbox.play("closing", { scenario: "busy-day" } as object)],
  "a scenario on an unknown offering": ["invalid", (sandbox) => sandbox.play("closing", { offering_id: "zephyr" })],
  "a scenario on an unknown investment": ["invalid", (sandbox) => sandbox.play("closing", { investment_id: nobody })],
  "an unknown key in a step": [
    "conflict",
    (sandbox) => sandbox.play({ steps: [{ fault: { match: { key_id: "nobody" }, delay: "1s" } }] }),
  ],
  "an unknown run to look at": ["not_found", ({ runs }) => runs.get("run-99")],
  "an unknown run": ["not_found", ({ runs }) => runs.next("run-99")],
  "an empty id": ["not_found", ({ runs }) => runs.stop("")],
  "a run that does not wait": ["conflict", ({ runs }) => runs.next("run-1")],
  "several values of an investment": [
    "invalid",
    ({ investments }) => investments.create({ amount: "much", investors: [{ email: 1 }] }),
  ],
  "an investment in an unknown offering": [
    "invalid",
    ({ investments }) => investments.create({ offering_id: "zephyr" }),
  ],
  "an investment of a date to come": [
    "invalid",
    ({ investments }) => investments.create({ create_date: "2026-02-01T00:00:00.000Z" }),
  ],
  "an investment that is there already": ["conflict", ({ investments }) => investments.create({ id: known.whole })],
  "an unknown investment": ["not_found", ({ investments }) => investments.change(nobody, { step: null })],
  "an investment that is no UUID": [
    "not_found",
    ({ investments }) => investments.change("../../clock", { step: null }),
  ],
  "an investment that is no text": [
    "not_found",
    ({ investments }) => investments.change(5 as unknown as string, { step: null }),
  ],
  "a member that an investment has not": [
    "invalid",
    ({ investments }) => investments.change(known.whole, { stpe: null }),
  ],
  "an id of an investment": ["invalid", ({ investments }) => investments.change(known.whole, { id: nobody })],
  "a long id": ["not_found", ({ investments }) => investments.get("x".repeat(100_000))],
  "an event of an unknown investment": [
    "not_found",
    ({ investments }) => investments.recordEvent(nobody, { event: "PAYMENT", action: "APPROVED" }),
  ],
  "an event without a name": [
    "invalid",
    ({ investments }) => investments.recordEvent(known.whole, { event: "", action: "APPROVED" }),
  ],
  "a fault that does nothing": ["invalid", ({ faults }) => faults.add({})],
  "a fault that does two things": [
    "invalid",
    ({ faults }) => faults.add({ respond: { status: 500 }, connection: "reset" }),
  ],
  "a fault's delay": ["invalid", ({ faults }) => faults.add({ delay: "1 minute" })],
  "a fault's path": ["invalid", ({ faults }) => faults.add({ match: { path: "investments" }, delay: "1s" })],
  "an unknown key to fail": ["invalid", ({ faults }) => faults.add({ match: { key_id: "nobody" }, delay: "1s" })],
  "an unknown fault": ["not_found", ({ faults }) => faults.remove("fault-99")],
  "an id that is a step up": ["not_found", ({ faults }) => faults.remove("..")],
  "an unknown key's limit": ["not_found", ({ limits }) => limits.set(nobody, 5)],
  "a limit with a fraction": ["invalid", ({ limits }) => limits.set(known.keys.partner, 1.5)],
  "a limit that is missing": ["invalid", ({ limits }) => limits.set(known.keys.partner, undefined as never)],
  "assumptions that are a list": ["invalid", ({ assumptions }) => assumptions.set([] as never)],
  "an unknown assumption": ["invalid", ({ assumptions }) => assumptions.set({ "errors.bdy": "empty" })],
  "an assumption's type": ["invalid", ({ assumptions }) => assumptions.set({ "list.default_size": true })],
  "a snapshot that is none": ["invalid", (sandbox) => sandbox.restore({} as Snapshot)],
  "a snapshot of another fixture": [
    "conflict",
    async (sandbox) => sandbox.restore(await (await sandbox.openEnvironment({ fixture: "demo" })).snapshot()),
  ],
  "a snapshot to replay that is an empty text": ["invalid", (sandbox) => sandbox.replay("" as never)],
  "a preview of a path with a space": ["invalid", (sandbox) => sandbox.preview({ path: "/a b", key_id: null })],
  "a comparison of nothing": ["invalid", (sandbox) => sandbox.compare({})],
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

/** The parts of a sandbox that a refused command could have changed. */
async function stateOf(sandbox: Sandbox): Promise<unknown[]> {
  const { clock, faults, limits, assumptions } = sandbox;
  const byHand = (await sandbox.timeline()).filter(({ run }) => run === null);
  return [await clock.get(), byHand, await faults.list(), await limits.list(), await assumptions.list()];
}

test("a mistake is refused with the same message in process and over HTTP, and changes nothing", async () => {
  const failures: unknown[] = [];
  const { sandbox } = await openSandbox({ onFailure: (error) => failures.push(error) });
  await sandbox.openEnvironment({ id: "taken" });
  await sandbox.play("closing");
  const remote = await connectSandbox(sandbox.url);
  const before = await stateOf(sandbox);
  for (const [name, [code, command]] of Object.entries(mistakes)) {
    const refusals: unknown[] = [];
    for (const control of [sandbox, remote]) {
      const refusal: unknown = await command(control).catch((error: unknown) => error);
      expect(refusal, name).toBeInstanceOf(ControlError);
      refusals.push([(refusal as ControlError).code, (refusal as ControlError).message]);
      expect(await stateOf(sandbox), name).toEqual(before);
    }
    const [inProcess, overHttp] = refusals;
    expect(inProcess, name).toEqual([code, expect.not.stringMatching(/sandbox_partner|root:|"name"/)]);
    expect(overHttp, name).toEqual(inProcess);
  }
  expect(failures).toEqual([]);
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
