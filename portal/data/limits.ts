import { useSignalEffect } from "@preact/signals";
import type { LimitDescription } from "../../src/public/control.ts";
import { list } from "./api.ts";
import { newestRequest, useResource } from "./use-resource.ts";
import { beats } from "./state.ts";

/** The use of a key's rate limit, as loaded at the instant `at` of this page's own clock (`performance.now()`). */
export interface LimitReading extends LimitDescription {
  readonly at: number;
}

/**
 * Returns the rate limits by key id; undefined until they are loaded. A window ends in real time, so the limits are
 * loaded again when one has ended.
 */
export function useLimits(): ReadonlyMap<string, LimitReading> | undefined {
  const limits = useResource(loadLimits, [], { on: newestRequest });
  useSignalEffect(() => {
    void beats.value;
    if (Array.from(limits.data?.values() ?? []).some(isOver)) limits.refresh();
  });
  return limits.data;
}

async function loadLimits(signal: AbortSignal): Promise<ReadonlyMap<string, LimitReading>> {
  const all = await list("listLimits", { signal });
  const at = performance.now();
  return new Map(all.map((limit) => [limit.key_id, { ...limit, at }]));
}

function isOver(limit: LimitReading): boolean {
  return limit.resets_in_seconds > 0 && secondsLeft(limit) <= 0;
}

/** Returns the real seconds until the window ends; 0 if no window is open. */
export function secondsLeft({ resets_in_seconds, at }: LimitReading): number {
  return Math.max(0, Math.ceil(resets_in_seconds - (performance.now() - at) / 1000));
}
