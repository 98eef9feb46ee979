import type { Finding } from "../../mistakes/finding.ts";
import type { FileMistake } from "../../mistakes/mistakes.ts";

export type Position = Pick<FileMistake, "line" | "column">;

/** A parsed JSON or YAML file, which finds the line and column of each of its values. */
export interface LocatedText {
  /** The value of the whole text; undefined if the text cannot be parsed. */
  readonly value: unknown;
  /** Syntax mistakes and repeated members. */
  readonly mistakes: readonly FileMistake[];
  /** Adds the file, line and column to each finding. */
  locate(findings: readonly Finding[]): FileMistake[];
}
