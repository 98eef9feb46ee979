import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import { Histogram } from "../model/histogram.ts";

/** Stands for any method or path that is none of the server's, as OpenTelemetry names it. */
const other = "_OTHER";

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
    response.once("close", () => {
      const { call, adminPath } = (response as Response).locals;
      const path = call?.target.route?.operation.path.replace(":id", "{id}");
      const route = path === undefined ? (adminPath ?? other) : call.service.basePath + path;
      const status = response.headersSent ? response.statusCode : 0;
      const labelValues = `${knownMethods.has(method) ? method : other} ${route} ${status}`;
      this.durations.record(labelValues, performance.now() - start);
      if (call?.retryIn !== undefined) this.limited += 1;
      if (call?.fault) this.faults += 1;
    });
  }
}
