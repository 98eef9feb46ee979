import { setTimeout as sleep } from "node:timers/promises";
import { omittedText } from "./responses/state-word.ts";
import { type CalibrationReport, reportOf } from "./report.ts";
import { explore, type ExploreOptions } from "./service/explore.ts";
import { openSender, type ResponseBounds, type Sender } from "./service/send.ts";
import { type EarlyEnd, Session, type SessionClock, type SessionOptions } from "./service/session.ts";

export interface CalibrationOptions
  extends Pick<SessionOptions, "url" | "offering" | "keys" | "onProgress">, Partial<ExploreOptions> {
  /** The time from the start of one request to the next. @default 1000 */
  readonly paceMs?: number;
  /** Maximum number of requests. @default 100 */
  readonly maxRequests?: number;
  /** The version of this program. */
  readonly version: string;
  readonly clock?: SessionClock;
  readonly sender?: Sender;
  readonly bounds?: ResponseBounds;
}

/** A finished calibration. */
export interface Calibration {
  readonly report: CalibrationReport;
  /** Whether the service sent a useful response for the offering. */
  readonly hasResponded: boolean;
  /** The early end of the calibration; undefined if it sent every probe. */
  readonly earlyEnd: EarlyEnd | undefined;
}

const realClock: SessionClock = { now: () => performance.now(), wait: (milliseconds) => sleep(milliseconds) };

/** Finds out which assumptions hold for a service. Throws KeyRefusedError. */
export async function calibrate(options: CalibrationOptions): Promise<Calibration> {
  const { sampleSize = 12, withOptions = false, bounds, sender = openSender(bounds), version } = options;
  const userAgent = `offering-sandbox-calibrate/${version}`;
  const session = new Session({ paceMs: 1000, maxRequests: 100, clock: realClock, ...options, userAgent, sender });
  try {
    await explore(session, { sampleSize, withOptions });
  } finally {
    sender.close();
  }
  const report = withoutKeys(reportOf(session, version), options.keys);
  return { report, hasResponded: session.observations.all("offering").length > 0, earlyEnd: session.earlyEnd };
}

/**
 * Returns the report without the text of any key, which a service might repeat as a name. A key that may be a plain
 * word stays, because the report may use that word itself.
 */
function withoutKeys(report: CalibrationReport, keys: readonly string[]): CalibrationReport {
  let text = JSON.stringify(report);
  const revealingKeys = keys.filter((key) => key.length > 15 || (key.length > 5 && /\d/.test(key)));
  for (const key of revealingKeys) text = text.replaceAll(JSON.stringify(key).slice(1, -1), omittedText);
  return JSON.parse(text) as CalibrationReport;
}
