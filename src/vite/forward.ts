import { once } from "node:events";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../model/mistakes.ts";

/** Connections that go through no proxy of the environment. */
const direct = new Agent({ keepAlive: true });

/** Headers of one connection, and of HTTP/2: `:path`. */
const ofConnection = /^(?:host|connection|keep-alive|transfer-encoding|upgrade|:.*)$/;

function forwarded(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.test(name)));
}

/**
 * Sends a page's request to a sandbox, with a key unless it has an `Authorization`, and the answer to the page as it
 * comes: a connection that breaks there breaks here. Rejects before any answer if nothing listens at the origin.
 */
export async function forward(page: IncomingMessage, response: ServerResponse, origin: string, key?: string) {
  // The service does not read a body.
  const { "content-length": _ofBody, ...headers } = forwarded(page.headers);
  if (key !== undefined) headers.authorization ??= `Bearer ${key}`;
  const outgoing = request(new URL(origin), { method: page.method, path: page.url, headers, agent: direct });
  response.once("close", () => outgoing.destroy());
  try {
    // A broken connection may emit a second error.
    outgoing.on("error", () => {}).end();
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, forwarded(answer.headers));
    await pipeline(answer, response);
  } catch (error) {
    if (codeOf(error) === "ECONNREFUSED") throw error;
    response.destroy();
  }
}
