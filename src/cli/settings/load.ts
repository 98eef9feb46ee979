import type { Assumptions } from "../../assumptions/catalogue.ts";
import { listed, Mistake } from "../../model/mistakes.ts";
import { nearest } from "../../model/text.ts";
import type { SandboxOptions } from "../../options.ts";
import { configGiven, presentConfig, withCors } from "../../sandbox/config-file.ts";
import { execVariable, readExecVariable } from "../../sandbox/exec-settings.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { byFlag, sandboxSettings } from "../../settings/settings.ts";
import { fileSettings, startSettings, type StartSettings } from "../../settings/start-settings.ts";
import { type TextValue, readAssumptions, readValues } from "../../settings/values.ts";
import { childVariableNames } from "../exec/child-variables.ts";
import { explain } from "../failure.ts";
import type { Log } from "../output/log.ts";

const prefix = "OFFERING_SANDBOX_";

/** `OFFERING_SANDBOX_RATE_LIMIT` */
function variable(flag: string): string {
  return prefix + flag.toUpperCase().replaceAll("-", "_");
}

/** The setting of each variable; `OFFERING_SANDBOX_NO_ADMIN` is the opposite of a switch. */
const settingByVariable = new Map<string, { readonly name: string; readonly isOpposite: boolean }>();
for (const [flag, { name, setting }] of byFlag(startSettings)) {
  settingByVariable.set(variable(flag), { name, isOpposite: false });
  if (setting.kind === onOrOff) settingByVariable.set(variable(`no-${flag}`), { name, isOpposite: true });
}

/** The values in environment variables, including `PORT`. An empty variable counts as not set. */
function givenByVariables(environment: NodeJS.ProcessEnv): TextValue[] {
  const { PORT = "" } = environment;
  const given: TextValue[] = PORT === "" ? [] : [{ setting: "port", text: PORT, place: "PORT" }];
  for (const [place, text = ""] of Object.entries(environment)) {
    const found = settingByVariable.get(place);
    if (!found || text === "") continue;
    const on = found.isOpposite ? onOrOff.read(text) : undefined;
    given.push({ setting: found.name, text: on === undefined ? text : String(!on), place });
  }
  return given;
}

/** The variable of `calibrate` for keys of the real service. */
export const realKeysVariable = "OFFERING_SANDBOX_REAL_KEYS";

const variableNames = [...settingByVariable.keys(), ...childVariableNames, execVariable, realKeysVariable];
const shortNames = variableNames.map((name) => name.slice(prefix.length));

/**
 * Checks variables with our prefix. A misspelt one adds a line to `mistakes`; any other unknown one adds one to
 * `warnings`, since it may belong to another program.
 */
export function checkVariables(environment: NodeJS.ProcessEnv, mistakes: string[], warnings: string[] = []): void {
  for (const [place, text] of Object.entries(environment)) {
    if (!place.startsWith(prefix) || variableNames.includes(place) || text === undefined || text === "") continue;
    const near = nearest(place.slice(prefix.length), shortNames);
    if (near === undefined) warnings.push(`There is no variable ${place}; it is ignored.`);
    else mistakes.push(`There is no variable ${place}. Did you mean "${prefix}${near}"?`);
  }
}

/** Settings, and where they came from. */
export type LoadedSettings = Awaited<ReturnType<typeof loadSettings>>;

/**
 * The settings of a start: from flags, then variables, then an `exec` above, then the config file, then `defaults`,
 * which replace the usual defaults for one command. Throws one Mistake for all wrong values of all sources.
 */
export async function loadSettings(
  given: readonly TextValue[],
  defaults: readonly TextValue[] = [],
  environment: NodeJS.ProcessEnv = process.env,
) {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  checkVariables(environment, mistakes, warnings);
  const fromVariables = givenByVariables(environment);
  const named = [...given, ...fromVariables].find(({ setting }) => setting === "config");
  const configFile = named?.text ?? presentConfig();
  const config = configFile === undefined ? [] : await configGiven(configFile, mistakes);
  const fromExec = readExecVariable(environment[execVariable]).given;
  const sources = [defaults, config, fromExec, fromVariables, given];
  const { calibrated, ...read } = readValues(fileSettings, sources, mistakes);
  // A calibration applies to the values of its file, whatever flags and variables say.
  const { assumptions } = readValues(assumptionSettings, [config], []);
  const settings: StartSettings = {
    ...read,
    calibrated: calibrated && { ...calibrated, assumptions: assumptions ?? {} },
  };
  const above: readonly TextValue[] = [...fromExec, ...fromVariables, ...given];
  if (mistakes.length > 0) throw new Mistake(listed(mistakes));
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
export function assumptionsInForce(settings: StartSettings): Assumptions {
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
