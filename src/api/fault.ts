import type { Request, Response } from "express";
import type { FaultRule } from "../model/fault.ts";

/** Whether a fault answers, or breaks the connection, so that the service does not. */
export function endsHere({ respond, connection }: FaultRule): boolean {
  return respond !== undefined || connection !== undefined;
}

/** Answers a request as a fault says, instead of the service. */
export function answerFault(request: Request, response: Response, { respond, connection }: FaultRule): void {
  if (connection === "reset") {
    request.socket.resetAndDestroy();
  } else if (connection === "empty") {
    request.socket.destroy();
  } else if (respond) {
    const { status, headers = {}, body = "" } = respond;
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    response.status(status);
    if (text !== "") response.type(isText ? "text/plain" : "application/json");
    for (const [name, value] of Object.entries(headers)) response.set(name, String(value));
    response.end(text);
  }
}
