import { once } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { megabyte } from "../../src/bounds/bounds.ts";
import { codeOf } from "../../src/validation/errors.ts";
import type { RawResponse } from "../responses/shape.ts";

/** A request as it goes out. */
export interface Outgoing {
  readonly method: "GET" | "OPTIONS";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests over one connection, one at a time. */
export interface Sender {
  /** Throws NoResponseError where no whole response comes within the bounds. Redirects are not followed. */
  send(outgoing: Outgoing): Promise<RawResponse>;
  close(): void;
}

/** A request without a whole response. The reason never quotes the service. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
}

/** Limits for a response: milliseconds until it is whole, and bytes of its body. */
export interface ResponseBounds {
  readonly time: number;
  readonly bytes: number;
}

const responseBounds: ResponseBounds = { time: 10_000, bytes: 5 * megabyte };

export function openSender(bounds: ResponseBounds = responseBounds): Sender {
  const options = { keepAlive: true, maxSockets: 1 };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  return {
    send: (outgoing) => exchange(outgoing, agents[outgoing.url.protocol as keyof typeof agents], bounds),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function exchange(
  { method, url, headers }: Outgoing,
  agent: HttpAgent,
  { time, bytes }: ResponseBounds,
): Promise<RawResponse> {
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  // Brackets in the names of parameters are literal (section 4).
  const path = (url.pathname + url.search).replaceAll("%5B", "[").replaceAll("%5D", "]");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const signal = AbortSignal.timeout(time);
  const outgoing = open({ method, agent, host, port: url.port, path, headers, signal });
  // A broken connection may emit a second error.
  outgoing.on("error", () => {}).end();
  try {
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > bytes) throw new NoResponseError(`a response of more than ${bytes / megabyte} MB`);
      parts.push(part);
    }
    const texts = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    const body = Buffer.concat(parts).toString("utf8");
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(texts) as RawResponse["headers"], body };
  } catch (error) {
    outgoing.destroy();
    if (error instanceof NoResponseError) throw error;
    throw new NoResponseError(signal.aborted ? `no response within ${time / 1000} s` : reasonOf(error));
  }
}

/** Errors by their codes: Node's own texts could hold parts of the response. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be looked up",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the host does not respond",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? "";
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code)) return `its certificate or TLS fails (${code})`;
  if (code.startsWith("HPE_")) return `a response that is not HTTP (${code})`;
  return reasons[code] ?? `the connection failed${code === "" ? "" : ` (${code})`}`;
}
