import { measureJson, parsedJson } from "../../src/text/json-text.ts";
import { isMembers, type Members } from "../../src/validation/members.ts";
import { eventFacts, investmentFacts, listFacts } from "./facts.ts";
import { errorForm } from "./forms.ts";
import type { IdRegistry } from "./registry.ts";
import { newBudget, typesOf } from "./types.ts";

/** A response before it is reduced. */
export interface RawResponse {
  readonly status: number;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The parts of a request that its response depends on. */
export interface ProbeRequest {
  readonly size?: number | undefined;
  readonly page?: number | undefined;
  /** The index of the key. */
  readonly key?: number | undefined;
}

/** The kind of document in a successful response. */
export type Content = "list" | "investment" | "events" | "other";

/** The stored part of a response. Its only values are names of states, media types and page sizes. */
export type Shape = Readonly<ReturnType<typeof shapeOf>>;

/** Reduces a response to its shape. Its ids and dates go to the registry; nothing else of it is stored. */
export function shapeOf(
  { status, headers, body }: RawResponse,
  content: Content,
  request: ProbeRequest,
  registry: IdRegistry,
  value = parsedJson(body),
) {
  const mediaType = headers["content-type"] ?? "";
  const rateLimit = headers["ratelimit"] ?? "";
  const budget = newBudget();
  const isBounded = value === undefined || isBoundedJson(body);
  const json = isBounded ? value : undefined;
  const document = status === 200 && isMembers(json) ? json : undefined;
  return {
    request,
    status,
    headers: Object.keys(headers)
      .filter((name) => /^[a-z][a-z-]{0,49}$/.test(name))
      .slice(0, 60),
    /** `other` if its text could contain data. */
    mediaType:
      mediaType === "" || /^[\w.+-]{1,40}\/[\w.+-]{1,60}( *; *charset="?utf-8"?)?$/i.test(mediaType)
        ? mediaType
        : "other",
    retryAfterForm: retryForm(headers["retry-after"]),
    /** The delay that Retry-After asks for. */
    retryDelayMs: retryDelayOf(headers),
    isOriginAllowed: [probeOrigin, "*"].includes(headers["access-control-allow-origin"] ?? ""),
    needsBearer: /\bbearer\b/i.test(headers["www-authenticate"] ?? ""),
    hasDraft8: /\br=/.test(rateLimit),
    /** Whether `X-RateLimit-Reset` is a time: seconds since 1970, shortly after the clock of the service. */
    isResetInSeconds: isResetInSeconds(headers),
    error: status < 400 ? undefined : errorForm({ status, body, mediaType }, json),
    types: json === undefined ? (isBounded ? undefined : "any") : typesOf(json, budget),
    /** Whether the whole body was examined. */
    isWhole: isBounded && budget.values >= 0,
    /** The number in the registry of the id in `data`; undefined without an id. */
    subject: document && isMembers(document["data"]) ? idIn(document["data"], registry) : undefined,
    list: document && content === "list" && isList(document) ? listFacts(document, registry) : undefined,
    investment: document && content === "investment" ? investmentFacts(document, registry) : undefined,
    events: document && content === "events" ? eventFacts(document, registry) : undefined,
  };
}

/** The types of section 2 that no list of investments contains. */
const foreignTypes = new Set<unknown>(["offerings", "signing_parties", "investors", "payments", "events"]);

/** Returns true for a list of investments. Another document decides nothing about lists. */
function isList({ data }: Members): boolean {
  return Array.isArray(data) && data.every(isInvestment);
}

function isInvestment(item: unknown): boolean {
  if (!isMembers(item) || typeof item["id"] !== "string") return false;
  return isMembers(item["attributes"] ?? {}) && !foreignTypes.has(item["type"]);
}

/** Limits for a body that is examined. */
const [maxValues, maxDepth] = [100_000, 1000];

function isBoundedJson(body: string): boolean {
  const { values, depth } = measureJson(body, maxValues, maxDepth);
  return values <= maxValues && depth <= maxDepth;
}

function idIn({ id }: Members, registry: IdRegistry): number | undefined {
  return typeof id === "string" ? registry.numberOf(id.toLowerCase()) : undefined;
}

function retryForm(text: string | undefined): "seconds" | "http-date" | "other" | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return "seconds";
  return Number.isNaN(Date.parse(text)) ? "other" : "http-date";
}

/** Returns the delay in milliseconds: a number of seconds, or the time until a date by the clock of the service. */
function retryDelayOf({ "retry-after": text = "", date = "" }: RawResponse["headers"]): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text) - Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

function isResetInSeconds({ "x-ratelimit-reset": text = "", date = "" }: RawResponse["headers"]): boolean {
  const now = Number.isNaN(Date.parse(date)) ? Date.now() : Date.parse(date);
  const remaining = Number(text) - now / 1000;
  return /^\d+$/.test(text) && remaining > -60 && remaining < 3600;
}

/** An origin that no page has. */
export const probeOrigin = "https://calibrate.invalid";
