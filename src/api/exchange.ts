import type { Request, Response } from "express";
import type { Call } from "./call.ts";

/** A call, and what it came with and is answered with. */
export interface Exchange {
  readonly call: Call;
  readonly request: Request;
  readonly response: Response;
}

const name = "call";

/** Begins an exchange: from now on others find the call by the response. */
export function beginExchange(exchange: Exchange): Exchange {
  exchange.response.locals[name] = exchange.call;
  return exchange;
}

/** The call that a response answers; undefined for requests of other paths than the service's. */
export function callOf(response: Response): Call | undefined {
  return response.locals[name] as Call | undefined;
}
