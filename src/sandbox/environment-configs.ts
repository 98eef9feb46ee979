import { setImmediate as nextTurn } from "node:timers/promises";
import { assume, type Assumptions } from "../assumptions/catalog.ts";
import type { EnvironmentOptions } from "../public/control.ts";
import { noFiles, scenarioFrom } from "../control/scenarios.ts";
import type { EnvironmentConfig, EnvironmentDocument, OpenedDocument, StoredConfig } from "../environment/document.ts";
import { Environment } from "../environment/environment.ts";
import { defaultId } from "../environment/environments.ts";
import { keysFor } from "../environment/keys.ts";
import { adopt, readDocument } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { unknownFixture } from "../fixture/read.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { formatInstant, readInstant, realTime } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import type { Key } from "../model/resources.ts";
import { isName } from "../text/text.ts";
import { TimeSlice } from "../bounds/time-slice.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { environmentSettings, secondsOf } from "../settings/environment-settings.ts";
import { isPostgresAddress, pathOf } from "../settings/source-kinds.ts";
import { checkedOptions, readAssumptions } from "../settings/values.ts";
import { expectDataset } from "../storage/storage.ts";
import type { SandboxConfig } from "./configuration.ts";
import { Fixtures, type LoadedSource } from "./fixtures.ts";

/** The configuration of an environment without the server's part. */
type BaseConfig = StoredConfig & Pick<EnvironmentConfig, "id" | "dataset" | "profile" | "rateLimit" | "assumptions">;

/** Creates the configurations of environments from the options of their server. */
export class EnvironmentConfigs {
  readonly #server: SandboxConfig;
  readonly #fixtures: Fixtures;
  #scenarios: readonly Scenario[] | undefined;

  constructor(configuration: SandboxConfig) {
    this.#server = configuration;
    this.#fixtures = new Fixtures(configuration);
  }

  /** Reads the fixture and the scenarios of the server's options. Throws like `Fixtures` and `scenarioFrom`. */
  async readOwnFiles(): Promise<void> {
    await this.#serverScenarios();
    if (this.#server.snapshot === undefined) await this.#fixtures.serverDataset();
  }

  /** Creates the default environment's configuration, with clock, scenarios and snapshot of `before`, if any. */
  async forDefault(before?: EnvironmentConfig): Promise<EnvironmentConfig> {
    const source = await this.#fixtures.ofServer();
    const ofServer = baseConfigOf(defaultId, source, this.#server.environment, this.#server);
    const base = { ...ofServer, scenarios: await this.#serverScenarios(), lifetime: null };
    if (!before) return this.#complete(base);
    const { clock, scenarios, initialState, keys } = before;
    return this.#complete({ ...base, clock, scenarios, ...(initialState && { initialState, keys }) });
  }

  /** Creates another environment's configuration. Throws ValidationError, or ControlError for a remote file. */
  async for(id: string, environmentOptions: EnvironmentOptions, isRemote: boolean): Promise<EnvironmentConfig> {
    const options = checkedOptions(environmentSettings, { ...environmentOptions, id }, "the environment");
    const source = await this.#sourceOf(options, isRemote);
    const scenarios = await this.#scenariosFrom(options.scenarios, isRemote);
    return this.#complete({ ...baseConfigOf(id, source, options, this.#server), scenarios });
  }

  /** Opens a snapshot's own environment, with its journal. Throws ValidationError or ControlError. */
  async openSnapshot(snapshot: object): Promise<Environment> {
    const source = await this.#fixtures.ofSnapshot(snapshot);
    const { environment: id, traffic } = source.snapshot;
    const config = await this.#complete({ ...baseConfigOf(id, source, { speed: 0 }, this.#server), scenarios: [] });
    return new Environment(config, config.initialState, traffic && { journal: traffic.journal, responses: 0 });
  }

  /** Reads a stored environment. Throws ValidationError for a snapshot, and OtherFixtureError. */
  async forStored(document: unknown): Promise<OpenedDocument> {
    const snapshot = await readDocument(document);
    const { environment: id, setup: stored, content, profile, rate_limit: rateLimit } = snapshot;
    if (!stored) throw new ValidationError(`the environment "${id}" has no setup: it is a snapshot`);
    const source = await this.#fixtures.ofStored(snapshot, { isDefault: id === defaultId });
    // This version may have assumptions that the version that stored the environment did not have.
    const assumptions = assume(profile, stored.assumptions ?? content.assumptions);
    const config = await this.#complete({ ...stored, id, ...source, profile, rateLimit, assumptions });
    expectDataset(snapshot, config.dataset);
    const mergedAssumptions = stored.assumptions ? { ...assumptions, ...content.assumptions } : assumptions;
    return { config, data: { ...content, assumptions: mergedAssumptions } };
  }

  /** Returns true if a restart could open an environment over a dataset again. */
  async provides({ name, digest }: Dataset): Promise<boolean> {
    return (await this.#fixtures.find(name))?.digest === digest;
  }

  /** Adds the server's part, which is the same for every environment. */
  async #complete(base: BaseConfig): Promise<EnvironmentConfig> {
    const { id, clock, initialState, scenarios } = base;
    // With thousands of keys, each of the steps before and after takes long.
    await nextTurn();
    const dataset = base.dataset.moveBy(initialState?.days ?? base.dataset.daysAt(clock.now));
    const loaded = await this.#serverScenarios();
    return {
      ...base,
      dataset,
      keys: base.keys ?? keysOf(id, dataset, clock.now, routingPrefixOf(id, this.#server)),
      delay: this.#server.delay,
      loadedScenarios: [
        ...loaded,
        ...scenarios.filter(({ name }) => loaded.every((candidate) => candidate.name !== name)),
      ],
    };
  }

  /** Loads the dataset and the snapshot that options name. Throws ControlError for the path of a remote caller. */
  async #sourceOf(options: EnvironmentOptions, isRemote: boolean): Promise<LoadedSource> {
    const [fixture, snapshot] = [pathOf(options.fixture), pathOf(options.snapshot)];
    if (snapshot !== undefined) {
      if (fixture !== undefined)
        throw new ValidationError("An environment begins from a fixture or from a snapshot; omit one of them.");
      if (isRemote && typeof snapshot === "string") throw new ControlError("invalid", `snapshot: ${noFiles}`);
      return this.#fixtures.ofSnapshot(snapshot);
    }
    if (typeof fixture !== "object") {
      const { name } = await this.#fixtures.serverDataset();
      if (fixture === undefined || isName(fixture) || fixture === name) {
        return { dataset: await this.#fixtures.named(fixture), ownFixture: false };
      }
      if (isRemote) throw new ControlError("invalid", `${(await unknownFixture(fixture, [name])).message} ${noFiles}`);
    }
    const { "investment.statuses": investmentStatuses } = assumptionsOf(options, this.#server);
    const dataset = await this.#fixtures.ofCommand(fixture, { investmentStatuses });
    // A fixture in a command plays no scenarios, but naming an unknown one is an error, as when a server starts.
    await this.#scenariosFrom(dataset.scenarios, isRemote);
    return { dataset, ownFixture: true };
  }

  async #scenariosFrom(sources: EnvironmentOptions["scenarios"] = [], isRemote = false): Promise<readonly Scenario[]> {
    const { scenarios: max } = inputLimits;
    if (sources.length > max) throw new ValidationError(`scenarios: expected ${max} at most, not ${sources.length}.`);
    const loaded = sources.length > 0 ? await this.#serverScenarios() : [];
    const timeSlice = new TimeSlice();
    const scenarios: Scenario[] = [];
    for (const source of sources) {
      await timeSlice.yieldIfDue();
      scenarios.push(await scenarioFrom(source, loaded, isRemote));
    }
    return scenarios;
  }

  /** Returns the scenarios that the server was started with, read once. */
  async #serverScenarios(): Promise<readonly Scenario[]> {
    this.#scenarios ??= await this.#loadScenarios();
    return this.#scenarios;
  }

  async #loadScenarios(): Promise<readonly Scenario[]> {
    const { scenarios, snapshot } = this.#server;
    // A snapshot already has the runs of its fixture's scenarios, so these do not play again.
    const ofFixture = async () => (snapshot === undefined ? (await this.#fixtures.serverDataset()).scenarios : []);
    const sources = scenarios === "fixture" ? await ofFixture() : scenarios;
    return Promise.all(sources.map((source) => scenarioFrom(source, [])));
  }
}

/** Creates a configuration without the server's part. Missing options are the snapshot's, or else the server's. */
function baseConfigOf(
  id: string,
  { dataset, ownFixture, snapshot }: LoadedSource,
  options: EnvironmentOptions,
  server: SandboxConfig,
): Omit<BaseConfig, "scenarios"> {
  const { calibrated } = server;
  const routingPrefix = routingPrefixOf(id, server);
  const ownKeys = ({ content: { days, clock } }: EnvironmentDocument) =>
    keysOf(id, dataset.moveBy(days), clock.now, routingPrefix);
  // A new environment has no requests, even if its snapshot has.
  const adopted = snapshot && adopt(snapshot, { ...server, id, routingPrefix, dataset, keys: ownKeys(snapshot) }).data;
  const defaults = {
    profile: snapshot?.profile ?? server.profile,
    assumptions: adopted?.assumptions ?? server.assumptions,
    rateLimit: snapshot?.rate_limit ?? server.rateLimit,
    clock: adopted?.clock ?? { now: Date.parse(dataset.now), speed: 0 },
  };
  const { label, profile = defaults.profile, rateLimit = defaults.rateLimit, ttlSeconds = 3600 } = options;
  const now = options.clock === undefined ? defaults.clock.now : startInstant(options.clock, dataset);
  const speed = options.speed ?? defaults.clock.speed;
  // In real time from now on, the clock shows the machine's time again after a reset too.
  const clock = { now, speed, ...(options.clock === "now" && speed === 1 && { at: realTime() }) };
  const assumptions = assumptionsOf(options, defaults);
  const lifetime = secondsOf(ttlSeconds) * 1000;
  const base = {
    id,
    routingPrefix,
    label,
    dataset,
    ownFixture,
    clock,
    profile,
    assumptions,
    calibrated,
    rateLimit,
    lifetime,
  };
  if (!adopted) return base;
  const { keys, ...content } = adopted;
  return { ...base, keys, initialState: { ...content, clock, assumptions } };
}

function assumptionsOf(
  { profile, assumptions }: EnvironmentOptions,
  defaults: Pick<EnvironmentConfig, "profile" | "assumptions">,
): Assumptions {
  if (profile !== undefined) return readAssumptions(profile, assumptions);
  return readAssumptions(defaults.profile, { ...defaults.assumptions, ...assumptions });
}

/** Returns the instant at which the clock starts, in milliseconds since the epoch. `clock` has been checked. */
function startInstant(clock: string, dataset: Dataset): number {
  if (clock === "now") return Date.now();
  return Date.parse(clock === "fixture" ? dataset.now : (readInstant(clock) ?? ""));
}

/** Returns the beginning of an environment's id, by which a proxy routes, if several processes share it. */
function routingPrefixOf(id: string, { db }: SandboxConfig): string | undefined {
  return id !== defaultId && isPostgresAddress(db) ? /^[A-Za-z\d]+/.exec(id)?.[0] : undefined;
}

function keysOf(id: string, dataset: Dataset, now: number, routingPrefix: string | undefined): readonly Key[] {
  return id === defaultId ? dataset.keys : keysFor(id, dataset, formatInstant(now), routingPrefix);
}
