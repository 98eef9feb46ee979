import { type Duration, durationSchema, minute, readDuration } from "../time/duration.ts";
import { calibration } from "./assumption-kinds.ts";
import { onOrOff, oneOf, text, type ValueKind, valueKind } from "./kinds.ts";
import { headings, sandboxSettings, type Settings, under, type Values } from "./settings.ts";
import { namedSources } from "./source-kinds.ts";

/** The levels of a log, from errors only to everything: it prints its own and those before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

/** The longest drain, in milliseconds: an hour. */
const maxDrain = 60 * minute;

/** How long a stopping server still serves. */
const drainTime: ValueKind<Duration> = valueKind(
  "duration",
  "a duration such as 5s or 2m, of an hour at most",
  (value): value is Duration => (readDuration(value) ?? Infinity) <= maxDrain,
  undefined,
  { schema: { ...durationSchema, maximum: maxDrain } },
);

/** The settings of `start`: the settings of a sandbox, and some only for the command line. */
export const startSettings = {
  ...sandboxSettings,
  fixture: { ...sandboxSettings.fixture, kind: namedSources.fixture },
  scenarios: { ...sandboxSettings.scenarios, kind: namedSources.scenarios },
  snapshot: { ...sandboxSettings.snapshot, kind: namedSources.snapshot },
  watch: {
    group: headings.data,
    kind: onOrOff,
    short: "w",
    default: false,
    atStart: true,
    help: "reload fixture, scenario and config files when they change; on an error, the last valid version stays",
  },
  drain: {
    group: headings.network,
    kind: drainTime,
    defaultText: "SIGTERM stops at once",
    atStart: true,
    help: "how long SIGTERM leaves the sandbox serving, while /__admin/health?ready returns 503",
  },
  cors: {
    group: headings.behavior,
    kind: onOrOff,
    default: true,
    help: "whether pages of other origins may call the API",
    off: "let no page of another origin call the API",
  },
  ...under(headings.output, {
    logLevel: {
      kind: oneOf(logLevels),
      defaultText: "info; error with --quiet",
      atStart: true,
      help: "lowest level to print; requests are info",
    },
    logFormat: {
      kind: oneOf(["pretty", "json"]),
      default: "pretty",
      atStart: true,
      help: "lines for people, or one JSON object per line",
    },
    quiet: { kind: onOrOff, short: "q", default: false, atStart: true, help: "print only the ready line and errors" },
    portFile: {
      kind: text("file", "a file"),
      file: "path",
      atStart: true,
      help: "write the bound port to this file once ready",
    },
    config: {
      kind: text("file", "a file"),
      short: "c",
      notInConfig: true,
      defaultText: "the nearest offering-sandbox.config.yaml or .json, up to the package's root",
      help: "file with these settings",
    },
  }),
} as const satisfies Settings;

/** The settings of a config file: the settings of `start`, and one without a flag. */
export const fileSettings = {
  ...startSettings,
  calibrated: { kind: calibration, help: "the assumptions of this file that offering-sandbox calibrate decided" },
} as const satisfies Settings;

export type StartSettings = Values<typeof fileSettings>;
