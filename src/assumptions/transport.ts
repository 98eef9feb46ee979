import type { Row } from "./row.ts";

/** Limits, headers and access from browsers. */
export const transportRows = [
  {
    id: "limit.window",
    question: "Kind of window of the rate limit",
    section: "8",
    values: {
      fixed: "a minute from a key's first request",
      sliding: "the last minute at any moment; requests that it refuses count too, unless only answered ones do",
    },
    conventional: "fixed",
  },
  {
    id: "limit.counts",
    question: "What counts against the limit",
    section: "8",
    values: {
      "every-request": "every request with a valid key, whatever the answer",
      answered: "requests that are answered with a document, no errors",
    },
    vary: "by name",
    conventional: "every-request",
  },
  {
    id: "limit.retry_after",
    question: "Form of Retry-After",
    section: "7",
    values: { seconds: "whole seconds, at least 1", "http-date": "an HTTP date" },
    conventional: "seconds",
  },
  {
    id: "limit.headers",
    question: "Other rate-limit headers",
    section: "8",
    values: {
      none: "none",
      "draft-8": "RateLimit and RateLimit-Policy of the IETF draft 8",
      "x-ratelimit": "X-RateLimit-Limit, X-RateLimit-Remaining, and X-RateLimit-Reset in seconds since 1970",
    },
    conventional: "none",
  },
  {
    id: "content_type",
    question: "Media type of responses",
    section: "1",
    values: {
      "application/json; charset=utf-8": "plain JSON",
      "application/vnd.api+json": "JSON:API",
    },
    accepts: "media type",
    vary: ["application/json; charset=utf-8", "application/json", "application/vnd.api+json"],
    conventional: "application/json; charset=utf-8",
  },
  {
    id: "transport.form",
    question: "Framing of responses, and case of header names",
    section: "1",
    values: {
      plain: "with Content-Length, names such as Content-Type",
      chunked: "Transfer-Encoding: chunked, names such as content-type",
    },
    conventional: "plain",
  },
  {
    id: "cors",
    question: "May browsers of other origins call?",
    section: "1",
    values: { yes: "Authorization allowed, Retry-After exposed, no credentials", no: "no CORS headers" },
    vary: "by name",
    conventional: "yes",
  },
  {
    id: "precedence",
    question: "Which error wins",
    section: "7",
    values: {
      conventional: "401, 429, 404-path (an unknown path), 405, 403, 400 (or 422), 404 (an unknown investment)",
    },
    accepts: "order of errors",
    vary: ["conventional", "404-path,405,401,429,400,403,404"],
    conventional: "conventional",
  },
] as const satisfies readonly Row[];
