import type { DatedEffect } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import { compareText } from "../model/order.ts";
import type { Investment, Key } from "../model/resources.ts";
import type { Created } from "./effect-row.ts";
import { numberGiven, rowOf } from "./effects.ts";

/** The resources created by changes. None is ever deleted, so a name and a date tell whether one exists. */
export class CreatedResources implements Created {
  readonly #effects = new Map<string, DatedEffect>();
  /** The ids of investments, by offering and alias. */
  readonly #aliased = new Map<string, string>();
  readonly #keys = new Set<DatedEffect<"new_key">>();
  /** By the id of the key. */
  readonly #revocations = new Map<string, Set<DatedEffect<"key">>>();
  /** By run: the keys that it had not revoked by the date of its last question, and those issued since. */
  readonly #unrevoked = new Map<string, { readonly by: Instant; readonly keys: DatedEffect<"new_key">[] }>();
  /** How many resources have an id: those of payments and events are unique within their investment alone. */
  readonly #ids = new Map<string, number>();
  readonly #numbered = new Map<number, Set<DatedEffect>>();

  add(effect: DatedEffect): void {
    const created = rowOf(effect).creates?.(effect);
    if (created) {
      const { name, ids, alias, offering_id } = created;
      this.#effects.set(name, effect);
      this.#countIds(ids, 1);
      if (alias !== undefined) this.#aliased.set(`${offering_id} ${alias}`, name);
    }
    if (effect.kind === "new_key") {
      this.#keys.add(effect);
      for (const { keys } of this.#unrevoked.values()) keys.push(effect);
    }
    if (effect.kind === "key") {
      this.#revocations.set(effect.key_id, (this.#revocations.get(effect.key_id) ?? new Set()).add(effect));
    }
    const number = numberGiven(effect);
    if (number !== undefined) this.#numbered.set(number, (this.#numbered.get(number) ?? new Set()).add(effect));
  }

  delete(effect: DatedEffect): void {
    const created = rowOf(effect).creates?.(effect);
    if (created) {
      const { name, ids, alias, offering_id } = created;
      this.#effects.delete(name);
      this.#countIds(ids, -1);
      if (alias !== undefined) this.#aliased.delete(`${offering_id} ${alias}`);
    }
    if (effect.kind === "new_key" || effect.kind === "key") this.#unrevoked.clear();
    if (effect.kind === "new_key") this.#keys.delete(effect);
    if (effect.kind === "key") this.#revocations.get(effect.key_id)?.delete(effect);
    this.#numbered.get(numberGiven(effect) ?? 0)?.delete(effect);
  }

  has(name: string, by?: Instant): boolean {
    const effect = this.#effects.get(name);
    return effect !== undefined && (by === undefined || effect.date <= by);
  }

  /** Whether a resource has an id, at any time. */
  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  investment(id: string, by: Instant): Investment | undefined {
    const effect = this.#effects.get(id);
    return effect?.kind === "new_investment" && effect.date <= by ? effect.investment : undefined;
  }

  aliased(offeringId: string, alias: string): string | undefined {
    return this.#aliased.get(`${offeringId} ${alias}`);
  }

  numbered(number: number): Iterable<DatedEffect> {
    return this.#numbered.get(number) ?? [];
  }

  /** The keys issued up to an instant, in their order. */
  keysBy(date: Instant): Key[] {
    return issuedBy(date, [...this.#keys]);
  }

  /** Those of them that a run has not revoked by then. A repetition asks for what the one before left over. */
  unrevokedBy(date: Instant, run: string): Key[] {
    const known = this.#unrevoked.get(run);
    const keys = known && known.by <= date ? known.keys : [...this.#keys];
    const unrevoked = keys.filter(({ key }) => !this.hasRevoked(run, key.id, date));
    this.#unrevoked.set(run, { by: date, keys: unrevoked });
    return issuedBy(date, unrevoked);
  }

  /** Whether a run has revoked a key by an instant. */
  hasRevoked(run: string, keyId: string, by: Instant): boolean {
    const revocations = this.#revocations.get(keyId) ?? [];
    return Array.from(revocations).some(({ origin, date }) => origin?.run === run && date <= by);
  }

  #countIds(ids: readonly string[], by: 1 | -1): void {
    for (const id of ids) {
      const count = (this.#ids.get(id) ?? 0) + by;
      if (count === 0) this.#ids.delete(id);
      else this.#ids.set(id, count);
    }
  }
}

function issuedBy(date: Instant, keys: readonly DatedEffect<"new_key">[]): Key[] {
  const issued = keys.filter((effect) => effect.date <= date);
  return issued.toSorted((one, other) => compareText(one.date, other.date)).map(({ key }) => key);
}
