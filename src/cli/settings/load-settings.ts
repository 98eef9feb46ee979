import { existsSync, readFileSync } from "node:fs";
import { Mistake } from "../../model/mistake.ts";
import { UnreadableFile } from "../../model/unreadable-file.ts";
import { givenByVariables } from "./variables.ts";
import { readValues } from "./read-values.ts";
import type { Given } from "./setting.ts";
import { startSettings, type StartSettings } from "./start-settings.ts";

/** Settings with what there is to say about where they came from. */
export interface LoadedSettings {
  readonly settings: StartSettings;
  /** Undefined where there is none. */
  readonly configFile: string | undefined;
  readonly warnings: readonly string[];
}

/** The config files that are taken up unasked from the working directory. */
export const configFileNames = ["offering-sandbox.config.yaml", "offering-sandbox.config.json"] as const;

/**
 * What `start` is told here: by flags, then variables, then the config file, then defaults; those of a command that has
 * others are `usual`, and it may leave out variables. Throws a Mistake that names everything that is wrong on any of these
 * sides.
 */
export async function loadSettings(
  flags: readonly Given[],
  usual: readonly Given[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<LoadedSettings> {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  const variables = givenByVariables(startSettings, environment, warnings);
  const named = [...flags, ...variables].find(({ setting }) => setting === "config");
  const configFile = named?.text ?? presentConfig();
  const config = configFile === undefined ? [] : await givenByFile(configFile, mistakes);
  const settings = readValues(startSettings, [usual, config, variables, flags], mistakes);
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return { settings, configFile, warnings };
}

function presentConfig(): string | undefined {
  const present = configFileNames.filter((name) => existsSync(name));
  if (present.length > 1)
    throw new Mistake(`${present.join(" and ")} are both here: keep one, or name one with --config.`);
  return present[0];
}

async function givenByFile(file: string, mistakes: string[]): Promise<Given[]> {
  const text = readConfig(file);
  const { givenByConfig } = await import("./config-file.ts");
  return givenByConfig(startSettings, file, text, mistakes);
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UnreadableFile(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}
