import type { Finding } from "../finding.ts";
import type { FileMistake } from "../mistakes.ts";

export type Position = Pick<FileMistake, "line" | "column">;

/** The text of a JSON or YAML file as a value, with the places of its parts. */
export interface LocatedText {
  /** Undefined if the text cannot be read. */
  readonly value: unknown;
  /** Mistakes of syntax, and repeated members. */
  readonly mistakes: readonly FileMistake[];
  /** Adds the place in the file to each finding. */
  locate(findings: readonly Finding[]): FileMistake[];
}
