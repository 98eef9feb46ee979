import { useRef } from "preact/hooks";
import type { FaultDescription, FaultRule } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { now, speed } from "../../server/state.ts";
import { faultsInForce, usedInWords } from "./fault-words.ts";
import { SwitchRow } from "./switch-row.tsx";

interface CommonFault {
  readonly title: string;
  /** What the client sees. */
  readonly description: string;
  readonly rule: FaultRule;
}

const common: readonly CommonFault[] = [
  {
    title: "Slow",
    description: "Each answer is 2 seconds late.",
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
    title: "Empty answer, once",
    description: "The next connection closes without a byte.",
    rule: { connection: "empty", times: 1 },
  },
  {
    title: "Half of all answers late",
    description: "By 1 to 3 seconds, drawn from the seed.",
    rule: { delay: "1s..3s", share: 0.5 },
  },
];

interface FaultSwitchesProps {
  readonly faults: readonly FaultDescription[];
  /** Loads the faults again. */
  readonly onChange: () => void;
}

/** One switch for each common fault; on while a fault like it is in force, whoever added it. */
export function FaultSwitches({ faults, onChange }: FaultSwitchesProps) {
  return (
    <>
      {common.map((fault) => (
        <FaultSwitch
          key={fault.title}
          common={fault}
          like={faults.filter((other) => isLike(other, fault))}
          onChange={onChange}
        />
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
  const { id: _id, words: _words, used: _used, active: _active, from: _from, until, ...own } = fault;
  return JSON.stringify({ ...own, ...(until !== null && { for: rule.for ?? "" }) }) === JSON.stringify(rule);
}

interface FaultSwitchProps {
  readonly common: CommonFault;
  readonly like: readonly FaultDescription[];
  readonly onChange: () => void;
}

function FaultSwitch({ common: { title, description, rule }, like, onChange }: FaultSwitchProps) {
  const isBusy = useRef(false);
  const inForce = faultsInForce(like, now.value);
  const [latest = like.at(-1)] = inForce;
  const isOn = inForce.length > 0;

  async function change(on: boolean): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    if (on) await command(() => call("addFault", { body: rule }));
    else await command(() => Promise.all(inForce.map(({ id }) => call("removeFault", { id }))));
    onChange();
    isBusy.current = false;
  }

  const used = latest && usedInWords(latest, now.value, speed.value === 0);
  const state = isOn ? used : latest && latest.used > 0 && `over: ${used}`;
  return (
    <SwitchRow title={title} description={description} isOn={isOn} state={state} onChange={(on) => void change(on)} />
  );
}
