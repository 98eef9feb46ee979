import { useRef } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/panel.tsx";
import { route, to } from "../../base/routes.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { withNames } from "../../data/names.ts";
import { environment } from "../../data/state.ts";
import { activeFaults } from "../../shared/faults.ts";
import { switchTitle } from "./switches.tsx";

/** A band above every other view with the active faults, which somebody may have left on. */
export function FaultBand() {
  const isBusy = useRef(false);
  const inForce = activeFaults();
  const [fault] = inForce;
  if (!fault || route.value.view === "faults") return null;
  const isOne = inForce.length === 1;
  const name = switchTitle(fault) ?? "A fault";

  async function turnOff(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const message = isOne ? `${name} is off.` : "The faults are off.";
    await command(() => Promise.all(inForce.map(({ id }) => call("removeFault", { id }))), message);
    environment.refresh();
    isBusy.current = false;
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
        <strong>{isOne ? name : formatCount(inForce.length, "fault")}</strong>
      </a>{" "}
      {isOne ? `is on for ${withNames(fault.summary)}.` : "are on."}
    </Notice>
  );
}
