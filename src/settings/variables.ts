import { nearest } from "../text/text.ts";
import { onOrOff } from "./kinds.ts";
import { byFlag, sandboxSettings, type Settings } from "./settings.ts";
import { startSettings } from "./start-settings.ts";
import type { TextValue } from "./values.ts";

const prefix = "OFFERING_SANDBOX_";

/** The variables by which `exec` tells its command of the sandbox, the first offering and the folder for snapshots. */
export const childVariableNames = [
  "OFFERING_SANDBOX_URL",
  "OFFERING_SANDBOX_BASE_URL",
  "OFFERING_SANDBOX_ADMIN_URL",
  "OFFERING_SANDBOX_MARKETING_KEY",
  "OFFERING_SANDBOX_PARTNER_KEY",
  "OFFERING_SANDBOX_OFFERING_ID",
  "OFFERING_SANDBOX_SNAPSHOT_DIR",
] as const;

/** The variable in which `exec` passes settings of the service to the sandboxes that its command starts. */
export const execVariable = "OFFERING_SANDBOX_EXEC";

/** The variable of `calibrate` for keys of the real service. */
export const realKeysVariable = "OFFERING_SANDBOX_REAL_KEYS";

/** The setting of each variable; `OFFERING_SANDBOX_NO_ADMIN` is the opposite of a switch. */
const settingByVariable = new Map<string, { readonly name: string; readonly isOpposite: boolean }>();
for (const [flag, { name, setting }] of byFlag(startSettings)) {
  const variable = flag.toUpperCase().replaceAll("-", "_");
  settingByVariable.set(prefix + variable, { name, isOpposite: false });
  if (setting.kind === onOrOff) settingByVariable.set(`${prefix}NO_${variable}`, { name, isOpposite: true });
}

const variableNames = [...settingByVariable.keys(), ...childVariableNames, execVariable, realKeysVariable];
const shortNames = variableNames.map((name) => name.slice(prefix.length));

/** Returns the variables with our prefix that are not empty, on Windows, which ignores case, in capitals. */
function ownVariables(environment: NodeJS.ProcessEnv, platform = process.platform): (readonly [string, string])[] {
  return Object.entries(environment).flatMap(([name, text = ""]) => {
    const place = platform === "win32" ? name.toUpperCase() : name;
    return text !== "" && place.toUpperCase().startsWith(prefix) ? [[place, text] as const] : [];
  });
}

export function readVariables(environment: NodeJS.ProcessEnv, platform?: NodeJS.Platform): TextValue[] {
  return ownVariables(environment, platform).flatMap(([place, text]) => {
    const found = settingByVariable.get(place);
    if (!found) return [];
    const on = found.isOpposite ? onOrOff.read(text) : undefined;
    return [{ setting: found.name, text: on === undefined ? text : String(!on), place }];
  });
}

/** Adds a line for each misspelled variable to `errors`; for others, which may be another program's, to `warnings`. */
export function checkVariables(environment: NodeJS.ProcessEnv, errors: string[], warnings: string[] = []): void {
  for (const [place] of ownVariables(environment)) {
    if (variableNames.includes(place)) continue;
    const near = nearest(place.slice(prefix.length).toUpperCase(), shortNames);
    if (near === undefined) warnings.push(`There is no variable ${place}; it is ignored.`);
    else errors.push(`There is no variable ${place}. Did you mean "${prefix}${near}"?`);
  }
}

export function isForCode(name: string): boolean {
  const settings: Settings = sandboxSettings;
  return name === "cors" || (Object.hasOwn(settings, name) && settings[name]?.onlyOneProcess !== true);
}

/** Reads the variables for a sandbox in code, and `config`, the path of its config file. */
export function readVariablesInCode(environment: NodeJS.ProcessEnv): TextValue[] {
  return readVariables(environment).filter(({ setting }) => setting === "config" || isForCode(setting));
}

/** Returns a line for each variable that a sandbox with these options does not read. */
export function unreadVariables(environment: NodeJS.ProcessEnv, options: object): string[] {
  const lines: string[] = [];
  checkVariables(environment, lines, lines);
  // An `exec` above has read what is for one process or for the terminal.
  if (environment["OFFERING_SANDBOX_BASE_URL"]) return lines;
  const isRead = (setting: string): boolean =>
    setting === "config" || isForCode(setting) || Object.hasOwn(options, setting);
  const unread = readVariables(environment).filter(({ setting }) => !isRead(setting));
  return [
    ...lines,
    ...unread.map(({ place }) => `${place} is only for the command line; a sandbox in code ignores it.`),
  ];
}
