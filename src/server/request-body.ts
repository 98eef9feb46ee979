import type { Request, Response } from "express";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HttpError } from "../errors/http-error.ts";
import { bounds, megabyte } from "../model/bounds.ts";

/**
 * Ends the connection after the answer to a request with a body, unless a handler reads the body and removes the header.
 * Throws HttpError for too large a declared length; the admin API bounds snapshots, which may be larger.
 */
export function limitBody(request: Request, response: Response): void {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared === 0 && request.headers["transfer-encoding"] === undefined) return;
  response.setHeader("Connection", "close");
  const { socket } = request;
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => (request.complete ? Socket.prototype.destroySoon.call(socket) : linger(socket));
  if (declared > bounds.body * megabyte && !request.path.endsWith("/snapshot")) {
    throw new HttpError("body_too_large", { detail: `A request body may have ${bounds.body} MB.` });
  }
}

/** Bytes to take from a client after its answer, and milliseconds until its connection is cut. */
const lingering = { bytes: 16 * megabyte, milliseconds: 2000 };

/**
 * Closes a connection whose client may still be sending. Closing it with unread bytes would reset it, and the client might
 * miss the answer: so we close only our half, and drop incoming bytes for a while.
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
    // A client unable to send looks for an answer.
    if (left < 0) socket.pause();
  });
}

/** Answers `Expect: 100-continue` with 100 when a handler begins to read the body: a refused request sends none. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}
