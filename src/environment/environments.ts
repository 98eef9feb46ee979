import { ControlError } from "../errors/control-error.ts";
import { PlainSecrets } from "../model/plain-secrets.ts";
import type { EnvironmentContent, EnvironmentSetup } from "./environment-content.ts";
import { Environment } from "./environment.ts";
import type { IssuedKey } from "./view.ts";

/** The id of the environment that is always there. */
export const defaultId = "default";

/** How an environment is kept among others. */
interface Place {
  readonly environment: Environment;
  lastUsed: number;
}

/** The environments of a server: bounded in number, found by the secrets of their keys. */
export class Environments {
  /** The keys of all of them, issued by now or not. */
  readonly plainSecrets = new PlainSecrets();
  readonly #places = new Map<string, Place>();
  readonly #bySecret = new Map<string, Place>();
  readonly #most: number;
  readonly #realTime: () => number;
  #made = 0;
  #toldOfChange: () => void = () => {};

  /** `most` is how many may be open at once, the default one included. */
  constructor(most: number, realTime: () => number = Date.now) {
    this.#most = most;
    this.#realTime = realTime;
  }

  get default(): Environment {
    return this.find(defaultId);
  }

  /** The open ones, in the order in which they were opened. */
  get all(): readonly Environment[] {
    this.#dropIdle();
    return Array.from(this.#places.values(), ({ environment }) => environment);
  }

  /** Tells of every change to what is kept of any of them, but for their clocks'. */
  tellChanges(told: () => void): void {
    this.#toldOfChange = told;
  }

  /** An id that is free. */
  nextId(): string {
    let id: string;
    do id = `environment-${++this.#made}`;
    while (this.#places.has(id));
    return id;
  }

  /** The environment of this id, which counts as used. Throws ControlError when it is not open. */
  find(id: string): Environment {
    const place = this.#places.get(id);
    if (!place) throw new ControlError("not_found", "There is no environment of this id.");
    place.lastUsed = this.#realTime();
    return place.environment;
  }

  /** Notes that an environment is used. Throws ControlError when it was dropped, even if another has its id now. */
  use(environment: Environment): void {
    if (this.find(environment.id) !== environment) throw new ControlError("not_found", "The environment was dropped.");
  }

  /** The key with this secret, in whichever environment; it counts as used. */
  findKey(secret: string): IssuedKey | undefined {
    const place = this.#bySecret.get(secret);
    if (!place) return undefined;
    place.lastUsed = this.#realTime();
    return place.environment.find(secret);
  }

  /** Opens an environment. One of the same id is in its way, and so are too many. Throws ControlError. */
  open(opening: EnvironmentSetup, kept?: EnvironmentContent): Environment {
    this.#dropIdle();
    if (this.#places.has(opening.id))
      throw new ControlError("conflict", `There is an environment "${opening.id}" already.`);
    if (this.#places.size >= this.#most) {
      throw new ControlError("conflict", `There are ${this.#most} environments already; drop one first.`);
    }
    const environment = new Environment(opening, kept);
    const place: Place = { environment, lastUsed: this.#realTime() };
    this.#places.set(opening.id, place);
    environment.tellSecrets((secret) => {
      this.#bySecret.set(secret, place);
      this.plainSecrets.add(secret);
    });
    environment.tellChanges(() => this.#toldOfChange());
    return environment;
  }

  /** Drops an environment; may be told twice. */
  drop(environment: Environment): void {
    if (this.#places.get(environment.id)?.environment !== environment) return;
    this.#places.delete(environment.id);
    for (const secret of environment.secrets) {
      this.#bySecret.delete(secret);
      this.plainSecrets.delete(secret);
    }
  }

  #dropIdle(): void {
    const now = this.#realTime();
    for (const { environment, lastUsed } of this.#places.values()) {
      if (now - lastUsed > environment.opening.lifetime) this.drop(environment);
    }
  }
}
