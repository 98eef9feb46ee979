import type { Key } from "../model/resources.ts";

/** The keys of an environment, by their secret. */
export class Keys {
  readonly #bySecret: ReadonlyMap<string, Key>;

  constructor(keys: readonly Key[]) {
    this.#bySecret = new Map(keys.map((key) => [key.key, key]));
  }

  /** In the order in which they were issued. */
  get all(): Key[] {
    return [...this.#bySecret.values()];
  }

  find(secret: string): Key | undefined {
    return this.#bySecret.get(secret);
  }
}

/** Whether a key serves at an instant: from its `revoke_date` on it is revoked. */
export function keyStatus(key: Key, now: string): "active" | "revoked" {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
