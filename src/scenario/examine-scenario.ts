import { FileMistakes, type FileMistake } from "../model/file-mistakes.ts";
import type { Finding } from "../model/finding.ts";
import { examineDocument } from "./examine-document.ts";
import { parseScenario } from "./parse-scenario.ts";

/** Where something stands in a scenario, and what is to be said of it. */
export type Remark = Pick<FileMistake, "line" | "column" | "message">;

/** Everything that is wrong, or else odd, about a scenario: the text of a file, or a document, whose remarks name its members. */
export function examineScenario(scenario: unknown): {
  readonly mistakes: readonly Remark[];
  readonly warnings: readonly Remark[];
} {
  if (typeof scenario !== "string") {
    const { mistakes, warnings } = examineDocument(scenario, "inline");
    return { mistakes: mistakes.map(inDocument), warnings: warnings.map(inDocument) };
  }
  try {
    return { mistakes: [], warnings: parseScenario(scenario, "scenario.yaml").warnings.map(inText) };
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return { mistakes: error.mistakes.map(inText), warnings: [] };
  }
}

function inText({ line, column, message }: FileMistake): Remark {
  return { line, column, message };
}

function inDocument({ message }: Finding): Remark {
  return { line: 1, column: 1, message };
}
