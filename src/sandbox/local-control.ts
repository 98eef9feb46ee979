import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { ControlSandbox } from "../control/control-client.ts";
import { LocalEnvironment } from "./local-environment.ts";
import type { RunningSandbox } from "./running-sandbox.ts";

/** The commands of a sandbox of this process. */
export class LocalControl extends ControlSandbox<LocalEnvironment> implements LocalSandbox {
  readonly #sandbox: RunningSandbox;

  constructor(sandbox: RunningSandbox) {
    super(sandbox, new LocalEnvironment(sandbox.environments.default));
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
