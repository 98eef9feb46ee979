import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { ControlSandbox, type KnownEnvironment } from "../control/control-client.ts";
import { describeOfferings, openingSecret } from "../control/describe.ts";
import type { Environment } from "../environment/environment.ts";
import type { RunningSandbox } from "./running-sandbox.ts";

/** The commands of a sandbox of this process. */
export class LocalControl extends ControlSandbox implements LocalSandbox {
  readonly #sandbox: RunningSandbox;

  constructor(sandbox: RunningSandbox) {
    super(sandbox, toKnownEnvironment(sandbox.environments.default));
    this.#sandbox = sandbox;
  }

  get adminToken(): string | null {
    return this.#sandbox.adminToken;
  }

  get configFile(): string | null {
    return this.#sandbox.configFile;
  }

  get casesDir(): string | null {
    return this.#sandbox.casesDir;
  }

  reload(options: SandboxOptions): Promise<void> {
    return this.#sandbox.reload(options);
  }
}

/** An environment as it is: a reload changes its offerings and keys. */
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
