import type { Assumptions } from "../../assumptions/catalog.ts";
import { listed, ValidationError } from "../../validation/errors.ts";
import type { SandboxOptions } from "../../public/options.ts";
import { configGiven, presentConfig, withCors } from "../../sandbox/config-file.ts";
import { readExecVariable } from "../../sandbox/exec-settings.ts";
import { sandboxSettings } from "../../settings/settings.ts";
import { fileSettings, startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { type TextValue, readAssumptions, readValues } from "../../settings/values.ts";
import { checkVariables, execVariable, givenByVariables } from "../../settings/variables.ts";
import { explain } from "../output/text.ts";
import type { Log } from "../output/log.ts";

/** Settings, and where they came from. */
export type LoadedSettings = Awaited<ReturnType<typeof loadSettings>>;

/**
 * The settings of a start: from flags, then variables, then an `exec` above, then the config file, then `defaults`,
 * which replace the usual defaults for one command. Throws one ValidationError for all wrong values of all sources.
 */
export async function loadSettings(
  given: readonly TextValue[],
  defaults: readonly TextValue[] = [],
  environment: NodeJS.ProcessEnv = process.env,
) {
  const errors: string[] = [];
  const warnings: string[] = [];
  checkVariables(environment, errors, warnings);
  const { PORT = "" } = environment;
  const port = PORT === "" ? [] : [{ setting: "port", text: PORT, place: "PORT" }];
  const fromVariables = [...port, ...givenByVariables(environment)];
  const named = [...given, ...fromVariables].find(({ setting }) => setting === "config");
  const configFile = named?.text ?? presentConfig();
  const config = configFile === undefined ? [] : await configGiven(configFile, errors);
  const fromExec = readExecVariable(environment[execVariable]).given;
  const sources = [defaults, config, fromExec, fromVariables, given];
  const { calibrated, ...read } = readValues(fileSettings, sources, errors);
  // A calibration applies to the values of its file, whatever flags and variables say.
  const { assumptions } = readValues(assumptionSettings, [config], []);
  const settings: StartSettings = {
    ...read,
    calibrated: calibrated && { ...calibrated, assumptions: assumptions ?? {} },
  };
  const above: readonly TextValue[] = [...fromExec, ...fromVariables, ...given];
  if (errors.length > 0) throw new ValidationError(listed(errors));
  return {
    settings,
    /** The texts of an outer `exec`, then of variables, then of flags. */
    given: above,
    /** The names of given settings; the others have their defaults. */
    givenNames: new Set([...config, ...above].map(({ setting }) => setting)),
    /** Undefined if there is none. */
    configFile,
    warnings,
  };
}

/** The settings behind the assumptions. */
export const assumptionSettings = {
  profile: startSettings.profile,
  assumptions: startSettings.assumptions,
  config: startSettings.config,
} as const;

/** The assumptions of a sandbox started with these settings. */
export function currentAssumptions(settings: StartSettings): Assumptions {
  return readAssumptions(settings.profile, withCors(settings));
}

const ofSnapshot: ReadonlySet<string> = new Set(["fixture", "clock", "profile", "rateLimit"]);

/** The settings as options of `startSandbox`, with a log for requests and failures. */
export function sandboxOptions(
  { settings, givenNames }: Pick<LoadedSettings, "settings" | "givenNames">,
  log: Log,
): SandboxOptions {
  const names = Object.keys(sandboxSettings) as (keyof typeof sandboxSettings)[];
  // A snapshot brings its own values in place of defaults.
  const isMeant = (name: string): boolean =>
    settings.snapshot === undefined || !ofSnapshot.has(name) || givenNames.has(name);
  const meant = names.filter(isMeant);
  return {
    ...Object.fromEntries(meant.map((name) => [name, settings[name]])),
    // The settings of the config file are already included.
    config: false,
    scenarios: settings.scenarios ?? "fixture",
    calibrated: settings.calibrated,
    assumptions: withCors(settings),
    onRequest: log.request,
    onFailure: (error) => log.error(explain(error)),
  };
}
