import { useSignal } from "@preact/signals";
import type { InvestmentRecord } from "../../../src/public/control.ts";
import { shownPairs } from "../../../src/model/vocabulary.ts";
import { formatEvent } from "../../../src/model/words.ts";
import { call } from "../../data/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, useForm } from "../../components/form.tsx";
import { Loading } from "../../components/panel.tsx";
import { useList } from "../../data/use-resource.ts";
import { SaveManualChanges } from "../../shared/draft-start.tsx";

interface ActionProps {
  readonly record: InvestmentRecord;
}

interface FormProps extends ActionProps {
  readonly onClose: () => void;
}

const forms = {
  event: { label: "Record an event", Form: RecordEvent },
  play: { label: "Play a scenario", Form: Play },
} as const;

type FormName = keyof typeof forms;

/** The commands on an investment, at the clock's present. */
export function Actions({ isGone, ...props }: ActionProps & { readonly isGone: boolean }) {
  const open = useSignal<FormName | null>(null);
  const Opened = open.value && forms[open.value].Form;
  return (
    <>
      {!isGone &&
        (Object.keys(forms) as FormName[]).map((name) => (
          <Button needsEditAccess key={name} aria-haspopup="dialog" onClick={() => (open.value = name)}>
            {forms[name].label}
          </Button>
        ))}
      <SaveManualChanges investmentId={props.record.id} />
      {Opened && <Opened {...props} onClose={() => (open.value = null)} />}
    </>
  );
}

function RecordEvent({ record, onClose }: FormProps) {
  const form = useForm(["event", "description"], { event: "PAYMENT SUBMITTED" });

  function recordIt(): void {
    const [event = "", ...action] = form.values.event.trim().split(/\s+/);
    const order = { event, action: action.join(" "), description: form.values.description || null };
    void form.send(
      () => call("recordEvent", { id: record.id, body: order }),
      (recorded) => `${formatEvent(recorded)} is recorded.`,
      onClose,
    );
  }

  return (
    <Dialog title="Record an event" onClose={onClose}>
      <Form form={form} submitLabel="Record" onSend={recordIt} onClose={onClose}>
        <Field
          label="Event and action"
          {...form.field("event")}
          suggestions={shownPairs}
          hint="Two words; the specification shows those that are offered."
        />
        <Field
          label="Description"
          {...form.field("description")}
          hint="Null where it is empty, as in every case seen."
        />
      </Form>
    </Dialog>
  );
}

function Play({ record, onClose }: FormProps) {
  const scenarios = useList("listScenarios");
  const form = useForm(["scenario"], { scenario: "closing" });
  const chosen = scenarios.data?.find(({ name }) => name === form.values.scenario) ?? scenarios.data?.[0];

  function play(): void {
    void form.send(
      () => call("playScenario", { body: { scenario: chosen?.name ?? "", investment_id: record.id } }),
      ({ title }) => `Plays ${title}. Its steps are on the timeline.`,
      onClose,
    );
  }

  return (
    <Dialog title="Play a scenario on it" onClose={onClose}>
      <Form form={form} submitLabel="Play" isDisabled={!chosen} onSend={play} onClose={onClose}>
        {scenarios.data ? (
          <Select
            label="Scenario"
            {...form.field("scenario")}
            value={chosen?.name ?? ""}
            options={scenarios.data.map(({ name }) => [name])}
            hint={chosen?.description}
          />
        ) : (
          <Loading for={scenarios} />
        )}
      </Form>
    </Dialog>
  );
}
