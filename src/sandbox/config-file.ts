import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ValidationError } from "../validation/errors.ts";
import type { SandboxOptions } from "../public/options.ts";
import { sandboxSettings } from "../settings/settings.ts";
import { fileSettings, type StartSettings } from "../settings/start-settings.ts";
import { type TextValue, readAll } from "../settings/values.ts";
import { isForCode } from "../settings/variables.ts";

/**
 * Lists the files that are read if none is named, by folder: `here`, by default the working directory, then those above
 * it up to the nearest with a package.json. Without one, only `here`: a folder above it may belong to another user.
 */
export function possibleConfigs(here = resolve()): string[][] {
  const folders = [here];
  let folder = here;
  while (!existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) return [inFolder(here)];
    folder = above;
    folders.push(folder);
  }
  return folders.map(inFolder);
}

function inFolder(folder: string): string[] {
  return ["yaml", "json"].map((ending) => relative("", join(folder, `offering-sandbox.config.${ending}`)));
}

/** Finds the nearest config file of a folder. Throws ValidationError for two in one folder. */
export function presentConfig(folder?: string): string | undefined {
  for (const files of possibleConfigs(folder)) {
    const present = files.filter((file) => existsSync(file));
    const both = `${present.join(" and ")} are both here: delete one, or name one: --config FILE, in code config.`;
    if (present.length > 1) throw new ValidationError(both);
    if (present.length === 1) return present[0];
  }
  return undefined;
}

/** Reads the values in a config file, and adds errors. Throws FileReadError and FileValidationError. */
export async function readConfig(file: string, errors: string[]): Promise<TextValue[]> {
  // Loaded only here because most starts have no config file, and this loads YAML.
  const [{ readTextFile, withFullPath }, { parseConfig }] = await Promise.all([
    import("../files/file.ts"),
    import("../settings/config-file.ts"),
  ]);
  const text = await readTextFile(file).catch(async (error: unknown) => {
    throw await withFullPath(error, file);
  });
  return parseConfig(file, text, errors);
}

/** Reads options of `startSandbox` from a file. Throws like `readConfig`, and ValidationError for wrong values. */
export async function configOptions(file: string): Promise<SandboxOptions> {
  const errors: string[] = [];
  return parseOptions(await readConfig(file, errors), errors);
}

/** Parses strings to options of `startSandbox`. Throws one ValidationError for `errors` and all wrong values. */
export function parseOptions(textValues: readonly TextValue[], errors: string[] = []): SandboxOptions {
  const values = readAll(fileSettings, textValues, errors);
  const { assumptions = {}, calibrated } = values;
  const names = Object.keys(sandboxSettings) as (keyof typeof sandboxSettings)[];
  const setNames = names.filter((name) => isForCode(name) && textValues.some(({ setting }) => setting === name));
  return {
    ...Object.fromEntries(setNames.map((name) => [name, values[name]])),
    assumptions: withCors(values),
    ...(calibrated && { calibrated: { ...calibrated, assumptions } }),
  };
}

/** Returns the assumptions of settings; --no-cors sets one. */
export function withCors({ assumptions, cors }: StartSettings): SandboxOptions["assumptions"] {
  return cors ? assumptions : { ...assumptions, cors: "no" };
}

/** Merges options over the ones of a config file. A source of data replaces any other; assumptions are merged by id. */
export function overConfig(options: SandboxOptions, config: SandboxOptions): SandboxOptions {
  const { fixture, seed, snapshot, ...rest } = config;
  return {
    ...rest,
    ...(options.snapshot === undefined && { fixture, seed }),
    ...((options.fixture ?? options.seed) === undefined && { snapshot }),
    ...options,
    assumptions: { ...config.assumptions, ...options.assumptions },
  };
}
