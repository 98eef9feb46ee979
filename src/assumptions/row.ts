import type { Count } from "../model/scalars.ts";

/** The forms of values beyond the words of a row, and their types. */
export interface FormTypes {
  readonly text: string;
  readonly "media type": `${string}/${string}`;
  readonly "order of errors": `${string},${string}`;
  readonly "error template": `like:${string}`;
  readonly "list template": `like:${string}`;
}

/** Values of a row beyond its words: whole numbers of a range, or texts of a form. */
export type Accepts = { readonly from: Count; readonly to: Count } | keyof FormTypes;

/** One point where the specification is silent: the question, the possible answers, the answer under each profile. */
export interface Row {
  readonly id: string;
  readonly question: string;
  /** The section of the specification with the open question. */
  readonly section: string;
  /** Each value with its meaning. */
  readonly values: Readonly<Record<string, string>>;
  readonly accepts?: Accepts;
  /** The values to vary among, if not those of `values`; or only where `exec --vary` names the row. */
  readonly vary?: readonly (string | number)[] | "by name";
  readonly conventional: string | number;
  /** @default conventional */
  readonly minimal?: string | number;
}
