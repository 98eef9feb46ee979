import { probe, type ProbeId, probeIds } from "./probes.ts";
import { servedBy } from "./rows/rows.ts";
import { probeOrigin } from "./shapes.ts";

/** A request of a plan, sent at most so many times, with the assumptions that its answer serves. */
export interface PlannedRequest {
  readonly id: ProbeId;
  readonly method: "GET" | "OPTIONS";
  /** Below the base address, with placeholders. */
  readonly path: string;
  readonly most: number;
  /** How it differs from a request with a key and nothing else: a header, no key, its purpose. */
  readonly note: string;
  readonly serves: readonly string[];
}

/** The requests that a calibration with these options may send: all requests that it sends are among them. */
export function plannedRequests(options: {
  readonly sample: number;
  readonly keys: number;
  readonly exhaust: boolean;
  readonly withOptions: boolean;
}): readonly PlannedRequest[] {
  return probeIds.flatMap((id) => {
    const { path, method = "GET", most = 1, only, key, origin, purpose } = probe(id);
    if ((only === "exhaust" && !options.exhaust) || (only === "with options" && !options.withOptions)) return [];
    const times = most === "sample" ? options.sample : key === "each" ? options.keys : most;
    const notes = [
      origin && `Origin: ${probeOrigin}`,
      key === "none" && "no key",
      key === "lower-case scheme" && "bearer",
      purpose,
    ];
    return {
      id,
      method,
      path,
      // Each key reads the first investment.
      most: id === "investment" ? times + options.keys - 1 : times,
      note: notes.filter(Boolean).join(", "),
      serves: servedBy(id),
    };
  });
}
