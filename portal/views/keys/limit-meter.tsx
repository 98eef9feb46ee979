import { type LimitReading, secondsLeft } from "../../server/limits.ts";
import { Meter } from "../../parts/panel.tsx";
import { number } from "../../format.ts";
import { beats } from "../../server/state.ts";

/** The use of a limit, and when its window ends. */
export function LimitMeter({ limit }: { readonly limit: LimitReading | undefined }) {
  if (!limit) return <span class="muted">…</span>;
  if (limit.limit === 0) return <span class="muted">no limit</span>;
  return (
    <span class="limit">
      <Meter
        isLimit
        value={limit.used}
        max={limit.limit}
        label={`${number(limit.used)} of ${number(limit.limit)} used`}
      />
      <WindowEnd limit={limit} />
    </span>
  );
}

export function WindowEnd({ limit }: { readonly limit: LimitReading }) {
  if (limit.resets_in_seconds > 0) void beats.value;
  const seconds = secondsLeft(limit);
  if (seconds > 0) return <small class="muted number">starts again in {seconds} s</small>;
  return limit.used > 0 ? <small class="muted">starts again with the next request</small> : null;
}
