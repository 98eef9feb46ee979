import type { FaultDescription } from "../../../src/control.ts";
import { count } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/panel.tsx";
import { route, to } from "../../routes.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { keyName } from "../../server/names.ts";
import { now } from "../../server/state.ts";
import { effectInWords, faultsInForce, matchInWords } from "./fault-words.ts";
import { switchTitle } from "./switches.tsx";

interface FaultBandProps {
  readonly faults: readonly FaultDescription[] | undefined;
  /** Asks for the faults anew. */
  readonly onChange: () => void;
}

/** Above every view but their own: the faults that calls meet now, which somebody may have left on. */
export function FaultBand({ faults = [], onChange }: FaultBandProps) {
  const inForce = faultsInForce(faults, now.value);
  const [fault] = inForce;
  if (!fault || route.value.view === "faults") return null;
  const isOne = inForce.length === 1;

  async function turnOff(): Promise<void> {
    const message = isOne ? `${nameOf(fault)} is off.` : "The faults are off.";
    await command(() => Promise.all(inForce.map(({ id }) => call("removeFault", { id }))), message);
    onChange();
  }

  return (
    <Notice look="warning" actions={<Button onClick={() => void turnOff()}>Turn off</Button>}>
      <a href={to("faults")}>
        <strong>{isOne ? nameOf(fault) : count(inForce.length, "fault")}</strong>
      </a>{" "}
      {isOne ? `is on: ${effectInWords(fault)} for ${matchInWords(fault, keyName)}.` : "are on."}
    </Notice>
  );
}

/** The title of its switch; an id for a fault of another kind. */
function nameOf(fault: FaultDescription | undefined): string {
  return fault ? (switchTitle(fault) ?? fault.id) : "";
}
