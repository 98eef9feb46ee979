import type { Request, Response } from "express";
import type { FaultRule } from "../model/fault.ts";
import { askedBy, type Call } from "./call.ts";

/** The fault that meets a call, which has a key that serves; undefined when none does. */
export function meetFault(call: Call): FaultRule | undefined {
  const { method, target, environment } = call;
  const key_id = askedBy(call);
  const fault = key_id === null ? undefined : environment.meetFault({ method, path: target.path, key_id });
  if (fault) call.faultId = fault.id;
  return fault?.rule;
}

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
