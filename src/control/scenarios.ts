import type { ScenarioCheck, ScenarioDescription, ScenarioDetail } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { ControlError, notFound } from "../errors/control-error.ts";
import { isName } from "../model/text.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { noFiles } from "./remote.ts";

// A start loads no YAML.
const scenarioFiles = () => import("../scenario/load.ts");
const scenarioParser = () => import("../scenario/parse.ts");
const scenarioDetails = () => import("../scenario/detail.ts");

/** Lists the scenarios that the server was started with, and the shipped ones. */
export async function listScenarios({ setup }: Environment): Promise<ScenarioDescription[]> {
  const { shippedScenarios } = await scenarioFiles();
  const known = new Map([...(await shippedScenarios()), ...setup.known].map((one) => [one.name, one]));
  return Array.from(known.values(), ({ name, description, steps }) => ({ name, description, steps: steps.length }));
}

/** Tells a scenario that can be played by name. */
export async function getScenario({ setup: { known } }: Environment, name: string): Promise<ScenarioDetail> {
  const [{ shippedScenario, withText }, { scenarioDetail }] = await Promise.all([scenarioFiles(), scenarioDetails()]);
  const names = known.map((scenario) => scenario.name);
  const found =
    known.find((scenario) => scenario.name === name) ?? (await shippedScenario(name, names).catch(notFound));
  return scenarioDetail(await withText(found));
}

/** Tells the scenario of a run, which may be in no file. */
export async function tellScenario(scenario: Scenario): Promise<ScenarioDetail> {
  return (await scenarioDetails()).scenarioDetail(scenario);
}

export async function checkScenario(scenario: string | object): Promise<ScenarioCheck> {
  const [{ examineScenario }, { scenarioDetail }] = await Promise.all([scenarioParser(), scenarioDetails()]);
  const { scenario: found, mistakes, warnings } = examineScenario(scenario);
  return { valid: found !== undefined, mistakes, warnings, scenario: found ? scenarioDetail(found) : null };
}

/** A copy as the database stores it, which its giver cannot change. */
function copyOf<Data>(data: Data): Data {
  return JSON.parse(JSON.stringify(data)) as Data;
}

/**
 * Returns a scenario from a document, the text of a file, a name that is loaded or ships, or, unless the caller is remote, the
 * path of a file. Throws Mistake, FileMistakes and UnreadableFile.
 */
export async function scenarioFrom(
  source: string | object,
  loaded: readonly Scenario[],
  remote = false,
): Promise<Scenario> {
  if (typeof source !== "string") return copyOf((await scenarioParser()).checkScenario(source).scenario);
  const known = loaded.find((scenario) => scenario.name === source);
  if (known) return known;
  const { isScenarioText, loadScenario, shippedScenario } = await scenarioFiles();
  if (isScenarioText(source)) return copyOf((await scenarioParser()).parseScenario(source, "inline").scenario);
  const names = loaded.map(({ name }) => name);
  if (isName(source)) return shippedScenario(source, names);
  if (!remote) return loadScenario(source);
  throw new ControlError("invalid", `There is no scenario of this name. ${noFiles}`);
}
