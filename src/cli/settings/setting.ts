import { parseDuration } from "../../model/duration.ts";
import { formatInstant, type Instant, parseIsoDate } from "../../model/instant.ts";

/** What values of a setting look like, wherever they are written. */
export interface Kind<Value> {
  /** What stands for the value in help: `<number>`. Undefined for what is only switched on and off. */
  readonly placeholder: string | undefined;
  /** What is expected, for sentences: `a whole number from 0 to 65535`. */
  readonly expected: string;
  /** The value in a config file, as JSON Schema. */
  readonly schema: object;
  /** `list` and `map` may be given several times, and each adds to the value. */
  readonly shape: "one" | "list" | "map";
  /** The words that it takes, where it takes words. */
  readonly words: readonly string[];
  /** Reads a text; undefined where it is not as expected. May throw a Mistake that says more. */
  read(text: string): Value | undefined;
}

/** `"pretty" or "json"`. Written out, since loading Intl's lists takes a tenth of the time that a start may take. */
export function alternatives(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return quoted.length < 3 ? quoted.join(" or ") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** Any text, named by what it is: `an address to bind`. */
export function text(placeholder: string, expected: string, pattern = /\S/): Kind<string> {
  return {
    placeholder,
    expected,
    schema: { type: "string" },
    shape: "one",
    words: [],
    read: (value) => (pattern.test(value) ? value : undefined),
  };
}

/** Several texts: repeated, or separated by commas. */
export function texts(placeholder: string, expected: string, pattern: RegExp): Kind<readonly string[]> {
  return {
    placeholder,
    expected,
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    shape: "list",
    words: [],
    read: (value) => {
      const parts = value.split(",").map((part) => part.trim());
      return parts.every((part) => pattern.test(part)) ? parts : undefined;
    },
  };
}

/** As `texts`, or none at all, which `false` says. */
export function textsOrNone(placeholder: string, expected: string, pattern: RegExp): Kind<readonly string[]> {
  const some = texts(placeholder, expected, pattern);
  return {
    ...some,
    schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { const: false }] },
    read: (value) => (value === "false" ? [] : some.read(value)),
  };
}

/** One word of a few. */
export function oneOf<const Words extends readonly string[]>(words: Words): Kind<Words[number]> {
  return {
    placeholder: words.join("|"),
    expected: alternatives(words),
    schema: { enum: words },
    shape: "one",
    words,
    read: (value) => words.find((word) => word === value),
  };
}

const yes = ["true", "yes", "on", "1"];
const no = ["false", "no", "off", "0"];

/** On or off: `--watch`, `--no-watch`, `watch: true`. */
export const onOrOff: Kind<boolean> = {
  placeholder: undefined,
  expected: alternatives(["true", "false"]),
  schema: { type: "boolean" },
  shape: "one",
  words: [...yes, ...no],
  read: (value) => (yes.includes(value) ? true : no.includes(value) ? false : undefined),
};

/** A whole number of a range. */
export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER): Kind<number> {
  const bounded = to < Number.MAX_SAFE_INTEGER;
  return {
    placeholder: "number",
    expected: `a whole number from ${from} ${bounded ? `to ${to}` : "up"}`,
    schema: bounded ? { type: "integer", minimum: from, maximum: to } : { type: "integer", minimum: from },
    shape: "one",
    words: [],
    read: (value) => {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= from && number <= to ? number : undefined;
    },
  };
}

/** A number that may have a fraction, from 0 up. */
export const factor: Kind<number> = {
  placeholder: "number",
  expected: "a number from 0 up",
  schema: { type: "number", minimum: 0 },
  shape: "one",
  words: [],
  read: (value) => (/^(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : undefined),
};

const clockWords = ["now", "fixture"] as const;

/** Where a clock starts: an instant, or one of the words. */
export const clockStart: Kind<Instant> = {
  placeholder: "instant",
  expected: `an instant such as "2026-01-15T12:00:00.000Z", "now" or "fixture"`,
  schema: { type: "string" },
  shape: "one",
  words: clockWords,
  read: (value) => clockWords.find((word) => word === value) ?? readInstant(value),
};

/** An instant of ISO 8601. */
export const instant: Kind<Instant> = {
  placeholder: "instant",
  expected: `an instant such as "2026-01-15T12:00:00.000Z"`,
  schema: { type: "string" },
  shape: "one",
  words: [],
  read: readInstant,
};

function readInstant(value: string): Instant | undefined {
  const date = parseIsoDate(value);
  if (!date) return undefined;
  const year = new Date(date.milliseconds).getUTCFullYear();
  return year >= 0 && year <= 9999 ? formatInstant(date.milliseconds) : undefined;
}

/** How long something takes, as written. */
export const duration: Kind<string> = {
  placeholder: "duration",
  expected: `a duration such as "90s", "1h30m", "2d" or "PT1H"`,
  schema: { type: "string" },
  shape: "one",
  words: [],
  read: (value) => (parseDuration(value) === undefined ? undefined : value),
};

/** Where a server is: its scheme, host and port. */
export const origin: Kind<string> = {
  placeholder: "address",
  expected: `an address such as "http://localhost:4120"`,
  schema: { type: "string" },
  shape: "one",
  words: [],
  read: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
  },
};

/** Ten minutes: whoever waits longer has given up. */
const longestDelay = 600_000;

/** Milliseconds to wait, or the least and the most of them. */
export const delay: Kind<number | readonly [least: number, most: number]> = {
  placeholder: "ms",
  expected: `milliseconds up to ${longestDelay} such as "100", or a range such as "50-200"`,
  schema: {
    anyOf: [
      { type: "integer", minimum: 0 },
      { type: "string", pattern: "^\\d+-\\d+$" },
    ],
  },
  shape: "one",
  words: [],
  read: (value) => {
    const parts = /^(?<least>\d{1,7})(?:-(?<most>\d{1,7}))?$/.exec(value)?.groups;
    if (!parts) return undefined;
    const least = Number(parts["least"]);
    const most = Number(parts["most"] ?? least);
    if (most < least || most > longestDelay) return undefined;
    return most === least ? least : [least, most];
  },
};

/** One thing that a person can set. From it come the flag, the variable, the key of the config file and their help. */
export interface Setting<Value = unknown> {
  readonly kind: Kind<Value>;
  /** What it is, in help and in the config file's schema. */
  readonly describe: string;
  /** What `--no-…` does, for a switch that is on by default, and for a list of which none is not the default. */
  readonly off?: string;
  readonly short?: string;
  readonly default?: Value;
  /** The default in words, where it is not one value. */
  readonly otherwise?: string;
  /** The heading in help. */
  readonly group?: string;
  /** The value is a file's path, which in a config file is relative to that config file; or a name or a path. */
  readonly file?: "path" | "name or path";
  /** Cannot be set in a config file. */
  readonly notInConfig?: true;
  /** Taken up only when the sandbox starts. */
  readonly atStart?: true;
}

/** Settings by name. */
export type Settings = Readonly<Record<string, Setting>>;

/** The values of settings: those without a default may be undefined. */
export type Values<Table extends Settings> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly kind: Kind<infer Value> }
    ? Table[Name] extends { readonly default: unknown }
      ? Value
      : Value | undefined
    : never;
};

/** One value given to one setting, as the text that it was, and where. */
export interface Given {
  readonly setting: string;
  readonly text: string;
  /** `--port`, `PORT`, `offering-sandbox.config.yaml:3:7: port`. */
  readonly place: string;
}
