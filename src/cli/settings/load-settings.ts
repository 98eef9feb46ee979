import { existsSync, readFileSync } from "node:fs";
import { Mistake, UnreadableFile } from "../../model/mistakes.ts";
import { didYouMean } from "../../model/text.ts";
import { childVariableNames } from "../exec/child-variables.ts";
import { type Given, type Kind, onOrOff, type Setting, type Settings, type Values } from "./setting.ts";
import { startSettings, type StartSettings } from "./start-settings.ts";

const prefix = "OFFERING_SANDBOX_";

/** Set by `exec` for the command that it runs, which may itself start a sandbox. */
const told: ReadonlySet<string> = new Set(childVariableNames);

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
function givenByVariables(
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

/**
 * The values of settings, of what was given from several sides: a later side wins over an earlier one, and adds to it
 * where the setting is a map. Adds a line to `mistakes` for each text that is not as expected.
 */
export function readValues<Table extends Settings>(
  table: Table,
  sides: readonly (readonly Given[])[],
  mistakes: string[],
): Values<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    let value = setting.default;
    for (const side of sides) {
      const given = side.filter((candidate) => candidate.setting === name);
      const read = given.flatMap((one) => readOne(setting, one, mistakes));
      if (read.length > 0) value = combine(setting, value, read);
    }
    values[name] = value;
  }
  return values as Values<Table>;
}

/** The values of a command's own flags. Throws a Mistake that names every text that is not as expected. */
export function flagValues<Table extends Settings>(table: Table, given: readonly Given[]): Values<Table> {
  const mistakes: string[] = [];
  const values = readValues(table, [given], mistakes);
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return values;
}

/** The value of what stands behind a command's name. Throws a Mistake when it is not as expected. */
export function operandValue<Value>(kind: Kind<Value>, text: string, place: string): Value {
  return flagValues({ operand: { kind, describe: "" } }, [{ setting: "operand", text, place }]).operand as Value;
}

function combine({ kind }: Setting, before: unknown, read: readonly unknown[]): unknown {
  if (kind.shape === "map") return Object.assign({}, before, ...read);
  return kind.shape === "list" ? read.flat() : read.at(-1);
}

/** The value in a list, which is empty when the text is a mistake. */
function readOne({ kind }: Setting, { text, place }: Given, mistakes: string[]): unknown[] {
  try {
    const value = kind.read(text);
    if (value !== undefined) return [value];
    mistakes.push(`${place}: expected ${kind.expected}, not "${text}".${didYouMean(text, kind.words)}`);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    mistakes.push(`${place}: ${error.message}`);
  }
  return [];
}

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
