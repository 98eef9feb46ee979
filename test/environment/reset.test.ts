import { expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import type { Stores } from "../../src/environment/stores.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { record, setupOf, present, smallDataset, uuid } from "../support/small-dataset.ts";

const scenario: Scenario = {
  name: "one-step",
  description: "",
  offering: null,
  investment: uuid(2, 0),
  repeat: null,
  steps: [{ trigger: { kind: "after", by: 0 }, effects: [{ kind: "investment", attributes: { status: "CLOSED" } }] }],
};

function calibrate(environment: Environment): void {
  const { "list.order": order } = environment.assumptions;
  const calibration = { date: "2026-11-22", host: "demo.example.com", confidence: { "list.order": "high" } } as const;
  environment.restore({ ...environment.content(), calibrated: { ...calibration, values: { "list.order": order } } });
}

/** For each store of an environment: an act that changes it, and its visible state. */
const stores: {
  readonly [Store in keyof Stores]: {
    readonly disturb: (environment: Environment) => unknown;
    readonly shows: (environment: Environment) => unknown;
  };
} = {
  clock: {
    disturb: ({ stores: { clock } }) => clock.set({ now: "2030-01-01T00:00:00.000Z", speed: 0 }),
    shows: ({ stores: { clock } }) => [clock.now, clock.speed],
  },
  history: {
    disturb: (environment) => {
      environment.record([{ kind: "offering", date: present, offering_id: uuid(1, 1), attributes: { name: "X" } }]);
      environment.read();
    },
    shows: ({ stores: { history } }) => [
      history.timeline.changes.length,
      history.timeline.issued,
      history.state.offering(uuid(1, 1))?.name,
      history.state.position,
    ],
  },
  runs: {
    disturb: ({ stores: { runs } }) => runs.play(scenario, {}),
    shows: ({ stores: { runs } }) => runs.all.length,
  },
  limits: {
    disturb: ({ stores: { limits } }) => limits.set("key", 7),
    shows: ({ stores: { limits } }) => limits.read("key", 0).used,
  },
  journal: {
    disturb: (environment) => record(environment.newEntry({ connection: null, idle: 0, turn: 0 }), "/"),
    shows: ({ stores: { journal } }) => journal.list({}).data.length,
  },
  faultUses: {
    disturb: (environment) => {
      const fault = { id: "fault-1", rule: { delay: "1s" }, from: present, until: null };
      environment.record([{ kind: "new_fault", date: present, fault }]);
      environment.meetFault({ path: "/", method: "GET", key_id: null }, environment.read());
    },
    shows: ({ stores: { faultUses } }) => faultUses.get("fault-1"),
  },
  assumptions: {
    disturb: (environment) => environment.assume({ "list.order": "-create_date" }),
    shows: ({ assumptions }) => assumptions["list.order"],
  },
  calibrated: { disturb: calibrate, shows: ({ stores: { calibrated } }) => calibrated },
  marks: { disturb: calibrate, shows: ({ marks }) => marks },
  varied: {
    disturb: (environment) =>
      environment.restore({ ...environment.content(), varied: { seed: "0000000a.k4", values: {} } }),
    shows: ({ stores: { varied } }) => varied,
  },
  creations: {
    disturb: (environment) =>
      environment.record([
        {
          kind: "new_fault",
          date: present,
          fault: { id: "fault-1", rule: { delay: "1s" }, from: present, until: null },
        },
      ]),
    shows: ({ stores: { creations } }) => creations,
  },
  commands: {
    disturb: (environment) => (environment.stores.commands += 1),
    shows: ({ stores: { commands } }) => commands,
  },
  answers: {
    disturb: (environment) => environment.nextDelay(),
    shows: ({ stores: { answers } }) => answers,
  },
};

test.each(Object.entries(stores))("a reset clears %s", (_, { disturb, shows }) => {
  const environment = new Environment({ ...setupOf(smallDataset(2)), delay: [0, 5] });
  const before = shows(environment);
  disturb(environment);
  expect(shows(environment)).not.toEqual(before);
  environment.reset();
  expect(shows(environment)).toEqual(before);
});

test("the table has every store", () => {
  const environment = new Environment(setupOf(smallDataset(1)));
  expect(Object.keys(stores).toSorted()).toEqual(Object.keys(environment.stores).toSorted());
});
