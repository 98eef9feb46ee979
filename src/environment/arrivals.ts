import type { Instant } from "../model/instant.ts";
import type { Investment } from "../model/resources.ts";
import type { DatedEffect, Effect } from "./change.ts";

/**
 * What changes bring into being. What has come never goes, so this and what was there from the beginning tell what is there
 * at an instant, without any change being applied.
 */
export class Arrivals {
  readonly #byName = new Map<string, DatedEffect>();

  add(effect: DatedEffect): void {
    const name = nameOf(effect);
    if (name !== undefined) this.#byName.set(name, effect);
  }

  delete(effect: DatedEffect): void {
    const name = nameOf(effect);
    if (name !== undefined) this.#byName.delete(name);
  }

  /** Whether what an effect brings is brought already, at whatever date. */
  repeats(effect: Effect): boolean {
    const name = nameOf(effect);
    return name !== undefined && this.#byName.has(name);
  }

  /** The investment that has come by an instant, as it came. */
  investment(id: string, by: Instant): Investment | undefined {
    const arrival = this.#byName.get(id);
    return arrival?.kind === "new_investment" && arrival.date <= by ? arrival.investment : undefined;
  }

  /** Whether something has come by an instant: a key, a fault or, of an investment, a payment or event. */
  has(id: string, by: Instant, investmentId?: string): boolean {
    const arrival = this.#byName.get(investmentId === undefined ? id : within(investmentId, id));
    return arrival !== undefined && arrival.date <= by;
  }
}

/** What an effect brings, by a name that nothing else has; undefined when it brings nothing. */
function nameOf(effect: Effect): string | undefined {
  switch (effect.kind) {
    case "new_investment":
      return effect.investment.id;
    case "new_payment":
      return within(effect.investment_id, effect.payment.id);
    case "event":
      return within(effect.investment_id, effect.event.id);
    case "new_key":
      return effect.key.id;
    case "new_fault":
      return effect.fault.id;
    default:
      return undefined;
  }
}

function within(investmentId: string, id: string): string {
  return `${investmentId} ${id}`;
}
