import type { EnvironmentOptions } from "../public/options.ts";
import type { Members } from "../validation/members.ts";
import { type Duration, durationSchema, readDuration } from "../time/duration.ts";
import { isLabel, labelExpected } from "../text/text.ts";
import { assumptions, profile } from "./assumption-kinds.ts";
import { clockSpeed, clockStart, readDecimal, text, type ValueKind, valueKind } from "./kinds.ts";
import { sandboxSettings, type Settings, type SettingsFor } from "./settings.ts";
import { scenarios } from "./source-kinds.ts";
import { checkedOptions } from "./values.ts";

const serverDefault = { defaultText: "the server's" } as const;

export const isEnvironmentId = (id: string): boolean => /^[\w-]{1,64}$/.test(id) && isLabel(id);

/** About thirty years. A limit, because JSON has no Infinity. */
const maxLifetimeSeconds = 1_000_000_000;

/** A lifetime: a number of seconds, or a duration with its unit. */
const lifetime: ValueKind<Duration> = valueKind(
  "seconds",
  `a number of seconds above 0, up to ${maxLifetimeSeconds}, or a duration such as "90s"`,
  (value): value is Duration => secondsOf(value) > 0 && secondsOf(value) <= maxLifetimeSeconds,
  (written) => readDecimal(written) ?? written,
  {
    schema: {
      type: ["number", "string"],
      exclusiveMinimum: 0,
      maximum: maxLifetimeSeconds,
      pattern: durationSchema.pattern,
      examples: [90, "90s", "2h"],
    },
  },
);

/** Returns the seconds of a lifetime; NaN for any other value. A bare number is seconds, not milliseconds. */
export function secondsOf(value: unknown): number {
  if (typeof value === "string" && readDecimal(value) === undefined) return (readDuration(value) ?? Number.NaN) / 1000;
  return typeof value === "number" ? value : Number.NaN;
}

/** The options of `openEnvironment` and of `POST /environments`. The defaults are the snapshot's or the server's. */
export const environmentSettings = {
  id: {
    kind: text("id", "up to 64 letters, digits, - and _, without the text of a key", isEnvironmentId),
    defaultText: "a generated one",
    help: "Up to 64 letters, digits, - and _.",
  },
  label: {
    kind: text("label", labelExpected, isLabel),
    defaultText: "none",
    help: "A name for people, such as that of a test.",
  },
  fixture: {
    kind: sandboxSettings.fixture.kind,
    defaultText: "the server's own",
    help: "The name of the server's own fixture or of a shipped one, or the content of a fixture file.",
  },
  snapshot: {
    kind: sandboxSettings.snapshot.kind,
    defaultText: "none",
    help: "A snapshot to begin from, of any environment and any process.",
  },
  clock: {
    kind: clockStart,
    defaultText: "fixture, or the snapshot's",
    help: `An instant such as 2026-01-15T12:00:00.000Z, "now", or "fixture" for the fixture's own.`,
  },
  speed: {
    kind: clockSpeed,
    defaultText: "0, or the snapshot's",
    help: "Clock speed: 0 paused, 1 real time, 60 one minute per second.",
  },
  scenarios: {
    kind: scenarios,
    flag: "scenario",
    defaultText: "none",
    help: "Names of scenarios, or the contents of scenario files, to play at once.",
  },
  profile: { kind: profile, ...serverDefault, help: "Assumptions where the specification is silent." },
  assumptions: {
    kind: assumptions,
    flag: "assume",
    defaultText: "the server's, if profile is omitted",
    help: "Single assumptions that differ from the profile, by id.",
  },
  rateLimit: { kind: sandboxSettings.rateLimit.kind, ...serverDefault, help: "Requests per minute and key; 0 is off." },
  ttlSeconds: {
    kind: lifetime,
    defaultText: "3600",
    help: "Seconds without a request or command after which the environment is deleted.",
  },
} as const satisfies SettingsFor<EnvironmentOptions>;

/** Converts a name: `rateLimit` → `rate_limit`. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The settings of an environment by their names in JSON. */
export const environmentMembers: Settings = withSnakeCaseNames(environmentSettings);

/** Returns the same values under names in snake case, which the admin API has for options. */
export function withSnakeCaseNames<Value>(options: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [toSnakeCase(name), value]));
}

/** Reads the options in a body of `POST /environments`. Throws ValidationError like `checkedOptions`. */
export function readOptions(body: object): EnvironmentOptions {
  const members = checkedOptions<Members>(environmentMembers, body as Members, "the environment");
  const names = Object.keys(environmentSettings).filter((name) => toSnakeCase(name) in members);
  return Object.fromEntries(names.map((name) => [name, members[toSnakeCase(name)]]));
}
