import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import type { FaultDescription, FaultRule, KeyDescription } from "../../../src/public/control.ts";
import { formatCount } from "../../base/format.ts";
import { Badge } from "../../components/badge.tsx";
import { Select } from "../../components/field.tsx";
import { to, useParameter } from "../../base/routes.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { useLimits } from "../../data/limits.ts";
import { activeKeys, clientKey, keyName, keyOptions } from "../../data/names.ts";
import { environment, speed } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import { RevokeButton, setUsed, WindowEnd } from "../../shared/key-commands.tsx";
import { isActive, formatUse } from "../../shared/faults.ts";

interface CommonFault {
  readonly title: string;
  /** What the client sees. */
  readonly description: string;
  readonly rule: FaultRule;
}

const common: readonly CommonFault[] = [
  {
    title: "Slow",
    description: "Each response is 2 seconds late.",
    rule: { delay: "2s" },
  },
  {
    title: "500, twice",
    description: "The next two calls fail on the server.",
    rule: { respond: { status: 500 }, times: 2 },
  },
  {
    title: "503 for 30 seconds",
    description: "Out of service by the clock above, with Retry-After: 5.",
    rule: { respond: { status: 503, headers: { "Retry-After": 5 } }, for: "30s" },
  },
  {
    title: "Connection reset, once",
    description: "The next call breaks off.",
    rule: { connection: "reset", times: 1 },
  },
  {
    title: "Empty response, once",
    description: "The next connection closes without a byte.",
    rule: { connection: "empty", times: 1 },
  },
  {
    title: "Half of all responses late",
    description: "By 1 to 3 seconds, drawn from the seed.",
    rule: { delay: "1s..3s", share: 0.5 },
  },
];

/** A switch for each common fault. It is on while a fault like it is active, whoever added it. */
export function FaultSwitches({ all }: { readonly all: readonly FaultDescription[] }) {
  return (
    <>
      {common.map((fault) => (
        <FaultSwitch key={fault.title} common={fault} like={all.filter((other) => isLike(other, fault))} />
      ))}
    </>
  );
}

/** Returns the title of a fault's switch; undefined for a fault without one. */
export function switchTitle(fault: FaultDescription): string | undefined {
  return common.find((one) => isLike(fault, one))?.title;
}

/** Whether a fault has the members of the rule and no others; durations may differ. */
function isLike(fault: FaultDescription, { rule }: CommonFault): boolean {
  const {
    id: _id,
    summary: _summary,
    used: _used,
    active: _active,
    warning: _warning,
    from: _from,
    until,
    ...rest
  } = fault;
  return JSON.stringify({ ...rest, ...(until !== null && { for: rule.for ?? "" }) }) === JSON.stringify(rule);
}

interface FaultSwitchProps {
  readonly common: CommonFault;
  readonly like: readonly FaultDescription[];
}

function FaultSwitch({ common: { title, description, rule }, like }: FaultSwitchProps) {
  const isBusy = useRef(false);
  const inForce = like.filter(isActive);
  const [latest = like.at(-1)] = inForce;
  const isOn = inForce.length > 0;

  async function change(on: boolean): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    if (on) await command(() => call("addFault", { body: rule }));
    else await command(() => Promise.all(inForce.map(({ id }) => call("removeFault", { id }))));
    isBusy.current = false;
  }

  const used = latest && formatUse(latest, speed.value === 0);
  const state = isOn ? used : latest && latest.used > 0 && `over: ${used}`;
  return (
    <SwitchRow title={title} description={description} isOn={isOn} state={state} onChange={(on) => void change(on)} />
  );
}

interface SwitchRowProps {
  readonly title: string;
  readonly description: string;
  /** The real state of the failure, such as how often it was applied; shown in place of the description. */
  readonly state?: ComponentChildren;
  /** A select for its subject, or a button. */
  readonly children?: ComponentChildren;
  /** Undefined for a failure that cannot be switched off. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange?: (on: boolean) => void;
}

/** A failure with a switch. The whole row switches it; it shows the state of the sandbox, which follows a click. */
function SwitchRow(props: SwitchRowProps) {
  const { title, description, state, children, isOn, isDisabled, onChange } = props;
  const id = useId();
  return (
    <li class={isOn ? "on" : undefined}>
      <label>
        {isOn !== undefined &&
          (canEdit.value ? (
            <button
              type="button"
              role="switch"
              class="toggle"
              aria-checked={isOn}
              aria-labelledby={`${id}-title`}
              aria-describedby={`${id}-words`}
              disabled={isDisabled}
              onClick={() => onChange?.(!isOn)}
            />
          ) : (
            <Badge variant={isOn ? "bad" : "neutral"}>{isOn ? "on" : "off"}</Badge>
          ))}
        <strong id={`${id}-title`}>{title}</strong>
        <span id={`${id}-words`} class="words small muted" title={description}>
          {state || description}
        </span>
      </label>
      {children && canEdit.value && <div class="actions">{children}</div>}
    </li>
  );
}

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
  const { keys = [], create_date: opened = "" } = environment.data ?? {};
  // Keys that the fixture already revokes do not count.
  const revoked = keys.filter(({ revoke_date: date }) => date !== null && date > opened).length;
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
        state={
          isFull && (
            <>
              each call is a 429, <WindowEnd limit={limit} />
            </>
          )
        }
        onChange={(on) =>
          void setUsed(
            limited,
            on ? (limit?.limit ?? 0) : 0,
            on ? `Each call with ${name} is a 429 now.` : `${name} works again.`,
          )
        }
      >
        <Select label="Key of the limit" isLabelHidden value={limited} onChange={chooseLimited} options={options} />
      </SwitchRow>
      <SwitchRow
        title="Key revoked"
        description="A 401 until the clock is set back."
        state={revoked > 0 && <a href={to("keys")}>{formatCount(revoked, "key")} revoked</a>}
      >
        <Select label="Key to revoke" isLabelHidden value={toRevoke} onChange={chooseToRevoke} options={options} />
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
