import type { Accepts } from "./forms.ts";

/** One point where the specification is silent: the question, the possible answers, the answer under each profile. */
export interface Row {
  readonly id: string;
  readonly question: string;
  /** The section of the specification that leaves the question open. */
  readonly section: string;
  /** Each value with its meaning. */
  readonly values: Readonly<Record<string, string>>;
  /** Values beyond `values`: whole numbers of a range, or texts of a form. */
  readonly accepts?: Accepts;
  readonly conventional: string | number;
  /** @default conventional */
  readonly minimal?: string | number;
}
