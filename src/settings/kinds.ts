import { type Duration, durationExpected, durationSchema, readDuration } from "../time/duration.ts";
import { type Instant, instantExpected, instantSchema, readInstant } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";

/** Values of one kind: how they are written as text, and which are accepted wherever they come from. */
export interface ValueKind<Value> {
  /** Stands for the value in help: `<number>`. Undefined for a switch, which takes no value. */
  readonly placeholder: string | undefined;
  /** Names the values in a message: `an integer from 0 to 65535`. */
  readonly expected: string;
  /** `expected` for a value in TypeScript or JSON, if it is written in another way there. */
  readonly expectedInCode?: string;
  readonly schema: object;
  /** A `list` or `map` may be given several times and adds up; a `span` may be a list of two, a `document` JSON. */
  readonly shape: "one" | "span" | "list" | "map" | "document";
  /** All words of the kind, for suggestions. */
  readonly suggestions: readonly string[];
  /** True if messages must not have the value. */
  readonly secret?: true;
  /** Returns undefined for an unexpected string. May throw a ValidationError with more words. */
  read(text: string): Value | undefined;
  /** Returns true for an expected value. May throw a ValidationError with more words. */
  accepts(value: unknown): value is Value;
}

/** Creates a kind whose strings are parsed by `parse`, by default unchanged, and then checked by `accepts`. */
export function valueKind<Value>(
  placeholder: string | undefined,
  expected: string,
  accepts: (value: unknown) => value is Value,
  parse: (text: string) => unknown = (written) => written,
  rest: Partial<ValueKind<Value>> = {},
): ValueKind<Value> {
  const read = (written: string): Value | undefined => {
    const value = parse(written);
    return accepts(value) ? value : undefined;
  };
  return { placeholder, expected, schema: { type: "string" }, shape: "one", suggestions: [], ...rest, read, accepts };
}

/** Formats `"pretty" or "json"`. Does not use Intl, whose lists take a tenth of a start to load. */
export function alternatives(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return quoted.length < 3 ? quoted.join(" or ") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** Creates the kind of all strings that match a pattern or fulfill a condition; by default, that are not blank. */
export function text(placeholder: string, expected: string, fits: RegExp | ((text: string) => boolean) = /\S/) {
  const isFit = typeof fits === "function" ? fits : (value: string): boolean => fits.test(value);
  return valueKind(placeholder, expected, (value): value is string => typeof value === "string" && isFit(value));
}

/** Creates the kind of strings that are not blank, and null. As text, `null` means null, so code cannot pass it. */
export function textOrNull(placeholder: string, expected: string): ValueKind<string | null> {
  return valueKind(
    placeholder,
    expected,
    (value): value is string | null =>
      value === null || (typeof value === "string" && /\S/.test(value) && value !== "null"),
    (written) => (written === "null" ? null : written),
  );
}

/** Creates the kind of a list, also as one string with commas. `items` names them in a message: `host names`. */
export function texts(placeholder: string, items: string, pattern: RegExp): ValueKind<readonly string[]> {
  const accepts = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((item) => typeof item === "string" && pattern.test(item));
  return valueKind(placeholder, items, accepts, (written) => written.split(",").map((part) => part.trim()), {
    expectedInCode: `a list of ${items}`,
    schema: { type: "array", items: { type: "string" } },
    shape: "list",
  });
}

export function oneOf<const Words extends readonly string[]>(words: Words): ValueKind<Words[number]> {
  const accepts = (value: unknown): value is Words[number] => words.some((word) => word === value);
  return valueKind(words.join("|"), alternatives(words), accepts, undefined, {
    schema: { enum: words },
    suggestions: words,
  });
}

const on = ["true", "yes", "on", "1"];
const off = ["false", "no", "off", "0"];

/** A switch: `--watch`, `--no-watch`, `watch: true`. */
export const onOrOff: ValueKind<boolean> = valueKind(
  undefined,
  alternatives(["true", "false"]),
  (value): value is boolean => typeof value === "boolean",
  (written) => (on.includes(written) ? true : off.includes(written) ? false : undefined),
  { expectedInCode: "true or false", schema: { type: "boolean" }, suggestions: [...on, ...off] },
);

/** Creates the kind of integers from one to another, by default of all that JavaScript represents exactly. */
export function integerKind(from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER): ValueKind<number> {
  const lowerBound = from === Number.MIN_SAFE_INTEGER ? "" : ` from ${from}`;
  const upperBound = to < Number.MAX_SAFE_INTEGER ? ` to ${to}` : from >= 0 ? " up" : "";
  const accepts = (value: unknown): value is number =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= from && value <= to;
  return valueKind("number", `an integer${lowerBound}${upperBound}`, accepts, readInteger, {
    schema: { type: "integer", minimum: from, maximum: to },
  });
}

function readInteger(written: string): number | undefined {
  return /^-?\d+$/.test(written) ? Number(written) : undefined;
}

/** A year in 316 milliseconds. At a higher speed, two reads of the clock within a millisecond could skip days. */
export const maxSpeed = 100_000_000;

/** Seconds of the clock in a real second. */
export const clockSpeed: ValueKind<number> = valueKind(
  "number",
  `a number from 0 to ${maxSpeed}`,
  (value): value is number => typeof value === "number" && value >= 0 && value <= maxSpeed,
  readDecimal,
  { schema: { type: "number", minimum: 0, maximum: maxSpeed } },
);

export function readDecimal(written: string): number | undefined {
  return /^(\d+(\.\d*)?|\.\d+)$/.test(written) ? Number(written) : undefined;
}

/** Creates the kind of instants, and of words that stand for one. */
function clockInstant(words: readonly string[]): ValueKind<string> {
  return valueKind(
    "instant",
    `${instantExpected}, ${alternatives(words)}`,
    (value): value is string => typeof value === "string" && (words.includes(value) || instantKind.accepts(value)),
    undefined,
    { suggestions: words },
  );
}

export const clockStart: ValueKind<string> = clockInstant(["now", "fixture"]);

export const clockAhead: ValueKind<string> = clockInstant(["now", "fixture", "next"]);

export const clockAnywhere: ValueKind<string> = clockInstant(["now", "fixture", "previous"]);

/** An instant of ISO 8601, read into the service's own format. */
export const instantKind: ValueKind<Instant> = valueKind(
  "instant",
  instantExpected,
  (value): value is Instant => readInstant(value) !== undefined,
  readInstant,
  { schema: instantSchema },
);

export const durationKind: ValueKind<Duration> = valueKind(
  "duration",
  durationExpected,
  (value): value is Duration => readDuration(value) !== undefined,
  undefined,
  { schema: durationSchema },
);

/** The address of a server: its scheme, host and port. */
export const origin: ValueKind<string> = valueKind(
  "address",
  `an address such as "http://localhost:4120"`,
  (value): value is string => typeof value === "string" && readOrigin(value) !== undefined,
  readOrigin,
);

function readOrigin(written: string): string | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  // The text might be a key or a token, which no message repeats.
  if (url && url.username + url.password !== "")
    throw new ValidationError("expected an address without a user or password.");
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
}
