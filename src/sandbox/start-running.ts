import { type Configuration, configure } from "./configuration.ts";
import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { ControlSandbox, type KnownEnvironment } from "../control/control-client.ts";
import { describeOfferings, openingSecret } from "../control/describe.ts";
import type { Environment } from "../environment/environment.ts";
import { readExecVariable } from "./exec-settings.ts";
import { EnvironmentSetups } from "./setups.ts";
import { Environments } from "../environment/environments.ts";
import { RunningSandbox } from "./running-sandbox.ts";
import { readSnapshot } from "../environment/snapshot.ts";
import type { Database } from "../storage/database.ts";

/** Most sandboxes store nothing. */
const storage = () => import("../storage/database.ts");

interface Running {
  readonly sandbox: LocalSandbox;
  /** The environments as the server has them. */
  readonly environments: Environments;
  readonly drain: RunningSandbox["drain"];
}

/** Options of the sandbox that `exec` starts for itself. */
interface ExecHooks {
  /** Called with the id of an environment before it is dropped. */
  readonly beforeDrop?: ((id: string) => Promise<void>) | undefined;
  /** Replaces the file of an outer `exec`. */
  readonly usesFile?: string | undefined;
}

/** Starts a sandbox as `startSandbox` does, for callers inside the package. */
export async function startRunning(
  options: SandboxOptions = {},
  { beforeDrop, usesFile = readExecVariable().usesFile }: ExecHooks = {},
): Promise<Running> {
  const configuration = await configure(options);
  const setups = new EnvironmentSetups(configuration);
  const database = await openDatabase(configuration);
  try {
    const environments = await openEnvironments(setups, database, configuration);
    const sandbox = new RunningSandbox({ configuration, setups, environments, database, beforeDrop, usesFile });
    await database?.keep(environments, configuration.onFailure);
    await sandbox.listen();
    return {
      sandbox: new LocalControl(sandbox),
      environments,
      drain: (milliseconds) => sandbox.drain(milliseconds),
    };
  } catch (error) {
    await database?.close();
    throw error;
  }
}

async function openDatabase({ db }: Configuration): Promise<Database | undefined> {
  if (db === undefined) return undefined;
  const { Database } = await storage();
  return Database.open(db);
}

/** Opens the stored environments, or the default one. Changes due while they were stored happen now. */
async function openEnvironments(
  setups: EnvironmentSetups,
  database: Database | undefined,
  { maxEnvironments, shard }: Configuration,
): Promise<Environments> {
  const environments = new Environments(maxEnvironments, shard);
  const stored = database?.stored ?? [];
  if (!database || stored.length === 0) {
    environments.open(await setups.forDefault());
    return environments;
  }
  database.expectAtMost(maxEnvironments);
  await setups.readOwnFiles();
  for (const one of stored) {
    await database.opening(async () => {
      const snapshot = await readSnapshot(one);
      const { setup, content } = await setups.forStored(snapshot);
      database.expectDataset(snapshot, setup.dataset);
      const environment = environments.open(setup, content);
      await environment.whenCaughtUp(() => environment.created);
    });
  }
  await database.opening(() => environments.default);
  return environments;
}

/** The commands of a sandbox of this process. */
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

  get casesDir(): string | null {
    return this.#sandbox.configuration.casesDir ?? null;
  }

  reload(options: SandboxOptions): Promise<void> {
    return this.#sandbox.reload(options);
  }
}

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
