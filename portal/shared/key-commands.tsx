import type { KeyDescription } from "../../src/public/control.ts";
import { formatNumber } from "../base/format.ts";
import { ConfirmButton } from "../components/confirm.tsx";
import { Copy } from "../components/copy.tsx";
import { Meter } from "../components/panel.tsx";
import { call } from "../data/api.ts";
import { command } from "../data/commands.ts";
import { type LoadedLimit, secondsLeft } from "../data/limits.ts";
import { keyName } from "../data/names.ts";
import { formatCurl, fromOrigin } from "../data/service-call.ts";
import { pulseCount } from "../data/state.ts";

/** Buttons that copy the secret, or a request with it, without showing it. */
export function CopyKeyButtons(description: KeyDescription) {
  const name = keyName(description.id);
  return (
    <span class="actions nowrap">
      <Copy text={description.key} label="Key" kind="quiet" subject={`Key ${name}`} />
      <Copy text={curlOfOffering(description)} label="curl" kind="quiet" subject={`Request with ${name} as curl`} />
    </span>
  );
}

/** Formats a first request with a key as curl. */
export function curlOfOffering({ key, offering_id }: KeyDescription): string {
  return formatCurl({ method: "GET", path: fromOrigin(`/offerings/${offering_id}`), secret: key });
}

export async function setUsed(id: string, used: number, message: string): Promise<void> {
  await command(() => call("setLimit", { id, body: { used } }), message);
}

/** The button to revoke a key. It asks first: a revoked key stays revoked unless the clock is set back. */
export function RevokeButton({ id }: { readonly id: string }) {
  const name = keyName(id);
  return (
    <ConfirmButton
      question={`Revoke ${name}?`}
      consequence="Every request with this key gets a 401 from now on. Only setting the clock back to an earlier instant undoes it. You can issue another key."
      confirmLabel="Revoke"
      onConfirm={() => void command(() => call("revokeKey", { id }), `${name} revoked.`)}
    />
  );
}

/** The use of a limit, and when its window ends. */
export function LimitMeter({ limit }: { readonly limit: LoadedLimit | undefined }) {
  if (!limit) return <span class="muted">…</span>;
  if (limit.limit === 0) return <span class="muted">no limit</span>;
  // Refused requests count too.
  const used = Math.min(limit.used, limit.limit);
  return (
    <>
      <Meter
        isLimit
        value={used}
        max={limit.limit}
        label={`${formatNumber(used)} of ${formatNumber(limit.limit)} used`}
      />{" "}
      <WindowEnd limit={limit} />
    </>
  );
}

export function WindowEnd({ limit }: { readonly limit: LoadedLimit }) {
  if (limit.resets_in_seconds > 0) void pulseCount.value;
  const seconds = secondsLeft(limit);
  return seconds > 0 ? <small class="muted number">resets in {seconds} s</small> : null;
}
