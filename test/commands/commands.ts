import fc from "fast-check";
import { expect } from "vitest";
import type * as control from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import {
  currentFaults,
  type Environment,
  investmentOf,
  isRevoked,
  later,
  newEnvironment,
  openingOf,
  passLimits,
  people,
  record,
  refuse,
  stateAt,
  initialUse,
} from "./model.ts";
import * as runs from "./runs.ts";
import { attributes, fault, instant, minute, pick, place, scenario, steps } from "./scenarios.ts";
import type { Act, World } from "./world.ts";

interface Command {
  /** How often the command is drawn, relative to the other weights. */
  readonly weight: number;
  readonly value: fc.Arbitrary<unknown>;
  readonly act: (value: never, before: Environment) => Act;
}

function command<Value>(weight: number, value: fc.Arbitrary<Value>, act: (value: Value) => Act): Command {
  return { weight, value, act };
}

/** A command on one of several things; it is refused if `pick` chooses an unknown id. */
function commandOn<Value>(
  ids: (model: Environment) => readonly string[],
  weight: number,
  value: fc.Arbitrary<Value>,
  act: (id: string, value: Value) => Act,
): Command {
  const actOn = ([at, argument]: readonly [number, Value], before: Environment): Act => {
    const id = pick(ids(before), at);
    const { ask, follow } = act(id, argument);
    return { ask, follow: id === known.unknown ? refuse : follow };
  };
  return { weight, value: fc.tuple(place, value), act: actOn };
}

const nothing = fc.constant(null);

const offerings = (): string[] => [known.aurora, known.borealis];
const keys = (model: Environment): string[] => Object.keys(stateAt(model).keys).toReversed();
const runIds = ({ content }: Environment): string[] => content.runs.map(({ id }) => id).toReversed();
const faultIds = (model: Environment): string[] =>
  currentFaults(model)
    .map(({ id }) => id)
    .toReversed();
/** The latest investments, so that those created by commands are drawn often. */
const investments = (model: Environment): string[] => Object.keys(stateAt(model).investments).toReversed().slice(0, 4);

const assumption = fc.constantFrom<Record<string, string | number>>(
  { "list.default_size": 2 },
  { "errors.body": "empty" },
  { "errors.body": "problem" },
  { "auth.partner_data": "on-request" },
);
const opening = fc.record({
  id: fc.constantFrom("one", "other"),
  clock: instant,
  rate_limit: fc.constantFrom(0, 3),
  ttl_seconds: fc.constantFrom(100, 3600),
  assumptions: fc.constantFrom(5, 20).map((size) => ({ "list.default_size": size })),
});

function recordNow(model: Environment, kind: string, id: string, set?: object): void {
  record(model, [{ kind, id, set, date: model.content.now, run: null }]);
}

function moveTo(model: Environment, now: string): void {
  model.content.now = now;
  runs.beginDue(model);
}

function removeFaults({ content }: Environment, ids: readonly string[]): void {
  content.facts = content.facts.filter(({ kind, id }) => kind !== "new_fault" || !ids.includes(id));
  for (const id of ids) delete content.uses[id];
}

function snapshotAt({ snapshots }: World, id: string, at: number): Partial<World["snapshots"][number]> {
  const some = snapshots.filter(({ model }) => model.id === id || at === 4);
  return some.at(-1 - (at % 4)) ?? some[0] ?? {};
}

/** Commands the sandbox always refuses. */
const errors: readonly Act["ask"][] = [
  ({ clock }) => clock.set({ now: "yesterday" }),
  ({ clock }) => clock.advanceTo("2025-01-01T00:00:00.000Z"),
  (real) => real.play("closing", { offering_id: known.unknown }),
  (real) => real.investments.create({ id: known.whole }),
  (real) => real.investments.create({ investment_number: 1 }),
  (real) => real.investments.change(known.whole, { investment_number: 2 }),
  ({ assumptions }) => assumptions.set({ "auth.partner_data": "granted", "errors.body": "none" }),
  (real) => real.restore({} as control.Snapshot),
  (_, { client }) => client.environment("unknown"),
  (_, { client }) => client.openEnvironment({ id: "no spaces" }),
];

/** All commands, by name. */
export const commands = {
  "set the clock": command(4, instant, (now) => ({
    ask: ({ clock }) => clock.set({ now }),
    follow: (model) => moveTo(model, now),
  })),
  "advance the clock": command(4, minute, (minutes) => ({
    ask: ({ clock }) => clock.advance(minutes * 60_000),
    follow(model) {
      passLimits(model, minutes * 60_000);
      moveTo(model, later(model.content.now, minutes));
    },
  })),
  "issue a key": commandOn(offerings, 2, fc.constantFrom("marketing", "partner"), (offering_id, type) => ({
    ask: (real) => real.keys.issue({ type, offering_id, label: "mine" }),
    follow(model) {
      const key = { id: "#key", key: "#secret", type, offering_id, label: "mine", revoke_date: null };
      recordNow(model, "new_key", "#key", key);
    },
  })),
  "revoke a key": commandOn(keys, 2, nothing, (id) => ({
    ask: (real) => real.keys.revoke(id),
    follow(model) {
      const { now } = model.content;
      if (!isRevoked(stateAt(model).keys[id], now)) recordNow(model, "key", id, { revoke_date: now });
    },
  })),
  "play a scenario": command(4, scenario, (script) => ({
    ask: (real) => real.play(script),
    follow: (model) => runs.play(model, script),
  })),
  "play a scenario on an investment": commandOn(investments, 2, steps, (investment, some) => ({
    ask: (real) => real.play({ investment, steps: some }),
    follow: (model) => runs.play(model, { investment, steps: some }),
  })),
  "fire the step that waits": commandOn(runIds, 3, nothing, (id) => ({
    ask: (real) => real.runs.next(id),
    follow: (model) => runs.next(model, id),
  })),
  "stop a run": commandOn(runIds, 1, nothing, (id) => ({
    ask: (real) => real.runs.stop(id),
    follow: (model) => runs.stop(model, id),
  })),
  "create an investment": commandOn(offerings, 4, nothing, (offering_id) => ({
    ask: (real) => real.investments.create({ offering_id, amount: 100, ...people }),
    follow: (model) => recordNow(model, "new_investment", "#investment", investmentOf(offering_id, model.content.now)),
  })),
  "change an investment": commandOn(investments, 2, attributes, (id, set) => ({
    ask: (real) => real.investments.change(id, set),
    follow: (model) => recordNow(model, "investment", id, set),
  })),
  "record an event": commandOn(investments, 2, nothing, (id) => ({
    ask: (real) => real.investments.recordEvent(id, { event: "PAYMENT", action: "APPROVED" }),
    follow: (model) => recordNow(model, "event", id),
  })),
  "add a fault": command(3, fault, (rule) => ({
    ask: ({ faults }) => faults.add(rule),
    follow: (model) => recordNow(model, "new_fault", "#fault", { id: "#fault", rule, until: null }),
  })),
  "remove a fault": commandOn(faultIds, 2, nothing, (id) => ({
    ask: ({ faults }) => faults.remove(id),
    follow: (model) => removeFaults(model, [id]),
  })),
  "remove all faults": command(2, nothing, () => ({
    ask: ({ faults }) => faults.remove(),
    follow: (model) => removeFaults(model, faultIds(model)),
  })),
  "fill a limit": commandOn(keys, 2, fc.constantFrom(0, 7, 8, 20), (id, used) => ({
    ask: ({ limits }) => limits.set(id, used),
    follow: ({ limits }) => void (limits[id] = { used, remaining: null }),
  })),
  "clear all limits": command(1, nothing, () => ({
    ask: ({ limits }) => limits.clear(),
    follow: (model) => void (model.limits = {}),
  })),
  "clear the journal": command(1, nothing, () => ({
    ask: ({ requests }) => requests.clear(),
    follow: (model) => void (model.journal = 0),
  })),
  "set an assumption": command(2, assumption, (changes) => ({
    ask: ({ assumptions }) => assumptions.set(changes),
    follow: ({ content }) => void Object.assign(content.assumptions, changes),
  })),
  reset: command(1, nothing, () => ({
    ask: (real) => real.reset(),
    follow: (model) => void Object.assign(model, newEnvironment(model.id, model.opening)),
  })),
  "make an error": command(2, fc.constantFrom(...errors), (ask) => ({ ask, follow: refuse })),
  "open an environment": command(4, opening, ({ id, ...options }) => ({
    ask: (_, { client }) => {
      const { rate_limit: rateLimit, ttl_seconds: ttlSeconds, ...rest } = options;
      return client.openEnvironment({ id, rateLimit, ttlSeconds, ...rest });
    },
    follow(_, { environments }) {
      const { clock: now, ...rest } = options;
      if (environments.has(id)) refuse();
      environments.set(id, newEnvironment(id, openingOf({ now, ...rest })));
    },
  })),
  "delete an environment": command(1, fc.constantFrom("one", "other"), (id) => ({
    async ask(_, { client }) {
      const real = await client.environment(id);
      await real.close();
      // A reference that outlives the deletion rejects with not_found.
      await expect(real.clock.get()).rejects.toMatchObject({ code: "not_found" });
    },
    follow: (_, { environments }) => void (environments.delete(id) || refuse()),
  })),
  "take a snapshot": command(2, nothing, () => ({
    async ask(real, { snapshots, environments }) {
      const model = structuredClone(environments.get(real.id) as Environment);
      snapshots.push({ document: await real.snapshot(), model });
    },
    follow: () => {},
  })),
  "restore a snapshot": command(2, place, (at) => ({
    ask: (real, world) => real.restore(snapshotAt(world, real.id, at).document ?? ({} as control.Snapshot)),
    follow(model, world) {
      const { id, content, journal, limits } = structuredClone(snapshotAt(world, model.id, at).model) ?? {};
      if (id !== model.id) refuse();
      Object.assign(model, { content, journal, limits });
    },
  })),
  restart: command(1, nothing, () => ({
    ask: (_, world) => world.restart(),
    follow(_, { environments }) {
      for (const environment of environments.values())
        Object.assign(environment, initialUse(environment.opening), { idle: 0 });
    },
  })),
  "let a minute pass": command(1, fc.constantFrom(59_000, 60_000), (milliseconds) => ({
    ask: async (_, world) => void (world.realTime += milliseconds),
    follow(_, { environments }) {
      for (const [id, environment] of environments) {
        passLimits(environment, milliseconds);
        environment.idle += milliseconds;
        if (environment.idle > environment.opening.ttl_seconds * 1000) environments.delete(id);
      }
    },
  })),
};

export type CommandName = keyof typeof commands;
