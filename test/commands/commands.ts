import fc from "fast-check";
import { known } from "../support/sandbox.ts";
import { command, pick, place } from "./command.ts";
import { type Environment, type Fact, isRevoked, later, opened, record, stateAt } from "./model.ts";
import { start } from "./opening.ts";
import * as runs from "./runs.ts";
import { newInvestment, Refused } from "./runs.ts";
import { fault, minute, persons, scenario, type Scenario } from "./scenarios.ts";
import { serverCommands } from "./server-commands.ts";

const offering = fc.constantFrom(known.aurora, known.aurora, known.borealis, known.unknown);

/** A fact that a command makes, now. */
type ByCommand = Fact extends infer One ? (One extends Fact ? Omit<One, "date" | "run"> : never) : never;

function recordNow(environment: Environment, fact: ByCommand): void {
  record(environment, { ...fact, date: environment.content.now, run: null });
}

function moveTo(environment: Environment, now: string): void {
  environment.content.now = now;
  runs.beginDue(environment);
}

/** The latest investments at the present, so that those that were made here are met often. */
function latest(environment: Environment): string[] {
  return Object.keys(stateAt(environment).investments).toReversed().slice(0, 4);
}

/** The ids of the faults at the present that do not end before it. */
function currentFaults(environment: Environment): string[] {
  const { now } = environment.content;
  const current = stateAt(environment).faults.filter(({ until }) => until === null || until > now);
  return current.map(({ id }) => id);
}

function withoutFaults({ content }: Environment, ids: readonly string[]): void {
  content.facts = content.facts.filter(({ kind, id }) => kind !== "new_fault" || !ids.includes(id));
  for (const id of ids) delete content.uses[id];
}

/** Commands by what they do. */
export const commands = {
  ...serverCommands,
  "set the clock": command(
    fc.integer({ min: -6, max: 18 }),
    (tens) => ({
      ask: ({ clock }) => clock.set({ now: later(start, tens * 10) }),
      follow: (environment) => moveTo(environment, later(start, tens * 10)),
    }),
    4,
  ),
  "go elsewhere and back": command(fc.integer({ min: -6, max: 18 }), (tens, { content: { now } }) => ({
    async ask({ clock }) {
      await clock.set({ now: later(start, tens * 10) });
      await clock.set({ now });
    },
    follow(environment) {
      moveTo(environment, later(start, tens * 10));
      moveTo(environment, now);
    },
  })),
  "advance the clock": command(
    minute,
    (minutes) => ({
      ask: ({ clock }) => clock.advance(minutes * 60_000),
      follow(environment) {
        environment.advanced += minutes * 60_000;
        moveTo(environment, later(environment.content.now, minutes));
      },
    }),
    4,
  ),
  "issue a key": command(
    fc.record({ type: fc.constantFrom("marketing" as const, "partner" as const), offering_id: offering }),
    ({ type, offering_id }) => ({
      ask: ({ keys }) => keys.issue({ type, offering_id, label: "mine" }),
      follow(environment) {
        if (offering_id === known.unknown) throw new Refused();
        const key = {
          id: "#key",
          secret: "#secret",
          type,
          offering_id,
          label: "mine",
          granted: true,
          revoke_date: null,
        };
        recordNow(environment, { kind: "new_key", id: "#key", key });
      },
    }),
  ),
  "revoke a key": command(place, (at, before) => {
    const id = pick(
      stateAt(before)
        .keys.map((key) => key.id)
        .toReversed(),
      at,
    );
    return {
      ask: ({ keys }) => keys.revoke(id),
      follow(environment) {
        const key = stateAt(environment).keys.find((one) => one.id === id);
        if (!key) throw new Refused();
        if (!isRevoked(key, environment.content.now)) recordNow(environment, { kind: "key", id });
      },
    };
  }),
  "play a scenario": command(
    scenario,
    ({ steps: written, offering: wanted, count, existing }, before) => {
      const isNew = existing === undefined;
      const script: Scenario = {
        steps: written,
        investment: isNew ? { amount: 100, ...persons } : pick(latest(before), existing),
        ...(wanted && { offering: wanted }),
        ...(count && isNew && { repeat: { count, every: "10m" } }),
      };
      return {
        ask: (environment) => environment.play(script),
        follow: (environment) => runs.play(environment, script),
      };
    },
    6,
  ),
  "fire the step that waits": command(
    place,
    (at, { content }) => {
      const id = pick(content.runs.map((run) => run.id).toReversed(), at);
      return { ask: (environment) => environment.runs.next(id), follow: (environment) => runs.next(environment, id) };
    },
    3,
  ),
  "stop a run": command(
    place,
    (at, { content }) => {
      const id = pick(content.runs.map((run) => run.id).toReversed(), at);
      return { ask: (environment) => environment.runs.stop(id), follow: (environment) => runs.stop(environment, id) };
    },
    1,
  ),
  "create an investment": command(
    offering,
    (offering_id) => ({
      ask: ({ investments }) => investments.create({ offering_id, amount: 100, ...persons }),
      follow(environment) {
        if (offering_id === known.unknown) throw new Refused();
        const investment = newInvestment(offering_id, environment.content.now);
        recordNow(environment, { kind: "new_investment", id: "#investment", investment });
      },
    }),
    4,
  ),
  "change an investment": command(
    fc.tuple(place, fc.constantFrom({ status: "CLOSED" }, { step: "SIGNERS" }, { step: null })),
    ([at, set], before) => {
      const id = pick(latest(before), at);
      return {
        ask: ({ investments }) => investments.change(id, set),
        follow(environment) {
          if (id === known.unknown) throw new Refused();
          recordNow(environment, { kind: "investment", id, set });
        },
      };
    },
  ),
  "record an event": command(place, (at, before) => {
    const id = pick(latest(before), at);
    return {
      ask: ({ investments }) => investments.recordEvent(id, { event: "PAYMENT", action: "APPROVED" }),
      follow(environment) {
        if (id === known.unknown) throw new Refused();
        recordNow(environment, { kind: "event", id });
      },
    };
  }),
  "add a fault": command(fault, (wanted) => ({
    ask: ({ faults }) => faults.add(wanted),
    follow: (environment) =>
      recordNow(environment, { kind: "new_fault", id: "#fault", fault: { id: "#fault", rule: wanted, until: null } }),
  })),
  "remove a fault": command(place, (at, before) => {
    const id = pick(currentFaults(before).toReversed(), at);
    return {
      ask: ({ faults }) => faults.remove(id),
      follow(environment) {
        if (id === known.unknown) throw new Refused();
        withoutFaults(environment, [id]);
      },
    };
  }),
  "remove all faults": command(
    fc.constant(null),
    () => ({
      ask: ({ faults }) => faults.remove(),
      follow: (environment) => withoutFaults(environment, currentFaults(environment)),
    }),
    1,
  ),
  "fill a limit": command(fc.tuple(place, fc.constantFrom(0, 7, 8, 20)), ([at, used], before) => {
    const id = pick(
      stateAt(before).keys.map((key) => key.id),
      at,
    );
    return {
      ask: ({ limits }) => limits.set(id, used),
      follow(environment) {
        if (id === known.unknown) throw new Refused();
        environment.limits[id] = { used };
      },
    };
  }),
  "clear all limits": command(
    fc.constant(null),
    () => ({
      ask: ({ limits }) => limits.clear(),
      follow: (environment) => void (environment.limits = {}),
    }),
    1,
  ),
  "clear the journal": command(
    fc.constant(null),
    () => ({
      ask: ({ requests }) => requests.clear(),
      follow: (environment) => void (environment.journal = 0),
    }),
    1,
  ),
  "set an assumption": command(
    fc.constantFrom<Record<string, string | number>>(
      { "list.default_size": 2 },
      { "list.default_size": 0 },
      { "errors.body": "empty" },
      { "errors.body": "problem" },
      { "auth.partner_data": "on-request" },
      { "auth.partner_data": "granted", "errors.body": "none" },
    ),
    (changes) => ({
      ask: ({ assumptions }) => assumptions.set(changes),
      follow({ content }) {
        if (Object.values(changes).some((value) => value === 0 || value === "none")) throw new Refused();
        Object.assign(content.assumptions, changes);
      },
    }),
  ),
  reset: command(
    fc.constant(null),
    () => ({
      ask: (environment) => environment.reset(),
      follow: ({ id, opening }, environments) => void environments.set(id, opened(id, opening)),
    }),
    1,
  ),
};

export type CommandName = keyof typeof commands;
