import { assume, type AssumptionId, type Confidence } from "../../src/assumptions/catalog.ts";
import type { Shape } from "../responses/shape.ts";
import type { ProbeId } from "../service/probes.ts";
import type { Observations } from "./observations.ts";

/** A decision about one assumption. */
export type Verdict =
  | {
      readonly kind: "decided";
      /** If the assumption does not accept this value, the verdict becomes `unsupported`. */
      readonly value: string | number;
      /** `low` if the decision depends on the absence of evidence. */
      readonly confidence: Confidence;
      readonly because: string;
    }
  | { readonly kind: "undetermined"; readonly because: string }
  /** No value describes the behavior of the service. */
  | {
      readonly kind: "unsupported";
      readonly observed: string;
      /** @default the conventional value */
      readonly nearest?: string | number | undefined;
    };

/** How the responses to some probes decide one assumption. */
export interface Row {
  /** The probes behind the decision, which needs a response to the first. Without probes, the decision needs a 429. */
  readonly probes: readonly ProbeId[];
  /** The reason for an undetermined verdict if the first probe has no response. @default `noResponse` */
  readonly noResponseReason?: string;
  /** Decides from `response`, the first response to the first probe, and from all other responses. */
  readonly decide: (response: Shape, observations: Observations) => Verdict;
}

/** Rows by the ids of their assumptions. An assumption without a row is undetermined. */
export type Rows = { readonly [Id in AssumptionId]?: Row };

export function decided(value: string | number, confidence: Confidence, because: string): Verdict {
  return { kind: "decided", value, confidence, because };
}

export function undetermined(because: string): Verdict {
  return { kind: "undetermined", because };
}

export function unsupported(observed: string, nearest?: string | number): Verdict {
  return { kind: "unsupported", observed, nearest };
}

/** The end of `observed` if the assumption accepts templates and no known form fits. */
export const templateHint = "which is not a known form: write a template for it, as like:";

export const noResponse = "not requested, or no response";

export const conventionalValues = assume("conventional");
