import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { missingFile } from "../fixture/read.ts";
import { readTextFile } from "../model/file.ts";
import { codeOf, Mistake, UnreadableFile } from "../model/mistakes.ts";
import { didYouMean, isName, shownName } from "../model/text.ts";
import { packageRoot } from "../package.ts";
import type { Scenario } from "./scenario.ts";

const parser = () => import("./parse.ts");

const scenarioFolder = new URL("scenarios/", packageRoot);

/** The shipped scenarios in the order of their names. Reads their checked form: a start must not wait for a YAML parser. */
export async function shippedScenarios(): Promise<readonly Scenario[]> {
  return JSON.parse(await readTextFile(fileURLToPath(new URL("checked.json", scenarioFolder)))) as Scenario[];
}

/** The shipped scenario of this name, which is never a path. Throws Mistake with the nearest of these names and `loaded`. */
export async function shippedScenario(name: string, loaded: readonly string[] = []): Promise<Scenario> {
  const scenarios = await shippedScenarios();
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = [...new Set([...loaded, ...scenarios.map((scenario) => scenario.name)])];
  throw new Mistake(
    `There is no scenario ${shownName(name)}.${didYouMean(name, names)} There are ${names.join(", ")}.`,
  );
}

/** A scenario as its file has it, if it ships: its checked form knows no text. */
export async function withText(scenario: Scenario): Promise<Scenario> {
  const shipped = (await shippedScenarios()).find(({ name }) => name === scenario.name);
  if (!isDeepStrictEqual(scenario, shipped)) return scenario;
  const file = await scenarioFile(scenario.name);
  const [text, { parseScenario }] = await Promise.all([readTextFile(file), parser()]);
  return parseScenario(text, file).scenario;
}

/**
 * A shipped scenario by its name, or one from a file. A name has neither a dot nor a slash. Throws Mistake for an unknown
 * name, UnreadableFile, and FileMistakes with every mistake in the file.
 */
export async function loadScenario(nameOrFile: string): Promise<Scenario> {
  if (isName(nameOrFile)) return shippedScenario(nameOrFile);
  const [text, { parseScenario }] = await Promise.all([readScenarioFile(nameOrFile), parser()]);
  return parseScenario(text, nameOrFile).scenario;
}

/** Whether a text is a scenario itself, and not its name or its file. */
export function isScenarioText(source: string): boolean {
  return /\n|^\s*[[{]|:\s/.test(source);
}

/** The text of a scenario's file. Throws UnreadableFile. */
export async function readScenarioFile(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    if (!(error instanceof UnreadableFile) || codeOf(error.cause) !== "ENOENT") throw error;
    throw missingFile(
      error,
      path,
      (await shippedScenarios()).map(({ name }) => name),
    );
  }
}

/** The file of a scenario: the user's, or the shipped scenario of this name. Throws Mistake for an unknown name. */
export async function scenarioFile(nameOrFile: string): Promise<string> {
  if (!isName(nameOrFile)) return nameOrFile;
  const { name } = await shippedScenario(nameOrFile);
  return fileURLToPath(new URL(`${name}.yaml`, scenarioFolder));
}
