import { probeOrigin } from "../responses/shape.ts";
import { servedBy } from "../rows/table.ts";
import type { ExploreOptions } from "./explore.ts";
import { probe, type ProbeId, probeIds } from "./probes.ts";

/** A planned request, and the assumptions it serves. */
export interface PlannedRequest {
  readonly id: ProbeId;
  readonly method: "GET" | "OPTIONS";
  /** The path below the base address, with placeholders. */
  readonly path: string;
  readonly maxRequests: number;
  /** Notes on the request: its Origin header, its credentials if they are not a key, its purpose. */
  readonly note: string;
  readonly serves: readonly string[];
}

interface PlanOptions extends ExploreOptions {
  /** The number of keys. */
  readonly keyCount: number;
}

/** Returns all requests that a calibration with these options may send. */
export function plannedRequests({ sampleSize, keyCount, withOptions }: PlanOptions): readonly PlannedRequest[] {
  return probeIds.flatMap((id) => {
    const { path, method = "GET", maxRequests = 1, key, hasOrigin, purpose } = probe(id);
    if (method === "OPTIONS" && !withOptions) return [];
    const requestCount = maxRequests === "sample" ? sampleSize : key === "each" ? keyCount : maxRequests;
    const credentials = key === "none" ? "no key" : key === "lower-case scheme" && "bearer";
    return {
      id,
      method,
      path,
      // Each key reads the first investment.
      maxRequests: id === "investment" ? requestCount + keyCount - 1 : requestCount,
      note: [hasOrigin && `Origin: ${probeOrigin}`, credentials, purpose].filter(Boolean).join(", "),
      serves: servedBy(id),
    };
  });
}

/** Returns the planned requests with their maximum number. */
export function planOf(options: PlanOptions & { readonly maxRequests: number }) {
  const requests = plannedRequests(options);
  const plannedCount = requests.reduce((sum, { maxRequests }) => sum + maxRequests, 0);
  return { requests, maxRequests: Math.min(options.maxRequests, plannedCount) };
}
