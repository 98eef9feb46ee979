import type { Request, Response } from "express";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HttpError } from "../errors/http-error.ts";
import { bounds, megabyte } from "../model/bounds.ts";

/**
 * Ends the connection of a request that has a body with the answer, unless somebody reads it and removes the header. Throws
 * HttpError for a declared length that is too large; the admin API bounds snapshots itself, which may be larger.
 */
export function limitBody(request: Request, response: Response): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared === 0 && request.headers["transfer-encoding"] === undefined) return;
  response.setHeader("Connection", "close");
  const { socket } = request;
  // Node calls this after an answer that ends the connection.
  socket.destroySoon = () => (request.complete ? Socket.prototype.destroySoon.call(socket) : linger(socket));
  if (declared > bounds.body * megabyte && !request.path.endsWith("/snapshot")) {
    throw new HttpError("body_too_large", { detail: `A request body may have ${bounds.body} MB.` });
  }
}

/** Bytes that are still taken from a client after its answer, and milliseconds until its connection is cut. */
const lingering = { bytes: 16 * megabyte, milliseconds: 2000 };

/**
 * Closes a connection whose client may still be sending. Were it closed with bytes unread, it would be reset, and the client
 * might never see its answer: so only our half is closed, and for a while what comes in is dropped.
 */
export function linger(socket: Duplex): void {
  const cut = setTimeout(() => socket.destroy(), lingering.milliseconds).unref();
  socket.once("close", () => clearTimeout(cut));
  socket.end();
  // Node's parser, which reads a connection in place of the stream, must be the one to resume it.
  if (socket.isPaused()) socket.once("resume", () => drop(socket)).resume();
  else drop(socket);
}

function drop(socket: Duplex): void {
  let left = lingering.bytes;
  socket.removeAllListeners("data");
  socket.on("data", (part: Buffer) => {
    left -= part.length;
    // A client that cannot send any further looks whether there is an answer.
    if (left < 0) socket.pause();
  });
}

/** Answers `Expect: 100-continue` with 100 when somebody begins to read the body: a request that is refused sends none. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}
