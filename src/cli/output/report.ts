import type { Remark } from "../../scenario/parse.ts";
import { printJson } from "./terminal.ts";

interface Remarks {
  readonly mistakes: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** Prints what a check found in a file, as `POST …/scenarios/check` answers. Returns the exit code. */
export function printReport(file: string, { mistakes, warnings }: Remarks): 0 | 2 {
  printJson({ file, mistakes, warnings });
  return mistakes.length > 0 ? 2 : 0;
}
