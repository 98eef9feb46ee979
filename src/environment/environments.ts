import { randomBytes } from "node:crypto";
import { ControlError } from "../errors/control-error.ts";
import { realTime } from "../time/instant.ts";
import { Secrets } from "../secrets/secrets.ts";
import { isSameToken, hasTokenDigest, linkTokens, parseToken, type Tokens } from "../secrets/tokens.ts";
import type { EnvironmentConfig, EnvironmentData, RequestData } from "./document.ts";
import { Environment } from "./environment.ts";
import type { IssuedKey } from "./view.ts";
import type { Run } from "./run.ts";
import type { SharedEnvironments } from "./shared-environments.ts";

/** The id of the default environment, which is always open. */
export const defaultId = "default";

/** The messages for an environment that cannot be opened. */
export const openRefusals = {
  id: (id: string): string => `There is an environment "${id}" already.`,
  key: "Another environment has a key with the secret of one of its keys.",
  capacity: (capacity: number): string =>
    `There are ${capacity} environments already; delete one first, or start with a higher --max-environments.`,
};

/** The environments of a server. Their number is limited, and a secret of a key leads to its environment. */
export class Environments {
  /** The secrets of all keys, even of those that are issued in the future. */
  readonly secrets = new Secrets();
  readonly #environments = new Map<string, Environment>();
  readonly #environmentsBySecret = new Map<string, Environment>();
  readonly #capacity: number;
  /** The secret from which the tokens of links are derived. No token reveals it, nor the token of another link. */
  readonly #linkSecret: Buffer;
  /** The environments in the database; undefined without a database that several processes share. */
  shared: SharedEnvironments | undefined;
  #lastNumber = 0;
  #onChange: (environment: Environment) => void = () => {};
  #onProblem: (run: Run, environment: Environment) => void = () => {};

  /** `capacity` counts the default environment too. `linkSecret` is random in each process, unless several share it. */
  constructor(capacity: number, linkSecret: Buffer = randomBytes(32)) {
    this.#capacity = capacity;
    this.#linkSecret = linkSecret;
  }

  get default(): Environment {
    return this.find(defaultId);
  }

  /** The open environments, oldest first. */
  get all(): readonly Environment[] {
    this.deleteExpired();
    return [...this.#environments.values()];
  }

  /** Calls the listener when the data of an environment has changed, and when an environment was opened or deleted. */
  onChange(listener: (environment: Environment) => void): void {
    this.#onChange = listener;
  }

  /** Calls the listener for each run that stops because a step or repetition was impossible. */
  onProblem(listener: (run: Run, environment: Environment) => void): void {
    this.#onProblem = listener;
  }

  nextId(): string {
    let id: string;
    do id = `environment-${++this.#lastNumber}`;
    while (this.#environments.has(id));
    return id;
  }

  /**
   * Finds an environment, and counts it as used. Throws ControlError if it is not open, or if its `uid` is another:
   * then it is a later environment with the same id.
   */
  find(id: string, uid?: string): Environment {
    const environment = this.#environments.get(id);
    if (environment && uid !== undefined && environment.uid !== uid) {
      throw new ControlError("not_found", "The environment was deleted; another environment has its id now.");
    }
    if (!environment || !this.#markUsed(environment)) {
      throw new ControlError("not_found", "There is no environment of this id.");
    }
    return environment;
  }

  /** Returns the environment of an id, without counting it as used; undefined if there is none. */
  get(id: string): Environment | undefined {
    return this.#environments.get(id);
  }

  /** Whether an environment is open. It does not count as used. */
  has(environment: Environment): boolean {
    return this.#environments.get(environment.id) === environment;
  }

  /** Finds the key with this secret in any environment, which then counts as used. */
  findKey(secret: string): IssuedKey | undefined {
    const environment = this.#environmentsBySecret.get(secret);
    return environment && this.#markUsed(environment) ? environment.find(secret) : undefined;
  }

  /** Returns the id of the open environment of a token, and the token's right; undefined if no environment has it. */
  ownerOf(token: string): ReturnType<typeof parseToken> {
    const owner = parseToken(token);
    const environment = owner && this.#environments.get(owner.id);
    if (!owner || !environment || !this.#checkOpen(environment, realTime())) return undefined;
    const digest = environment.config.tokens?.[owner.right];
    const isIssued = digest !== undefined && hasTokenDigest(token, digest);
    return isIssued || isSameToken(token, this.linkTokens(environment)[owner.right]) ? owner : undefined;
  }

  /** Returns the tokens in links to an environment. They are valid until it is deleted or the process ends. */
  linkTokens(environment: Environment): Tokens {
    return linkTokens(this.#linkSecret, environment);
  }

  /** Opens an environment. Throws ControlError if its id or a secret is in use, or if the capacity is exhausted. */
  open(config: EnvironmentConfig, data?: EnvironmentData, requestData?: RequestData): Environment {
    this.deleteExpired();
    if (this.#environments.has(config.id)) throw new ControlError("conflict", openRefusals.id(config.id));
    if (this.#environments.size >= this.#capacity)
      throw new ControlError("conflict", openRefusals.capacity(this.#capacity));
    const environment = new Environment(config, data, requestData);
    if (Array.from(environment.secrets).some((secret) => this.#environmentsBySecret.has(secret))) {
      throw new ControlError("conflict", openRefusals.key);
    }
    this.#environments.set(config.id, environment);
    environment.registerSecrets({
      add: (secret) => {
        // A run may continue in a deleted environment.
        if (!this.has(environment)) return;
        this.#environmentsBySecret.set(secret, environment);
        this.secrets.add(secret);
      },
      delete: (secret) => this.#forgetSecret(secret),
      isForeign: (secret) => (this.#environmentsBySecret.get(secret) ?? environment) !== environment,
    });
    environment.onProblem = (run) => this.#onProblem(run, environment);
    environment.onChange(() => {
      if (this.has(environment)) this.#onChange(environment);
    });
    this.#onChange(environment);
    return environment;
  }

  /** Deletes an environment; does nothing if it was already deleted. */
  delete(environment: Environment): void {
    if (!this.has(environment)) return;
    this.forget(environment);
    // No command informs the database of an expiry, and a restart must not revive the environment.
    this.#onChange(environment);
  }

  /** Forgets an environment that another process may continue. */
  forget(environment: Environment): void {
    if (!this.has(environment)) return;
    environment.cancel();
    environment.waiting.abort();
    this.#environments.delete(environment.id);
    for (const secret of environment.secrets) this.#forgetSecret(secret);
  }

  /** Returns the milliseconds after which an environment expires without a use; null: never. */
  remainingTime(environment: Environment): number | null {
    const expiry = expiryOf(environment);
    return expiry === null ? null : expiry - realTime();
  }

  deleteExpired(): void {
    const now = realTime();
    for (const environment of this.#environments.values()) this.#checkOpen(environment, now);
  }

  #forgetSecret(secret: string): void {
    this.#environmentsBySecret.delete(secret);
    this.secrets.delete(secret);
  }

  #markUsed(environment: Environment): boolean {
    const now = realTime();
    if (!this.#checkOpen(environment, now)) return false;
    environment.lastUsedAt = now;
    return true;
  }

  /** Returns whether an environment is still open. Deletes it if it has expired. */
  #checkOpen(environment: Environment, now: number): boolean {
    const expiry = expiryOf(environment);
    // Another process may use an environment that several share, so only the database knows when it expires.
    if (expiry === null || now <= expiry || environment.lease) return true;
    this.delete(environment);
    return false;
  }
}

/** Returns the time at which an environment expires without a use, in milliseconds of `realTime`; null: never. */
export function expiryOf({ lastUsedAt, config: { lifetime } }: Environment): number | null {
  return lifetime === null ? null : lastUsedAt + lifetime;
}
