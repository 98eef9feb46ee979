import type { Content } from "../responses/shape.ts";

/** A request of a calibration. */
export interface Probe {
  /** The path below the base address and the query, with placeholders: `{offering}`, `{sample}`. */
  readonly path: string;
  /** The credentials. @default the `readerKey` of the session */
  readonly key?: "each" | "none" | "marketing" | "lower-case scheme";
  readonly hasOrigin?: true;
  readonly method?: "OPTIONS";
  /** The document in a successful response. @default "other" */
  readonly content?: Content;
  /** The maximum number of times to send the request; `sample`: once for each sampled investment. @default 1 */
  readonly maxRequests?: number | "sample";
  /** Whether the list is the next page of the previous list. */
  readonly isContinuation?: true;
  /** A note shown next to the request. */
  readonly purpose?: string;
}

const list = "/offerings/{offering}/investments";
const [earlyBound, lateBound] = [
  "create_date[gte]=1990-01-01T00:00:00.000Z",
  "create_date[gte]=2990-01-01T00:00:00.000Z",
];

/** A UUID that no resource has. */
const unknownId = "00000000-ca1b-4a7e-8000-00000000c0de";

const unknownPath = "/calibrate";

/** A size larger than any page, and a page far after the last page. */
export const excessiveSize = 1_000_000;
const pageAfterEnd = 900_000;

/** Every request, in the order of sending. */
const probes = {
  offering: { path: "/offerings/{offering}", key: "each", maxRequests: 4 },
  cors: { path: "/offerings/{offering}", hasOrigin: true },
  lower_case_scheme: { path: "/offerings/{offering}", key: "lower-case scheme" },
  no_key: { path: "/offerings/{offering}", key: "none" },
  foreign_offering: { path: `/offerings/${unknownId}` },
  unknown_investment: { path: `/investments/${unknownId}` },
  list: { path: list, content: "list" },
  first_item: { path: `${list}?size=1`, content: "list" },
  page_0: { path: `${list}?page=0&size=1`, content: "list" },
  page_1: { path: `${list}?page=1&size=1`, content: "list" },
  second_page: { path: `${list}?page={page}`, content: "list", purpose: "the page after the first" },
  over_max: { path: `${list}?size=${excessiveSize}`, content: "list" },
  over_max_next: { path: `${list}?page={page}&size=${excessiveSize}`, content: "list", purpose: "the page after it" },
  sizes: { path: `${list}?size={size}`, content: "list", maxRequests: 14, purpose: "halving, to the largest size" },
  ordered: {
    path: `${list}?page={page}&size={size}`,
    content: "list",
    isContinuation: true,
    maxRequests: 9,
    purpose: "page by page, until the order shows",
  },
  investment: { path: "/investments/{sample}", key: "each", content: "investment", maxRequests: "sample" },
  marketing: { path: "/investments/{sample}", key: "marketing", content: "investment", maxRequests: 3 },
  upper_case: { path: "/investments/{SAMPLE}" },
  status: { path: "/investments/{sample}/status" },
  events: { path: "/investments/{sample}/events", content: "events", maxRequests: "sample" },
  events_until_day: {
    path: "/investments/{sample}/events?create_date[lte]={day}",
    content: "events",
    purpose: "the day of an event",
  },
  events_until_day_before: {
    path: "/investments/{sample}/events?create_date[lte]={day}",
    content: "events",
    purpose: "the day before",
  },
  after_last: { path: `${list}?page={page}&size={size}`, content: "list", purpose: "the page after the last" },
  past_end: { path: `${list}?page=${pageAfterEnd}&size=1`, content: "list" },
  bad_size: { path: `${list}?size=abc`, content: "list" },
  bad_page: { path: `${list}?page=abc`, content: "list" },
  bad_date: { path: `${list}?create_date[gte]=abc`, content: "list" },
  far_future: { path: `${list}?${lateBound}`, content: "list", purpose: "whether dates filter" },
  repeated_late: { path: `${list}?${earlyBound}&${lateBound}`, content: "list" },
  repeated_early: { path: `${list}?${lateBound}&${earlyBound}`, content: "list" },
  no_key_unknown_path: { path: unknownPath, key: "none" },
  no_key_bad_size: { path: `${list}?size=abc`, key: "none" },
  foreign_offering_bad_size: { path: `/offerings/${unknownId}/investments?size=abc` },
  unknown_investment_bad_date: { path: `/investments/${unknownId}/events?create_date[gte]=abc` },
  brokers: { path: `${list}?page={page}&size={size}`, content: "list", maxRequests: 3, purpose: "to find a broker" },
  method: { path: "/offerings/{offering}", method: "OPTIONS" },
  control: { path: "/offerings/{offering}", purpose: "again, because the service may have changed" },
  error_again: { path: `/investments/${unknownId}`, purpose: "again, because the service may have changed" },
  list_again: { path: list, content: "list", purpose: "again, because the list may have moved" },
} as const satisfies Readonly<Record<string, Probe>>;

export type ProbeId = keyof typeof probes;

export const probeIds = Object.keys(probes) as ProbeId[];

/** Returns the probe with an id. */
export function probe(id: ProbeId): Probe {
  return probes[id];
}

/** Returns the maximum number of times to send a probe; 1 if the sample decides. */
export function maxTimes(id: ProbeId): number {
  const { maxRequests = 1 } = probe(id);
  return maxRequests === "sample" ? 1 : maxRequests;
}
