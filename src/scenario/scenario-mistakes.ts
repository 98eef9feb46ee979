import type { Finding } from "../model/finding.ts";
import { Mistake } from "../model/mistake.ts";

/** Everything that is wrong with a document that is no scenario. Its message has a line for each mistake. */
export class ScenarioMistakes extends Mistake {
  /** Each with its path: `steps[2].after`. */
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ message }) => message).join("\n"));
    this.findings = findings;
  }
}
