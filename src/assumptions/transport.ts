import { conventionalOrder, formatOrder } from "./precedence.ts";
import type { Row } from "./row.ts";

/** Limits, headers and access from browsers. */
export const transportRows = [
  {
    id: "limit.window",
    question: "Kind of window of the rate limit",
    section: "8",
    request: "GET /offerings/:id, 240 times over two minutes",
    otherwise: "the client meets a 429 that it did not expect",
    values: {
      fixed: "a minute from a key's first request",
      sliding:
        "the last minute at any moment; requests that it refuses count too, unless only those with a response do",
    },
    letter: { values: { sliding: "the last minute at any moment" } },
    isForm: true,
    conventional: "fixed",
  },
  {
    id: "limit.counts",
    question: "What counts against the limit",
    section: "8",
    request: "GET /investments/:id with an id that does not exist, 121 times in a minute, then GET /offerings/:id",
    otherwise: "the client meets a 429 earlier than it counts",
    values: {
      "every-request": "every request with a valid key, whatever the response",
      answered: "requests that get a document, no errors",
    },
    vary: "by name",
    isForm: true,
    conventional: "every-request",
  },
  {
    id: "limit.retry_after",
    question: "Form of Retry-After",
    section: "7",
    request: "GET /offerings/:id, 121 times in a minute",
    otherwise: "the client does not understand Retry-After, and waits too short or for ever",
    values: { seconds: "whole seconds, at least 1", "http-date": "an HTTP date" },
    conventional: "seconds",
  },
  {
    id: "limit.headers",
    question: "Other rate-limit headers",
    section: "8",
    request: "GET /offerings/:id",
    otherwise: "the client does not know how many requests are left",
    values: {
      none: "none",
      "draft-8": "RateLimit and RateLimit-Policy of the IETF draft 8",
      "x-ratelimit": "X-RateLimit-Limit, X-RateLimit-Remaining, and X-RateLimit-Reset in seconds since 1970",
    },
    isForm: true,
    conventional: "none",
  },
  {
    id: "content_type",
    question: "Media type of responses",
    section: "1",
    request: "GET /offerings/:id",
    otherwise: "a client that reads only one media type refuses the body",
    values: {
      "application/json; charset=utf-8": "plain JSON",
      "application/vnd.api+json": "JSON:API",
    },
    letter: {
      values: {
        "application/json; charset=utf-8": "application/json; charset=utf-8",
        "application/vnd.api+json": "application/vnd.api+json",
      },
    },
    accepts: "media type",
    vary: ["application/json; charset=utf-8", "application/json", "application/vnd.api+json"],
    isForm: true,
    conventional: "application/json; charset=utf-8",
  },
  {
    id: "transport.form",
    question: "Framing of responses, and case of header names",
    section: "1",
    request: "GET /offerings/:id",
    otherwise: "a client that reads Content-Length, or names of headers in one case, finds none",
    values: {
      plain: "with Content-Length, names such as Content-Type",
      chunked: "Transfer-Encoding: chunked, names such as content-type",
    },
    isForm: true,
    conventional: "plain",
  },
  {
    id: "cors",
    question: "May browsers of other origins call?",
    section: "1",
    request: "GET /offerings/:id from a page of another origin",
    otherwise: "no page can call the service, and needs a server between",
    values: { yes: "Authorization allowed, Retry-After exposed, no credentials", no: "no CORS headers" },
    vary: "by name",
    isForm: true,
    conventional: "yes",
  },
  {
    id: "precedence",
    question: "Which error wins",
    section: "7",
    request: "GET /offerings/:id/investments?page=x of another offering",
    otherwise: "the client reacts to another error than the one it is told",
    values: {
      conventional: formatOrder(conventionalOrder),
    },
    accepts: "order of errors",
    vary: ["conventional", "404-path,405,401,400,403"],
    conventional: "conventional",
  },
] as const satisfies readonly Row[];
