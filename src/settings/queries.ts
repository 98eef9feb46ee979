import { type ErrorCode, errorCatalog } from "../model/error-catalog.ts";
import type { InvestmentFilter } from "../public/investments.ts";
import type { CloseOptions } from "../public/options.ts";
import type { RequestFilter, StatusClass } from "../public/requests.ts";
import type { HistogramFilter, PulseSince, TimelineFilter } from "../public/timeline.ts";
import { instantKind, type ValueKind, onOrOff, oneOf, text, textOrNull, integerKind } from "./kinds.ts";
import type { Setting, Settings, SettingsFor } from "./settings.ts";

/* The parameters of queries of the admin API: members of filters in code, and many of them flags of commands. */

const [single, statusClass] = [integerKind(0, 599), oneOf(["1xx", "2xx", "3xx", "4xx", "5xx"])];

const status: ValueKind<number | StatusClass> = {
  ...single,
  placeholder: "status",
  expected: `${single.expected}, or a class such as "4xx"`,
  schema: { anyOf: [single.schema, statusClass.schema] },
  suggestions: statusClass.suggestions,
  read: (written) => single.read(written) ?? statusClass.read(written.toLowerCase()),
  accepts: (value): value is number | StatusClass => single.accepts(value) || statusClass.accepts(value),
};

const code: ValueKind<ErrorCode> = {
  ...oneOf(Object.keys(errorCatalog) as ErrorCode[]),
  placeholder: "code",
  expected: "the code of an error such as key_missing",
};

export const requestFilter = {
  path: { kind: text("pattern", "a path such as /api/v1/**"), help: "only this path; * is one segment, ** any number" },
  method: { kind: text("method", "a method such as GET", /^[a-z-]{1,40}$/i), help: "only this method" },
  status: { kind: status, help: "only this status, or a class such as 4xx; 0 is no response" },
  code: { kind: code, help: "only this error, such as key_missing" },
  key_id: {
    kind: text("key", "the id, alias or label of a key"),
    flag: "key-id",
    help: "only this key: its id, alias or label",
  },
  since: { kind: instantKind, help: "only since this instant of the sandbox's clock" },
  after: { kind: integerKind(0), help: "only later than the request of this id" },
  limit: { kind: integerKind(0), help: "only the last n" },
} as const satisfies SettingsFor<RequestFilter>;

/** The names of the orders for a list of investments, each with the member of an investment that it sorts by. */
export const investmentOrders = {
  create_date: "create_date",
  modify_date: "modify_date",
  number: "investment_number",
  amount: "amount",
  status: "status",
  step: "step",
} as const;

const orderMembers = Object.keys(investmentOrders) as (keyof typeof investmentOrders)[];

const offering = { kind: text("alias|id", "an offering's alias or id"), flag: "offering" } as const;

export const investmentFilter = {
  offering_id: { ...offering, help: "only of this offering" },
  search: {
    kind: text("words", "words", /^/),
    help: "only with all these words in number, id, alias, or an investor's name or email",
  },
  status: { kind: text("status", "a status such as PENDING"), help: "only with this status" },
  step: { kind: textOrNull("step", "a step such as SIGNERS, or null"), help: "only at this step; null is none" },
  from: { kind: instantKind, help: "only created from this instant on" },
  to: { kind: instantKind, help: "only created up to this instant" },
  order: {
    kind: oneOf([...orderMembers, ...orderMembers.map((member) => `-${member}` as const)]),
    defaultText: "create_date",
    help: "the member to order by; - before it reverses",
  },
  limit: { kind: integerKind(0, 1000), defaultText: "50", help: "at most n" },
  after: {
    kind: text("alias|id", "an alias or an id"),
    help: "continue after this investment, or after the page with this next",
  },
  before: {
    kind: text("alias|id", "an alias or an id"),
    help: "end before this investment, or before the page with this previous",
  },
} as const satisfies {
  readonly [Name in keyof Required<InvestmentFilter>]: Setting<InvestmentFilter[Name]>;
} & SettingsFor<Omit<InvestmentFilter, "step">>;

const subject = {
  offering_id: { ...offering, help: "only of this offering, its investments and its keys" },
  investment_id: {
    kind: text("alias|id", "an investment's alias or id"),
    flag: "investment",
    help: "only of this investment and what belongs to it",
  },
  run: { kind: text("run", "the id of a run such as run-1"), help: "only of this run" },
} as const satisfies Settings;

export const timelineFilter = {
  from: { kind: instantKind, help: "only from this instant on" },
  to: { kind: instantKind, help: "only up to this instant" },
  ...subject,
  limit: { kind: integerKind(0), help: "only the first n; the last n with --to alone" },
} as const satisfies SettingsFor<TimelineFilter>;

export const histogramFilter = {
  ...subject,
  buckets: { kind: integerKind(1, 1000), default: 200, help: "the number of buckets at most" },
} as const satisfies SettingsFor<HistogramFilter>;

/** The latest news that the caller of a pulse has: its argument, and parameters of the admin API. */
export const pulseSince = {
  after: { kind: integerKind(0), defaultText: "0", help: "only requests later than the one of this id" },
  revision: { kind: text("revision", "the revision of a pulse"), help: "the revision of the pulse that after is of" },
} as const satisfies SettingsFor<PulseSince>;

export const environmentList = {
  summary: { kind: onOrOff, default: false, help: "without the lists of offerings, keys and runs" },
} as const satisfies Settings;

/** Options with which an environment is deleted: members of the argument, and parameters of the admin API. */
export const closeOptions = {
  outcome: {
    kind: oneOf(["passed", "failed"]),
    help: "how its test ended: exec --snapshot-dir writes a snapshot only for a test that failed",
  },
} as const satisfies SettingsFor<CloseOptions>;

export const coverageScope = {
  all: { kind: onOrOff, default: false, help: "of every environment, even deleted ones" },
} as const satisfies Settings;
