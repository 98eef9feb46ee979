import type { Express } from "express";
import { once } from "node:events";
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { CannotListen } from "../errors/control-error.ts";

/** Sockets that are open. */
export interface Listening {
  readonly port: number;
  /** Stops listening and drops open connections. */
  close(): Promise<void>;
}

/** Where to listen. */
interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Undefined is both loopback addresses. */
  readonly host: string | undefined;
  /** What requests and responses are made of. */
  readonly messages: MessagesInListen;
}

type MessagesInListen = Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;

/** How often a port that is free on one loopback may be taken on the other before we give up. */
const attempts = 10;

/** Listens on the addresses asked for and on no other. Throws CannotListen. */
export async function listen(listener: RequestListener, { port, host, messages }: ListenOptions): Promise<Listening> {
  if (host !== undefined) return together([await open(listener, port, host, messages)]);
  for (let attempt = 1; ; attempt++) {
    const first = await open(listener, port, "127.0.0.1", messages);
    try {
      return together([first, await open(listener, portOf(first), "::1", messages)]);
    } catch (error) {
      if (error instanceof CannotListen && error.code !== "EADDRINUSE") return together([first]);
      await close(first);
      if (port !== 0 || attempt === attempts) throw error;
    }
  }
}

/**
 * Milliseconds after which an idle connection is closed: longer than clients keep theirs, or one would send into a
 * connection that is just being closed.
 */
const idleConnection = 75_000;

async function open(
  listener: RequestListener,
  port: number,
  host: string,
  messages: MessagesInListen,
): Promise<Server> {
  const server = createServer({ ...messages, keepAliveTimeout: idleConnection }, listener);
  server.listen({ port, host, ipv6Only: host === "::1" });
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    throw new CannotListen(port, host, error as NodeJS.ErrnoException);
  }
}

function together(servers: readonly Server[]): Listening {
  let closed: Promise<unknown> | undefined;
  const [first] = servers;
  return {
    port: first ? portOf(first) : 0,
    async close() {
      closed ??= Promise.all(servers.map((server) => close(server)));
      await closed;
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * The requests and responses of a server, made with the prototypes that Express wants them to have: it gives them those
 * anyway, and an object whose prototype changes after it was made is slow from then on.
 */
export class Messages {
  readonly IncomingMessage: typeof IncomingMessage = class extends IncomingMessage {};
  readonly ServerResponse = class extends ServerResponse {} as typeof ServerResponse;

  /** Makes them those of an app, and no longer those of the one before it. */
  belongTo(app: Express): void {
    const { prototype: request } = this.IncomingMessage;
    const { prototype: response } = this.ServerResponse;
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(app, { request, response });
  }
}

/** The target of a request as a path, where a client wrote a whole URL as if to a proxy. */
export function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
}
