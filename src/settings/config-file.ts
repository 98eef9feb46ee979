import { dirname, isAbsolute, join } from "node:path";
import { inputLimits } from "../bounds/bounds.ts";
import { YamlText } from "../files/located/yaml.ts";
import { isMembers } from "../validation/members.ts";
import { formatDiagnostic, type Path } from "../validation/errors.ts";
import { isAddress } from "./source-kinds.ts";
import { didYouMean, escaped, isName, quoted } from "../text/text.ts";
import { onOrOff } from "./kinds.ts";
import { byFlag, type Setting } from "./settings.ts";
import { fileSettings } from "./start-settings.ts";
import type { TextValue } from "./values.ts";

/** The settings of a config file by their keys, which are the flags. */
const settingByKey = new Map([...byFlag(fileSettings)].filter(([, { setting }]) => setting.notInConfig !== true));

const settingByName = new Map(Array.from(settingByKey.values(), (known) => [known.name, known]));

/** Parses a config file. Adds errors in form and keys as lines. Throws FileValidationError if it is too long. */
export function parseConfig(file: string, text: string, errors: string[]): TextValue[] {
  const config = new YamlText(text, file, "settings", inputLimits.configText);
  // No error quotes its line, which may have a token.
  for (const { line, column, message } of config.errors) errors.push(formatDiagnostic({ file, line, column, message }));
  const { value: settings = null } = config;
  const place = (path: Path, at?: "name"): string => {
    const { line, column } = config.position(path, at);
    return `${escaped(file)}:${line}:${column}`;
  };
  if (settings === null) return [];
  if (!isMembers(settings)) {
    errors.push(`${place([])}: expected settings such as "port: 4120"`);
    return [];
  }
  return Object.entries(settings).flatMap(([flag, value]) => {
    if (flag === "$schema") return [];
    const known = settingByKey.get(flag) ?? settingByName.get(flag);
    if (!known) {
      // No message shows more of them.
      const suggestion = errors.length < inputLimits.errors ? hint(flag) : "";
      errors.push(`${place([flag], "name")}: There is no setting ${quoted(flag)}.${suggestion}`);
      return [];
    }
    const { name, setting } = known;
    const texts = textsOf(setting, flag, value, config);
    if (!texts) {
      const shape = isMembers(value) ? "a map" : "a list";
      errors.push(`${place([flag], "name")}: ${flag}: expected ${setting.kind.expected}, not ${shape}.`);
      return [];
    }
    return texts.map(({ path, at, written }) => ({
      setting: name,
      text: setting.file ? besideConfig(file, written, setting.file) : written,
      place: `${place(path, at)}: ${flag}`,
    }));
  });
}

function hint(flag: string): string {
  const positive = flag.replace(/^no-/, "");
  if (positive !== flag && settingByKey.has(positive)) return ` Write "${positive}: false".`;
  return didYouMean(flag, settingByKey.keys());
}

/** A value in the form that its flag takes, and its place. A pair in a map has the place of its name. */
interface WrittenValue {
  readonly path: Path;
  readonly at?: "name";
  readonly written: string;
}

/** Returns the strings of a value; undefined if the setting takes no list or no map. */
function textsOf({ kind, off }: Setting, flag: string, value: unknown, config: YamlText): WrittenValue[] | undefined {
  const textAt = (path: Path, part: unknown): string => config.written(path) ?? JSON.stringify(part);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => ({ path: [flag, index], written: textAt([flag, index], item) }));
    // An empty list means none; a missing key means the default.
    if (items.length === 0 && off !== undefined) return [{ path: [flag], written: "false" }];
    if (kind.shape === "span") return [{ path: [flag], written: items.map(({ written }) => written).join("..") }];
    const isWrong = kind.shape === "one" || (kind.shape !== "list" && items.length === 0);
    return isWrong ? undefined : items;
  }
  if (!isMembers(value)) return [{ path: [flag], written: textAt([flag], value) }];
  if (kind.shape === "document") return [{ path: [flag], written: JSON.stringify(value) }];
  if (kind.shape !== "map") return undefined;
  return Object.entries(value).map(([name, part]) => {
    const path = [flag, name];
    return { path, at: "name", written: `${name}=${textAt(path, part)}` };
  });
}

function besideConfig(config: string, written: string, file: "path" | "name or path"): string {
  const named = file === "name or path" && isName(written);
  const isPlace = named || isAbsolute(written) || isAddress(written) || written.trim() === "";
  return isPlace ? written : join(dirname(config), written);
}

/** Creates the JSON Schema of config files: their settings, each with its description and default. */
export function configSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "offering-sandbox config file",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(Array.from(settingByKey, ([flag, { setting }]) => [flag, property(setting)])),
    },
  };
}

function property({ kind, help, off, defaultText, default: value }: Setting): object {
  const description = defaultText === undefined ? help : `${help} [default: ${defaultText}]`;
  const none = off !== undefined && kind !== onOrOff;
  const schema =
    kind.shape === "list"
      ? { anyOf: [{ type: "string" }, kind.schema, ...(none ? [{ const: false }] : [])] }
      : kind.schema;
  return Object.assign({ description }, schema, { description }, value !== undefined && { default: value });
}
