import { randomBytes } from "node:crypto";
import { ControlError } from "../errors/control-error.ts";
import { realTime } from "../model/instant.ts";
import { Secrets } from "../model/secrets.ts";
import { isToken, isTokenOf, linkTokens, namedBy, type Tokens } from "../model/tokens.ts";
import type { EnvironmentContent, EnvironmentSetup } from "./environment-content.ts";
import { Environment } from "./environment.ts";
import type { IssuedKey } from "./view.ts";
import type { Run } from "./run.ts";
import type { SharedEnvironments } from "./shared-environments.ts";

/** The id of the default environment, which is always open. */
export const defaultId = "default";

/** Why an environment cannot be opened. */
export const openRefusals = {
  id: (id: string): string => `There is an environment "${id}" already.`,
  key: "Another environment has a key with the secret of one of its keys.",
  capacity: (capacity: number): string =>
    `There are ${capacity} environments already; drop one first, or start with a higher --max-environments.`,
};

/** An open environment. */
interface OpenEnvironment {
  readonly environment: Environment;
  /** The last use, in milliseconds of `realTime`. */
  lastUsed: number;
}

/** The environments of a server: bounded in number, found by the secrets of their keys. */
export class Environments {
  /** The secrets of all keys, issued by now or in the future. */
  readonly secrets = new Secrets();
  readonly #entries = new Map<string, OpenEnvironment>();
  readonly #bySecret = new Map<string, OpenEnvironment>();
  readonly #capacity: number;
  /** The secret from which the tokens of links are derived. No token reveals it, or the token of another link. */
  readonly #linkSecret: Buffer;
  /** Undefined without a database that several processes share. */
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
    this.dropExpired();
    return Array.from(this.#entries.values(), ({ environment }) => environment);
  }

  /** Calls the listener after every change of the content of an environment, and after one was opened or dropped. */
  onChange(listener: (environment: Environment) => void): void {
    this.#onChange = listener;
  }

  /** Calls the listener for each run that stops because a step or repetition was impossible. */
  onProblem(listener: (run: Run, environment: Environment) => void): void {
    this.#onProblem = listener;
  }

  /** Returns a free id. */
  nextId(): string {
    let id: string;
    do id = `environment-${++this.#lastNumber}`;
    while (this.#entries.has(id));
    return id;
  }

  /**
   * Finds an environment, and counts it as used. Throws ControlError if it is not open, or has another `uid`: then it
   * is a later one with this id.
   */
  find(id: string, uid?: string): Environment {
    const entry = this.#entries.get(id);
    if (entry && uid !== undefined && entry.environment.uid !== uid) {
      throw new ControlError("not_found", "The environment was dropped; another one has its id now.");
    }
    if (!entry || !this.#use(entry)) throw new ControlError("not_found", "There is no environment of this id.");
    return entry.environment;
  }

  /** The environment of an id, which does not count as used; undefined if there is none. */
  get(id: string): Environment | undefined {
    return this.#entries.get(id)?.environment;
  }

  /** Whether an environment is open; it does not count as used. */
  has(environment: Environment): boolean {
    return this.#entries.get(environment.id)?.environment === environment;
  }

  /** Finds the key with this secret in any environment, which then counts as used. */
  findKey(secret: string): IssuedKey | undefined {
    const entry = this.#bySecret.get(secret);
    return entry && this.#use(entry) ? entry.environment.find(secret) : undefined;
  }

  /** The id of the open environment whose own token this is, and the token's right; undefined if there is none. */
  ownerOf(token: string): ReturnType<typeof namedBy> {
    const named = namedBy(token);
    const entry = named && this.#entries.get(named.id);
    if (!named || !entry || !this.#isOpen(entry, realTime())) return undefined;
    const digest = entry.environment.setup.tokens?.[named.right];
    const isIssued = digest !== undefined && isTokenOf(token, digest);
    return isIssued || isToken(token, this.linkTokens(entry.environment)[named.right]) ? named : undefined;
  }

  /** The tokens in links to an environment, until it is dropped or the process ends. */
  linkTokens(environment: Environment): Tokens {
    return linkTokens(this.#linkSecret, environment);
  }

  /** Opens an environment. Throws ControlError if its id or a secret is taken or the capacity is used up. */
  open(setup: EnvironmentSetup, content?: EnvironmentContent): Environment {
    this.dropExpired();
    if (this.#entries.has(setup.id)) throw new ControlError("conflict", openRefusals.id(setup.id));
    if (this.#entries.size >= this.#capacity) throw new ControlError("conflict", openRefusals.capacity(this.#capacity));
    const environment = new Environment(setup, content);
    if (Array.from(environment.secrets).some((secret) => this.#bySecret.has(secret))) {
      throw new ControlError("conflict", openRefusals.key);
    }
    const entry = { environment, lastUsed: realTime() };
    this.#entries.set(setup.id, entry);
    environment.enterSecrets({
      add: (secret) => {
        // A run may go on in a dropped environment.
        if (this.#entries.get(setup.id) !== entry) return;
        this.#bySecret.set(secret, entry);
        this.secrets.add(secret);
      },
      delete: (secret) => this.#forgetSecret(secret),
      isForeign: (secret) => (this.#bySecret.get(secret) ?? entry) !== entry,
    });
    let { parts } = environment;
    const reported = new WeakSet(stoppedBy(environment));
    environment.onChange(() => {
      // Runs that came with a content were reported where they stopped.
      const isTakenOver = parts !== environment.parts;
      ({ parts } = environment);
      for (const run of stoppedBy(environment)) {
        if (!reported.has(run) && !isTakenOver) this.#onProblem(run, environment);
        reported.add(run);
      }
      if (this.has(environment)) this.#onChange(environment);
    });
    this.#onChange(environment);
    return environment;
  }

  /** Drops an environment; does nothing if it was dropped before. */
  drop(environment: Environment): void {
    if (!this.has(environment)) return;
    this.forget(environment);
    // No command informs the database of an expiry, and a restart must not revive the environment.
    this.#onChange(environment);
  }

  /** Forgets an environment that lives on elsewhere. */
  forget(environment: Environment): void {
    if (!this.has(environment)) return;
    environment.cancel();
    environment.waiting.abort();
    this.#entries.delete(environment.id);
    for (const secret of environment.secrets) this.#forgetSecret(secret);
  }

  /** The milliseconds after which an environment expires without a use; null: never. */
  remainingTime({ id, setup: { lifetime } }: Environment): number | null {
    const now = realTime();
    return lifetime === null ? null : lifetime - (now - (this.#entries.get(id)?.lastUsed ?? now));
  }

  /** Drops the environments whose idle time is over. */
  dropExpired(): void {
    const now = realTime();
    for (const entry of this.#entries.values()) this.#isOpen(entry, now);
  }

  #forgetSecret(secret: string): void {
    this.#bySecret.delete(secret);
    this.secrets.delete(secret);
  }

  #use(entry: OpenEnvironment): boolean {
    const now = realTime();
    if (!this.#isOpen(entry, now)) return false;
    entry.lastUsed = now;
    return true;
  }

  /** Returns whether an environment is still open. Drops an expired one. */
  #isOpen({ environment, lastUsed }: OpenEnvironment, now: number): boolean {
    const { lifetime } = environment.setup;
    // Another process may be using an environment that is not held here, and the database knows when it expires.
    if (lifetime === null || now - lastUsed <= lifetime || environment.tenure?.isHeld === false) return true;
    this.drop(environment);
    return false;
  }
}

/** The runs that a problem stopped. */
function stoppedBy({ parts }: Environment): Run[] {
  return parts.runs.all.filter(({ problem }) => problem !== null);
}
