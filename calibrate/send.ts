import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { megabyte } from "../src/model/bounds.ts";
import { codeOf } from "../src/model/mistakes.ts";
import type { RawResponse } from "./shapes.ts";

/** A request as it goes out. */
export interface Outgoing {
  readonly method: "GET" | "OPTIONS";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests over one connection, one at a time. */
export interface Sender {
  /** Throws Unanswered where no whole response comes within the bounds. Redirects are not followed. */
  send(outgoing: Outgoing): Promise<RawResponse>;
  close(): void;
}

/** A request without a whole response, and why: never with a text of the service. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** Bounds of a response: milliseconds until it is whole, and bytes of its body. */
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
  bounds: ResponseBounds,
): Promise<RawResponse> {
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  // As written: brackets in the names of parameters are literal (section 4).
  const path = decodeBrackets(url.pathname + url.search);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const outgoing = open({ method, agent, host, port: url.port, path, headers });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<RawResponse>((resolve, reject) => {
      timer = setTimeout(() => reject(new Unanswered(`no answer within ${bounds.time / 1000} s`)), bounds.time);
      outgoing.on("error", (error) => reject(new Unanswered(reasonOf(error))));
      outgoing.on("response", (response) => void read(response, bounds.bytes).then(resolve, reject));
      outgoing.end();
    });
  } catch (error) {
    outgoing.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function decodeBrackets(path: string): string {
  return path.replaceAll("%5B", "[").replaceAll("%5D", "]");
}

async function read(response: IncomingMessage, most: number): Promise<RawResponse> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on("data", (part: Buffer) => {
      size += part.length;
      if (size > most) reject(new Unanswered(`an answer of more than ${most / megabyte} MB`));
      else parts.push(part);
    });
    response.on("error", (error) => reject(new Unanswered(reasonOf(error))));
    response.on("end", () => {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
      resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(parts).toString("utf8") });
    });
  });
}

/** Errors by their codes: Node's own texts could hold parts of the answer. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name of the host cannot be looked up",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the host does not answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? "";
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code)) return `its certificate or TLS fails (${code})`;
  if (code.startsWith("HPE_")) return `an answer that is not HTTP (${code})`;
  return reasons[code] ?? `the connection failed${code === "" ? "" : ` (${code})`}`;
}
