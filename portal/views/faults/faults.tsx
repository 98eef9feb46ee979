import type { FaultDescription } from "../../../src/public/control.ts";
import { formatNumber } from "../../base/format.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/confirm.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, useForm } from "../../components/form.tsx";
import { Page, Panel, Loading } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { When } from "../../components/values.tsx";
import { tabSignal } from "../../base/preferences.ts";
import { route, to } from "../../base/routes.ts";
import { call, uncheckedBody } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { withNames } from "../../data/names.ts";
import { environment } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import { isActive } from "../../shared/faults.ts";
import { FaultSwitches, KeySwitches } from "./switches.tsx";

/** Injects failures: the common ones by switches, any other by a form. */
export function Faults() {
  const faults = environment.data?.faults;
  return (
    <Page title="Faults" lead={canEdit.value && "Make requests fail or slow down, and see how your client handles it."}>
      {faults ? (
        <>
          <Panel title="Switches">
            <ul class="switches">
              <FaultSwitches faults={faults} />
              <KeySwitches />
            </ul>
          </Panel>
          <FaultList faults={faults} />
          {canEdit.value && <FaultForm />}
        </>
      ) : (
        <Loading for={environment} />
      )}
    </Page>
  );
}

const columns: readonly Column<FaultDescription>[] = [
  { name: "Fault", cell: ({ id }) => <span class="number">{id}</span> },
  {
    name: "Effect",
    cell: ({ summary, warning }) => (
      <>
        {withNames(summary)}
        {warning !== null && <p class="muted">{warning}</p>}
      </>
    ),
  },
  { name: "State", cell: State },
  { name: "Applied", isNumber: true, isMinor: true, cell: UseCount },
  { name: "From", isMinor: true, cell: ({ from }) => (from === null ? "the start" : <When date={from} isShort />) },
  { name: "Until", isMinor: true, cell: ({ until }) => (until === null ? "no end" : <When date={until} isShort />) },
  { name: "Remove", cell: Remove },
];

function Remove({ id }: FaultDescription) {
  const remove = () => command(() => call("removeFault", { id }), `${id} removed.`);
  return (
    <Button needsEditAccess kind="quiet" aria-label={`Remove ${id}`} onClick={() => void remove()}>
      Remove
    </Button>
  );
}

function FaultList({ faults }: { readonly faults: readonly FaultDescription[] }) {
  return (
    <Panel
      title="All faults"
      actions={
        faults.length > 0 && (
          <ConfirmButton
            question="Remove all faults?"
            consequence="The service responds as usual again. Scenarios that add faults continue."
            confirmLabel="Remove all"
            onConfirm={() => void command(() => call("removeFaults"), "All faults removed.")}
          />
        )
      }
    >
      <DataTable
        label="Faults"
        rows={faults}
        columns={columns}
        keyOf={({ id }) => id}
        current={route.value.id}
        empty={<p class="muted">No faults. The service responds as usual.</p>}
      />
    </Panel>
  );
}

/** An inactive fault is exhausted: the sandbox lists none before its beginning or after its end. */
function State(fault: FaultDescription) {
  const isOn = isActive(fault);
  return <Badge variant={isOn ? "bad" : "neutral"}>{isOn ? "active" : "exhausted"}</Badge>;
}

function UseCount({ id, used, times }: FaultDescription) {
  const text = times === undefined ? formatNumber(used) : `${formatNumber(used)} of ${formatNumber(times)}`;
  return used === 0 ? <>{text}</> : <a href={to("journal", null, { has: id })}>{text}</a>;
}

/** An example rule for each way to fail. */
const examples = {
  "Another response": { respond: { status: 503, headers: { "Retry-After": "5" }, body: { error: "down" } } },
  "The connection breaks off": { connection: "reset" },
  "The connection closes without a response": { connection: "empty" },
  "Part of the response": { truncate: 0.5 },
  "The response in pieces": { drip: { bytes: 64, every: "250ms" } },
  "The same response, late": { delay: "1s..3s" },
};

function exampleOf(effect: keyof typeof examples): string {
  return JSON.stringify({ match: { path: "/investments/*" }, ...examples[effect], times: 10 }, undefined, 2);
}

const initialForm = { rule: exampleOf("Another response") };
/** The text of the form, stored for this tab. */
const ruleForm = tabSignal("fault", initialForm);

/** The form for a fault of any kind: its rule in JSON, which the sandbox checks. */
function FaultForm() {
  const form = useForm(["rule"], initialForm, ruleForm);
  const add = (): void =>
    void form.send(
      () => call("addFault", { body: uncheckedBody(new Blob([form.values.rule])) }),
      ({ id, warning }) => `${id} added${warning === null ? "" : `, but ${warning}`}.`.replace(/([.?])\.$/, "$1"),
    );
  return (
    <Panel title="Custom fault">
      <Form form={form} submitLabel="Add fault" onSend={add}>
        <Select
          label="Example"
          value=""
          onChange={(effect) => form.set("rule", exampleOf(effect as keyof typeof examples))}
          options={[["", "Choose …"], ...Object.keys(examples).map((effect) => [effect] as const)]}
        />
        <Field
          label="Rule (JSON)"
          rows={12}
          {...form.field("rule")}
          hint="All members are optional. match has path, method and key_id (an id or label); share is from 0 to 1; delay is 2s, or varies in 1s..3s; times is a number of requests; for is a time by the clock above, such as 5m."
        />
      </Form>
    </Panel>
  );
}
