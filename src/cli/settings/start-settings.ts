import { parseAssumption, profileNames } from "../../assumptions/assume.ts";
import { type Assumptions, catalogue } from "../../assumptions/catalogue.ts";
import type { Row } from "../../assumptions/row.ts";
import { logFormats, logLevels } from "../output/log.ts";
import {
  clockStart,
  delay,
  factor,
  type Kind,
  oneOf,
  onOrOff,
  type Settings,
  text,
  texts,
  textsOrNone,
  type Values,
  wholeNumber,
} from "./setting.ts";

/** Assumptions set otherwise than in the profile: `list.order=unordered`, several separated by commas. */
const assumptionValues: Kind<Partial<Assumptions>> = {
  placeholder: "id=value",
  expected: `an assumption and its value, such as "list.order=unordered"`,
  schema: {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(catalogue.map((row) => [row.id, rowSchema(row)])),
  },
  shape: "map",
  words: [],
  read: (text) => {
    const changes: Partial<Assumptions> = {};
    // A value may hold commas of its own (pending,failed): only a comma before another id separates.
    for (const part of text.split(/,(?=\s*[\w.]+=)/)) {
      const equals = part.indexOf("=");
      if (equals < 1) return undefined;
      Object.assign(changes, parseAssumption(part.slice(0, equals).trim(), part.slice(equals + 1)));
    }
    return changes;
  },
};

function rowSchema(row: Row): object {
  const { accepts, question } = row;
  const words = { enum: Object.keys(row.values).flatMap(asWritten) };
  if (accepts === "text") return { description: question, type: "string" };
  if (!accepts) return { description: question, ...words };
  return { description: question, type: "integer", minimum: accepts.from, maximum: accepts.to };
}

/** A value as YAML and JSON have it: 404 is a number there, and the empty string has no quotes of its own. */
function asWritten(value: string): (string | number | boolean | null)[] {
  if (/^\d+$/.test(value)) return [value, Number(value)];
  if (value === '""') return [""];
  if (value === "null") return [value, null];
  return [value];
}

const data = "What it serves:";
const address = "Where it listens:";
const behaviour = "How it behaves:";
const output = "What it tells:";

/** The one declaration of what `start` can be told. */
export const startSettings = {
  fixture: {
    group: data,
    kind: text("name|file", "a shipped fixture's name or a file"),
    short: "f",
    default: "demo",
    file: "name or path",
    describe: "a shipped fixture's name or a file",
  },
  scenario: {
    group: data,
    kind: textsOrNone("name|file", "shipped scenarios' names or files", /\S/),
    short: "s",
    otherwise: "the fixture's own",
    file: "name or path",
    describe: "a shipped scenario's name or a file to play at start; repeatable",
    off: "play no scenario at start",
  },
  clock: {
    group: data,
    kind: clockStart,
    default: "now",
    atStart: true,
    describe: `instant to start at: ISO 8601, "now", or "fixture" for the fixture's own`,
  },
  speed: {
    group: data,
    kind: factor,
    default: 1,
    describe: "how fast the clock goes: 1 real time, 0 frozen, 60 a minute a second",
  },
  seed: {
    group: data,
    kind: wholeNumber(0),
    otherwise: "the fixture's",
    describe: "seed for whatever the fixture leaves to be generated",
  },
  db: {
    group: data,
    kind: text("file", "a file"),
    otherwise: "everything is in memory",
    file: "path",
    atStart: true,
    describe: "file to keep environments in",
  },
  watch: {
    group: data,
    kind: onOrOff,
    short: "w",
    default: false,
    atStart: true,
    describe:
      "take up edits of fixture, scenario and config files in place; on a mistake say it and keep the last good one",
  },
  port: {
    group: address,
    kind: wholeNumber(0, 65_535),
    short: "p",
    default: 4120,
    atStart: true,
    describe: "port to listen on; 0 takes any free one",
  },
  host: {
    group: address,
    kind: text("address", "an address to bind", /^\S+$/),
    otherwise: "both loopback addresses",
    atStart: true,
    describe: "the one address to bind",
  },
  "allowed-hosts": {
    group: address,
    kind: texts("name", "host names without scheme, port or path", /^([^\s:/]+|\[?[\da-f:]+\]?)$/i),
    describe: "Host names to answer to beside loopback names and the bound host; repeatable",
  },
  "admin-token": {
    group: address,
    kind: text("token", "a token without spaces", /^\S+$/),
    otherwise: "none on loopback, a random one beyond",
    atStart: true,
    describe: "token that the admin API asks for",
  },
  admin: {
    group: address,
    kind: onOrOff,
    default: true,
    atStart: true,
    describe: "whether / and /__admin answer",
    off: "close / and /__admin",
  },
  profile: {
    group: behaviour,
    kind: oneOf(profileNames),
    default: "conventional",
    describe: "what to assume where the specification is silent",
  },
  assume: {
    group: behaviour,
    kind: assumptionValues,
    describe: `set one assumption; repeatable; "offering-sandbox assumptions" lists them`,
  },
  "rate-limit": {
    group: behaviour,
    kind: wholeNumber(0, 1_000_000),
    default: 120,
    describe: "requests a minute a key; 0 is off",
  },
  delay: {
    group: behaviour,
    kind: delay,
    default: 0,
    describe: `milliseconds, or a range such as "50-200", before every answer of the API`,
  },
  "cors-origin": {
    group: behaviour,
    kind: texts("origin", `"*" or origins such as "http://localhost:3000"`, /^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/i),
    otherwise: "any, without credentials",
    describe: "origins that may call the API from a browser; repeatable",
  },
  cors: {
    group: behaviour,
    kind: onOrOff,
    default: true,
    describe: "whether pages of other origins may call the API",
    off: "let no page of another origin call the API",
  },
  "assumption-header": {
    group: behaviour,
    kind: onOrOff,
    default: true,
    describe: "whether responses name the assumptions they rest on, in Sandbox-Assumptions",
    off: "leave Sandbox-Assumptions out of responses",
  },
  "log-level": {
    group: output,
    kind: oneOf(logLevels),
    otherwise: "info, or error with --quiet",
    atStart: true,
    describe: "the least that is worth a line; requests are info",
  },
  "log-format": {
    group: output,
    kind: oneOf(logFormats),
    otherwise: "pretty on a terminal, json elsewhere",
    atStart: true,
    describe: "lines for people, or one JSON object a line",
  },
  quiet: {
    group: output,
    kind: onOrOff,
    short: "q",
    default: false,
    atStart: true,
    describe: "print the ready line and errors, nothing else",
  },
  "port-file": {
    group: output,
    kind: text("file", "a file"),
    file: "path",
    atStart: true,
    describe: "write the bound port here once ready",
  },
  config: {
    group: output,
    kind: text("file", "a file"),
    short: "c",
    notInConfig: true,
    otherwise: "offering-sandbox.config.yaml or .json where present",
    describe: "file with these settings",
  },
} as const satisfies Settings;

/** What `start` was told, complete. */
export type StartSettings = Values<typeof startSettings>;
