import { assume } from "./assumptions/assume.ts";
import { type Configuration, startingInstant } from "./configuration.ts";
import type { EnvironmentOptions } from "./control.ts";
import { namedScenario } from "./control/commands.ts";
import type { EnvironmentSetup } from "./environment/environment-content.ts";
import { defaultId } from "./environment/environments.ts";
import { keysFor } from "./environment/keys.ts";
import { ControlError } from "./errors/control-error.ts";
import type { Dataset } from "./fixture/dataset.ts";
import { type FixtureStore, openFixture } from "./fixture/load.ts";
import type { FixtureSource } from "./fixture/read.ts";
import { formatInstant } from "./model/instant.ts";
import { late } from "./model/late.ts";
import { unknownMember } from "./model/members.ts";
import { Mistake } from "./model/mistakes.ts";
import { didYouMean, isName } from "./model/text.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { environmentSettings } from "./settings/environment-settings.ts";
import { byOwnNames, checkValues, readAssumptions } from "./settings/values.ts";
import type { StoredEnvironment } from "./storage/database-file.ts";

const scenarioFiles = late(() => import("./scenario/load.ts"));

/** Maximum number of journal entries. */
const journalCapacity = 1000;

/** The part of a setup that the options of an environment give. */
type OpenedSetup = Omit<EnvironmentSetup, "dataset" | "keys" | "delay" | "known" | "journalCapacity">;

/** Creates the setups of environments from a server's configuration and its loaded fixtures. */
export class EnvironmentSetups {
  readonly #configuration: Configuration;
  readonly #fixtures = new Map<FixtureSource, Promise<FixtureStore>>();
  #scenarios: readonly Scenario[] | undefined;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
  }

  /**
   * Reads the fixture and the scenarios again, for another configuration. Throws as `forDefault` does; the last valid dataset
   * then stays in use.
   */
  async reload(configuration: Configuration): Promise<EnvironmentSetups> {
    const setups = new EnvironmentSetups(configuration);
    const { fixture, seed, assumptions } = configuration;
    const store = await this.#fixtures.get(fixture);
    const last = store?.data;
    const { seed: lastSeed, assumptions: lastAssumptions } = this.#configuration;
    try {
      if (store && seed === lastSeed && assumptions["investment.statuses"] === lastAssumptions["investment.statuses"]) {
        await store.read();
        setups.#fixtures.set(fixture, Promise.resolve(store));
      }
      await setups.#played();
      return setups;
    } catch (error) {
      if (store && last) store.data = last;
      throw error;
    }
  }

  /** Setup of the default environment, or of one that was stored. Throws as `openFixture` and `loadScenario` do. */
  async forDefault(stored?: StoredEnvironment["opened"]): Promise<EnvironmentSetup> {
    const { profile, assumptions, rateLimit, delay, clock, speed, fixture } = this.#configuration;
    const loaded = await this.#dataset(fixture);
    const start = stored?.clock ?? { now: millisecondsOf(clock, loaded), speed };
    const dataset = dated(loaded, start);
    const played = await this.#played();
    const scenarios = stored?.scenarios ?? played;
    return {
      id: defaultId,
      dataset,
      keys: dataset.keys,
      clock: start,
      profile,
      assumptions,
      rateLimit,
      delay,
      scenarios,
      known: withOwn(played, scenarios),
      lifetime: Infinity,
      journalCapacity,
    };
  }

  /** Setup of another environment. Throws Mistake or ControlError for invalid options. */
  async for(id: string, given: EnvironmentOptions): Promise<EnvironmentSetup> {
    checkValues(environmentSettings, { ...given, id }, (name, known) => unknownMember(name, known, "the environment"));
    const options = byOwnNames(environmentSettings, given);
    const server = this.#configuration;
    const { clock, speed, ttlSeconds: lifetime } = environmentSettings;
    const profile = options.profile ?? server.profile;
    const changes =
      options.profile === undefined ? { ...server.assumptions, ...options.assumptions } : options.assumptions;
    const dataset = await this.#loaded(options.fixture);
    const known = await this.#played();
    const now = millisecondsOf(startingInstant(options.clock ?? clock.default), dataset);
    return this.#over(dataset, {
      id,
      label: options.label,
      clock: { now, speed: options.speed ?? speed.default },
      profile,
      assumptions: readAssumptions(profile, changes),
      rateLimit: options.rateLimit ?? server.rateLimit,
      scenarios: await Promise.all((options.scenarios ?? []).map((name) => namedScenario(name, known))),
      lifetime: (options.ttlSeconds ?? lifetime.default) * 1000,
    });
  }

  /** Setup of a stored environment. Over the server's own fixture, if there is none of the name of its own. */
  async again({ id, fixture, opened, options }: StoredEnvironment): Promise<EnvironmentSetup> {
    if (!options) return this.forDefault(opened);
    const dataset = (await this.#found(fixture.name)) ?? (await this.#dataset(this.#configuration.fixture));
    const assumptions = assume(options.profile, options.assumptions);
    return this.#over(dataset, { id, ...opened, ...options, assumptions });
  }

  /** Whether a restart could open an environment over a dataset again. */
  async provides({ name, digest }: Dataset): Promise<boolean> {
    return (await this.#found(name))?.digest === digest;
  }

  /** Completes the setup of an environment other than the default one. */
  async #over(loaded: Dataset, opened: OpenedSetup): Promise<EnvironmentSetup> {
    const { id, clock, scenarios } = opened;
    const dataset = dated(loaded, clock);
    return {
      ...opened,
      dataset,
      keys: keysFor(id, dataset, formatInstant(clock.now)),
      delay: this.#configuration.delay,
      known: withOwn(await this.#played(), scenarios),
      journalCapacity,
    };
  }

  #found(name: string): Promise<Dataset | undefined> {
    return this.#loaded(name).catch((error: unknown) => {
      if (error instanceof ControlError || error instanceof Mistake) return undefined;
      throw error;
    });
  }

  /** Finds a fixture by a name from outside: the server's own or a shipped one, never a path. */
  async #loaded(name: string | undefined): Promise<Dataset> {
    const own = await this.#dataset(this.#configuration.fixture);
    if (name === undefined || name === own.name || name === this.#configuration.fixture) return own;
    if (!isName(name))
      throw new ControlError("invalid", `There is no loaded fixture of this name.${didYouMean(name, [own.name])}`);
    return this.#dataset(name);
  }

  /** The scenarios of the server's start. Read once; only a reload changes them. */
  async #played(): Promise<readonly Scenario[]> {
    this.#scenarios ??= await this.#loadScenarios();
    return this.#scenarios;
  }

  async #loadScenarios(): Promise<readonly Scenario[]> {
    const names = this.#configuration.scenarios ?? (await this.#dataset(this.#configuration.fixture)).scenarios;
    if (names.length === 0) return [];
    const { loadScenario } = await scenarioFiles();
    return Promise.all(names.map((name) => loadScenario(name)));
  }

  async #dataset(fixture: FixtureSource): Promise<Dataset> {
    let store = this.#fixtures.get(fixture);
    if (!store) {
      const { seed, assumptions } = this.#configuration;
      store = openFixture(fixture, { seed, investmentStatuses: assumptions["investment.statuses"] });
      this.#fixtures.set(fixture, store);
      store.catch(() => this.#fixtures.delete(fixture));
    }
    return (await store).data;
  }
}

/** Known scenarios, and those of an environment that are not among them. */
function withOwn(known: readonly Scenario[], own: readonly Scenario[]): readonly Scenario[] {
  return [...known, ...own.filter(({ name }) => known.every((other) => other.name !== name))];
}

/** A fixture with the dates that it has for an environment that opens with this clock. */
function dated(dataset: Dataset, { now }: EnvironmentSetup["clock"]): Dataset {
  return dataset.movedBy(dataset.daysAt(now));
}

function millisecondsOf(clock: number | "fixture", dataset: Dataset): number {
  return clock === "fixture" ? Date.parse(dataset.now) : clock;
}
