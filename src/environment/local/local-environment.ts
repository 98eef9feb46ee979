import type * as control from "../../control.ts";
import { expectFirstOffering } from "../../control/first.ts";
import { checkMembers } from "../../model/known-members.ts";
import { describeChange, describeEnvironment } from "../describe.ts";
import type { Environment } from "../environment.ts";
import { readSnapshot, snapshotOf } from "../snapshot.ts";
import { localAssumptions } from "./local-assumptions.ts";
import { localClock } from "./local-clock.ts";
import { localFaults } from "./local-faults.ts";
import { localInvestments } from "./local-investments.ts";
import { localKeys } from "./local-keys.ts";
import { localLimits } from "./local-limits.ts";
import { localRequests } from "./local-requests.ts";
import { localRuns } from "./local-runs.ts";
import { localScenarios } from "./local-scenarios.ts";
import { performer, type Keeping, type Perform } from "./perform.ts";

/** What the commands need of the server around an environment. */
export interface Surroundings extends Keeping {
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
      const { readScenario } = await import("../read-scenario.ts");
      const script = await readScenario(scenario, this.#environment.opening.known);
      const { runs } = this.#environment.stores;
      await runs.prepare();
      const run = runs.play(script, subject);
      this.#environment.read();
      return runs.describe(run);
    });
  }

  timeline(): Promise<readonly control.ChangeDescription[]> {
    return this.#perform(() =>
      this.#environment.stores.timeline.changes.map((change) => describeChange(change, this.#environment.read().state)),
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
