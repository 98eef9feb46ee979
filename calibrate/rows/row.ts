import { assume, type AssumptionId, type Confidence } from "../../src/assumptions/catalog.ts";
import type { Shape } from "../responses/shape.ts";
import type { ProbeId } from "../service/probes.ts";
import type { ProbeResponses } from "./seen.ts";

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
  | { readonly kind: "open"; readonly because: string }
  /** No value describes the behavior of the service. */
  | {
      readonly kind: "unsupported";
      readonly saw: string;
      /** @default the conventional value */
      readonly nearest?: string | number | undefined;
    };

/** How the responses to some probes decide one assumption. */
export interface Row {
  /** The probes behind the decision. The first must have a response; if there are none, a 429 must have been seen. */
  readonly probes: readonly ProbeId[];
  /** The reason for an open verdict if the first probe has no response. @default "not asked, or not answered" */
  readonly unansweredCount?: string;
  /** Decides from `response`, the first one to the first probe, and from all other values. */
  readonly decide: (response: Shape, seen: ProbeResponses) => Verdict;
}

/** Rows by the ids of their assumptions. An assumption without a row is open. */
export type Rows = { readonly [Id in AssumptionId]?: Row };

export function decided(value: string | number, confidence: Confidence, because: string): Verdict {
  return { kind: "decided", value, confidence, because };
}

export function open(because: string): Verdict {
  return { kind: "open", because };
}

export function unsupported(saw: string, nearest?: string | number): Verdict {
  return { kind: "unsupported", saw, nearest };
}

/** The end of `saw` if the assumption accepts templates, and none of the tool's own fits. */
export const byHand = "a form of its own: write it by hand, as like: and a template";

export const noResponse = "not asked, or not answered";

export const conventional = assume("conventional");
