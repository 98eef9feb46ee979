import type * as control from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { adopt, readSnapshot, snapshotOf } from "../environment/snapshot.ts";
import { asControlError } from "../errors/control-error.ts";
import { idOf, plainCopy } from "../model/plain-copy.ts";
import type { BodyValue } from "./bodies.ts";
import type { CheckedName } from "./checked-body.ts";
import * as clock from "./clock.ts";
import * as commands from "./commands.ts";
import {
  describeAssumptions,
  describeEnvironment,
  describeLimit,
  openingSecret,
  summarizeOfferings,
} from "./describe.ts";
import { withCurl } from "./example-call.ts";
import { expectFirstOffering, expectSecret } from "./first-offering.ts";
import { pulse } from "./pulse.ts";
import * as scenarios from "./scenarios.ts";
import { previewedCall, type PreviewedCall } from "./preview.ts";
import { listTimeline, outline } from "./timeline.ts";

/** They load zod. */
const commandsByHand = () => import("./investments.ts");
const bodyChecks = () => import("./checked-body.ts");

const readings = () => import("./investment-page.ts");

type ByHand = Awaited<ReturnType<typeof commandsByHand>>;

type Command<Args extends unknown[], Result> = (environment: Environment, ...given: Args) => Result | Promise<Result>;

/** The server around an environment. */
interface Surroundings {
  readonly baseUrl: () => string;
  readonly examples: () => Omit<control.ExampleCall, "curl">[];
  /** Answers a call as the service would, and does nothing else. */
  readonly preview: (call: PreviewedCall) => control.PreviewedResponse;
  /** Notes that the environment is used. Throws ControlError when it was dropped. */
  readonly present: () => void;
  /** Resolves when the database has the changes; at once without a database. */
  readonly commit: () => Promise<void>;
  /** Drops the environment. */
  readonly close: () => Promise<void>;
}

/** The commands of an environment of this process. */
export class LocalEnvironment implements control.Environment {
  readonly keys: control.Keys;
  readonly #environment: Environment;
  readonly #surroundings: Surroundings;

  constructor(environment: Environment, surroundings: Surroundings) {
    this.#environment = environment;
    this.#surroundings = surroundings;
    this.keys = {
      get marketing() {
        return expectSecret(openingSecret(environment, "marketing"), "marketing");
      },
      get partner() {
        return expectSecret(openingSecret(environment, "partner"), "partner");
      },
      list: () => this.#read(commands.listKeys),
      issue: (order) => this.#perform(withBody("KeyOrder", commands.issueKey), order),
      revoke: (id) => this.#perform(commands.revokeKey, idOf(id)),
    };
  }

  readonly clock: control.Clock = {
    get: () => this.#read(clock.readClock),
    set: (to) => this.#perform((one, given) => setClock(one, typeof given === "string" ? { now: given } : given), to),
    advance: (by) => this.#perform(clock.advanceClock, by),
    advanceTo: (instant) => this.#perform(clock.advanceClockTo, instant),
    next: () => this.#perform(clock.stepForward),
    previous: () => this.#perform(clock.stepBack),
  };

  readonly scenarios: control.Scenarios = {
    list: () => this.#read(scenarios.listScenarios),
    get: (name) => this.#read(scenarios.getScenario, idOf(name)),
    check: (scenario) => this.#read((_, given) => scenarios.checkScenario(given.scenario), { scenario }),
  };

  readonly runs: control.Runs = {
    list: () => this.#read(({ stores: { runs } }) => runs.all.map((run) => runs.describe(run))),
    get: (id) => this.#read(commands.getRun, idOf(id)),
    next: (id) => this.#perform(commands.continueRun, idOf(id), "next"),
    stop: (id) => this.#perform(commands.continueRun, idOf(id), "stop"),
  };

  readonly investments: control.Investments = {
    list: (filter = {}) => this.#read(async (one, given) => (await readings()).listInvestments(one, given), filter),
    get: (id) => this.#read(async (one, given) => (await readings()).getInvestment(one, given), idOf(id)),
    create: (given) => this.#byHand(({ createInvestment }) => createInvestment, given),
    change: (id, given) => this.#byHand(({ changeInvestment }) => changeInvestment, idOf(id), given),
    recordEvent: (id, order) => this.#byHand(({ recordEvent }) => recordEvent, idOf(id), order),
  };

  readonly requests: control.Requests = {
    list: (filter = {}) =>
      this.#read((one, given) => one.stores.journal.list(commands.checkFilter(one, given)), filter),
    count: async (filter = {}) => (await this.requests.list(filter)).data.length,
    clear: () => this.#perform(({ stores }) => stores.journal.clear()),
  };

  readonly faults: control.Faults = {
    list: () => this.#read(commands.listFaults),
    add: (fault) => this.#perform(commands.addFault, fault),
    remove: (id) => this.#perform(commands.removeFaults, id === undefined ? id : idOf(id)),
  };

  readonly limits: control.LimitsControl = {
    list: () => this.#read((environment) => environment.keys.map(({ id }) => describeLimit(environment, id))),
    clear: () => this.#perform(({ stores }) => stores.limits.clear()),
    set: (keyId, used) => this.#perform(commands.setLimit, idOf(keyId), used),
  };

  readonly assumptions: control.AssumptionsControl = {
    list: () => this.#read(describeAssumptions),
    set: (changes) => this.#perform(commands.setAssumptions, changes),
  };

  get id(): string {
    return this.#environment.id;
  }

  get baseUrl(): string {
    return this.#surroundings.baseUrl();
  }

  get offerings(): readonly control.OfferingDescription[] {
    return describeEnvironment(this.#environment, this.baseUrl).offerings;
  }

  get offering(): control.OfferingDescription {
    return expectFirstOffering(this.offerings);
  }

  describe(): Promise<control.EnvironmentDescription> {
    return this.#read((environment) => describeEnvironment(environment, this.baseUrl));
  }

  pulse(since: control.PulseSince = {}): Promise<control.Pulse> {
    return this.#read(pulse, since);
  }

  examples(): Promise<readonly control.ExampleCall[]> {
    return this.#read(() => this.#surroundings.examples().map((call) => withCurl(call, this.baseUrl)));
  }

  preview(order: control.PreviewOrder): Promise<control.PreviewedResponse> {
    const command = (one: Environment, given: control.PreviewOrder) =>
      this.#surroundings.preview(previewedCall(one, given));
    return this.#read(withBody("PreviewOrder", command), order);
  }

  offeringSummaries(): Promise<readonly control.OfferingSummary[]> {
    return this.#read(summarizeOfferings);
  }

  play(scenario: string | object, subject: control.PlaySubject = {}): Promise<control.RunDescription> {
    return this.#perform(commands.play, scenario, subject);
  }

  timeline(filter: control.TimelineFilter = {}): Promise<readonly control.ChangeDescription[]> {
    return this.#read(listTimeline, filter);
  }

  outline(buckets?: number): Promise<control.TimelineOutline> {
    return this.#read(outline, { buckets });
  }

  /** Does not wait for a leap of the clock: it is the way out of one. */
  async reset(): Promise<void> {
    await asControlError(async () => {
      this.#surroundings.present();
      this.#environment.reset();
    });
    await this.#surroundings.commit();
  }

  snapshot(): Promise<control.Snapshot> {
    return this.#read(snapshotOf);
  }

  restore(snapshot: control.Snapshot): Promise<void> {
    return this.#perform(async (environment, given) => {
      const content = adopt(await readSnapshot(given), environment.setup);
      return environment.caughtUp(() => environment.restore(content));
    }, snapshot);
  }

  close(): Promise<void> {
    return this.#surroundings.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #byHand<Args extends unknown[], Result>(
    choose: (commands: ByHand) => Command<Args, Result>,
    ...given: Args
  ): Promise<Result> {
    return this.#perform(
      async (environment, ...copied) => {
        const command = choose(await commandsByHand());
        return environment.caughtUp(() => command(environment, ...copied));
      },
      ...given,
    );
  }

  /** Performs a command, and resolves once the database has its changes. */
  async #perform<Args extends unknown[], Result>(command: Command<Args, Result>, ...given: Args): Promise<Result> {
    const result = await this.#read(command, ...given);
    this.#environment.stores.commands += 1;
    await this.#surroundings.commit();
    return result;
  }

  /**
   * Calls a function, with copies of what the caller gave, once the environment has caught up with its clock. Needs no
   * database.
   */
  #read<Args extends unknown[], Result>(look: Command<Args, Result>, ...given: Args): Promise<Result> {
    return asControlError(async () => {
      this.#surroundings.present();
      const copied = given.map((argument) => plainCopy(argument)) as Args;
      return this.#environment.caughtUp(() => look(this.#environment, ...copied));
    });
  }
}

const setClock = withBody("ClockSetting", clock.setClock);

/** A command whose body is checked first; the environment then catches up again with its clock. */
function withBody<Name extends CheckedName, Result>(
  name: Name,
  command: Command<[BodyValue<Name>], Result>,
): Command<[unknown], Result> {
  return async (environment, given) => {
    const { checkedBody } = await bodyChecks();
    const body = checkedBody(name, given);
    return environment.caughtUp(() => command(environment, body));
  };
}
