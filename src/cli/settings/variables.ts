import { didYouMean } from "../../model/nearest.ts";
import { toldVariables } from "../exec/told-variables.ts";
import { onOrOff } from "./kinds.ts";
import type { Given, Settings } from "./setting.ts";

const prefix = "OFFERING_SANDBOX_";

/** Set by `exec` for the command that it runs, which may itself start a sandbox. */
const told: ReadonlySet<string> = new Set(toldVariables);

/** The variable of a setting: `OFFERING_SANDBOX_RATE_LIMIT`. */
function variable(setting: string): string {
  return prefix + setting.toUpperCase().replaceAll("-", "_");
}

/** What a switch is told by the variable that turns it off: `OFFERING_SANDBOX_NO_ADMIN=1`. */
function opposite(text: string): string {
  const on = onOrOff.read(text);
  return on === undefined ? text : String(!on);
}

/**
 * What the environment's variables give, `PORT` among them. An empty variable gives nothing. Adds a line to `warnings`
 * for each variable that looks like ours and is not.
 */
export function givenByVariables(
  table: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  warnings: string[],
): Given[] {
  const settings = new Map(Object.keys(table).map((name) => [variable(name), name]));
  const switches = new Map(
    Object.entries(table).flatMap(([name, { kind }]) => (kind === onOrOff ? [[variable(`no-${name}`), name]] : [])),
  );
  const given: Given[] = [];
  const { PORT } = environment;
  if (PORT !== undefined && PORT !== "") given.push({ setting: "port", text: PORT, place: "PORT" });
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || text === undefined || text === "") continue;
    const setting = settings.get(name);
    const switched = switches.get(name);
    if (setting !== undefined) given.push({ setting, text, place: name });
    else if (switched !== undefined) given.push({ setting: switched, text: opposite(text), place: name });
    else if (!told.has(name)) {
      warnings.push(`There is no variable ${name}; it is ignored.${didYouMean(name, settings.keys())}`);
    }
  }
  return given;
}
