import { assume } from "../assumptions/assume.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { EnvironmentOptions } from "../control.ts";
import { noFiles, scenarioFrom } from "../control/scenarios.ts";
import type { OwnSetup, EnvironmentSetup, Traffic, SnapshotContent } from "../environment/environment-content.ts";
import { defaultId } from "../environment/environments.ts";
import { keysFor, keysOfFixture } from "../environment/keys.ts";
import { adopt, type ReadSnapshot } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { unknownFixture } from "../fixture/read.ts";
import { formatInstant, readInstant } from "../model/instant.ts";
import { Mistake } from "../model/mistakes.ts";
import type { Key } from "../model/resources.ts";
import { isName } from "../model/text.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { inputLimits } from "../model/bounds.ts";
import { environmentSettings } from "../settings/environment-settings.ts";
import { secondsOf } from "../settings/kinds.ts";
import { pathOf } from "../settings/source-kinds.ts";
import { checkedOptions, readAssumptions } from "../settings/values.ts";
import type { Configuration } from "./configuration.ts";
import { type LoadedSource, Fixtures, type Source } from "./fixtures.ts";

/** Creates the setups of environments from a server's configuration. */
export class EnvironmentSetups {
  readonly #server: Configuration;
  readonly #fixtures: Fixtures;
  #scenarios: readonly Scenario[] | undefined;

  constructor(configuration: Configuration) {
    this.#server = configuration;
    this.#fixtures = new Fixtures(configuration);
  }

  /** Reads the fixture and the scenarios of the server's options. Throws as `Fixtures.basis` and `scenarioFrom` do. */
  async readOwnFiles(): Promise<void> {
    await this.#serverScenarios();
    if (this.#server.snapshot === undefined) await this.#fixtures.own();
  }

  /**
   * Setup of the default environment; after another one, it begins as that did. Throws as `Fixtures.basis` and `scenarioFrom` do.
   */
  async forDefault(before?: EnvironmentSetup): Promise<EnvironmentSetup> {
    const basis = await this.#fixtures.load({ kind: "server" });
    const ofServer = beginningOf(defaultId, basis, this.#server.environment, this.#server);
    const beginning = { ...ofServer, scenarios: await this.#serverScenarios(), lifetime: null };
    if (!before) return this.#complete(beginning);
    const { clock, scenarios, initialState, keys } = before;
    return this.#complete({ ...beginning, clock, scenarios, ...(initialState && { initialState, keys }) });
  }

  /** Setup of another environment; no file is read for a remote caller. Throws Mistake or ControlError for invalid options. */
  async for(id: string, given: EnvironmentOptions, remote: boolean): Promise<EnvironmentSetup> {
    const options = checkedOptions(environmentSettings, { ...given, id }, "the environment");
    const source = await sourceIn(options, remote, () => this.#fixtures.own(), this.#server);
    const basis = await this.#fixtures.load(source);
    // The scenarios of a sent fixture are not played, but an unknown name is a mistake, as at a start.
    if (source.kind === "inline") await this.#scenariosFrom(basis.dataset.scenarios, remote);
    const scenarios = await this.#scenariosFrom(options.scenarios, remote);
    return this.#complete({ ...beginningOf(id, basis, options, this.#server), scenarios });
  }

  /** Setup and content of a snapshot's own environment, with its journal. Throws Mistake or ControlError. */
  async forSnapshot(
    source: object,
  ): Promise<{ readonly setup: EnvironmentSetup; readonly content: SnapshotContent | undefined }> {
    const basis = await this.#fixtures.load({ kind: "snapshot", snapshot: source });
    const { environment: id = "", content: { journal } = {} } = basis.snapshot ?? {};
    const setup = await this.#complete({ ...beginningOf(id, basis, { speed: 0 }, this.#server), scenarios: [] });
    return { setup, content: setup.initialState && { ...setup.initialState, ...(journal && { journal }) } };
  }

  /**
   * Setup and content of a stored environment. Throws Mistake if it was kept under another shard, whose mark its keys have, and for
   * a snapshot.
   */
  async forStored(
    snapshot: ReadSnapshot,
  ): Promise<{ readonly setup: EnvironmentSetup; readonly content: SnapshotContent }> {
    const { environment: id, setup: stored, content, profile, rate_limit: rateLimit } = snapshot;
    if (!stored) throw new Mistake(`the environment "${id}" has no setup: it is a snapshot`);
    const { shard } = stored;
    if (shard !== this.#server.shard) {
      const before = shard === undefined ? "without --shard" : `with --shard ${shard}`;
      throw new Mistake(`the environment "${id}" was opened ${before}; start ${before}`);
    }
    const basis = await this.#fixtures.load({ kind: "stored", snapshot, isDefault: id === defaultId });
    // This version may have assumptions that the one before did not have.
    const assumptions = assume(profile, stored.assumptions ?? content.assumptions);
    return {
      setup: await this.#complete({ ...stored, id, ...basis, profile, rateLimit, assumptions }),
      content: {
        ...content,
        assumptions: stored.assumptions ? { ...assumptions, ...content.assumptions } : assumptions,
      },
    };
  }

  /** Whether a restart could open an environment over a dataset again. */
  async provides({ name, digest }: Dataset): Promise<boolean> {
    return (await this.#fixtures.find(name))?.digest === digest;
  }

  /** Adds the server's part, which is the same for every environment. */
  async #complete(beginning: OwnSetup): Promise<EnvironmentSetup> {
    const { id, clock, initialState, scenarios } = beginning;
    const dataset = beginning.dataset.movedBy(initialState?.days ?? beginning.dataset.daysAt(clock.now));
    const loaded = await this.#serverScenarios();
    return {
      ...beginning,
      dataset,
      keys: beginning.keys ?? keysOf(id, dataset, clock.now, this.#server.shard),
      delay: this.#server.delay,
      loadedScenarios: [...loaded, ...scenarios.filter(({ name }) => loaded.every((other) => other.name !== name))],
      journalCapacity: inputLimits.journal,
    };
  }

  async #scenariosFrom(sources: EnvironmentOptions["scenarios"] = [], remote = false): Promise<readonly Scenario[]> {
    const loaded = sources.length > 0 ? await this.#serverScenarios() : [];
    return Promise.all(sources.map((source) => scenarioFrom(source, loaded, remote)));
  }

  /** The scenarios of the server's start, read once. */
  async #serverScenarios(): Promise<readonly Scenario[]> {
    this.#scenarios ??= await this.#loadScenarios();
    return this.#scenarios;
  }

  async #loadScenarios(): Promise<readonly Scenario[]> {
    const { scenarios, snapshot } = this.#server;
    // A snapshot has the runs of its fixture's scenarios.
    const ofFixture = async () => (snapshot === undefined ? (await this.#fixtures.own()).scenarios : []);
    const sources = scenarios === "fixture" ? await ofFixture() : scenarios;
    return Promise.all(sources.map((source) => scenarioFrom(source, [])));
  }
}

const snapshotOrFixture = "An environment begins from a fixture or from a snapshot; leave out one of them.";

/** The source in options. `own` reads the server's dataset. Throws ControlError for the path of a remote caller. */
async function sourceIn(
  options: EnvironmentOptions,
  remote: boolean,
  own: () => Promise<Dataset>,
  server: Configuration,
): Promise<Source> {
  const [fixture, snapshot] = [pathOf(options.fixture), pathOf(options.snapshot)];
  if (snapshot !== undefined) {
    if (fixture !== undefined) throw new Mistake(snapshotOrFixture);
    if (remote && typeof snapshot === "string") throw new ControlError("invalid", `snapshot: ${noFiles}`);
    return { kind: "snapshot", snapshot };
  }
  if (fixture === undefined) return { kind: "fixture" };
  if (typeof fixture === "string") {
    const { name } = await own();
    if (isName(fixture) || fixture === name) return { kind: "fixture", name: fixture };
    if (remote) throw new ControlError("invalid", `${(await unknownFixture(fixture, [name])).message} ${noFiles}`);
  }
  const { "investment.statuses": investmentStatuses } = assumptionsOf(options, server);
  return { kind: "inline", fixture, options: { investmentStatuses } };
}

/** Seconds without a request or command after which an environment is dropped. */
const ttl = 3600;

/** The beginning of an environment. A snapshot, or else the server, has the values of missing options. */
function beginningOf(
  id: string,
  { dataset, ownFixture, snapshot }: LoadedSource,
  options: EnvironmentOptions,
  server: Configuration,
): Omit<OwnSetup, "scenarios"> {
  const { shard, calibrated } = server;
  const adopted = snapshot && adoptedBy(id, snapshot, dataset, server);
  const defaults = {
    profile: snapshot?.profile ?? server.profile,
    assumptions: adopted?.assumptions ?? server.assumptions,
    rateLimit: snapshot?.rate_limit ?? server.rateLimit,
    clock: adopted?.clock ?? { now: Date.parse(dataset.now), speed: 0 },
  };
  const { label, profile = defaults.profile, rateLimit = defaults.rateLimit, ttlSeconds = ttl } = options;
  const now = options.clock === undefined ? defaults.clock.now : startInstant(options.clock, dataset);
  const clock = { now, speed: options.speed ?? defaults.clock.speed };
  const assumptions = assumptionsOf(options, defaults);
  const lifetime = secondsOf(ttlSeconds) * 1000;
  const terms = { id, shard, label, dataset, ownFixture, clock, profile, assumptions, calibrated, rateLimit, lifetime };
  if (!adopted) return terms;
  const { keys, ...content } = adopted;
  return { ...terms, keys, initialState: { ...content, clock, assumptions } };
}

/** The content of a snapshot for an environment, without its traffic. */
function adoptedBy(
  id: string,
  snapshot: ReadSnapshot,
  dataset: Dataset,
  { shard, assumptions }: Configuration,
): Omit<ReturnType<typeof adopt>, keyof Traffic> {
  const { days, clock } = snapshot.content;
  const keys = keysOf(id, dataset.movedBy(days), clock.now, shard);
  const {
    limits: _,
    journal: __,
    answers: ___,
    ...content
  } = adopt(snapshot, { id, shard, dataset, assumptions, keys });
  return content;
}

function assumptionsOf(
  { profile, assumptions }: EnvironmentOptions,
  defaults: Pick<EnvironmentSetup, "profile" | "assumptions">,
): Assumptions {
  if (profile !== undefined) return readAssumptions(profile, assumptions);
  return readAssumptions(defaults.profile, { ...defaults.assumptions, ...assumptions });
}

/** The milliseconds since the epoch of a checked start of the clock. */
function startInstant(clock: string, dataset: Dataset): number {
  if (clock === "now") return Date.now();
  return Date.parse(clock === "fixture" ? dataset.now : (readInstant(clock) ?? ""));
}

/** The keys of an environment without a snapshot. */
function keysOf(id: string, dataset: Dataset, now: number, shard: string | undefined): readonly Key[] {
  return id === defaultId ? keysOfFixture(dataset, shard) : keysFor(id, dataset, formatInstant(now), shard);
}
