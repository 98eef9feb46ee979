import type { OfferingDescription } from "../control.ts";
import type { KnownEnvironment } from "../control/control-client.ts";
import { describeOfferings, openingSecret } from "../control/describe.ts";
import type { Environment } from "../environment/environment.ts";

/** An environment of this process. A reload changes its offerings and keys. */
export class LocalEnvironment implements KnownEnvironment {
  readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  get id(): string {
    return this.environment.id;
  }

  get offerings(): readonly OfferingDescription[] {
    return describeOfferings(this.environment);
  }

  get marketing_key(): string | null {
    return openingSecret(this.environment, "marketing");
  }

  get partner_key(): string | null {
    return openingSecret(this.environment, "partner");
  }
}
