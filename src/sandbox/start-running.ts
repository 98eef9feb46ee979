import { type SandboxConfig, configure, type Surroundings } from "./configuration.ts";
import type { LocalSandbox, SandboxOptions } from "../public/control.ts";
import { ControlSandbox, type KnownEnvironment } from "../control/control-client.ts";
import { describeOfferings, openingSecret } from "../control/describe.ts";
import type { Environment } from "../environment/environment.ts";
import { withCallerStacks } from "../validation/from-caller.ts";
import { readExecVariable } from "./exec-settings.ts";
import { CoverageCounter } from "./coverage-counter.ts";
import { EnvironmentConfigs } from "./environment-configs.ts";
import { Environments } from "../environment/environments.ts";
import { RunningSandbox, type SandboxDependencies } from "./running-sandbox.ts";
import { ValidationError } from "../validation/errors.ts";
import { isAddress, isPostgresAddress } from "../settings/source-kinds.ts";
import type { Database } from "../storage/database.ts";
import type { Timings } from "../storage/postgres/session.ts";
import type { Storage } from "../storage/storage.ts";

/** Options of the sandboxes that `exec` and the plugin of Vite start for themselves. */
interface StartHooks extends Surroundings, Partial<Pick<SandboxDependencies, "beforeDelete" | "usesFile">> {
  /** Called with a message while the start waits. Without it, the process warns. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** Shorter times than the usual ones for PostgreSQL, for tests. */
  readonly timings?: Partial<Timings> | undefined;
}

/** Starts a sandbox like `startSandbox`, for callers inside the package. */
export async function startRunning(options: SandboxOptions = {}, hooks: StartHooks = {}) {
  const { beforeDelete, isAlone, folder, usesFile = isAlone ? undefined : readExecVariable().usesFile } = hooks;
  const configuration = await configure(options, hooks);
  const configs = new EnvironmentConfigs(configuration);
  const coverage = new CoverageCounter();
  const opened = await openStorage(configs, configuration, coverage, hooks);
  const sandbox = new RunningSandbox({ configuration, configs, ...opened, coverage, beforeDelete, usesFile, folder });
  await orClose(opened.storage, () => sandbox.listen());
  return {
    sandbox: new LocalControl(sandbox),
    environments: opened.environments,
    drain: (milliseconds: number) => sandbox.drain(milliseconds),
  };
}

async function orClose<Result>(storage: Storage | undefined, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    await storage?.close();
    throw error;
  }
}

async function openStorage(
  configs: EnvironmentConfigs,
  configuration: SandboxConfig,
  coverage: CoverageCounter,
  hooks: StartHooks,
) {
  const { db, onFailure, maxEnvironments } = configuration;
  if (db !== undefined && isPostgresAddress(db))
    return openPostgres(configs, { ...configuration, db }, coverage, hooks);
  const environments = new Environments(maxEnvironments);
  if (db === undefined) {
    environments.open(await configs.forDefault());
    return { storage: undefined, environments };
  }
  if (isAddress(db)) {
    throw new ValidationError(
      "db is an address of another kind; expected a file, or postgres://user@host:port/database.",
    );
  }
  const { Database } = await import("../storage/database.ts");
  const storage = await Database.open(db);
  return orClose(storage, async () => {
    storage.expectAtMost(maxEnvironments);
    await openStored(storage, configs, environments);
    await storage.startSaving(environments, onFailure);
    return { storage, environments };
  });
}

async function openPostgres(
  configs: EnvironmentConfigs,
  { db, onFailure, maxEnvironments, ...sharedSettings }: SandboxConfig & { readonly db: string },
  coverage: CoverageCounter,
  { timings, onWait = (message) => process.emitWarning(message) }: StartHooks,
) {
  const { Postgres } = await import("../storage/postgres/postgres.ts");
  await configs.readOwnFiles();
  const storage = await Postgres.open(db, {
    maxEnvironments,
    onFailure,
    timings,
    onWait,
    sharedSettings,
    coverage,
    open: (document) => configs.forStored(document),
  });
  return orClose(storage, async () => {
    const environments = new Environments(Infinity, storage.linkSecret);
    const password = decodeURIComponent(new URL(db).password);
    if (password !== "") environments.secrets.add(password);
    await storage.startSaving(environments, () => configs.forDefault());
    return { storage, environments };
  });
}

/** Opens the stored environments, or the default one. Changes due while they were stored happen now. */
async function openStored(database: Database, configs: EnvironmentConfigs, environments: Environments): Promise<void> {
  const { stored } = database;
  if (stored.length === 0) return void environments.open(await configs.forDefault());
  await configs.readOwnFiles();
  await database.openAll(async () => {
    for (const document of stored) {
      const { config, data } = await configs.forStored(document);
      await environments.open(config, data).whenCaughtUp(() => {});
    }
    return environments.default;
  });
}

class LocalControl extends ControlSandbox implements LocalSandbox {
  readonly #sandbox: RunningSandbox;

  constructor(sandbox: RunningSandbox) {
    super(sandbox, toKnownEnvironment(sandbox.environments.default));
    this.#sandbox = sandbox;
  }

  get adminToken(): string | null {
    return this.#sandbox.configuration.adminToken;
  }

  get configFile(): string | null {
    return this.#sandbox.configuration.configFile ?? null;
  }

  get snapshotDir(): string | null {
    return this.#sandbox.configuration.snapshotDir ?? null;
  }

  reload(options: SandboxOptions): Promise<void> {
    return this.#sandbox.reload(options);
  }
}

withCallerStacks(LocalControl.prototype);

/** Reads offerings and keys at each use, because a reload changes them. */
function toKnownEnvironment(environment: Environment): KnownEnvironment {
  return {
    id: environment.id,
    get offerings() {
      return describeOfferings(environment);
    },
    get marketing_key() {
      return openingSecret(environment, "marketing");
    },
    get partner_key() {
      return openingSecret(environment, "partner");
    },
  };
}
