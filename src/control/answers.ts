import type { Count } from "../model/scalars.ts";

/* The answers of the admin API that no public type describes. */

export interface Health {
  /** `stopping` while a server with `--drain` ends; with the query `?ready`, the status of the answer is then 503. */
  readonly status: "ok" | "stopping";
  readonly version: string;
  readonly uptime_seconds: Count;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly [member: string]: unknown;
}

export interface RequestCount {
  readonly count: Count;
}

export interface List<Item> {
  readonly data: readonly Item[];
}

/** A problem document (RFC 9457). */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: Count;
  readonly detail: string;
  /** The code: `invalid`, `not_found`, `conflict`, `refused`, `not_kept` or another one. */
  readonly code: string;
}
