import type { Assumptions } from "../../assumptions/catalog.ts";
import { formatErrors, ValidationError } from "../../validation/errors.ts";
import type { SandboxOptions } from "../../public/options.ts";
import { readConfig, presentConfig, withCors } from "../../sandbox/config-file.ts";
import { readExecVariable } from "../../sandbox/exec-settings.ts";
import { sandboxSettings } from "../../settings/settings.ts";
import { fileSettings, startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { type TextValue, readAssumptions, readValues } from "../../settings/values.ts";
import { checkVariables, execVariable, readVariables } from "../../settings/variables.ts";
import { formatError } from "../output/text.ts";
import type { Log } from "../output/log.ts";

/** Settings with their sources. */
export type LoadedSettings = Awaited<ReturnType<typeof loadSettings>>;

/**
 * Loads the settings of a start: from flags, then variables, then an outer `exec`, then the config file, then
 * `defaults`, which replace the usual defaults for one command. Throws one ValidationError for all invalid values.
 */
export async function loadSettings(
  flagValues: readonly TextValue[],
  defaults: readonly TextValue[] = [],
  environment: NodeJS.ProcessEnv = process.env,
) {
  const errors: string[] = [];
  const warnings: string[] = [];
  checkVariables(environment, errors, warnings);
  const { PORT = "" } = environment;
  const portValues = PORT === "" ? [] : [{ setting: "port", text: PORT, place: "PORT" }];
  const variableValues = [...portValues, ...readVariables(environment)];
  const configValue = [...flagValues, ...variableValues].find(({ setting }) => setting === "config");
  const configFile = configValue?.text ?? presentConfig();
  const configValues = configFile === undefined ? [] : await readConfig(configFile, errors);
  const execValues = readExecVariable(environment[execVariable]).textValues;
  const sources = [defaults, configValues, execValues, variableValues, flagValues];
  const { calibrated, ...currentSettings } = readValues(fileSettings, sources, errors);
  // A calibration applies to the values of its file, even if flags and variables have other values.
  const { assumptions } = readValues(assumptionSettings, [configValues], []);
  const settings: StartSettings = {
    ...currentSettings,
    calibrated: calibrated && { ...calibrated, assumptions: assumptions ?? {} },
  };
  const textValues: readonly TextValue[] = [...execValues, ...variableValues, ...flagValues];
  if (errors.length > 0) throw new ValidationError(formatErrors(errors));
  return {
    settings,
    /** The values of an outer `exec`, then of variables, then of flags, as strings. */
    textValues,
    /** The names of the settings that a source sets; other settings have their defaults. */
    setNames: new Set([...configValues, ...textValues].map(({ setting }) => setting)),
    /** The path of the config file; undefined without a config file. */
    configFile,
    warnings,
  };
}

/** The settings that decide the assumptions. */
export const assumptionSettings = {
  profile: startSettings.profile,
  assumptions: startSettings.assumptions,
  config: startSettings.config,
} as const;

/** Returns the assumptions of a sandbox that is started with these settings. */
export function currentAssumptions(settings: StartSettings): Assumptions {
  return readAssumptions(settings.profile, withCors(settings));
}

const snapshotSettings: ReadonlySet<string> = new Set(["fixture", "clock", "profile", "rateLimit"]);

/** Converts settings to options of `startSandbox`, with a log for requests and failures. */
export function sandboxOptions(
  { settings, setNames }: Pick<LoadedSettings, "settings" | "setNames">,
  log: Log,
): SandboxOptions {
  const names = Object.keys(sandboxSettings) as (keyof typeof sandboxSettings)[];
  // A snapshot brings its own values in place of defaults.
  const isIncluded = (name: string): boolean =>
    settings.snapshot === undefined || !snapshotSettings.has(name) || setNames.has(name);
  const includedNames = names.filter(isIncluded);
  return {
    ...Object.fromEntries(includedNames.map((name) => [name, settings[name]])),
    // The settings of the config file are already included.
    config: false,
    scenarios: settings.scenarios ?? "fixture",
    calibrated: settings.calibrated,
    assumptions: withCors(settings),
    onRequest: log.request,
    onFailure: (error) => log.error(formatError(error)),
  };
}
