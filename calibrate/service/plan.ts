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
  /** Remarks on the request: its Origin header, other credentials than a key, its purpose. */
  readonly note: string;
  readonly serves: readonly string[];
}

interface PlanOptions extends ExploreOptions {
  /** How many keys there are. */
  readonly keys: number;
}

/** Returns all requests that a calibration with these options may send. */
export function plannedRequests({ sample, keys, withOptions }: PlanOptions): readonly PlannedRequest[] {
  return probeIds.flatMap((id) => {
    const { path, method = "GET", maxRequests = 1, key, origin, purpose } = probe(id);
    if (method === "OPTIONS" && !withOptions) return [];
    const times = maxRequests === "sample" ? sample : key === "each" ? keys : maxRequests;
    const credentials = key === "none" ? "no key" : key === "lower-case scheme" && "bearer";
    return {
      id,
      method,
      path,
      // Each key reads the first investment.
      maxRequests: id === "investment" ? times + keys - 1 : times,
      note: [origin && `Origin: ${probeOrigin}`, credentials, purpose].filter(Boolean).join(", "),
      serves: servedBy(id),
    };
  });
}

/** A plan with its maximum number of requests. */
export function planOf(options: PlanOptions & { readonly maxRequests: number }) {
  const requests = plannedRequests(options);
  const all = requests.reduce((sum, { maxRequests }) => sum + maxRequests, 0);
  return { requests, maxRequests: Math.min(options.maxRequests, all) };
}
