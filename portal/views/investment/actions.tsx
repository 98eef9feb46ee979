import { useSignal } from "@preact/signals";
import type { InvestmentRecord } from "../../../src/public/control.ts";
import { shownPairs } from "../../../src/model/vocabulary.ts";
import { formatEvent } from "../../../src/model/summaries.ts";
import { call } from "../../data/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, useForm } from "../../components/form.tsx";
import { Loading } from "../../components/panel.tsx";
import { scenarioOption } from "../../data/names.ts";
import { useList } from "../../data/use-resource.ts";
import { SaveManualChanges } from "../../shared/drafts.tsx";

/** The dialogs, by the button that opens them. */
const dialogs = { "Record event": RecordEvent, "Play scenario": PlayScenario } as const;

type DialogName = keyof typeof dialogs;

interface ActionsProps {
  readonly record: InvestmentRecord;
  readonly isGone: boolean;
}

/** The commands on an investment, at the clock's present. */
export function Actions({ record, isGone }: ActionsProps) {
  const open = useSignal<DialogName | null>(null);
  const OpenDialog = open.value && dialogs[open.value];
  return (
    <>
      {!isGone &&
        (Object.keys(dialogs) as DialogName[]).map((name) => (
          <Button needsEditAccess key={name} aria-haspopup="dialog" onClick={() => (open.value = name)}>
            {name}
          </Button>
        ))}
      <SaveManualChanges investmentId={record.id} />
      {OpenDialog && <OpenDialog id={record.id} onClose={() => (open.value = null)} />}
    </>
  );
}

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function RecordEvent({ id, onClose }: DialogProps) {
  const form = useForm(["event", "description"], { event: "PAYMENT SUBMITTED" });

  function record(): void {
    const [event = "", ...action] = form.values.event.trim().split(/\s+/);
    const body = { event, action: action.join(" "), description: form.values.description || null };
    void form.send(
      () => call("recordEvent", { id, body }),
      (recorded) => `${formatEvent(recorded)} recorded.`,
      onClose,
    );
  }

  return (
    <Dialog title="Record event" onClose={onClose}>
      <Form form={form} submitLabel="Record event" onSend={record} onClose={onClose}>
        <Field
          label="Event and action"
          {...form.field("event")}
          suggestions={shownPairs}
          hint="Two words. The suggestions are those that the specification shows."
        />
        <Field label="Description" {...form.field("description")} hint="Leave blank for null." />
      </Form>
    </Dialog>
  );
}

function PlayScenario({ id, onClose }: DialogProps) {
  const scenarios = useList("listScenarios");
  const form = useForm(["scenario"], { scenario: "closing" });
  const chosen = scenarios.data?.find(({ name }) => name === form.values.scenario) ?? scenarios.data?.[0];

  function play(): void {
    void form.send(
      () => call("playScenario", { body: { scenario: chosen?.name ?? "", investment_id: id } }),
      ({ title }) => `${title} started. Its steps are on the timeline.`,
      onClose,
    );
  }

  return (
    <Dialog title="Play scenario" onClose={onClose}>
      <Form form={form} submitLabel="Play scenario" isDisabled={!chosen} onSend={play} onClose={onClose}>
        {scenarios.data ? (
          <Select
            label="Scenario"
            {...form.field("scenario")}
            value={chosen?.name ?? ""}
            options={scenarios.data.map(scenarioOption)}
            hint={chosen?.description}
          />
        ) : (
          <Loading for={scenarios} />
        )}
      </Form>
    </Dialog>
  );
}
