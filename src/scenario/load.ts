import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { shippedHint } from "../fixture/read.ts";
import { readTextFile, withFullPath } from "../files/file.ts";
import { ValidationError } from "../validation/errors.ts";
import { didYouMean, isName, shownName } from "../text/text.ts";
import { packageRoot } from "../package.ts";
import type { Scenario } from "./scenario.ts";

const parser = () => import("./parse.ts");

const scenarioFolder = new URL("scenarios/", packageRoot);

/** Reads the shipped scenarios by name, in their checked form: a start must not wait for a YAML parser. */
export async function shippedScenarios(): Promise<readonly Scenario[]> {
  return JSON.parse(await readTextFile(fileURLToPath(new URL("checked.json", scenarioFolder)))) as Scenario[];
}

/** Reads a shipped scenario. Throws ValidationError with the nearest of the shipped names and `loaded`. */
export async function shippedScenario(name: string, loaded: readonly string[] = []): Promise<Scenario> {
  const scenarios = await shippedScenarios();
  const shipped = scenarios.find((scenario) => scenario.name === name);
  if (shipped) return shipped;
  const names = [...new Set([...loaded, ...scenarios.map((scenario) => scenario.name)])];
  throw new ValidationError(
    `There is no scenario ${shownName(name)}.${didYouMean(name, names)} There are ${names.join(", ")}.`,
  );
}

/** Reads a shipped scenario again from its file, because its checked form has no text; returns any other as it is. */
export async function withText(scenario: Scenario): Promise<Scenario> {
  const shipped = (await shippedScenarios()).find(({ name }) => name === scenario.name);
  if (!isDeepStrictEqual(scenario, shipped)) return scenario;
  const file = await scenarioFile(scenario.name);
  const [text, { parseScenario }] = await Promise.all([readTextFile(file), parser()]);
  return parseScenario(text, file).scenario;
}

/**
 * Reads a shipped scenario by its name, or one from a file. A name has neither a dot nor a slash. Throws
 * ValidationError for an unknown name, FileReadError, and FileValidationError with every error in the file.
 */
export async function loadScenario(nameOrFile: string): Promise<Scenario> {
  if (isName(nameOrFile)) return shippedScenario(nameOrFile);
  const [text, { parseScenario }] = await Promise.all([readScenarioFile(nameOrFile), parser()]);
  return parseScenario(text, nameOrFile).scenario;
}

/** Returns true for the text of a scenario, false for a name or a path. */
export function isScenarioText(source: string): boolean {
  return /\n|^\s*[[{]|:\s/.test(source);
}

/** Reads the text of a scenario's file. Throws FileReadError. */
export async function readScenarioFile(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    throw await withFullPath(error, path, async () => {
      const names = (await shippedScenarios()).map(({ name }) => name);
      return shippedHint(path, names);
    });
  }
}

/** Returns the path of a scenario, the user's or a shipped one. Throws ValidationError for an unknown name. */
export async function scenarioFile(nameOrFile: string): Promise<string> {
  if (!isName(nameOrFile)) return nameOrFile;
  const { name } = await shippedScenario(nameOrFile);
  return fileURLToPath(new URL(`${name}.yaml`, scenarioFolder));
}
