import { isMembers } from "../src/model/members.ts";
import { type ErrorForm, errorForm, type ErrorValue, errorValues } from "./error-form.ts";
import {
  type EventFacts,
  eventFacts,
  type InvestmentFacts,
  investmentFacts,
  type ListFacts,
  listFacts,
} from "./facts.ts";
import type { Memory } from "./memory.ts";
import { type Types, typesOf } from "./types.ts";

/** A response as it arrives. */
export interface RawResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The numbers in a request that a decision needs to understand the answer. */
export interface Asked {
  readonly size?: number;
  readonly page?: number;
  /** Which of the given keys: 0 is the first. */
  readonly key?: number;
  /** The parameter that a refusal is about. */
  readonly parameter?: string;
}

/** All that is kept of a response: no value of it but words in capitals, media types and sizes of pages. */
export interface Shape {
  readonly asked: Asked;
  readonly status: number;
  readonly headers: readonly string[];
  readonly mediaType: string;
  readonly retryAfter: "seconds" | "http-date" | "other" | undefined;
  /** Milliseconds that Retry-After asks to wait. */
  readonly retryIn: number | undefined;
  readonly allowsOrigin: boolean;
  readonly asksForBearer: boolean;
  readonly rateLimitForm: "draft-8" | "draft-7" | undefined;
  /** Whether `X-RateLimit-Reset` is a time: seconds since 1970, soon after the service's own clock. */
  readonly resetsAtTime: boolean;
  readonly error: ErrorForm;
  readonly errorValues: readonly ErrorValue[];
  readonly types: Types | undefined;
  readonly list?: ListFacts;
  readonly investment?: InvestmentFacts;
  readonly events?: EventFacts;
}

/** The kind of document that a response holds if it succeeds. */
export type Document = "list" | "investment" | "events" | "other";

/** Reduces a response to its shape. Its ids and dates go to memory, nothing else of it anywhere. */
export function shapeOf(raw: RawResponse, document: Document, asked: Asked, memory: Memory): Shape {
  const { status, headers, body } = raw;
  const json = parsed(body);
  const mediaType = headers["content-type"] ?? "";
  const retryAfter = headers["retry-after"];
  const rateLimit = headers["ratelimit"] ?? "";
  const shape: Shape = {
    asked,
    status,
    headers: Object.keys(headers)
      .filter((name) => /^[a-z][a-z-]{0,49}$/.test(name))
      .slice(0, 60),
    mediaType: /^[\w.+-]{1,40}\/[\w.+-]{1,60}( *; *charset="?utf-8"?)?$/i.test(mediaType)
      ? mediaType
      : mediaType && "other",
    retryAfter:
      retryAfter === undefined
        ? undefined
        : /^\d+$/.test(retryAfter)
          ? "seconds"
          : Number.isNaN(Date.parse(retryAfter))
            ? "other"
            : "http-date",
    retryIn: retryTime(headers),
    allowsOrigin: [probeOrigin, "*"].includes(headers["access-control-allow-origin"] ?? ""),
    asksForBearer: /\bbearer\b/i.test(headers["www-authenticate"] ?? ""),
    rateLimitForm: /\br=/.test(rateLimit) ? "draft-8" : /\bremaining=/.test(rateLimit) ? "draft-7" : undefined,
    resetsAtTime: resetsAtTime(headers),
    error: errorForm(status, body, json, mediaType, asked.parameter),
    errorValues: status < 400 ? [] : errorValues(status, json, memory),
    types: json === undefined ? undefined : typesOf(json),
  };
  if (status !== 200 || !isMembers(json)) return shape;
  if (document === "list") return { ...shape, list: listFacts(json, memory) };
  if (document === "investment") return { ...shape, investment: investmentFacts(json, memory) };
  return document === "events" ? { ...shape, events: eventFacts(json, memory) } : shape;
}

/** Milliseconds that Retry-After asks to wait: a number of seconds, or until a date by the service's own clock. */
function retryTime({ "retry-after": text = "", date = "" }: RawResponse["headers"]): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text) - Date.parse(date);
  return Number.isNaN(time) ? undefined : Math.max(0, time);
}

function resetsAtTime({ "x-ratelimit-reset": text = "", date = "" }: RawResponse["headers"]): boolean {
  const now = Number.isNaN(Date.parse(date)) ? Date.now() : Date.parse(date);
  const left = Number(text) - now / 1000;
  return /^\d+$/.test(text) && left > -60 && left < 3600;
}

/** The origin that no page has. */
export const probeOrigin = "https://calibrate.invalid";

export function isJson(body: string): boolean {
  return parsed(body) !== undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
