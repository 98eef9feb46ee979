import { stringify } from "yaml";
import type { ScenarioDetail } from "../control.ts";
import { outlineOf } from "./outline.ts";
import { checkScenario, remarks, sourceOf } from "./parse.ts";
import type { Scenario } from "./scenario.ts";
import { writtenForm } from "./written-form.ts";

/** Describes a scenario, with its text or one of the same content. */
export function scenarioDetail(scenario: Scenario): ScenarioDetail {
  const { name, description } = scenario;
  const { text, warnings } = sourceOf(scenario) ?? printed(writtenForm(scenario));
  return { name, description, ...outlineOf(scenario), text, warnings: remarks(warnings) };
}

function printed(document: object) {
  return { text: stringify(document), warnings: checkScenario(document).warnings };
}
