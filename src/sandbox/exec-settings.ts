import { resolve } from "node:path";
import { appendFileSync, readFileSync } from "node:fs";
import { parsedJson } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import { isName } from "../text/text.ts";
import type { TextValue } from "../settings/values.ts";
import { execVariable, readVariables } from "../settings/variables.ts";
import { originOfValue, type AssumptionId } from "../assumptions/catalog.ts";
import type { Environment } from "../environment/environment.ts";
import type { NewEntry } from "../environment/journal.ts";

/** The settings that decide which responses a client gets. */
const inheritedSettings: ReadonlySet<string> = new Set([
  "profile",
  "assumptions",
  "cors",
  "fixture",
  "seed",
  "rateLimit",
]);

interface ExecSettings {
  readonly textValues: readonly TextValue[];
  /** The file for the assumptions on which responses depend; omitted without `--vary`. */
  readonly usesFile?: string | undefined;
}

/** Returns the variables for a command, without the settings that `execVariable` passes on: flags override them. */
export function withoutInherited(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inheritedValues = readVariables(environment).filter(({ setting }) => inheritedSettings.has(setting));
  const names = new Set(inheritedValues.map(({ place }) => place));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));
}

/** Writes settings as the text of the variable; undefined without any. `usesFile` is by default the outer one. */
export function execVariableText(
  settings: readonly TextValue[],
  usesFile: string | undefined = readExecVariable().usesFile,
): string | undefined {
  const textValues = settings
    .filter(({ setting }) => inheritedSettings.has(setting))
    // The command may run in another folder.
    .map((textValue) =>
      textValue.setting === "fixture" && !isName(textValue.text)
        ? { ...textValue, text: resolve(textValue.text) }
        : textValue,
    );
  const isEmpty = textValues.length === 0 && usesFile === undefined;
  return isEmpty ? undefined : JSON.stringify({ textValues, usesFile } satisfies ExecSettings);
}

/** Reads the settings of the `exec` around this process. Throws ValidationError for a value not written by `exec`. */
export function readExecVariable(text = process.env[execVariable] ?? ""): ExecSettings {
  if (text === "") return { textValues: [] };
  const content = parsedJson(text);
  if (isExecSettings(content)) return content;
  throw new ValidationError(`${execVariable} is only for offering-sandbox exec to set; unset it.`);
}

function isExecSettings(content: unknown): content is ExecSettings {
  if (!isMembers(content) || !Array.isArray(content["textValues"])) return false;
  const texts = (content["textValues"] as unknown[]).flatMap((value) =>
    isMembers(value) && inheritedSettings.has(String(value["setting"])) ? [value["text"], value["place"]] : [undefined],
  );
  return [...texts, content["usesFile"] ?? ""].every((text) => typeof text === "string");
}

/** A row on which a response depended, with its value at that time. */
export interface AssumptionUse {
  readonly id: AssumptionId;
  readonly value: string | number;
  /** True if the value is set or calibrated, not the profile's. */
  readonly isDecided: boolean;
}

/**
 * Returns a listener that appends each use once to a file, which several processes may share. `options` are the
 * assumptions of the sandbox's options: a value that is set counts as decided even if the profile has the same.
 */
export function usesWriter(file: string, options: object = {}) {
  const written = new Set<string>();
  return ({ assumptions: ids }: Pick<NewEntry, "assumptions">, environment: Environment): void => {
    const { assumptions, config, internals } = environment;
    const origins = { assumptions, profile: config.profile, calibrated: internals.calibrated };
    for (const id of ids) {
      const isDecided = Object.hasOwn(options, id) || originOfValue(id, origins).source !== "profile";
      const line = `${JSON.stringify({ id, value: assumptions[id], isDecided } satisfies AssumptionUse)}\n`;
      if (written.has(line)) continue;
      written.add(line);
      try {
        appendFileSync(file, line);
      } catch {
        // The `exec` that reads the file has ended, and its folder is gone.
      }
    }
  };
}

/** Reads the uses in a file; none if no sandbox has written it. */
export function readUses(file: string): AssumptionUse[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as AssumptionUse);
  } catch {
    return [];
  }
}
