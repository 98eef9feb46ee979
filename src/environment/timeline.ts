import type { Instant } from "../model/instant.ts";
import type { Investment } from "../model/resources.ts";
import type { Change, DatedEffect, Effect } from "../model/change.ts";

/**
 * What changes bring into being. What has come never goes, so this and what was there from the beginning tell what is there
 * at an instant, without any change being applied.
 */
export class CreatedResources {
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

/** The ordered list of changes of an environment, past and future: by date, then by sequence. */
export class Timeline {
  readonly #changes: Change[] = [];
  readonly #times: number[] = [];
  /** What its changes bring into being, now or later. */
  readonly arrivals = new CreatedResources();
  #sequence = 0;

  /** A timeline of changes that are in order already, as another one had them after so many were put there. */
  static of(changes: readonly Change[], issued: number): Timeline {
    const timeline = new Timeline();
    timeline.#sequence = issued;
    for (const change of changes) {
      timeline.#changes.push(change);
      timeline.arrivals.add(change);
      timeline.#times.push(Date.parse(change.date));
    }
    return timeline;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** How many changes were ever put here. */
  get issued(): number {
    return this.#sequence;
  }

  /** How many changes have a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? 0) <= milliseconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts an effect behind all others of its instant, and answers where it stands. */
  insert(effect: DatedEffect): number {
    const time = Date.parse(effect.date);
    const position = this.countUntil(time);
    const change = { ...effect, sequence: this.#sequence++ };
    this.#changes.splice(position, 0, change);
    this.#times.splice(position, 0, time);
    this.arrivals.add(change);
    return position;
  }

  /** Takes the change at this position away again. */
  remove(position: number): void {
    this.#forget(this.#changes[position]);
    this.#changes.splice(position, 1);
    this.#times.splice(position, 1);
  }

  /** Takes away the changes from this position on that are as said. */
  removeFrom(position: number, gone: (change: Change) => boolean): void {
    let to = position;
    for (let from = position; from < this.#changes.length; from++) {
      const change = this.#changes[from];
      if (!change || gone(change)) {
        this.#forget(change);
        continue;
      }
      this.#changes[to] = change;
      this.#times[to] = this.#times[from] ?? 0;
      to += 1;
    }
    this.#changes.length = to;
    this.#times.length = to;
  }

  #forget(change: Change | undefined): void {
    if (change) this.arrivals.delete(change);
  }
}
