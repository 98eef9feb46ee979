import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { openRequest } from "./connection.ts";

/** A request of a page, and the response to it. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Headers of one connection (RFC 9110, section 7.6.1), and of HTTP/2: `:path`. */
const hopHeaders = /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|:.*)$/;
/** The service does not read a body, so none is sent. */
const bodyHeaders = /^(?:content-length|expect)$/;
/** The server of the page decides which origins read a response. */
const corsHeaders = /^access-control-/;

function forwardedHeaders(headers: IncomingMessage["headers"], omitted: RegExp): IncomingMessage["headers"] {
  const connectionHeaders = new Set(headers.connection?.toLowerCase().split(/[\s,]+/));
  const isOmitted = (name: string) => hopHeaders.test(name) || omitted.test(name) || connectionHeaders.has(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOmitted(name)));
}

/**
 * Sends a page's request to the sandbox at an origin, with `secret` unless it has an `Authorization`. `path` is sent as
 * it is: resolved like a URL's, `..` would lead out of the service. Resolves with the response, unread. Rejects with
 * the error of a connection without a response.
 */
export async function sendToSandbox({ req, res }: Exchange, origin: string, path: string, secret?: string) {
  const key = req.headers.authorization === undefined && secret !== undefined && { authorization: `Bearer ${secret}` };
  const headers = { ...forwardedHeaders(req.headers, bodyHeaders), ...key };
  const outgoing = await openRequest(new URL(origin), { method: req.method, path, headers });
  res.once("close", () => outgoing.destroy());
  // A broken connection may emit a second error.
  outgoing.on("error", () => {}).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return response;
}

/** Passes a response on as it comes: a connection that breaks there breaks here. */
export async function forwardResponse(response: IncomingMessage, { req, res }: Exchange): Promise<void> {
  res.statusCode = response.statusCode ?? 502;
  for (const [name, value = ""] of Object.entries(forwardedHeaders(response.headers, corsHeaders))) {
    // The page's own Vary stays.
    if (name === "vary") res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  // Under Bun, the page would treat a response that is only destroyed as complete.
  await pipeline(response, res).catch(() => req.socket.destroy());
}
