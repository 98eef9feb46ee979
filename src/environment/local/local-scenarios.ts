import type { Scenarios } from "../../control.ts";
import type { Environment } from "../environment.ts";
import type { Perform } from "./perform.ts";

/** The scenarios that an environment in this process can play: those its server was started with, and the shipped ones. */
export function localScenarios(environment: Environment, perform: Perform): Scenarios {
  return {
    list: () =>
      perform(async () => {
        const { shippedScenarios } = await import("../../scenario/load-scenarios.ts");
        const known = new Map(
          [...(await shippedScenarios()), ...environment.opening.known].map((one) => [one.name, one]),
        );
        return Array.from(known.values(), ({ name, description, steps }) => ({
          name,
          description,
          steps: steps.length,
        }));
      }),
    check: (scenario) =>
      perform(async () => {
        const { examineScenario } = await import("../../scenario/examine-scenario.ts");
        const { mistakes, warnings } = examineScenario(scenario);
        return { valid: mistakes.length === 0, mistakes, warnings };
      }),
  };
}
