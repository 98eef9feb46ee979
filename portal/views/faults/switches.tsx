import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import type { FaultDescription, FaultRule, KeyDescription } from "../../../src/public/control.ts";
import { formatCount } from "../../base/format.ts";
import { Badge } from "../../components/badge.tsx";
import { Select } from "../../components/field.tsx";
import { to, useParameter, route } from "../../base/routes.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { useLimits } from "../../data/limits.ts";
import { activeKeys, clientKey, keyName, keyOptions, withNames } from "../../data/names.ts";
import { environment, speed } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import { RevokeButton, setUsed, WindowEnd } from "../../shared/key-commands.tsx";
import { isActive, formatUse, activeFaults } from "../../shared/faults.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/panel.tsx";

interface CommonFault {
  readonly title: string;
  /** What the client sees. */
  readonly description: string;
  readonly rule: FaultRule;
}

const commonFaults: readonly CommonFault[] = [
  { title: "Slow", description: "Each response is 2 seconds late.", rule: { delay: "2s" } },
  {
    title: "500, twice",
    description: "The next two requests fail on the server.",
    rule: { respond: { status: 500 }, times: 2 },
  },
  {
    title: "503 for 30 seconds",
    description: "Out of service by the clock above, with Retry-After: 5.",
    rule: { respond: { status: 503, headers: { "Retry-After": 5 } }, for: "30s" },
  },
  {
    title: "Connection reset, once",
    description: "The next request breaks off.",
    rule: { connection: "reset", times: 1 },
  },
  {
    title: "Empty response, once",
    description: "The next connection closes without a byte.",
    rule: { connection: "empty", times: 1 },
  },
  {
    title: "Half of all responses late",
    description: "By 1 to 3 seconds, sampled from the seed.",
    rule: { delay: "1s..3s", share: 0.5 },
  },
];

/** A switch for each common fault, which is on while an equal fault is active, even from another client. */
export function FaultSwitches({ faults }: { readonly faults: readonly FaultDescription[] }) {
  return (
    <>
      {commonFaults.map((common) => (
        <FaultSwitch key={common.title} common={common} equalFaults={faults.filter((fault) => isLike(fault, common))} />
      ))}
    </>
  );
}

/** Returns the title of a fault's switch; undefined for a fault without one. */
function switchTitle(fault: FaultDescription): string | undefined {
  return commonFaults.find((common) => isLike(fault, common))?.title;
}

/** The members of a fault that its rule does not have. */
const descriptive = Object.fromEntries(
  ["id", "summary", "used", "active", "warning", "from", "until"].map((name) => [name, undefined]),
);

/** Whether a fault has the members of the rule and no others; durations may differ. */
function isLike(fault: FaultDescription, { rule }: CommonFault): boolean {
  const duration = fault.until !== null && { for: rule.for ?? "" };
  return JSON.stringify({ ...fault, ...descriptive, ...duration }) === JSON.stringify(rule);
}

/** Runs commands on faults, one at a time: further clicks are ignored meanwhile. */
function useFaultCommand() {
  const isBusy = useRef(false);
  return async (run: () => Promise<unknown>, message?: string): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    await command(run, message);
    isBusy.current = false;
  };
}

function removeFaults(faults: readonly FaultDescription[]): Promise<unknown> {
  return Promise.all(faults.map(({ id }) => call("removeFault", { id })));
}

interface FaultSwitchProps {
  readonly common: CommonFault;
  readonly equalFaults: readonly FaultDescription[];
}

function FaultSwitch({ common: { title, description, rule }, equalFaults }: FaultSwitchProps) {
  const run = useFaultCommand();
  const active = equalFaults.filter(isActive);
  const [latest = equalFaults.at(-1)] = active;
  const isOn = active.length > 0;
  const change = (on: boolean) => run(() => (on ? call("addFault", { body: rule }) : removeFaults(active)));
  const use = latest && formatUse(latest, speed.value === 0);
  const state = isOn ? use : latest && latest.used > 0 && `exhausted: ${use}`;
  return (
    <SwitchRow title={title} description={description} isOn={isOn} state={state} onChange={(on) => void change(on)} />
  );
}

interface SwitchRowProps {
  readonly title: string;
  readonly description: string;
  /** The state of the failure, such as how often it was applied; shown in place of the description. */
  readonly state?: ComponentChildren;
  /** A select for the key, or a button. */
  readonly children?: ComponentChildren;
  /** Undefined for a failure that cannot be switched off. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange?: (on: boolean) => void;
}

/** A failure with a switch. The whole row switches it. It shows the state of the sandbox, which follows a click. */
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
              aria-describedby={`${id}-description`}
              disabled={isDisabled}
              onClick={() => onChange?.(!isOn)}
            />
          ) : (
            <Badge variant={isOn ? "bad" : "neutral"}>{isOn ? "on" : "off"}</Badge>
          ))}
        <strong id={`${id}-title`}>{title}</strong>
        <span id={`${id}-description`} class="words small muted" title={description}>
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
  const [limitKey, setLimitKey] = useKeyChoice("limited", active);
  const limit = limits?.get(limitKey);
  const maximum = limit?.limit ?? 0;
  const isFull = limit !== undefined && maximum > 0 && limit.used >= maximum;
  const [revokeKey, setRevokeKey] = useKeyChoice("revoke", active);
  const { keys = [], create_date: openedAt = "" } = environment.data ?? {};
  // Keys that the fixture already revokes do not count.
  const revokedCount = keys.filter(({ revoke_date: date }) => date !== null && date > openedAt).length;
  const options = keyOptions(active);
  if (active.length === 0) return null;
  return (
    <>
      <SwitchRow
        title="429 now"
        description={
          maximum > 0 || !limits
            ? `Fills the limit of ${maximum} requests a minute.`
            : "The rate limit is off in this environment: start the sandbox with --rate-limit 120."
        }
        isOn={isFull}
        isDisabled={maximum === 0}
        state={
          isFull && (
            <>
              each request gets 429, <WindowEnd limit={limit} />
            </>
          )
        }
        onChange={(on) =>
          void setUsed(limitKey, on ? maximum : 0, `Limit of ${keyName(limitKey)} ${on ? "filled" : "cleared"}.`)
        }
      >
        <Select label="Key of the limit" isLabelHidden value={limitKey} onChange={setLimitKey} options={options} />
      </SwitchRow>
      <SwitchRow
        title="Key revoked"
        description="Each request gets 401 until the clock is set back."
        state={revokedCount > 0 && <a href={to("keys")}>{formatCount(revokedCount, "key")} revoked</a>}
      >
        <Select label="Key to revoke" isLabelHidden value={revokeKey} onChange={setRevokeKey} options={options} />
        <RevokeButton id={revokeKey} />
      </SwitchRow>
    </>
  );
}

/** The key in the address; the client's key if the address does not name an active one. */
function useKeyChoice(parameter: string, active: readonly KeyDescription[]): readonly [string, (id: string) => void] {
  const [keyId, setKeyId] = useParameter(parameter);
  return [active.find(({ id }) => id === keyId)?.id ?? clientKey() ?? "", setKeyId];
}

/** A band above every other view with the active faults, which another person may have left on. */
export function FaultBand() {
  const run = useFaultCommand();
  const faults = activeFaults();
  const [fault] = faults;
  if (!fault || route.value.view === "faults") return null;
  const isSingle = faults.length === 1;
  const name = switchTitle(fault) ?? "A fault";

  async function turnOff(): Promise<void> {
    await run(() => removeFaults(faults), isSingle ? `${name} turned off.` : "Faults turned off.");
    environment.refresh();
  }

  return (
    <Notice
      variant="warning"
      role="status"
      actions={
        <Button needsEditAccess onClick={() => void turnOff()}>
          Turn off
        </Button>
      }
    >
      <a href={to("faults")}>
        <strong>{isSingle ? name : formatCount(faults.length, "fault")}</strong>
      </a>{" "}
      {isSingle ? `is on for ${withNames(fault.summary)}.` : "are on."}
    </Notice>
  );
}
