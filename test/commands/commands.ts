import fc from "fast-check";
import { expect } from "vitest";
import type * as control from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import {
  currentFaults,
  type Environment,
  investmentOf,
  isRevoked,
  addMinutes,
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
import { attributes, fault, instant, minute, pickId, anyIndex, scenario, steps } from "./scenarios.ts";
import type { ModeledCommand, World } from "./world.ts";

interface Command {
  /** How often the command is sampled, relative to the other weights. */
  readonly weight: number;
  readonly value: fc.Arbitrary<unknown>;
  readonly make: (value: never, model: Environment) => ModeledCommand;
}

function command<Value>(weight: number, value: fc.Arbitrary<Value>, make: (value: Value) => ModeledCommand): Command {
  return { weight, value, make };
}

/** A command on one of several things; it is refused if `pick` chooses an unknown id. */
function commandOn<Value>(
  ids: (model: Environment) => readonly string[],
  weight: number,
  value: fc.Arbitrary<Value>,
  make: (id: string, value: Value) => ModeledCommand,
): Command {
  const makeOn = ([index, argument]: readonly [number, Value], model: Environment): ModeledCommand => {
    const id = pickId(ids(model), index);
    const { run, applyToModel } = make(id, argument);
    return { run, applyToModel: id === known.unknown ? refuse : applyToModel };
  };
  return { weight, value: fc.tuple(anyIndex, value), make: makeOn };
}

const noArgument = fc.constant(null);

const offerings = (): string[] => [known.aurora, known.borealis];
const keys = (model: Environment): string[] => Object.keys(stateAt(model).keys).toReversed();
const runIds = ({ content }: Environment): string[] => content.runs.map(({ id }) => id).toReversed();
const faultIds = (model: Environment): string[] =>
  currentFaults(model)
    .map(({ id }) => id)
    .toReversed();
/** The latest investments, so that those created by commands are sampled often. */
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

function recordNow(model: Environment, kind: string, id: string, values?: object): void {
  record(model, [{ kind, id, set: values, date: model.content.now, run: null }]);
}

function moveTo(model: Environment, now: string): void {
  model.content.now = now;
  runs.startDueRepetitions(model);
}

function removeFaults({ content }: Environment, ids: readonly string[]): void {
  content.facts = content.facts.filter(({ kind, id }) => kind !== "new_fault" || !ids.includes(id));
  for (const id of ids) delete content.uses[id];
}

function snapshotAt({ snapshots }: World, id: string, index: number): Partial<World["snapshots"][number]> {
  const candidates = snapshots.filter(({ model }) => model.id === id || index === 4);
  return candidates.at(-1 - (index % 4)) ?? candidates[0] ?? {};
}

/** Commands that the sandbox always refuses. */
const errors: readonly ModeledCommand["run"][] = [
  ({ clock }) => clock.set({ now: "yesterday" }),
  ({ clock }) => clock.advanceTo("2025-01-01T00:00:00.000Z"),
  (environment) => environment.play("closing", { offering_id: known.unknown }),
  (environment) => environment.investments.create({ id: known.whole }),
  (environment) => environment.investments.create({ investment_number: 1 }),
  (environment) => environment.investments.change(known.whole, { investment_number: 2 }),
  ({ assumptions }) => assumptions.set({ "auth.partner_data": "granted", "errors.body": "none" }),
  (environment) => environment.restore({} as control.Snapshot),
  (_, { client }) => client.environment("unknown"),
  (_, { client }) => client.openEnvironment({ id: "no spaces" }),
];

/** All commands, by name. */
export const commands = {
  "set the clock": command(4, instant, (now) => ({
    run: ({ clock }) => clock.set({ now }),
    applyToModel: (model) => moveTo(model, now),
  })),
  "advance the clock": command(4, minute, (minutes) => ({
    run: ({ clock }) => clock.advance(minutes * 60_000),
    applyToModel(model) {
      passLimits(model, minutes * 60_000);
      moveTo(model, addMinutes(model.content.now, minutes));
    },
  })),
  "issue a key": commandOn(offerings, 2, fc.constantFrom("marketing", "partner"), (offering_id, type) => ({
    run: (environment) => environment.keys.issue({ type, offering_id, label: "mine" }),
    applyToModel(model) {
      const key = { id: "#key", key: "#secret", type, offering_id, label: "mine", revoke_date: null };
      recordNow(model, "new_key", "#key", key);
    },
  })),
  "revoke a key": commandOn(keys, 2, noArgument, (id) => ({
    run: (environment) => environment.keys.revoke(id),
    applyToModel(model) {
      const { now } = model.content;
      if (!isRevoked(stateAt(model).keys[id], now)) recordNow(model, "key", id, { revoke_date: now });
    },
  })),
  "play a scenario": command(4, scenario, (script) => ({
    run: (environment) => environment.play(script),
    applyToModel: (model) => runs.play(model, script),
  })),
  "play a scenario on an investment": commandOn(investments, 2, steps, (investment, chosenSteps) => ({
    run: (environment) => environment.play({ investment, steps: chosenSteps }),
    applyToModel: (model) => runs.play(model, { investment, steps: chosenSteps }),
  })),
  "play the waiting step": commandOn(runIds, 3, noArgument, (id) => ({
    run: (environment) => environment.runs.next(id),
    applyToModel: (model) => runs.playWaitingSteps(model, id),
  })),
  "stop a run": commandOn(runIds, 1, noArgument, (id) => ({
    run: (environment) => environment.runs.stop(id),
    applyToModel: (model) => runs.stop(model, id),
  })),
  "create an investment": commandOn(offerings, 4, noArgument, (offering_id) => ({
    run: (environment) => environment.investments.create({ offering_id, amount: 100, ...people }),
    applyToModel: (model) =>
      recordNow(model, "new_investment", "#investment", investmentOf(offering_id, model.content.now)),
  })),
  "change an investment": commandOn(investments, 2, attributes, (id, values) => ({
    run: (environment) => environment.investments.change(id, values),
    applyToModel: (model) => recordNow(model, "investment", id, values),
  })),
  "record an event": commandOn(investments, 2, noArgument, (id) => ({
    run: (environment) => environment.investments.recordEvent(id, { event: "PAYMENT", action: "APPROVED" }),
    applyToModel: (model) => recordNow(model, "event", id),
  })),
  "add a fault": command(3, fault, (rule) => ({
    run: ({ faults }) => faults.add(rule),
    applyToModel: (model) => recordNow(model, "new_fault", "#fault", { id: "#fault", rule, until: null }),
  })),
  "remove a fault": commandOn(faultIds, 2, noArgument, (id) => ({
    run: ({ faults }) => faults.remove(id),
    applyToModel: (model) => removeFaults(model, [id]),
  })),
  "remove all faults": command(2, noArgument, () => ({
    run: ({ faults }) => faults.remove(),
    applyToModel: (model) => removeFaults(model, faultIds(model)),
  })),
  "fill a limit": commandOn(keys, 2, fc.constantFrom(0, 7, 8, 20), (id, used) => ({
    run: ({ limits }) => limits.set(id, used),
    applyToModel: ({ limits }) => void (limits[id] = { used, remaining: null }),
  })),
  "clear all limits": command(1, noArgument, () => ({
    run: ({ limits }) => limits.clear(),
    applyToModel: (model) => void (model.limits = {}),
  })),
  "clear the journal": command(1, noArgument, () => ({
    run: ({ requests }) => requests.clear(),
    applyToModel: (model) => void (model.journal = 0),
  })),
  "set an assumption": command(2, assumption, (changes) => ({
    run: ({ assumptions }) => assumptions.set(changes),
    applyToModel: ({ content }) => void Object.assign(content.assumptions, changes),
  })),
  reset: command(1, noArgument, () => ({
    run: (environment) => environment.reset(),
    applyToModel: (model) => void Object.assign(model, newEnvironment(model.id, model.opening)),
  })),
  "make an error": command(2, fc.constantFrom(...errors), (run) => ({ run, applyToModel: refuse })),
  "open an environment": command(4, opening, ({ id, ...options }) => ({
    run: (_, { client }) => {
      const { rate_limit: rateLimit, ttl_seconds: ttlSeconds, ...rest } = options;
      return client.openEnvironment({ id, rateLimit, ttlSeconds, ...rest });
    },
    applyToModel(_, { environments }) {
      const { clock: now, ...rest } = options;
      if (environments.has(id)) refuse();
      environments.set(id, newEnvironment(id, openingOf({ now, ...rest })));
    },
  })),
  "delete an environment": command(1, fc.constantFrom("one", "other"), (id) => ({
    async run(_, { client }) {
      const environment = await client.environment(id);
      await environment.close();
      // A reference that outlives the deletion rejects with not_found.
      await expect(environment.clock.get()).rejects.toMatchObject({ code: "not_found" });
    },
    applyToModel: (_, { environments }) => void (environments.delete(id) || refuse()),
  })),
  "take a snapshot": command(2, noArgument, () => ({
    async run(environment, { snapshots, environments }) {
      const model = structuredClone(environments.get(environment.id) as Environment);
      snapshots.push({ document: await environment.snapshot(), model });
    },
    applyToModel: () => {},
  })),
  "restore a snapshot": command(2, anyIndex, (index) => ({
    run: (environment, world) =>
      environment.restore(snapshotAt(world, environment.id, index).document ?? ({} as control.Snapshot)),
    applyToModel(model, world) {
      const { id, content, journal, limits } = structuredClone(snapshotAt(world, model.id, index).model) ?? {};
      if (id !== model.id) refuse();
      Object.assign(model, { content, journal, limits });
    },
  })),
  restart: command(1, noArgument, () => ({
    run: (_, world) => world.restart(),
    applyToModel(_, { environments }) {
      for (const environment of environments.values())
        Object.assign(environment, initialUse(environment.opening), { idle: 0 });
    },
  })),
  "let a minute pass": command(1, fc.constantFrom(59_000, 60_000), (milliseconds) => ({
    run: async (_, world) => void (world.realTime += milliseconds),
    applyToModel(_, { environments }) {
      for (const [id, environment] of environments) {
        passLimits(environment, milliseconds);
        environment.idle += milliseconds;
        if (environment.idle > environment.opening.ttl_seconds * 1000) environments.delete(id);
      }
    },
  })),
};

export type CommandName = keyof typeof commands;
