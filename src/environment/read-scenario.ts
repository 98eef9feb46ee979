import type { Scenario } from "../scenario/scenario.ts";

/**
 * The script that a command names or sends: one of those already loaded or shipped, by name, the text of a file, or a
 * document. Throws Mistake. A name is never a path.
 */
export async function readScenario(scenario: string | object, loaded: readonly Scenario[]): Promise<Scenario> {
  if (typeof scenario !== "string" || !/^[\w.-]+$/.test(scenario)) {
    const { parseScenario, checkScenario } = await import("../scenario/parse-scenario.ts");
    return typeof scenario === "string" ? parseScenario(scenario, "inline").scenario : checkScenario(scenario).scenario;
  }
  const known = loaded.find(({ name }) => name === scenario);
  if (known) return known;
  const { shippedScenario } = await import("../scenario/load-scenarios.ts");
  return shippedScenario(scenario);
}
