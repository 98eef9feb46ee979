import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import { Histogram } from "../time/histogram.ts";
import { basePath, operations } from "../model/operations.ts";

/** Stands for any method or path that is none of the server's, as OpenTelemetry names it. */
const other = "_OTHER";

/** The routes of the service, made once: each request needs one. */
const routes = new Map(operations.map((operation) => [operation, basePath + operation.path.replace(":id", "{id}")]));

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What a server counts from its start, for `GET /__admin/metrics`. */
export class RequestCounts {
  /** By method, route and status: 0 if the client got none. */
  readonly durations = new Histogram();
  limited = 0;
  faults = 0;

  /** Counts a request once its response is out, or its client gone. */
  watch({ method = "" }: IncomingMessage, response: ServerResponse): void {
    const start = performance.now();
    // A response closes once; `once` would cost each request a wrapper more.
    response.on("close", () => {
      const { call, adminPath } = (response as Response).locals;
      const operation = call?.target.route?.operation;
      const route = operation ? routes.get(operation) : (adminPath ?? other);
      const status = response.headersSent ? response.statusCode : 0;
      const labelValues = `${knownMethods.has(method) ? method : other} ${route} ${status}`;
      this.durations.record(labelValues, performance.now() - start);
      if (call?.retryIn !== undefined) this.limited += 1;
      if (call?.fault) this.faults += 1;
    });
  }
}
