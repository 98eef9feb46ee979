import type { KeyDescription } from "../../../src/control.ts";
import { useLimits } from "../../server/limits.ts";
import { activeKeys, clientKey, keyName, keyOptions } from "../../server/names.ts";
import { Select } from "../../parts/field.tsx";
import { count } from "../../format.ts";
import { to, useParameter } from "../../routes.ts";
import { environment } from "../../server/state.ts";
import { RevokeButton, setUsed } from "../keys/key-commands.tsx";
import { WindowEnd } from "../keys/limit-meter.tsx";
import { SwitchRow } from "./switch-row.tsx";

/** The switches for one key: use up its limit, or revoke it. */
export function KeySwitches() {
  const active = activeKeys();
  const limits = useLimits();
  const [limited, chooseLimited] = useKeyChoice("limited", active);
  const limit = limits?.get(limited);
  const isLimited = limit !== undefined && limit.limit > 0;
  const isFull = isLimited && limit.used >= limit.limit;
  const name = keyName(limited);
  const [toRevoke, chooseToRevoke] = useKeyChoice("revoke", active);
  const revoked = (environment.data?.keys.length ?? 0) - active.length;
  const options = keyOptions(active);
  if (active.length === 0) return null;
  return (
    <>
      <SwitchRow
        title="429 now"
        description={
          isLimited || !limits
            ? `Fills the limit of ${limit?.limit ?? 0} requests a minute.`
            : "The rate limit is off in this environment: start the sandbox with --rate-limit 120."
        }
        isOn={isFull}
        isDisabled={!isLimited}
        state={isFull && <WindowEnd limit={limit} />}
        onChange={(on) =>
          void setUsed(
            limited,
            on ? (limit?.limit ?? 0) : 0,
            on ? `Each call with ${name} is a 429 now.` : `${name} works again.`,
          )
        }
      >
        <Select label="Key of the limit" isBare value={limited} onChange={chooseLimited} options={options} />
      </SwitchRow>
      <SwitchRow
        title="Key revoked"
        description="Each call with it is a 401. Only the clock undoes it, if it is set to before that instant."
        state={revoked > 0 && <a href={to("keys")}>{count(revoked, "key")} revoked</a>}
      >
        <Select label="Key to revoke" isBare value={toRevoke} onChange={chooseToRevoke} options={options} />
        <RevokeButton id={toRevoke} />
      </SwitchRow>
    </>
  );
}

/** The key in the address; the client's key if the address does not name an active one. */
function useKeyChoice(parameter: string, active: readonly KeyDescription[]): readonly [string, (id: string) => void] {
  const [keyId, choose] = useParameter(parameter);
  return [active.find(({ id }) => id === keyId)?.id ?? clientKey() ?? "", choose];
}
