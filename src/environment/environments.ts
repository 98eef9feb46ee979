import { ControlError } from "../errors/control-error.ts";
import { bounds } from "../model/bounds.ts";
import { hidden, issuedForm, PlainSecrets } from "../model/plain-secrets.ts";
import { realTime } from "./clock.ts";
import type { EnvironmentContent, EnvironmentSetup } from "./environment-content.ts";
import { Environment } from "./environment.ts";
import type { IssuedKey } from "./view.ts";

/** The id of the environment that is always open. */
export const defaultId = "default";

const mostShownNames = 1000;

/** An open environment. */
interface Entry {
  readonly environment: Environment;
  /** In milliseconds of `realTime`. */
  lastUsed: number;
}

/** The environments of a server: bounded in number, found by the secrets of their keys. */
export class Environments {
  /** The secrets of all keys, issued by now or in the future. */
  readonly plainSecrets = new PlainSecrets();
  readonly #entries = new Map<string, Entry>();
  readonly #bySecret = new Map<string, Entry>();
  /** Labels and ids as the log shows them, until a key comes or goes. */
  readonly #shownNames = new Map<string, string>();
  readonly #capacity: number;
  #lastNumber = 0;
  #onChange: () => void = () => {};

  /** `capacity` counts the default environment too. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get default(): Environment {
    return this.find(defaultId);
  }

  /** In the order in which they were opened. */
  get all(): readonly Environment[] {
    return this.#open.map(({ environment }) => environment);
  }

  /** Calls the listener after every change of the content of an environment. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Returns a free id. */
  nextId(): string {
    let id: string;
    do id = `environment-${++this.#lastNumber}`;
    while (this.#entries.has(id));
    return id;
  }

  /** Finds an environment, and counts it as used. Throws ControlError if it is not open. */
  find(id: string): Environment {
    const entry = this.#entries.get(id);
    if (!entry || !this.#use(entry)) throw new ControlError("not_found", "There is no environment of this id.");
    return entry.environment;
  }

  /** Counts an environment as used. Throws ControlError if it was dropped, even if another has its id now. */
  use(environment: Environment): void {
    if (this.find(environment.id) !== environment) throw new ControlError("not_found", "The environment was dropped.");
  }

  /** Finds the key with this secret in any environment, which then counts as used. */
  findKey(secret: string): IssuedKey | undefined {
    const entry = this.#bySecret.get(secret);
    return entry && this.#use(entry) ? entry.environment.find(secret) : undefined;
  }

  /** Hides the text of every key in a message: of those that are known, and of any of the form that is issued. */
  concealKeys(message: string): string {
    let shown = message.replace(issuedForm, hidden);
    for (const secret of this.#bySecret.keys()) {
      // A message may have the beginning of a long text only.
      for (const text of [secret, secret.slice(0, bounds.quoted)]) shown = shown.replaceAll(text, hidden);
    }
    return shown;
  }

  /** A label or an id for the log and the journal, which it reaches with every request: without the text of any key. */
  shownName(name: string): string {
    const known = this.#shownNames.get(name);
    if (known !== undefined) return known;
    const shown = this.concealKeys(name);
    if (this.#shownNames.size === mostShownNames) this.#shownNames.clear();
    this.#shownNames.set(name, shown);
    return shown;
  }

  /** Throws ControlError if a name that somebody gives contains a key. */
  refuseKeyIn(member: string, name: string | null | undefined): void {
    if (typeof name !== "string" || this.shownName(name) === name) return;
    throw new ControlError(
      "invalid",
      `${member} contains the text of a key, which logs would show; expected another name.`,
    );
  }

  /** Opens an environment. Throws ControlError if its id or a secret is taken or the capacity is used up. */
  open(setup: EnvironmentSetup, content?: EnvironmentContent): Environment {
    const open = this.#open;
    if (this.#entries.has(setup.id))
      throw new ControlError("conflict", `There is an environment "${setup.id}" already.`);
    if (open.length >= this.#capacity) {
      throw new ControlError("conflict", `There are ${this.#capacity} environments already; drop one first.`);
    }
    const environment = new Environment(setup, content);
    if (setup.begins && !content) environment.stores.history.check();
    if (Array.from(environment.secrets).some((secret) => this.#bySecret.has(secret))) {
      throw new ControlError("conflict", "Another environment has a key with the secret of one of its keys.");
    }
    const entry: Entry = { environment, lastUsed: realTime() };
    this.#entries.set(setup.id, entry);
    environment.enterSecrets({
      add: (secret) => {
        // A run may go on in an environment that was dropped.
        if (this.#entries.get(setup.id) !== entry) return;
        if (!this.#bySecret.has(secret)) this.#shownNames.clear();
        this.#bySecret.set(secret, entry);
        this.plainSecrets.add(secret);
      },
      isForeign: (secret) => (this.#bySecret.get(secret) ?? entry) !== entry,
      refuseKeyIn: (member, name) => this.refuseKeyIn(member, name),
    });
    environment.onChange(() => this.#onChange());
    return environment;
  }

  /** Drops an environment; does nothing if it was dropped before. */
  drop(environment: Environment): void {
    if (this.#entries.get(environment.id)?.environment !== environment) return;
    environment.giveUp();
    this.#entries.delete(environment.id);
    this.#shownNames.clear();
    for (const secret of environment.secrets) {
      this.#bySecret.delete(secret);
      this.plainSecrets.delete(secret);
    }
    // Of one that expires, no command tells the database: a restart must not revive it.
    this.#onChange();
  }

  get #open(): readonly Entry[] {
    const now = realTime();
    return [...this.#entries.values()].filter((entry) => this.#isOpen(entry, now));
  }

  #use(entry: Entry): boolean {
    const now = realTime();
    if (!this.#isOpen(entry, now)) return false;
    entry.lastUsed = now;
    return true;
  }

  /** Returns whether an environment is still open. Drops one that has expired. */
  #isOpen({ environment, lastUsed }: Entry, now: number): boolean {
    if (now - lastUsed <= environment.setup.lifetime) return true;
    this.drop(environment);
    return false;
  }
}
