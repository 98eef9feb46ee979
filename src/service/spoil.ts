import type { Response } from "express";
import { durationInWords, readDuration } from "../time/duration.ts";
import { type Call, waitConnected } from "./call.ts";

interface BodyFault {
  /** The hint in the journal: `the fault sends 60 of 120 bytes of the body, then ends the connection`. */
  readonly hint: string;
  /** Whether the fault ends the connection before the end of the body. */
  readonly cuts: boolean;
  /** Sends the body after the headers, then ends the answer or its connection. A dripping body returns a promise. */
  readonly send: (response: Response) => Promise<DripOutcome> | undefined;
}

/** A hint for the journal if the connection ended before the body: `the connection ended after 100 of 900 bytes`. */
export type DripOutcome = string | undefined;

/** Returns how a call's fault changes a body; undefined without such a fault. */
export function bodyFaultOf({ fault }: Call, body: Buffer | undefined): BodyFault | undefined {
  const { truncate, drip } = fault?.rule ?? {};
  if (truncate === undefined && !drip) return undefined;
  if (!body?.length) {
    const hint = "the answer has no body for the fault to spoil";
    return { hint, cuts: false, send: (response) => void response.end() };
  }
  if (truncate !== undefined) {
    const part = body.subarray(0, Math.floor(body.length * truncate));
    return {
      hint: `the fault sends ${part.length} of ${body.length} bytes of the body, then ends the connection`,
      cuts: true,
      // A response queued behind another has no socket yet: its part is written later.
      send: (response) => void response.write(part, () => response.req.socket.destroySoon()),
    };
  }
  if (!drip) return undefined;
  const pause = readDuration(drip.every) ?? 0;
  const pieces = Math.ceil(body.length / drip.bytes);
  return {
    hint: `the fault sends the body of ${body.length} bytes in ${pieces} pieces, one every ${durationInWords(pause)}`,
    cuts: false,
    send: (response) => sendPieces(response, body, drip.bytes, pause),
  };
}

async function sendPieces(response: Response, body: Buffer, bytes: number, pause: number): Promise<DripOutcome> {
  for (let at = 0; at < body.length; at += bytes) {
    if (at > 0 && !(await waitConnected(pause, response.req))) {
      return `the connection ended after ${at} of ${body.length} bytes`;
    }
    response.write(body.subarray(at, at + bytes));
  }
  response.end();
  return undefined;
}
