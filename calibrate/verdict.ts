import { parseAssumption } from "../src/assumptions/assume.ts";
import type { Confidence } from "../src/assumptions/calibration.ts";
import type { AssumptionId, AssumptionValue } from "../src/assumptions/catalogue.ts";
import type { ProbeId } from "./probes.ts";
import type { Shape } from "./shapes.ts";

/** A decision about one assumption. Confidence is `low` where it rests on the absence of evidence. */
export type Verdict<Value = string | number> =
  | {
      readonly kind: "decided";
      readonly value: Value;
      readonly confidence: Confidence;
      readonly because: string;
      /** The part of it that is outside. */
      readonly except?: string;
    }
  | { readonly kind: "open"; readonly because: string }
  /** The service does what no value stands for. */
  | { readonly kind: "outside"; readonly saw: string; readonly nearest: Value };

/** The shapes of all answers so far. */
export class Seen {
  /** A 429 that was waited out. */
  limited: Shape | undefined;
  readonly #shapes = new Map<ProbeId, readonly Shape[]>();
  /** The shapes at the last call of `settle`. */
  #settled: ReadonlyMap<ProbeId, readonly Shape[]> = new Map();

  add(id: ProbeId, shape: Shape): void {
    this.#shapes.set(id, [...this.all(id), shape]);
  }

  /** Keeps all shapes so far, whatever comes. */
  settle(): void {
    this.#settled = new Map(this.#shapes);
  }

  /** Forgets all shapes that came after `settle`. */
  forget(): void {
    this.#shapes.clear();
    for (const [id, shapes] of this.#settled) this.#shapes.set(id, shapes);
  }

  all(id: ProbeId): readonly Shape[] {
    return this.#shapes.get(id) ?? [];
  }

  /** The first answer; undefined if none came. */
  one(id: ProbeId): Shape | undefined {
    return this.all(id)[0];
  }
}

/** A row of the table: the requests that it rests on, and the decision from the shapes of their answers. */
export interface CalibratedRow<Id extends AssumptionId = AssumptionId> {
  readonly probes: readonly ProbeId[];
  readonly decide: (seen: Seen) => Verdict<AssumptionValue<Id>>;
}

export type CalibratedRows = { readonly [Id in AssumptionId]: CalibratedRow<Id> };

export function decided<const Value>(value: Value, confidence: Confidence, because: string): Verdict<Value> {
  return { kind: "decided", value, confidence, because };
}

export function open(because: string): Verdict<never> {
  return { kind: "open", because };
}

export function outside<const Value>(saw: string, nearest: Value): Verdict<Value> {
  return { kind: "outside", saw, nearest };
}

/** Decides for a text that the service has shown, if the assumption takes such a value; else it is outside. */
export function shown<Id extends AssumptionId>(
  id: Id,
  text: string,
  confidence: Confidence,
  because: string,
  nearest: AssumptionValue<Id>,
): Verdict<AssumptionValue<Id>> {
  try {
    const value = (parseAssumption(id, text) as Readonly<Record<Id, AssumptionValue<Id>>>)[id];
    return decided(value, confidence, because);
  } catch {
    return outside(text, nearest);
  }
}

/** The reason of a row whose requests had no answer. */
export const notAnswered = open("not asked, or not answered");

/** `404, 404 and 401` */
export function statusesOf(shapes: readonly (Shape | undefined)[]): string {
  const statuses = shapes.map((shape) => String(shape?.status ?? "none"));
  return statuses.length < 2 ? statuses.join("") : `${statuses.slice(0, -1).join(", ")} and ${statuses.at(-1)}`;
}

/** True for a status that refuses a parameter. */
export function isRefusal({ status }: Shape): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}
