import type { RequestHandler, Response } from "express";
import { askedBy, type Call } from "../api/call.ts";
import { printablePath } from "../api/printable-path.ts";
import type { RequestEntry } from "../control.ts";

/** Tells of every request when its answer is out, or when its client is gone. */
export function logRequests(
  onRequest: (entry: RequestEntry) => void,
  isSecret: (text: string) => boolean,
): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    response.once("close", () => {
      const call = callOf(response);
      onRequest({
        method: request.method,
        path: printablePath(request.originalUrl, isSecret),
        status: response.statusCode,
        milliseconds: Math.round((performance.now() - start) * 100) / 100,
        key_id: call ? askedBy(call) : null,
        environment: call?.environment.id ?? null,
        hints: call?.hints ?? [],
      });
    });
    next();
  };
}

/** The call that the service read; undefined for requests of other paths. */
function callOf(response: Response): Call | undefined {
  return response.locals["call"] as Call | undefined;
}
