import { formatCount } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/panel.tsx";
import { route, to } from "../../base/routes.ts";
import { withNames } from "../../data/names.ts";
import { environment } from "../../data/state.ts";
import { activeFaults } from "../../shared/faults.ts";
import { removeFaults, switchTitle, useFaultCommand } from "./switches.tsx";

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
