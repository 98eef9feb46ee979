import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../package.ts";
import { explore, type ExploreOptions } from "./explore.ts";
import { type CalibrationReport, reportOf } from "./report.ts";
import { openSender, type ResponseBounds, type Sender } from "./send.ts";
import { type EarlyEnd, Session, type SessionClock, type SessionOptions } from "./session.ts";

export interface CalibrationOptions
  extends Pick<SessionOptions, "url" | "offering" | "keys" | "onRequest">, Partial<ExploreOptions> {
  /** Milliseconds from one request to the next. @default 1000 */
  readonly pace?: number;
  /** The most requests, those of `exhaust` not counted. @default 100 */
  readonly most?: number;
  readonly clock?: SessionClock;
  readonly sender?: Sender;
  readonly bounds?: ResponseBounds;
}

/** A finished calibration. */
export interface Calibration {
  readonly report: CalibrationReport;
  /** Undefined if all was asked. */
  readonly ended: EarlyEnd | undefined;
}

const realClock: SessionClock = { now: () => performance.now(), wait: (milliseconds) => sleep(milliseconds) };

/** Asks a service which assumptions hold. Throws KeyRefused for a key that it refuses. */
export async function calibrate(options: CalibrationOptions): Promise<Calibration> {
  const { url, offering, keys, pace = 1000, most = 100, clock = realClock, onRequest, bounds } = options;
  const sender = options.sender ?? openSender(bounds);
  const userAgent = `offering-sandbox-calibrate/${version}`;
  const session = new Session({ url, offering, keys, pace, most, userAgent, sender, clock, onRequest });
  const { sample = 12, exhaust = false, withOptions = false } = options;
  try {
    await explore(session, { sample, exhaust, withOptions });
  } finally {
    sender.close();
  }
  const date = new Date().toISOString().slice(0, 10);
  return { report: reportOf(session, date, version), ended: session.ended };
}
