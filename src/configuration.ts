import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { assume, parseAssumption, type ProfileName, profileNames } from "./assumptions/assume.ts";
import type { Assumptions } from "./assumptions/catalogue.ts";
import type { RequestEntry, SandboxOptions } from "./control.ts";
import type { FixtureSource } from "./fixture/read.ts";
import { parseIsoDate } from "./model/instant.ts";
import { checkOptionNames, isMembers } from "./model/members.ts";
import { Mistake } from "./model/mistakes.ts";
import { didYouMean } from "./model/text.ts";
import { isLoopback } from "./server/host-check.ts";

/** What an option takes, in words, and whether a value is of that kind. */
interface Kind {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Ten minutes: whoever waits longer has given up. */
const longestDelay = 600_000;

const text: Kind = {
  expected: "a text that is not empty",
  accepts: (value) => typeof value === "string" && value !== "",
};
const onOrOff: Kind = { expected: "true or false", accepts: (value) => typeof value === "boolean" };
const callback: Kind = { expected: "a function", accepts: (value) => typeof value === "function" };
const number: Kind = { expected: "a number", accepts: (value) => typeof value === "number" };

function whole(most: number): Kind {
  return {
    expected: `a whole number from 0 to ${most}`,
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most,
  };
}

function listOf(expected: string, pattern: RegExp): Kind {
  return {
    expected,
    accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string" && pattern.test(item)),
  };
}

function isPlain(value: unknown): boolean {
  return isMembers(value) && (Object.getPrototypeOf(value) ?? Object.prototype) === Object.prototype;
}

const milliseconds = whole(longestDelay);

const kinds: { readonly [Name in keyof Required<SandboxOptions>]: Kind } = {
  fixture: {
    expected: "a shipped fixture's name, a file, or an object with what a fixture file says",
    accepts: (value) => text.accepts(value) || (value instanceof URL && value.protocol === "file:") || isPlain(value),
  },
  scenarios: listOf("a list of names or files", /\S/),
  db: text,
  seed: { expected: "a whole number", accepts: Number.isSafeInteger },
  clock: text,
  speed: number,
  profile: { expected: profileNames.join(" or "), accepts: (value) => profileNames.some((name) => name === value) },
  assumptions: {
    expected: "an object of values by id",
    accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
  rateLimit: whole(1_000_000),
  delay: {
    expected: `${milliseconds.expected}, or a least and a most`,
    accepts: (value) =>
      milliseconds.accepts(value) ||
      (Array.isArray(value) && value.length === 2 && value.every(milliseconds.accepts) && value[0] <= value[1]),
  },
  corsOrigins: listOf(
    'a list of "*" or origins such as "http://localhost:3000"',
    /^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/i,
  ),
  allowedHosts: listOf("a list of host names without scheme, port or path", /^([^\s:/]+|\[?[\da-f:]+\]?)$/i),
  admin: onOrOff,
  adminToken: {
    expected: "a token without spaces that is not empty",
    accepts: (value) => typeof value === "string" && /^[!-~]+$/.test(value),
  },
  assumptionHeader: onOrOff,
  port: whole(65_535),
  host: text,
  onRequest: callback,
  onFailure: callback,
};

/** Throws Mistake for an option that there is not, with the nearest name, and for a value that it does not take. */
function checkOptions(options: unknown): asserts options is SandboxOptions {
  if (typeof options !== "object" || options === null) throw new Mistake("The options of a sandbox are an object.");
  checkOptionNames<SandboxOptions>(options, kinds);
  for (const [name, value] of Object.entries(options)) {
    const { expected, accepts } = kinds[name as keyof SandboxOptions];
    if (value === undefined || accepts(value)) continue;
    const near = name === "profile" && typeof value === "string" ? didYouMean(value, profileNames) : "";
    throw new Mistake(`${name} is ${expected}.${near}`);
  }
}

/** The options of a sandbox, complete: what the code may rely on. */
export interface Configuration {
  readonly fixture: FixtureSource;
  readonly seed: number | undefined;
  /** Undefined is the fixture's own. */
  readonly scenarios: readonly string[] | undefined;
  readonly db: string | undefined;
  /** Milliseconds since the epoch; `"fixture"` is the fixture's own present. */
  readonly clock: number | "fixture";
  readonly speed: number;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly rateLimit: number;
  readonly delay: readonly [least: number, most: number];
  readonly corsOrigins: ReadonlySet<string>;
  readonly allowedHosts: readonly string[];
  readonly admin: boolean;
  readonly adminToken: string | null;
  readonly assumptionHeader: boolean;
  readonly port: number;
  /** Undefined is both loopbacks. */
  readonly host: string | undefined;
  /** Undefined where nobody is to be told. */
  readonly onRequest: ((entry: RequestEntry) => void) | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** A set of assumptions: a profile's, with single ones set otherwise. Throws Mistake for an unknown one. */
export function readAssumptions(profile: ProfileName, given: Readonly<Record<string, unknown>> = {}): Assumptions {
  if (!profileNames.includes(profile)) {
    throw new Mistake(`profile is ${profileNames.join(" or ")}.${didYouMean(profile, profileNames)}`);
  }
  const changes = Object.entries(given).map(([id, value]) => parseAssumption(id, value));
  return assume(profile, Object.assign({}, ...changes) as Partial<Assumptions>);
}

/** Completes options. Throws Mistake for an unknown name, with the nearest one, or a value that cannot be. */
export function configure(options: SandboxOptions): Configuration {
  checkOptions(options);
  const { profile = "conventional", delay = 0 } = options;
  const host = options.host?.replace(/^\[(.*)\]$/, "$1");
  const [least, most] = typeof delay === "number" ? [delay, delay] : delay;
  const onLoopback = host === undefined || isLoopback(host);
  return {
    fixture: options.fixture instanceof URL ? fileURLToPath(options.fixture) : (options.fixture ?? "demo"),
    seed: options.seed,
    scenarios: options.scenarios,
    db: options.db,
    clock: startingInstant(options.clock ?? "fixture"),
    speed: options.speed ?? 0,
    profile,
    assumptions: readAssumptions(profile, options.assumptions),
    rateLimit: options.rateLimit ?? 120,
    delay: [least, most],
    corsOrigins: new Set(options.corsOrigins ?? ["*"]),
    allowedHosts: options.allowedHosts ?? [],
    admin: options.admin ?? true,
    adminToken: options.adminToken ?? (onLoopback ? null : randomBytes(24).toString("base64url")),
    assumptionHeader: options.assumptionHeader ?? true,
    port: options.port ?? 0,
    host,
    onRequest: options.onRequest,
    onFailure: options.onFailure ?? (() => {}),
  };
}

/** Milliseconds since the epoch; `"fixture"` stays to be looked up. Throws Mistake. */
export function startingInstant(clock: string): number | "fixture" {
  if (clock === "fixture") return clock;
  if (clock === "now") return Date.now();
  const date = parseIsoDate(clock);
  if (date) return date.milliseconds;
  throw new Mistake(`clock is an instant such as 2026-01-15T12:00:00.000Z, "now" or "fixture".`);
}
