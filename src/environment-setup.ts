import { assume } from "./assumptions/assume.ts";
import type { Assumptions } from "./assumptions/catalogue.ts";
import { type Configuration, millisecondsOf, snapshotHasFixture, startingInstant } from "./configuration.ts";
import type { EnvironmentOptions } from "./control.ts";
import { scenarioFrom } from "./control/scenarios.ts";
import { isRemote, noFiles } from "./control/remote.ts";
import type { EnvironmentSetup } from "./environment/environment-content.ts";
import { defaultId } from "./environment/environments.ts";
import { keysFor } from "./environment/keys.ts";
import { adopt, readSnapshot, type ReadSnapshot, restsOn } from "./environment/snapshot.ts";
import { ControlError } from "./errors/control-error.ts";
import type { Dataset } from "./fixture/dataset.ts";
import { type FixtureStore, openFixture } from "./fixture/load.ts";
import { type FixtureSource, unknownFixture } from "./fixture/read.ts";
import { formatInstant } from "./model/instant.ts";
import { FileMistakes, Mistake } from "./model/mistakes.ts";
import { isName } from "./model/text.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { SentFixtures, unlessMissing } from "./sent-fixtures.ts";
import { environmentSettings } from "./settings/environment-settings.ts";
import { secondsOf } from "./settings/kinds.ts";
import { pathOf } from "./settings/source-kinds.ts";
import { checkedOptions, readAssumptions } from "./settings/values.ts";
import type { StoredEnvironment } from "./storage/database-file.ts";

/** Most starts have no snapshot. */
const files = () => import("./control/files.ts");

/** Maximum number of journal entries. */
const journalCapacity = 1000;

/** The part of a setup that the options of an environment give. */
type OpenedSetup = Omit<EnvironmentSetup, "dataset" | "keys" | "calibrated" | "delay" | "known" | "journalCapacity"> &
  Partial<Pick<EnvironmentSetup, "keys">>;

/** Creates the setups of environments from a server's configuration and its loaded fixtures. */
export class EnvironmentSetups {
  readonly #configuration: Configuration;
  readonly #fixtures = new Map<FixtureSource, Promise<FixtureStore>>();
  readonly #sent = new SentFixtures();
  #scenarios: readonly Scenario[] | undefined;
  /** The dataset of the snapshot that the server started from. */
  #ofSnapshot: Promise<Dataset> | undefined;

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
  async forDefault(stored?: StoredEnvironment["opened"], from?: Dataset): Promise<EnvironmentSetup> {
    const { profile, assumptions, rateLimit, delay, clock, speed, fixture, snapshot } = this.#configuration;
    if (!stored && snapshot !== undefined) return this.#defaultFrom(snapshot);
    const loaded = await (from ?? this.#dataset(fixture));
    const start = stored?.clock ?? { now: millisecondsOf(clock, loaded), speed };
    const dataset = dated(loaded, start);
    const played = await this.#played();
    const scenarios = stored?.scenarios ?? played;
    return {
      id: defaultId,
      dataset,
      keys: stored?.keys ?? dataset.keys,
      begins: stored?.begins,
      clock: start,
      profile,
      assumptions,
      calibrated: this.#configuration.calibrated,
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
    const options = checkedOptions(environmentSettings, { ...given, id }, "the environment");
    if (options.snapshot !== undefined) return this.#fromSnapshot(options.snapshot, id, options, isRemote(given));
    const server = this.#configuration;
    const { clock, speed, ttlSeconds: lifetime } = environmentSettings;
    const profile = options.profile ?? server.profile;
    const changes =
      options.profile === undefined ? { ...server.assumptions, ...options.assumptions } : options.assumptions;
    const assumed = readAssumptions(profile, changes);
    const { dataset, ownFixture } = await this.#given(pathOf(options.fixture), assumed, isRemote(given));
    // They are not played, but a name of none is a mistake, as at a start.
    if (ownFixture) await this.#scenariosFrom(dataset.scenarios, isRemote(given));
    const now = millisecondsOf(startingInstant(options.clock ?? clock.default), dataset);
    return this.#over(dataset, {
      id,
      ownFixture,
      label: options.label,
      clock: { now, speed: options.speed ?? speed.default },
      profile,
      assumptions: assumed,
      rateLimit: options.rateLimit ?? server.rateLimit,
      scenarios: await this.#scenariosFrom(options.scenarios, isRemote(given)),
      lifetime: secondsOf(options.ttlSeconds ?? lifetime.default) * 1000,
    });
  }

  /** Setup of a stored environment. Over the server's own fixture, if its own is not to be found. */
  async again({ id, fixture, opened, options }: StoredEnvironment): Promise<EnvironmentSetup> {
    const { name, seed, document } = fixture;
    const sent = { seed, investmentStatuses: "any" } as const;
    const dataset =
      document === undefined
        ? ((seed === undefined ? undefined : await this.#sent.dataset(name, sent)) ??
          (options && (await this.#found(name))))
        : await this.#sent.dataset(document, sent, name);
    const ownFixture = document !== undefined || seed !== undefined;
    if (!options) return { ...(await this.forDefault(opened, dataset ?? undefined)), ownFixture };
    const assumptions = assume(options.profile, options.assumptions);
    return this.#over(dataset ?? (await this.#own()), { id, ...opened, ...options, ownFixture, assumptions });
  }

  /** Whether a restart could open an environment over a dataset again. */
  async provides({ name, digest }: Dataset): Promise<boolean> {
    return (await this.#found(name))?.digest === digest;
  }

  /** Completes the setup of an environment other than the default one. */
  async #over(loaded: Dataset, { keys, ...opened }: OpenedSetup): Promise<EnvironmentSetup> {
    const { id, clock, scenarios } = opened;
    const dataset = opened.begins ? loaded.movedBy(opened.begins.days) : dated(loaded, clock);
    return {
      ...opened,
      dataset,
      keys: keys ?? keysFor(id, dataset, formatInstant(clock.now)),
      calibrated: this.#configuration.calibrated,
      delay: this.#configuration.delay,
      known: withOwn(await this.#played(), scenarios),
      journalCapacity,
    };
  }

  #found(name: string): Promise<Dataset | undefined> {
    return this.#loaded(name).catch(unlessMissing);
  }

  /** The default environment from a snapshot, with the options that were given in place of its values. */
  async #defaultFrom(snapshot: string | object): Promise<EnvironmentSetup> {
    const { given, speed, scenarios } = this.#configuration;
    const setup = await this.#fromSnapshot(snapshot, defaultId, { ...given, speed, scenarios });
    return { ...setup, lifetime: Infinity };
  }

  async #fromSnapshot(given: string | object, id: string, options: EnvironmentOptions, remote = false) {
    if (options.fixture !== undefined) throw new Mistake(snapshotHasFixture);
    const source = pathOf(given);
    if (typeof source === "string" && remote) throw new ControlError("invalid", `snapshot: ${noFiles}`);
    const snapshot = await openSnapshot(source);
    const server = this.#configuration;
    const own = server.snapshot === undefined ? await this.#dataset(server.fixture) : undefined;
    const loaded =
      own && restsOn(snapshot, own) ? own : await this.#sent.ofSnapshot(snapshot, { isStart: id === defaultId });
    if (id === defaultId) this.#ofSnapshot = Promise.resolve(loaded);
    const { days, clock: then } = snapshot.content;
    const dataset = loaded.movedBy(days);
    const ofNew = id === defaultId ? dataset.keys : keysFor(id, dataset, formatInstant(then.now));
    const receiver = { id, dataset: loaded, assumptions: server.assumptions, keys: ofNew };
    const { keys, limits: _, journal: __, answers: ___, ...content } = adopt(snapshot, receiver);
    const clock = {
      now: options.clock === undefined ? then.now : millisecondsOf(startingInstant(options.clock), loaded),
      speed: options.speed ?? environmentSettings.speed.default,
    };
    const profile = options.profile ?? snapshot.profile;
    const stated = readAssumptions(profile, options.assumptions);
    const changes = Object.fromEntries(
      Object.keys(options.assumptions ?? {}).map((name) => [name, stated[name as keyof Assumptions]]),
    );
    const assumptions = options.profile === undefined ? { ...content.assumptions, ...changes } : stated;
    return this.#over(loaded, {
      id,
      label: options.label,
      ownFixture: loaded !== own,
      keys,
      begins: { ...content, clock, assumptions },
      clock,
      profile,
      assumptions,
      rateLimit: options.rateLimit ?? snapshot.rate_limit,
      scenarios: await this.#scenariosFrom(options.scenarios, remote),
      lifetime: secondsOf(options.ttlSeconds ?? environmentSettings.ttlSeconds.default) * 1000,
    });
  }

  async #scenariosFrom(sources: EnvironmentOptions["scenarios"] = [], remote = false): Promise<readonly Scenario[]> {
    const known = sources.length > 0 ? await this.#played() : [];
    return Promise.all(sources.map((source) => scenarioFrom(source, known, remote)));
  }

  /** Finds the fixture of an environment: the server's own, a shipped one, a document or, unless the caller is remote, a file. */
  async #given(
    source: FixtureSource | undefined,
    assumptions: Assumptions,
    remote: boolean,
  ): Promise<{ dataset: Dataset; ownFixture: boolean }> {
    const options = { investmentStatuses: assumptions["investment.statuses"] };
    if (typeof source === "object") return { dataset: await this.#sent.ofDocument(source, options), ownFixture: true };
    if (source === undefined || isName(source)) return { dataset: await this.#loaded(source), ownFixture: false };
    const own = await this.#own();
    if (source === own.name) return { dataset: own, ownFixture: false };
    if (remote) throw new ControlError("invalid", `${(await unknownFixture(source, [own.name])).message} ${noFiles}`);
    return { dataset: await this.#sent.ofFile(source, options, this.#configuration), ownFixture: true };
  }

  /** Finds a fixture by its name: the server's own or a shipped one, never a path. */
  async #loaded(name: string | undefined): Promise<Dataset> {
    const own = await this.#own();
    if (name === undefined || name === own.name) return own;
    return this.#dataset(name).catch(async (error: unknown) => {
      throw error instanceof Mistake && !(error instanceof FileMistakes)
        ? await unknownFixture(name, [own.name])
        : error;
    });
  }

  /** The dataset of the server's own fixture, which may be that of a snapshot. The snapshot is read once: its file may change. */
  async #own(): Promise<Dataset> {
    const { snapshot, fixture } = this.#configuration;
    if (snapshot === undefined) return this.#dataset(fixture);
    if (!this.#ofSnapshot) {
      this.#ofSnapshot = openSnapshot(snapshot).then((read) => this.#sent.ofSnapshot(read, { isStart: true }));
      this.#ofSnapshot.catch(() => (this.#ofSnapshot = undefined));
    }
    return this.#ofSnapshot;
  }

  /** The scenarios of the server's start. Read once; only a reload changes them. */
  async #played(): Promise<readonly Scenario[]> {
    this.#scenarios ??= await this.#loadScenarios();
    return this.#scenarios;
  }

  async #loadScenarios(): Promise<readonly Scenario[]> {
    const { scenarios, snapshot, fixture } = this.#configuration;
    // A snapshot has the runs of its fixture's scenarios.
    const sources = scenarios ?? (snapshot === undefined ? (await this.#dataset(fixture)).scenarios : []);
    return Promise.all(sources.map((source) => scenarioFrom(source, [])));
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

async function openSnapshot(source: string | object): Promise<ReadSnapshot> {
  return readSnapshot(await (await files()).snapshotDocument(source));
}

/** Known scenarios, and those of an environment that are not among them. */
function withOwn(known: readonly Scenario[], own: readonly Scenario[]): readonly Scenario[] {
  return [...known, ...own.filter(({ name }) => known.every((other) => other.name !== name))];
}

/** A fixture with the dates that it has for an environment that opens with this clock. */
function dated(dataset: Dataset, { now }: EnvironmentSetup["clock"]): Dataset {
  return dataset.movedBy(dataset.daysAt(now));
}
