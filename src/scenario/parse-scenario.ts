import { basename, extname } from "node:path";
import { FileMistakes, type FileMistake } from "../model/file-mistakes.ts";
import type { Finding } from "../model/finding.ts";
import { examineDocument } from "./examine-document.ts";
import { ScenarioMistakes } from "./scenario-mistakes.ts";
import { ScenarioText } from "./scenario-text.ts";
import type { Scenario } from "./scenario.ts";

/** A scenario without mistakes, and what is odd about it. It can be played. */
export interface CheckedScenario<Warning> {
  readonly scenario: Scenario;
  /** Values that the specification does not show, and contradictions. */
  readonly warnings: readonly Warning[];
}

/** Reads the text of a scenario file, YAML or JSON. Throws FileMistakes with everything that is wrong in it. */
export function parseScenario(text: string, fileName: string): CheckedScenario<FileMistake> {
  const read = new ScenarioText(text.replace(/^\uFEFF/, ""), fileName);
  if (read.content === undefined) throw new FileMistakes(read.mistakes);
  const { scenario, mistakes, warnings } = examineDocument(read.content, basename(fileName, extname(fileName)));
  if (!scenario || read.mistakes.length > 0) {
    throw new FileMistakes([...read.mistakes, ...mistakes.map((finding) => read.locate(finding))]);
  }
  return { scenario, warnings: warnings.map((finding) => read.locate(finding)) };
}

/** Checks a scenario that came as a document, not as a file. Throws ScenarioMistakes with everything that is wrong in it. */
export function checkScenario(document: unknown, name = "inline"): CheckedScenario<Finding> {
  const { scenario, mistakes, warnings } = examineDocument(document, name);
  if (!scenario) throw new ScenarioMistakes(mistakes);
  return { scenario, warnings };
}
