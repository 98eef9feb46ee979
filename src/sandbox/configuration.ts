import { relative, resolve } from "node:path";
import { readSpan } from "../time/duration.ts";
import { isMembers, pickDefined, unknownOption, plainOptions } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import { isLoopback } from "../text/origin.ts";
import { isName } from "../text/text.ts";
import { issueAdminToken } from "../secrets/tokens.ts";
import type { SandboxOptions } from "../public/options.ts";
import { configOptions, parseOptions, overConfig, presentConfig } from "./config-file.ts";
import { readExecVariable } from "./exec-settings.ts";
import { calibratedValues } from "../settings/assumption-kinds.ts";
import { type ValueKind, valueKind } from "../settings/kinds.ts";
import { sandboxSettings, type Settings, type Values } from "../settings/settings.ts";
import { configFile, isPostgresAddress, pathOf } from "../settings/source-kinds.ts";
import { fileSettings } from "../settings/start-settings.ts";
import { checkValues, completeValues, readAssumptions } from "../settings/values.ts";
import { readVariablesInCode } from "../settings/variables.ts";

type Options = Values<typeof sandboxSettings>;

/** The options of a sandbox, checked and complete. */
export type SandboxConfig = Awaited<ReturnType<typeof configure>>;

/** A function, which only code can give. */
const callback: ValueKind<(...values: never[]) => unknown> = valueKind(
  undefined,
  "a function",
  (value): value is (...values: never[]) => unknown => typeof value === "function",
);

const allSettings: Settings = {
  ...sandboxSettings,
  config: { kind: configFile, help: "" },
  calibrated: fileSettings.calibrated,
  onRequest: { kind: callback, help: "" },
  onStop: { kind: callback, help: "" },
  onFailure: { kind: callback, help: "" },
};

/** The error in options that have both members. */
export const snapshotHasFixture = "A snapshot has its own fixture and seed; omit the others, or the snapshot.";

export interface Surroundings {
  /** The options count alone: neither variables, nor an `exec` above, nor a config file. @default false */
  readonly isAlone?: boolean | undefined;
  /** Files of the options and the config file are looked for here. @default the working directory */
  readonly folder?: string | undefined;
}

/**
 * Completes options, from variables, an `exec` above and the config file unless they stand alone. Throws
 * ValidationError with every unknown option, its nearest name, and every invalid value; and throws like
 * `configOptions`.
 */
export async function configure(input: SandboxOptions, around: Surroundings = {}) {
  const { options, file } = await gatherOptions(input, around);
  const hasFixture = options.fixture !== undefined;
  if (options.snapshot !== undefined && options.seed !== undefined && !hasFixture)
    throw new ValidationError(snapshotHasFixture);
  const values = completeValues(sandboxSettings, options);
  const { clock, profile, assumptions, rateLimit, onRequest, onStop, onFailure = () => {} } = options;
  const host = values.host?.replace(/^\[(.*)\]$/, "$1");
  return {
    ...values,
    /** The config file with some of these options; undefined if none was read. */
    configFile: file,
    fixture: pathOf(values.fixture),
    /** Whether a fixture was given, and is not the default. */
    hasFixture,
    scenarios: options.scenarios ?? [],
    /** A snapshot or its path. If the snapshot does not contain its fixture, `fixture` stands in for it. */
    snapshot: pathOf(values.snapshot),
    /** The options of the default environment. A snapshot has values for missing ones. */
    environment: { clock, speed: values.speed, profile, assumptions, rateLimit },
    assumptions: readAssumptions(values.profile, assumptions),
    calibrated: calibratedValues(options.calibrated, assumptions),
    delay: readSpan(values.delay) ?? [0, 0],
    corsOrigins: new Set(values.corsOrigins ?? ["*"]),
    allowedHosts: values.allowedHosts ?? [],
    host,
    ...tokensOf(values, host === undefined || isLoopback(host)),
    onRequest,
    onStop,
    onFailure,
  };
}

/** Returns the options with those around them, and the config file among these. */
async function gatherOptions(input: SandboxOptions, { isAlone = false, folder }: Surroundings) {
  const plain = plainOptions(input);
  const isObject: boolean = isMembers(plain);
  if (!isObject) throw new ValidationError("The options of a sandbox are an object.");
  checkValues(allSettings, plain, unknownOption);
  const { config, ...options } = pickDefined(folder === undefined ? plain : filesFrom(folder, plain));
  if (isAlone) return { options, file: undefined };
  const variables = readVariablesInCode(process.env);
  const named = variables.find(({ setting }) => setting === "config")?.text;
  const file = config === false ? undefined : (pathOf(config) ?? named ?? presentConfig(folder));
  const ofFile = file === undefined ? {} : await configOptions(file);
  const ofExec = parseOptions(readExecVariable().textValues);
  const around = overConfig(parseOptions(variables), overConfig(ofExec, ofFile));
  return { options: overConfig(options, around), file };
}

/** Names the files of options as seen from the working directory. A name without a dot or slash is no file. */
function filesFrom(folder: string, { config, fixture, snapshot, scenarios, ...options }: SandboxOptions) {
  const from = <Source>(source: Source): Source | string =>
    typeof source === "string" && !isName(source) ? relative("", resolve(folder, source)) : source;
  const played = Array.isArray(scenarios) ? scenarios.map(from) : scenarios;
  return { ...options, config: from(config), fixture: from(fixture), snapshot: from(snapshot), scenarios: played };
}

/** Characters of a token beyond loopback. */
const minTokenLength = 16;

/** Returns the tokens of a sandbox, of which other machines, or other tokens, need the first. */
function tokensOf({ admin, adminToken, openToken, db }: Options, onLoopback: boolean) {
  for (const [name, token] of Object.entries({ admin: adminToken, open: openToken })) {
    if (onLoopback || token === undefined || token.length >= minTokenLength) continue;
    throw new ValidationError(
      `The ${name} token has fewer than ${minTokenLength} characters: too few for a sandbox that other machines can reach.`,
    );
  }
  if (openToken !== undefined && openToken === adminToken) {
    throw new ValidationError("The open token is the admin token, which is for everything; expected another.");
  }
  const needsToken = admin && (!onLoopback || openToken !== undefined);
  if (needsToken && adminToken === undefined && isPostgresAddress(db)) {
    throw new ValidationError(
      "Processes over one database need the same --admin-token; expected one, or OFFERING_SANDBOX_ADMIN_TOKEN.",
    );
  }
  return { adminToken: adminToken ?? (needsToken ? issueAdminToken() : null), openToken: openToken ?? null };
}
