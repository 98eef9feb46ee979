import { useRef } from "preact/hooks";
import type { FaultDescription } from "../../../src/control.ts";
import { count } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/panel.tsx";
import { route, to } from "../../routes.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import type { Resource } from "../../server/resource.ts";
import { withNames } from "../../server/names.ts";
import { now } from "../../server/state.ts";
import { faultsInForce } from "./fault-words.ts";
import { switchTitle } from "./switches.tsx";

/** A band above every other view with the faults in force, which somebody may have left on. */
export function FaultBand({ faults }: { readonly faults: Resource<readonly FaultDescription[]> }) {
  const isBusy = useRef(false);
  // While loading, the faults may be those of another environment: each has ids such as fault-1.
  const inForce = faultsInForce(faults.loading ? [] : (faults.data ?? []), now.value);
  const [fault] = inForce;
  if (!fault || route.value.view === "faults") return null;
  const isOne = inForce.length === 1;

  async function turnOff(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const message = isOne ? `${nameOf(fault)} is off.` : "The faults are off.";
    await command(() => Promise.all(inForce.map(({ id }) => call("removeFault", { id }))), message);
    faults.refresh();
    isBusy.current = false;
  }

  return (
    <div role="status">
      <Notice
        look="warning"
        actions={
          <Button changes onClick={() => void turnOff()}>
            Turn off
          </Button>
        }
      >
        <a href={to("faults")}>
          <strong>{isOne ? nameOf(fault) : count(inForce.length, "fault")}</strong>
        </a>{" "}
        {isOne ? `is on for ${withNames(fault.words)}.` : "are on."}
      </Notice>
    </div>
  );
}

/** Returns the title of the fault's switch; its id if it has no switch. */
function nameOf(fault: FaultDescription | undefined): string {
  return fault ? (switchTitle(fault) ?? fault.id) : "";
}
