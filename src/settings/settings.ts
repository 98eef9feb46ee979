import type { SandboxOptions } from "../public/options.ts";
import { maxDelay, readSpan, type Span, spanSchema } from "../time/duration.ts";
import { assumptions, profile } from "./assumption-kinds.ts";
import { clockSpeed, clockStart, type ValueKind, onOrOff, text, texts, valueKind, integerKind } from "./kinds.ts";
import { fixture, snapshot, startScenarios } from "./source-kinds.ts";

/** A setting. Options, flags, variables, keys of the config file, help and JSON Schema come from it. */
export interface Setting<Value = unknown> {
  readonly kind: ValueKind<Value>;
  readonly help: string;
  /** The flag without its dashes. @default the name in kebab-case */
  readonly flag?: string;
  readonly short?: string;
  /** The value of the flag if none is given, as text. */
  readonly bareText?: string;
  /** The effect of `--no-…`, for a switch or a list with a default. */
  readonly off?: string;
  readonly default?: Value;
  /** The default in words, where it is not one value. */
  readonly defaultText?: string;
  /** The default in code and of `exec`, if it differs: there, only tests move the clock. */
  readonly defaultInCode?: Value;
  /** The heading in help. */
  readonly group?: string;
  /** The value is a path, which in a config file is relative to that file; or else the name of something shipped. */
  readonly file?: "path" | "name or path";
  readonly notInConfig?: true;
  /** Takes effect only when the sandbox starts. */
  readonly atStart?: true;
  /** Only one process can have the value at a time: a sandbox in code takes it only from its options. */
  readonly onlyOneProcess?: true;
}

/** Settings by name: the name of the option in TypeScript. */
export type Settings = Readonly<Record<string, Setting>>;

/** The values of settings. Those without a default may be undefined. */
export type Values<Table extends Settings> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly kind: ValueKind<infer Value> }
    ? Table[Name] extends { readonly default: unknown }
      ? Value
      : Value | undefined
    : never;
};

/** A setting for each option of an interface, of a kind for the option's type. */
export type SettingsFor<Options> = { readonly [Name in keyof Options]-?: Setting<NonNullable<Options[Name]>> };

/** Returns the flag of a setting, which is its key in the config file too: `rateLimit` → `rate-limit`. */
export function flagOf(name: string, { flag }: Setting): string {
  return flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the default of a setting in words; undefined without a default. */
export function formatDefault({ default: value, defaultText }: Setting): string | undefined {
  return defaultText ?? (value as { toString(): string } | undefined)?.toString();
}

/** Settings with their names, by flag. */
export function byFlag(settings: Settings): Map<string, { readonly name: string; readonly setting: Setting }> {
  return new Map(Object.entries(settings).map(([name, setting]) => [flagOf(name, setting), { name, setting }]));
}

export const headings = {
  data: "Data and time:",
  network: "Network:",
  behavior: "Behavior:",
  output: "Output:",
} as const;

/** Settings with their heading in help. */
export function under<const Table extends Settings>(group: string, settings: Table): Table {
  const entries = Object.entries(settings).map(([name, setting]) => [name, { ...setting, group }]);
  return Object.fromEntries(entries) as Table;
}

const token: ValueKind<string> = {
  ...text("token", "a token of visible ASCII characters without spaces", /^[!-~]+$/),
  secret: true,
};

/** How long something waits, up to ten minutes: a duration, or a span from which each is sampled. */
const delayKind: ValueKind<Span> = valueKind(
  "duration",
  `a duration of ten minutes at most such as "100ms" or "2s", or a span such as "50ms..200ms"`,
  (value): value is Span => (readSpan(value)?.[1] ?? Infinity) <= maxDelay,
  undefined,
  { schema: spanSchema, shape: "span" },
);

/** The options of `startSandbox`, but for its callbacks. */
export const sandboxSettings = {
  ...under(headings.data, {
    fixture: {
      kind: fixture,
      short: "f",
      default: "demo",
      file: "name or path",
      help: "a shipped fixture's name or a file",
    },
    scenarios: {
      kind: startScenarios,
      flag: "scenario",
      short: "s",
      defaultText: "the fixture's own",
      file: "name or path",
      help: "a shipped scenario's name or a file to play at start; repeatable",
      off: "play no scenario at start",
    },
    snapshot: {
      kind: snapshot,
      defaultText: "none",
      file: "path",
      atStart: true,
      help: "file with a snapshot to begin from, which mostly has its own fixture",
    },
    clock: {
      kind: clockStart,
      default: "now",
      defaultInCode: "fixture",
      atStart: true,
      help: `instant to start at: ISO 8601, "now", or "fixture" for the fixture's own`,
    },
    speed: {
      kind: clockSpeed,
      default: 1,
      defaultInCode: 0,
      help: "clock speed: 0 paused, 1 real time, 60 one minute per second",
    },
    seed: { kind: integerKind(), defaultText: "the fixture's", help: "seed for generated data" },
    db: {
      kind: text("file|address", "a file, or the address of a PostgreSQL database: postgres://host/name"),
      defaultText: "everything is in memory",
      file: "path",
      atStart: true,
      onlyOneProcess: true,
      help: "file to save environments in, or the PostgreSQL database that several processes share",
    },
    maxEnvironments: {
      kind: integerKind(1, 20_000),
      default: 1000,
      atStart: true,
      help: "environments that may be open, the default one included",
    },
  }),
  ...under(headings.network, {
    port: {
      kind: integerKind(0, 65_535),
      short: "p",
      default: 4120,
      defaultInCode: 0,
      atStart: true,
      onlyOneProcess: true,
      help: "port to listen on; 0 takes any free one",
    },
    host: {
      kind: text("address", "an address to bind", /^\S+$/),
      defaultText: "both loopback addresses",
      atStart: true,
      help: "the one address to bind",
    },
    allowedHosts: {
      kind: texts("name", "host names without scheme, port or path", /^([^\s:/]+|\[?[\da-f:]+\]?)$/i),
      help: "host names to respond to, besides loopback names and the bound host; repeatable",
    },
    adminToken: {
      kind: token,
      defaultText: "none on loopback, a random one beyond or with --open-token",
      atStart: true,
      help: "token that the admin API requires",
    },
    openToken: {
      kind: token,
      defaultText: "none",
      atStart: true,
      help: "token with which one can only open environments; each response has the tokens of its environment",
    },
    admin: {
      kind: onOrOff,
      default: true,
      atStart: true,
      help: "whether the portal and /__admin are served",
      off: "disable the portal and /__admin",
    },
  }),
  ...under(headings.behavior, {
    profile: { kind: profile, default: "conventional", help: "assumptions where the specification is silent" },
    assumptions: {
      kind: assumptions,
      flag: "assume",
      help: `change one assumption; repeatable; "offering-sandbox assumptions" lists them`,
    },
    rateLimit: { kind: integerKind(0, 1_000_000), default: 120, help: "requests per minute and key; 0 is off" },
    delay: {
      kind: delayKind,
      default: 0,
      help: `delay before every response of the API: a duration, or a span such as "50ms..200ms"`,
    },
    corsOrigins: {
      kind: texts(
        "origin",
        `"*" or origins such as "http://localhost:3000"`,
        /^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/i,
      ),
      flag: "cors-origin",
      defaultText: "any, without credentials",
      help: "origins that may call the API from a browser; repeatable",
    },
    assumptionHeader: {
      kind: onOrOff,
      default: true,
      help: "whether responses name the assumptions they depend on, in Sandbox-Assumptions",
      off: "leave Sandbox-Assumptions out of responses",
    },
  }),
  ...under(headings.output, {
    snapshotDir: {
      kind: text("folder", "a folder"),
      defaultText: "none are written",
      file: "path",
      help: "folder for a snapshot of each failed test",
    },
    coverageDir: {
      kind: text("folder", "a folder"),
      defaultText: "none is written",
      file: "path",
      atStart: true,
      help: "folder for a report of the errors that clients have covered",
    },
  }),
} as const satisfies SettingsFor<Omit<SandboxOptions, "config" | "calibrated" | "onRequest" | "onStop" | "onFailure">>;
