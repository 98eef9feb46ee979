import { fileURLToPath } from "node:url";
import { readTextFile } from "../fixture/read.ts";
import { late } from "../model/late.ts";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean, isName, quoted } from "../model/text.ts";
import { packageRoot } from "../package.ts";
import type { Scenario } from "./scenario.ts";

const parser = late(() => import("./parse.ts"));

const shippedFolder = new URL("scenarios/", packageRoot);

/** The shipped scenarios in the order of their names. Reads their checked form: a start must not wait for a YAML parser. */
export async function shippedScenarios(): Promise<readonly Scenario[]> {
  return JSON.parse(await readTextFile(fileURLToPath(new URL("checked.json", shippedFolder)))) as Scenario[];
}

/** The shipped scenario of this name, which is never a path. Throws Mistake with the nearest name. */
export async function shippedScenario(name: string): Promise<Scenario> {
  const scenarios = await shippedScenarios();
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = scenarios.map((scenario) => scenario.name);
  // It may be the text of a key.
  const which = name.startsWith("sandbox_") ? "scenario of this name" : `scenario ${quoted(name)}`;
  throw new Mistake(`There is no ${which}.${didYouMean(name, names)} Shipped: ${names.join(", ")}.`);
}

/**
 * A shipped scenario by its name, or one from a file. A name has neither a dot nor a slash. Throws Mistake for an unknown
 * name, UnreadableFile, and FileMistakes with every mistake in the file.
 */
export async function loadScenario(nameOrFile: string): Promise<Scenario> {
  if (isName(nameOrFile)) return shippedScenario(nameOrFile);
  const [text, { parseScenario }] = await Promise.all([readTextFile(nameOrFile), parser()]);
  return parseScenario(text, nameOrFile).scenario;
}

/** The file of a scenario: the user's, or that of the shipped scenario of this name. Throws Mistake for an unknown name. */
export async function scenarioFile(nameOrFile: string): Promise<string> {
  if (!isName(nameOrFile)) return nameOrFile;
  const { name } = await shippedScenario(nameOrFile);
  return fileURLToPath(new URL(`${name}.yaml`, shippedFolder));
}
