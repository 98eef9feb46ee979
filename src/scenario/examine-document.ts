import type { Finding } from "../model/finding.ts";
import { shapeMistakes } from "../model/shape-mistakes.ts";
import { checkedForm } from "./checked-form.ts";
import { relationMistakes } from "./mistakes/relation-mistakes.ts";
import type { Scenario } from "./scenario.ts";
import { writtenScenario, type WrittenScenario } from "./schema.ts";
import { contradictions } from "./warnings/contradictions.ts";
import { dateWarnings } from "./warnings/date-warnings.ts";
import { faultWarnings } from "./warnings/fault-warnings.ts";
import { unseenValues } from "./warnings/unseen-values.ts";

/** What is to be said of what claims to be a scenario. */
export interface Examined {
  /** Undefined when there is any mistake. */
  readonly scenario: Scenario | undefined;
  readonly mistakes: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Finds everything that is wrong with a written scenario at once; or else everything that is odd about it. */
export function examineDocument(content: unknown, name: string): Examined {
  const mistakes = [...shapeMistakes(writtenScenario, content, "the scenario"), ...relationMistakes(content)];
  if (mistakes.length > 0) return { scenario: undefined, mistakes, warnings: [] };
  const scenario = checkedForm(content as WrittenScenario, name);
  const warnings = [
    ...unseenValues(scenario),
    ...dateWarnings(scenario),
    ...faultWarnings(scenario),
    ...contradictions(scenario),
  ];
  return { scenario, mistakes, warnings };
}
