import { parseAssumption } from "../assumptions/assume.ts";
import type * as control from "../control.ts";
import type {
  AssumptionsControl,
  LimitsControl,
  RequestFilter,
  Requests,
  RunDescription,
  Runs,
  Scenarios,
} from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import type { Run } from "../environment/run.ts";
import { readSnapshot, snapshotOf } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import { parseIsoDate } from "../model/instant.ts";
import { checkMembers } from "../model/members.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  describeAssumptions,
  describeChange,
  describeEnvironment,
  describeLimit,
  expectFirstOffering,
} from "./describe.ts";
import { localClock } from "./local-clock.ts";
import { localFaults, localInvestments, localKeys } from "./local-resources.ts";
import { type Keeping, type Perform, performer } from "./perform.ts";

/** The assumptions of an environment in this process. */
function localAssumptions(environment: Environment, perform: Perform): AssumptionsControl {
  return {
    list: () => perform(() => describeAssumptions(environment)),
    set: (changes) =>
      perform(() => {
        const parsed = Object.entries(changes).map(([id, value]) => parseAssumption(id, value));
        environment.assume(Object.assign({}, ...parsed) as ReturnType<typeof parseAssumption>);
        return describeAssumptions(environment);
      }),
  };
}

/** The rate limits of an environment in this process. */
function localLimits(environment: Environment, perform: Perform): LimitsControl {
  return {
    list: () => perform(() => environment.keys.map(({ id }) => describeLimit(environment, id))),
    clear: () => perform(() => environment.stores.limits.clear()),
    set: (keyId, used) =>
      perform(() => {
        if (!environment.read().state.key(keyId)) throw new ControlError("not_found", "There is no key of this id.");
        if (!Number.isInteger(used) || used < 0 || used > 1_000_000) {
          throw new ControlError("invalid", "used is a whole number from 0 to 1000000.");
        }
        environment.stores.limits.set(keyId, used);
        return describeLimit(environment, keyId);
      }),
  };
}

/** The journal of an environment in this process. */
function localRequests(environment: Environment, perform: Perform): Requests {
  return {
    list: (filter = {}) => perform(() => environment.stores.journal.list(checked(filter))),
    count: (filter = {}) => perform(() => environment.stores.journal.list(checked(filter)).data.length),
    clear: () => perform(() => environment.stores.journal.clear()),
  };
}

function checked(filter: RequestFilter): RequestFilter {
  checkMembers(filter, { path: true, status: true, key_id: true, since: true, limit: true }, "the filter");
  const { path, status, key_id, since, limit } = filter;
  for (const [name, text] of Object.entries({ path, key_id, since })) {
    if (text !== undefined && typeof text !== "string") throw new ControlError("invalid", `${name} is a text.`);
  }
  if (status !== undefined && !Number.isInteger(status)) {
    throw new ControlError("invalid", "status is a whole number, such as 404.");
  }
  if (since !== undefined && !parseIsoDate(since)) {
    throw new ControlError("invalid", "since is an instant such as 2026-01-15T12:00:00.000Z.");
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0)) {
    throw new ControlError("invalid", "limit is a whole number of 0 or more.");
  }
  return filter;
}

/** The runs of an environment in this process. */
function localRuns(environment: Environment, perform: Perform): Runs {
  const find = (id: string): Run => {
    const run = environment.stores.runs.all.find((candidate) => candidate.id === id);
    if (!run) throw new ControlError("not_found", "There is no run of this id.");
    return run;
  };
  const described = (run: Run): RunDescription => {
    environment.read();
    return environment.stores.runs.describe(run);
  };
  return {
    list: () => perform(() => environment.stores.runs.all.map(described)),
    next: (id) =>
      perform(() => {
        const run = find(id);
        environment.stores.runs.next(run);
        return described(run);
      }),
    stop: (id) =>
      perform(() => {
        const run = find(id);
        environment.stores.runs.stop(run);
        return described(run);
      }),
  };
}

/** The scenarios that an environment in this process can play: those its server was started with, and the shipped ones. */
function localScenarios(environment: Environment, perform: Perform): Scenarios {
  return {
    list: () =>
      perform(async () => {
        const { shippedScenarios } = await import("../scenario/load.ts");
        const known = new Map(
          [...(await shippedScenarios()), ...environment.setup.known].map((one) => [one.name, one]),
        );
        return Array.from(known.values(), ({ name, description, steps }) => ({
          name,
          description,
          steps: steps.length,
        }));
      }),
    check: (scenario) =>
      perform(async () => {
        const { examineScenario } = await import("../scenario/parse.ts");
        const { mistakes, warnings } = examineScenario(scenario);
        return { valid: mistakes.length === 0, mistakes, warnings };
      }),
  };
}

/** What the commands need of the server around an environment. */
interface Surroundings extends Keeping {
  readonly baseUrl: () => string;
  /** Drops the environment. */
  readonly close: () => Promise<void>;
}

/** The commands over an environment of this process. */
export class LocalEnvironment implements control.Environment {
  readonly clock: control.Clock;
  readonly keys: control.Keys;
  readonly scenarios: control.Scenarios;
  readonly runs: control.Runs;
  readonly investments: control.Investments;
  readonly requests: control.Requests;
  readonly faults: control.Faults;
  readonly limits: control.LimitsControl;
  readonly assumptions: control.AssumptionsControl;
  readonly #environment: Environment;
  readonly #surroundings: Surroundings;
  readonly #perform: Perform;

  constructor(environment: Environment, surroundings: Surroundings) {
    this.#environment = environment;
    this.#surroundings = surroundings;
    this.#perform = performer(environment, surroundings);
    this.clock = localClock(environment, this.#perform);
    this.keys = localKeys(environment, this.#perform);
    this.scenarios = localScenarios(environment, this.#perform);
    this.runs = localRuns(environment, this.#perform);
    this.investments = localInvestments(environment, this.#perform);
    this.requests = localRequests(environment, this.#perform);
    this.faults = localFaults(environment, this.#perform);
    this.limits = localLimits(environment, this.#perform);
    this.assumptions = localAssumptions(environment, this.#perform);
  }

  get id(): string {
    return this.#environment.id;
  }

  get baseUrl(): string {
    return this.#surroundings.baseUrl();
  }

  get offerings(): readonly control.OfferingDescription[] {
    return describeEnvironment(this.#environment).offerings;
  }

  get offering(): control.OfferingDescription {
    return expectFirstOffering(this.offerings);
  }

  describe(): Promise<control.EnvironmentDescription> {
    return this.#perform(() => describeEnvironment(this.#environment));
  }

  play(scenario: string | object, subject: control.PlaySubject = {}): Promise<control.RunDescription> {
    return this.#perform(async () => {
      checkMembers(subject, { offering_id: true, investment_id: true }, "the order");
      const script = await readScenario(scenario, this.#environment.setup.known);
      const { runs } = this.#environment.stores;
      await runs.prepare();
      const run = runs.play(script, subject);
      this.#environment.read();
      return runs.describe(run);
    });
  }

  timeline(): Promise<readonly control.ChangeDescription[]> {
    return this.#perform(() =>
      this.#environment.stores.history.timeline.changes.map((change) =>
        describeChange(change, this.#environment.read().state),
      ),
    );
  }

  reset(): Promise<void> {
    return this.#perform(() => this.#environment.reset());
  }

  snapshot(): Promise<control.Snapshot> {
    return this.#perform(() => snapshotOf(this.#environment));
  }

  restore(snapshot: control.Snapshot): Promise<void> {
    return this.#perform(async () => this.#environment.restore(await readSnapshot(snapshot, this.#environment)));
  }

  close(): Promise<void> {
    return this.#surroundings.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * The script that a command names or sends: one of those already loaded or shipped, by name, the text of a file, or a
 * document. Throws Mistake. A name is never a path.
 */
async function readScenario(scenario: string | object, loaded: readonly Scenario[]): Promise<Scenario> {
  if (typeof scenario !== "string" || !/^[\w.-]+$/.test(scenario)) {
    const { parseScenario, checkScenario } = await import("../scenario/parse.ts");
    return typeof scenario === "string" ? parseScenario(scenario, "inline").scenario : checkScenario(scenario).scenario;
  }
  const known = loaded.find(({ name }) => name === scenario);
  if (known) return known;
  const { shippedScenario } = await import("../scenario/load.ts");
  return shippedScenario(scenario);
}
