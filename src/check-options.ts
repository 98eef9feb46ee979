import { profileNames } from "./assumptions/profiles.ts";
import type { SandboxOptions } from "./control.ts";
import { checkOptionNames } from "./model/known-members.ts";
import { isMembers } from "./model/members.ts";
import { Mistake } from "./model/mistake.ts";
import { didYouMean } from "./model/nearest.ts";

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
export function checkOptions(options: unknown): asserts options is SandboxOptions {
  if (typeof options !== "object" || options === null) throw new Mistake("The options of a sandbox are an object.");
  checkOptionNames<SandboxOptions>(options, kinds);
  for (const [name, value] of Object.entries(options)) {
    const { expected, accepts } = kinds[name as keyof SandboxOptions];
    if (value === undefined || accepts(value)) continue;
    const near = name === "profile" && typeof value === "string" ? didYouMean(value, profileNames) : "";
    throw new Mistake(`${name} is ${expected}.${near}`);
  }
}
