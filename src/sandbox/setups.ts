import { setImmediate as nextTurn } from "node:timers/promises";
import { assume, type Assumptions } from "../assumptions/catalog.ts";
import type { EnvironmentOptions } from "../public/control.ts";
import { noFiles, scenarioFrom } from "../control/scenarios.ts";
import type { EnvironmentConfig, EnvironmentDocument, OpenedDocument, StoredConfig } from "../environment/document.ts";
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
import type { Configuration } from "./configuration.ts";
import { Fixtures, type LoadedSource } from "./fixtures.ts";

/** The setup of an environment without the server's part. */
type OwnSetup = StoredConfig & Pick<EnvironmentConfig, "id" | "dataset" | "profile" | "rateLimit" | "assumptions">;

/** Creates the setups of environments from a server's configuration. */
export class EnvironmentSetups {
  readonly #server: Configuration;
  readonly #fixtures: Fixtures;
  #scenarios: readonly Scenario[] | undefined;

  constructor(configuration: Configuration) {
    this.#server = configuration;
    this.#fixtures = new Fixtures(configuration);
  }

  /** Reads the fixture and the scenarios of the server's options. Throws like `Fixtures` and `scenarioFrom`. */
  async readOwnFiles(): Promise<void> {
    await this.#serverScenarios();
    if (this.#server.snapshot === undefined) await this.#fixtures.serverDataset();
  }

  /**
   * The configuration of the default environment; it has the clock, scenarios and snapshot of `before`, which it
   * replaces.
   */
  async forDefault(before?: EnvironmentConfig): Promise<EnvironmentConfig> {
    const source = await this.#fixtures.ofServer();
    const ofServer = beginningOf(defaultId, source, this.#server.environment, this.#server);
    const beginning = { ...ofServer, scenarios: await this.#serverScenarios(), lifetime: null };
    if (!before) return this.#complete(beginning);
    const { clock, scenarios, initialState, keys } = before;
    return this.#complete({ ...beginning, clock, scenarios, ...(initialState && { initialState, keys }) });
  }

  /** Setup of another environment; a remote caller cannot name files. Throws ValidationError or ControlError. */
  async for(id: string, environmentOptions: EnvironmentOptions, remote: boolean): Promise<EnvironmentConfig> {
    const options = checkedOptions(environmentSettings, { ...environmentOptions, id }, "the environment");
    const source = await this.#sourceOf(options, remote);
    const scenarios = await this.#scenariosFrom(options.scenarios, remote);
    return this.#complete({ ...beginningOf(id, source, options, this.#server), scenarios });
  }

  /** Setup and content of a snapshot's own environment, with its journal. Throws ValidationError or ControlError. */
  async forSnapshot(snapshot: object) {
    const source = await this.#fixtures.ofSnapshot(snapshot);
    const { environment: id, traffic } = source.snapshot;
    const setup = await this.#complete({ ...beginningOf(id, source, { speed: 0 }, this.#server), scenarios: [] });
    return { setup, content: setup.initialState, traffic: traffic && { journal: traffic.journal, responses: 0 } };
  }

  /** Setup and content of a stored document. Throws ValidationError for a snapshot, and OtherFixtureError. */
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

  /** Whether a restart could open an environment over a dataset again. */
  async provides({ name, digest }: Dataset): Promise<boolean> {
    return (await this.#fixtures.find(name))?.digest === digest;
  }

  /** Adds the server's part, which is the same for every environment. */
  async #complete(beginning: OwnSetup): Promise<EnvironmentConfig> {
    const { id, clock, initialState, scenarios } = beginning;
    // With thousands of keys, each of the steps before and after takes long.
    await nextTurn();
    const dataset = beginning.dataset.moveBy(initialState?.days ?? beginning.dataset.daysAt(clock.now));
    const loaded = await this.#serverScenarios();
    return {
      ...beginning,
      dataset,
      keys: beginning.keys ?? keysOf(id, dataset, clock.now, routingPrefixOf(id, this.#server)),
      delay: this.#server.delay,
      loadedScenarios: [
        ...loaded,
        ...scenarios.filter(({ name }) => loaded.every((candidate) => candidate.name !== name)),
      ],
    };
  }

  /** The dataset that options name, and their snapshot, if any. Throws ControlError for the path of a remote caller. */
  async #sourceOf(options: EnvironmentOptions, remote: boolean): Promise<LoadedSource> {
    const [fixture, snapshot] = [pathOf(options.fixture), pathOf(options.snapshot)];
    if (snapshot !== undefined) {
      if (fixture !== undefined)
        throw new ValidationError("An environment begins from a fixture or from a snapshot; omit one of them.");
      if (remote && typeof snapshot === "string") throw new ControlError("invalid", `snapshot: ${noFiles}`);
      return this.#fixtures.ofSnapshot(snapshot);
    }
    if (typeof fixture !== "object") {
      const { name } = await this.#fixtures.serverDataset();
      if (fixture === undefined || isName(fixture) || fixture === name) {
        return { dataset: await this.#fixtures.named(fixture), ownFixture: false };
      }
      if (remote) throw new ControlError("invalid", `${(await unknownFixture(fixture, [name])).message} ${noFiles}`);
    }
    const { "investment.statuses": investmentStatuses } = assumptionsOf(options, this.#server);
    const dataset = await this.#fixtures.ofCommand(fixture, { investmentStatuses });
    // A fixture in a command plays no scenarios, but naming an unknown one is an error, as when a server starts.
    await this.#scenariosFrom(dataset.scenarios, remote);
    return { dataset, ownFixture: true };
  }

  async #scenariosFrom(sources: EnvironmentOptions["scenarios"] = [], remote = false): Promise<readonly Scenario[]> {
    const { scenarios: max } = inputLimits;
    if (sources.length > max) throw new ValidationError(`scenarios: expected ${max} at most, not ${sources.length}.`);
    const loaded = sources.length > 0 ? await this.#serverScenarios() : [];
    const timeSlice = new TimeSlice();
    const scenarios: Scenario[] = [];
    for (const source of sources) {
      await timeSlice.yieldIfDue();
      scenarios.push(await scenarioFrom(source, loaded, remote));
    }
    return scenarios;
  }

  /** The scenarios that the server was started with, read once. */
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

/** The setup of an environment, without the server's part. Missing options are the snapshot's, or else the server's. */
function beginningOf(
  id: string,
  { dataset, ownFixture, snapshot }: LoadedSource,
  options: EnvironmentOptions,
  server: Configuration,
): Omit<OwnSetup, "scenarios"> {
  const { calibrated } = server;
  const routingPrefix = routingPrefixOf(id, server);
  const ownKeys = ({ content: { days, clock } }: EnvironmentDocument) =>
    keysOf(id, dataset.moveBy(days), clock.now, routingPrefix);
  // An environment begins without the traffic of another one.
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
  const terms = {
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
  if (!adopted) return terms;
  const { keys, ...content } = adopted;
  return { ...terms, keys, initialState: { ...content, clock, assumptions } };
}

function assumptionsOf(
  { profile, assumptions }: EnvironmentOptions,
  defaults: Pick<EnvironmentConfig, "profile" | "assumptions">,
): Assumptions {
  if (profile !== undefined) return readAssumptions(profile, assumptions);
  return readAssumptions(defaults.profile, { ...defaults.assumptions, ...assumptions });
}

/** The instant at which the clock starts, in milliseconds since the epoch. `clock` has been checked. */
function startInstant(clock: string, dataset: Dataset): number {
  if (clock === "now") return Date.now();
  return Date.parse(clock === "fixture" ? dataset.now : (readInstant(clock) ?? ""));
}

/**
 * The routing prefix of an environment in its keys: the beginning of its id, if several processes share the
 * environments.
 */
function routingPrefixOf(id: string, { db }: Configuration): string | undefined {
  return id !== defaultId && isPostgresAddress(db) ? /^[A-Za-z\d]+/.exec(id)?.[0] : undefined;
}

function keysOf(id: string, dataset: Dataset, now: number, routingPrefix: string | undefined): readonly Key[] {
  return id === defaultId ? dataset.keys : keysFor(id, dataset, formatInstant(now), routingPrefix);
}
