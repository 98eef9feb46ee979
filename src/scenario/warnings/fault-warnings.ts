import { matchesPath } from "../../model/fault.ts";
import { about, type Finding } from "../../model/finding.ts";
import { operations } from "../../model/operations.ts";
import { nearest } from "../../model/nearest.ts";
import type { Scenario } from "../scenario.ts";

/** Finds faults whose path is that of no operation of the service. */
export function* faultWarnings({ steps }: Scenario): Generator<Finding> {
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) {
      if (effect.kind !== "fault") continue;
      const path = effect.fault.match?.path;
      if (path === undefined || operations.some((operation) => couldBe(path, operation.path))) continue;
      const likely = nearest(
        path,
        operations.map((operation) => operation.path),
      );
      const hint = likely === undefined ? "" : ` Did you mean "${likely}"?`;
      yield about(
        ["steps", index, "fault", "match", "path"],
        `is ${JSON.stringify(path)}, the path of no operation.${hint}`,
      );
    }
  }
}

/** Whether a pattern stands for a path of an operation: one that has the pattern's own word where the operation takes any id. */
function couldBe(pattern: string, operation: string): boolean {
  const id = operation.split("/").indexOf(":id");
  const words = new Set(pattern.split("/"));
  return [...words, "…"].some((word) => matchesPath(pattern, operation.split("/").with(id, word).join("/")));
}
