import type { Response } from "express";
import { ControlError } from "../errors/control-error.ts";
import { jsonPieces } from "../model/json-pieces.ts";
import { Turns } from "../model/turns.ts";

/** Characters that are written at once. */
const pieceLength = 65_536;

/** Large responses of this process at once, each with a whole environment; and how long one waits for its reader. */
const [maxAtOnce, readerTimeoutMs] = [8, 30_000];
let sendCount = 0;

/** Makes and sends a large response. Rejects with ControlError `conflict` while many others are sent. */
export async function sendLarge(response: Response, make: () => Promise<unknown>): Promise<void> {
  if (sendCount === maxAtOnce)
    throw new ControlError(
      "conflict",
      `${maxAtOnce} large responses are being sent; repeat the call when one has ended.`,
    );
  sendCount++;
  try {
    await sendInPieces(response, (await make()) as object);
  } finally {
    sendCount--;
  }
}

/**
 * Writes a large body as JSON, in pieces between which others get a turn. A client that does not read occupies no more
 * than one piece, and loses its connection after a while.
 */
async function sendInPieces(response: Response, body: object): Promise<void> {
  response.setTimeout(readerTimeoutMs, () => response.destroy());
  response.type("json");
  const turns = new Turns();
  let text = "";
  for (const piece of jsonPieces(body)) {
    text += piece;
    if (text.length < pieceLength) continue;
    if (!response.write(text)) await writable(response);
    text = "";
    await turns.next();
    if (response.destroyed) return;
  }
  response.end(text);
}

/** Resolves when a client has read what was written, or is gone. */
function writable(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.on("drain", end).on("close", end);
    if (response.destroyed) end();
  });
}
