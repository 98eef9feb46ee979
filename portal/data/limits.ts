import { useSignalEffect } from "@preact/signals";
import type { LimitDescription } from "../../src/public/control.ts";
import { list } from "./api.ts";
import { newestRequest, useResource } from "./use-resource.ts";
import { pulseCount } from "./state.ts";

/** The use of a key's rate limit, as loaded at `loadedAtMs` of the page's own time (`performance.now()`). */
export interface LoadedLimit extends LimitDescription {
  readonly loadedAtMs: number;
}

/**
 * Returns the rate limits by key id; undefined until they are loaded. A window ends in real time, so the limits are
 * loaded again when one has ended.
 */
export function useLimits(): ReadonlyMap<string, LoadedLimit> | undefined {
  const limits = useResource(loadLimits, [], { trigger: newestRequest });
  useSignalEffect(() => {
    void pulseCount.value;
    if (Array.from(limits.data?.values() ?? []).some(isExpired)) limits.refresh();
  });
  return limits.data;
}

async function loadLimits(signal: AbortSignal): Promise<ReadonlyMap<string, LoadedLimit>> {
  const limits = await list("listLimits", { signal });
  const loadedAtMs = performance.now();
  return new Map(limits.map((limit) => [limit.key_id, { ...limit, loadedAtMs }]));
}

function isExpired(limit: LoadedLimit): boolean {
  return limit.resets_in_seconds > 0 && secondsLeft(limit) <= 0;
}

/** Returns the real seconds until the window ends; 0 if no window is open. */
export function secondsLeft({ resets_in_seconds, loadedAtMs }: LoadedLimit): number {
  return Math.max(0, Math.ceil(resets_in_seconds - (performance.now() - loadedAtMs) / 1000));
}
