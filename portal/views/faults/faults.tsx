import type { FaultDescription } from "../../../src/control.ts";
import { call, list } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { number } from "../../format.ts";
import { withNames } from "../../server/names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Page, Panel, Waiting } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { When } from "../../parts/values.tsx";
import { useCounts } from "../../server/use-resource.ts";
import { route, to } from "../../routes.ts";
import { now } from "../../server/state.ts";
import { mayChange } from "../../server/token.ts";
import { FaultForm } from "./fault-form.tsx";
import { isInForce } from "./fault-words.ts";
import { KeySwitches } from "./key-switches.tsx";
import { FaultSwitches } from "./switches.tsx";

/** Injects failures: the usual ones by switches, any other by a form. */
export function Faults() {
  const resource = useCounts((signal) => list("listFaults", { signal }));
  const faults = resource.data ?? [];
  return (
    <Page
      title="Faults"
      lead="Make calls of the service fail or wait, and see how your client copes. This page and the admin API are spared."
    >
      {!resource.data && <Waiting problem={resource.problem} />}
      {resource.data && (
        <>
          <Panel title="Switches">
            <ul class="switches">
              <FaultSwitches faults={faults} onChange={resource.refresh} />
              <KeySwitches />
            </ul>
          </Panel>
          <List faults={faults} onChange={resource.refresh} />
          {mayChange.value && (
            <Panel title="Any other fault">
              <FaultForm onAdded={resource.refresh} />
            </Panel>
          )}
        </>
      )}
    </Page>
  );
}

interface ListProps {
  readonly faults: readonly FaultDescription[];
  readonly onChange: () => void;
}

function List({ faults, onChange }: ListProps) {
  async function remove({ id }: FaultDescription): Promise<void> {
    await command(() => call("removeFault", { id }), `${id} is removed.`);
    onChange();
  }
  async function removeAll(): Promise<void> {
    await command(() => call("removeFaults"), "All faults are removed.");
    onChange();
  }

  const columns: readonly Column<FaultDescription>[] = [
    { name: "Fault", cell: ({ id }) => id },
    { name: "Does", cell: ({ words }) => withNames(words) },
    { name: "State", cell: (fault) => <State {...fault} /> },
    { name: "Met", isNumber: true, cell: ({ id, used, times }) => <Met id={id} used={used} times={times} /> },
    { name: "From", isMinor: true, cell: ({ from }) => (from === null ? "the start" : <When date={from} isShort />) },
    { name: "Until", isMinor: true, cell: ({ until }) => (until === null ? "no end" : <When date={until} isShort />) },
    {
      name: "Remove",
      cell: (fault) => (
        <Button changes kind="quiet" aria-label={`Remove ${fault.id}`} onClick={() => void remove(fault)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title="All faults"
      class="faults"
      actions={
        faults.length > 0 && (
          <ConfirmButton
            question="Remove all faults?"
            consequence="Each call is answered as usual again. Scenarios that add faults go on."
            confirmLabel="Remove all"
            onConfirm={() => void removeAll()}
          >
            Remove all…
          </ConfirmButton>
        )
      }
    >
      {faults.length > 1 && <p class="muted above-table">The first one in force that fits takes a request.</p>}
      <DataTable
        label="Faults"
        rows={faults}
        columns={columns}
        keyOf={({ id }) => id}
        current={route.value.id}
        empty={<p class="muted">No fault. Each call is answered as the service would.</p>}
      />
    </Panel>
  );
}

type FaultState = "in force" | "used up" | "over" | "to come";

function stateOf(fault: FaultDescription): FaultState {
  const { from, times, used, until } = fault;
  if (isInForce(fault, now.value)) return "in force";
  if (times !== undefined && used >= times) return "used up";
  return until !== null && Date.parse(until) <= now.value ? "over" : from === null ? "over" : "to come";
}

function State(fault: FaultDescription) {
  const state = stateOf(fault);
  return <Badge look={state === "in force" ? "bad" : state === "to come" ? "waiting" : "neutral"}>{state}</Badge>;
}

function Met({ id, used, times }: Pick<FaultDescription, "id" | "used" | "times">) {
  const text = times === undefined ? number(used) : `${number(used)} of ${number(times)}`;
  return used === 0 ? <>{text}</> : <a href={to("journal", null, { has: id })}>{text}</a>;
}
