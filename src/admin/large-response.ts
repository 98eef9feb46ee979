import type { Response } from "express";
import { pipeline } from "node:stream/promises";
import { ControlError } from "../errors/control-error.ts";
import { jsonPieces } from "../text/json-text.ts";
import { codeOf } from "../mistakes/mistakes.ts";
import { Turns } from "../bounds/turns.ts";

/** Characters that are written at once. */
const pieceLength = 65_536;

/** Large responses of this process at once, each with a whole environment; and how long one waits for its reader. */
const [maxAtOnce, readerTimeoutMs] = [8, 30_000];
let sendCount = 0;

/** Makes and sends a large response. Rejects with ControlError `conflict` while many others are sent. */
export async function sendLarge(response: Response, make: () => Promise<unknown>): Promise<void> {
  const message = `${maxAtOnce} large responses are being sent; repeat the call when one has ended.`;
  if (sendCount === maxAtOnce) throw new ControlError("conflict", message);
  sendCount++;
  try {
    await sendInPieces(response, (await make()) as object);
  } finally {
    sendCount--;
  }
}

/** Sends a body as JSON. A client that does not read occupies no more than one piece, and loses its connection. */
async function sendInPieces(response: Response, body: object): Promise<void> {
  response.setTimeout(readerTimeoutMs, () => response.destroy());
  response.type("json");
  await pipeline(chunksOf(body), response).catch((error: unknown) => {
    // The client is gone.
    if (codeOf(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** The text of a body in pieces, between which other work continues. */
async function* chunksOf(body: object): AsyncGenerator<string> {
  const turns = new Turns();
  let text = "";
  for (const piece of jsonPieces(body)) {
    text += piece;
    if (text.length < pieceLength) continue;
    yield text;
    text = "";
    await turns.next();
  }
  yield text;
}
