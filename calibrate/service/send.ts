import { once } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { megabyte } from "../../src/bounds/bounds.ts";
import { codeOf } from "../../src/validation/errors.ts";
import type { RawResponse } from "../responses/shape.ts";

/** An outgoing request. */
export interface Outgoing {
  readonly method: "GET" | "OPTIONS";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests over one connection, one at a time. */
export interface Sender {
  /** Sends a request without following redirects. Throws NoResponseError without a whole response in the bounds. */
  send(outgoing: Outgoing): Promise<RawResponse>;
  close(): void;
}

/** A request without a whole response. The reason never quotes the service. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
}

/** Limits for a response: the time until it is complete, and the size of its body. */
export interface ResponseBounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const responseBounds: ResponseBounds = { timeoutMs: 10_000, maxBytes: 5 * megabyte };

export function openSender(bounds: ResponseBounds = responseBounds): Sender {
  const options = { keepAlive: true, maxSockets: 1 };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  return {
    send: (outgoing) => sendOutgoing(outgoing, agents[outgoing.url.protocol as keyof typeof agents], bounds),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function sendOutgoing(
  { method, url, headers }: Outgoing,
  agent: HttpAgent,
  { timeoutMs, maxBytes }: ResponseBounds,
): Promise<RawResponse> {
  const openRequest = url.protocol === "https:" ? requestHttps : requestHttp;
  // Brackets in the names of parameters are literal (section 4).
  const path = (url.pathname + url.search).replaceAll("%5B", "[").replaceAll("%5D", "]");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const signal = AbortSignal.timeout(timeoutMs);
  const outgoing = openRequest({ method, agent, host, port: url.port, path, headers, signal });
  // A broken connection may emit a second error.
  outgoing.on("error", () => {}).end();
  try {
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let byteCount = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      byteCount += chunk.length;
      if (byteCount > maxBytes) throw new NoResponseError(`a response of more than ${maxBytes / megabyte} MB`);
      chunks.push(chunk);
    }
    const headerEntries = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
    const body = Buffer.concat(chunks).toString("utf8");
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(headerEntries), body };
  } catch (error) {
    outgoing.destroy();
    if (error instanceof NoResponseError) throw error;
    throw new NoResponseError(
      signal.aborted ? `no response within ${timeoutMs / 1000} s` : formatConnectionError(error),
    );
  }
}

/** Reasons by error code. The messages of Node are not used, because they could quote the response. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be looked up",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the host does not respond",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

function formatConnectionError(error: unknown): string {
  const code = codeOf(error) ?? "";
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code)) return `its certificate or TLS fails (${code})`;
  if (code.startsWith("HPE_")) return `a response that is not HTTP (${code})`;
  return reasons[code] ?? `the connection failed${code === "" ? "" : ` (${code})`}`;
}
