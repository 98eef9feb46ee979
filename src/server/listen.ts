import type { Express } from "express";
import { once } from "node:events";
import { createServer, get, IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { json } from "node:stream/consumers";
import { noteConnection } from "../coverage/arrivals.ts";
import { ListenError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { codeOf } from "../validation/errors.ts";
import type { ServerDescription } from "../public/descriptions.ts";
import { formatPlace } from "../text/origin.ts";
import { version } from "../package.ts";
import { isWildcard } from "./host-check.ts";

export type Listening = ReturnType<typeof together>;

interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address; undefined for both loopbacks. */
  readonly host: string | undefined;
  readonly messages: MessageClasses;
}

type MessageClasses = Pick<Messages, "IncomingMessage" | "ServerResponse">;

/** An error of Node's parser, with the bytes that it read last. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

/** The errors of requests that Node cannot read. Of such a request, only method and target may be known. */
export const refusals = new WeakMap<object, HttpError>();

/** Takes the status that Node would respond, and says why. Never quotes the request: a key may be anywhere in it. */
function refusalOf({ code = "", reason = "its form is wrong" }: ParserError, target: string): HttpError {
  const [status, why] = reasons[code] ?? [400, `It is not HTTP: ${reason}.`];
  const detail = target.includes(" ") ? "Its target has a space; write it as %20." : why;
  return new HttpError("invalid", { detail: `The request cannot be read. ${detail}` }, { Connection: "close" }, status);
}

const reasons: Readonly<Record<string, readonly [status: number, why: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Its headers have more than 64 KB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of its chunks are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "It took too long."],
};

const maxAttempts = 10;

/** Listens on one address, or on both loopbacks with the same port. Throws ListenError. */
export async function listen(listener: RequestListener, { port, host, messages }: ListenOptions): Promise<Listening> {
  if (host !== undefined) return together([await bind(listener, port, host, messages)]);
  for (let attempt = 1; ; attempt++) {
    const first = await bind(listener, port, "127.0.0.1", messages);
    try {
      return together([first, await bind(listener, portOf(first), "::1", messages)]);
    } catch (error) {
      if (error instanceof ListenError && error.code !== "EADDRINUSE") return together([first]);
      await together([first]).close();
      if (port !== 0 || attempt === maxAttempts) throw error;
    }
  }
}

/** Longer than clients reuse idle connections, so that no client sends into a closing connection. */
const keepAliveTimeout = 75_000;

async function bind(listener: RequestListener, port: number, host: string, messages: MessageClasses): Promise<Server> {
  // Repeats of a single header are joined, and so refused; Node would take the first. The host check refuses a request
  // without Host, as any other bad Host.
  const options = { keepAliveTimeout, joinDuplicateHeaders: true, requireHostHeader: false, maxHeaderSize: 65_536 };
  const server = createServer({ ...messages, ...options }, listener);
  // Node would ignore headers after the thousandth. Their size is limited anyway.
  server.maxHeadersCount = 0;
  server.on("connection", noteConnection);
  server.on("checkContinue", (request, res) => {
    continueWhenRead(request, res);
    listener(request, res);
  });
  server.on("checkExpectation", (_request, res) => res.writeHead(417, { "Sandbox-Version": version }).end());
  server.on("clientError", (error: ParserError, socket: Socket) => {
    const pending = Reflect.get(socket, "_httpMessage") as ServerResponse | null;
    if (error.code === "ECONNRESET" || !socket.writable || pending?.headersSent) return void socket.destroy();
    // Node itself responds to a request with a malformed body in this way.
    if (pending) return void socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    const request = new messages.IncomingMessage(socket);
    const head = error.rawPacket?.toString("latin1", 0, 2000) ?? "";
    const [, method = "-", url = "/"] = /^([A-Z]+) (\S[^\r\n]*?)(?: [A-Z]+\/[\d.]+| *)(?:\r?\n|$)/.exec(head) ?? [];
    refusals.set(Object.assign(request, { method, url }), refusalOf(error, url));
    const res = new messages.ServerResponse(request);
    res.assignSocket(socket);
    res.shouldKeepAlive = false;
    res.once("finish", () => socket.destroySoon());
    listener(request, res);
  });
  server.listen({ port, host, ipv6Only: host === "::1" });
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    const isTaken = codeOf(error) === "EADDRINUSE" && port !== 0;
    const sandbox = isTaken ? await sandboxAt(host, port) : undefined;
    throw new ListenError(port, host, error as NodeJS.ErrnoException, sandbox);
  }
}

const identificationTimeoutMs = 1000;

/** Returns the version of the sandbox on a port, and where it runs if known; undefined for another program. */
async function sandboxAt(host: string, port: number): Promise<string | undefined> {
  const address = isWildcard(host) ? "127.0.0.1" : host;
  // The other program may not be a sandbox, and may say nothing.
  const signal = AbortSignal.timeout(identificationTimeoutMs);
  const asked = get({ host: address, port, path: "/__admin/server", headers: { host: "localhost" }, signal });
  try {
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const { "sandbox-version": found } = response.headers;
    if (typeof found !== "string") return undefined;
    if (response.statusCode !== 200) return found;
    return found + formatPlace((await json(response)) as ServerDescription);
  } catch {
    return undefined;
  } finally {
    asked.destroy();
  }
}

/** Responds to `Expect: 100-continue` with 100 when a handler begins to read the body: a refused request sends none. */
function continueWhenRead(request: IncomingMessage, res: ServerResponse): void {
  const { shouldKeepAlive } = res;
  // A client that does not get a 100 may send its next request, or still send the body.
  res.shouldKeepAlive = false;
  request.once("resume", () => {
    if (res.headersSent) return;
    res.shouldKeepAlive = shouldKeepAlive;
    res.writeContinue();
  });
}

function together(servers: readonly Server[]) {
  const [first] = servers;
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.once("close", resolve))));
  const stopListening = (): void => {
    for (const server of servers) if (server.listening) server.close();
  };
  return {
    port: first ? portOf(first) : 0,
    /** Ends open and new connections; the port stays in use. */
    refuse() {
      for (const server of servers) {
        server.on("connection", (socket) => socket.destroy());
        server.closeAllConnections();
      }
    },
    /** Stops listening, and resolves when the last request in flight has its response. */
    async finish() {
      // A connection may stay open after the response to an earlier request.
      for (const server of servers) server.keepAliveTimeout = 1;
      stopListening();
      await closed;
    },
    async close() {
      stopListening();
      for (const server of servers) server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The classes of requests and responses, with Express's prototypes: an object whose prototype changes stays slow. */
export class Messages {
  readonly IncomingMessage: typeof IncomingMessage = class extends IncomingMessage {
    /** Replaces Express's getter, which reads headers: express-rate-limit calls it for each request, for debug logs. */
    get ip(): string | undefined {
      return undefined;
    }
  };
  readonly ServerResponse = class extends ServerResponse {} as typeof ServerResponse;

  /** Gives the classes to an app; they leave the previous app. */
  belongTo(app: Express): void {
    const { prototype: request } = this.IncomingMessage;
    const { prototype: res } = this.ServerResponse;
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(res, app.response);
    Object.assign(app, { request, response: res });
  }
}

/** Reduces a target to path and query if the client sent a whole URL, as to a proxy. */
export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
}
