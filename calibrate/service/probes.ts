import type { Content } from "../answers/shape.ts";

/** A request of a calibration. */
export interface Probe {
  /** Below the base address, with placeholders: `{offering}`, `{sample}`; the query as it is sent. */
  readonly path: string;
  /** @default the reader of the session */
  readonly key?: "each" | "none" | "marketing" | "lower-case scheme";
  readonly origin?: true;
  readonly method?: "OPTIONS";
  /** The document in a successful answer. @default "other" */
  readonly holds?: Content;
  /** The maximum of times: a number, or once for each sampled investment. @default 1 */
  readonly most?: number | "sample";
  /** The parameter of a refusal. */
  readonly refuses?: "size" | "page" | "create_date[gte]" | "create_date[lte]";
  /**
   * A question of every client, about the resource of its path: every service answers it with that resource, and as long as it
   * does, the other answers count too.
   */
  readonly usual?: true;
  /** Its items follow those of the list before. */
  readonly continues?: true;
  /** Sent only if this was asked for. */
  readonly only?: "exhaust" | "with options";
  /** Shown beside it. */
  readonly purpose?: string;
}

const list = "/offerings/{offering}/investments";
const [early, late] = ["create_date[gte]=1990-01-01T00:00:00.000Z", "create_date[gte]=2990-01-01T00:00:00.000Z"];

/** The UUID of no resource. */
const unknownId = "00000000-ca1b-4a7e-8000-00000000c0de";

const unknownPath = "/calibrate";

/** More than any page holds, and far behind the last page. */
export const tooLarge = 1_000_000;
const pastEnd = 900_000;

/** Every request, in the order in which they are sent. */
const probes = {
  offering: { path: "/offerings/{offering}", key: "each", most: 4 },
  control: {
    path: "/offerings/{offering}",
    usual: true,
    most: 20,
    purpose: "again now and then, because a service may change its manner",
  },
  cors: { path: "/offerings/{offering}", origin: true },
  lower_case_scheme: { path: "/offerings/{offering}", key: "lower-case scheme" },
  no_key: { path: "/offerings/{offering}", key: "none" },
  foreign_offering: { path: `/offerings/${unknownId}` },
  unknown_investment: { path: `/investments/${unknownId}` },
  list: { path: list, holds: "list", usual: true },
  first_item: { path: `${list}?size=1`, holds: "list", most: 3 },
  page_0: { path: `${list}?page=0&size=1`, holds: "list", most: 3 },
  page_1: { path: `${list}?page=1&size=1`, holds: "list", most: 3 },
  first_again: { path: `${list}?size=1`, holds: "list", most: 3, purpose: "again, because the list may have moved" },
  second_page: { path: `${list}?page={page}`, holds: "list", purpose: "the page after the first" },
  list_again: { path: list, holds: "list", usual: true, purpose: "again, because the list may have moved" },
  over_max: { path: `${list}?size=${tooLarge}`, holds: "list", refuses: "size" },
  over_max_next: { path: `${list}?page={page}&size=${tooLarge}`, holds: "list", purpose: "the page after it" },
  over_max_again: {
    path: `${list}?size=${tooLarge}`,
    holds: "list",
    purpose: "again, because the list may have grown",
  },
  sizes: { path: `${list}?size={size}`, holds: "list", most: 14, purpose: "halving, to the largest size" },
  ordered: {
    path: `${list}?page={page}&size={size}`,
    holds: "list",
    continues: true,
    most: 9,
    purpose: "page by page, until the order shows",
  },
  investment: { path: "/investments/{sample}", key: "each", holds: "investment", usual: true, most: "sample" },
  marketing: { path: "/investments/{sample}", key: "marketing", holds: "investment", usual: true, most: 3 },
  upper_case: { path: "/investments/{SAMPLE}" },
  status: { path: "/investments/{sample}/status" },
  events: { path: "/investments/{sample}/events", holds: "events", usual: true, most: "sample" },
  events_until_day: {
    path: "/investments/{sample}/events?create_date[lte]={day}",
    holds: "events",
    purpose: "the day of an event",
  },
  events_until_day_before: {
    path: "/investments/{sample}/events?create_date[lte]={day}",
    holds: "events",
    purpose: "the day before",
  },
  after_last: { path: `${list}?page={page}&size={size}`, holds: "list", purpose: "the page after the last" },
  past_end: { path: `${list}?page=${pastEnd}&size=1`, holds: "list", refuses: "page" },
  bad_size: { path: `${list}?size=abc`, holds: "list", refuses: "size" },
  bad_page: { path: `${list}?page=abc`, holds: "list", refuses: "page" },
  bad_date: { path: `${list}?create_date[gte]=abc`, holds: "list", refuses: "create_date[gte]" },
  far_future: { path: `${list}?${late}`, holds: "list", purpose: "whether dates filter" },
  repeated_late: { path: `${list}?${early}&${late}`, holds: "list", refuses: "create_date[gte]" },
  repeated_early: { path: `${list}?${late}&${early}`, holds: "list" },
  no_key_unknown_path: { path: unknownPath, key: "none" },
  no_key_bad_size: { path: `${list}?size=abc`, key: "none" },
  foreign_offering_bad_size: { path: `/offerings/${unknownId}/investments?size=abc` },
  unknown_investment_bad_date: { path: `/investments/${unknownId}/events?create_date[gte]=abc` },
  brokers: { path: `${list}?page={page}&size={size}`, holds: "list", most: 3, purpose: "in search of a broker" },
  control_sample: {
    path: "/investments/{sample}",
    holds: "investment",
    usual: true,
    most: 2,
    purpose: "again, near the end",
  },
  control_item: { path: `${list}?size=1`, holds: "list", most: 2, purpose: "again, near the end" },
  control_error: { path: `/investments/${unknownId}`, most: 2, purpose: "again, near the end" },
  method: { path: "/offerings/{offering}", method: "OPTIONS", only: "with options" },
  window_opens: { path: "/offerings/{offering}", only: "exhaust", purpose: "after a minute of quiet" },
  window_fills: { path: `/investments/${unknownId}`, only: "exhaust", most: 140, purpose: "30 s later, until a 429" },
  limited_answer: {
    path: "/offerings/{offering}",
    only: "exhaust",
    most: 140,
    purpose: "if no 429 came, until one does",
  },
  limited_unknown_path: { path: unknownPath, only: "exhaust" },
  limited_foreign_offering: { path: `/offerings/${unknownId}`, only: "exhaust" },
  limited_bad_size: { path: `${list}?size=abc`, only: "exhaust" },
  window_reopens: { path: "/offerings/{offering}", only: "exhaust", most: 3, purpose: "after Retry-After" },
} as const satisfies Readonly<Record<string, Probe>>;

export type ProbeId = keyof typeof probes;

export const probeIds = Object.keys(probes) as ProbeId[];

/** Returns the probe as its interface has it. */
export function probe(id: ProbeId): Probe {
  return probes[id];
}

/** Returns the maximum of times for a probe; 1 where the sample decides. */
export function maxTimes(id: ProbeId): number {
  const { most = 1 } = probe(id);
  return most === "sample" ? 1 : most;
}
