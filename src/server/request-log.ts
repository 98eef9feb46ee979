import type { Request, Response } from "express";
import { askedBy } from "../api/call.ts";
import { callOf } from "../api/exchange.ts";
import { printableTarget } from "../api/target.ts";
import type { RequestEntry } from "../control.ts";

/** Makes what tells of a request when its answer is out, or when its client is gone. */
export function createRequestLog(
  onRequest: (entry: RequestEntry) => void,
  conceal: (text: string) => string,
): (request: Request, response: Response) => void {
  return (request, response) => {
    const start = performance.now();
    response.once("close", () => {
      const call = callOf(response);
      onRequest({
        method: request.method,
        path: call?.printed ?? conceal(printableTarget(request.originalUrl)),
        status: response.headersSent ? response.statusCode : 0,
        milliseconds: Math.round((performance.now() - start) * 100) / 100,
        key_id: call ? askedBy(call) : null,
        environment: call?.environment.id ?? null,
        hints: [...(call?.hints ?? [])],
      });
    });
  };
}
