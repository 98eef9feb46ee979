import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { InvestmentRecord, OfferingSummary } from "../../../src/control.ts";
import { call, unchecked } from "../../server/api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, type Option, Select } from "../../parts/field.tsx";
import { Form, numeric, useForm } from "../../parts/form.tsx";
import { Waiting } from "../../parts/panel.tsx";
import { useList } from "../../server/use-resource.ts";
import { textOf } from "./documents.ts";

interface ActionProps {
  readonly record: InvestmentRecord;
  readonly offering: OfferingSummary | undefined;
}

interface FormProps extends ActionProps {
  readonly onClose: () => void;
}

const forms = {
  event: { label: "Record an event", Form: RecordEvent },
  change: { label: "Change attributes", Form: Change },
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
          <Button key={name} aria-haspopup="dialog" onClick={() => (open.value = name)}>
            {forms[name].label}
          </Button>
        ))}
      {Opened && <Opened {...props} onClose={() => (open.value = null)} />}
    </>
  );
}

/** The pairs in the specification. */
const knownPairs = [
  ["REGISTRATION", "COMPLETED"],
  ["PROFILE", "SUBMITTED"],
  ["SUBSCRIPTION", "SUBMITTED"],
  ["PAYMENT", "SUBMITTED"],
  ["PAYMENT", "APPROVED"],
  ["ADDRESS", "SUBMITTED"],
] as const;

function RecordEvent({ record, onClose }: FormProps) {
  const form = useForm(["event", "action", "description"], { event: "PAYMENT", action: "SUBMITTED" });
  const { event, action, description } = form.values;
  const pairIndex = knownPairs.findIndex((pair) => pair[0] === event && pair[1] === action);

  function choose(index: string): void {
    const [pairEvent = "", pairAction = ""] = knownPairs[Number(index)] ?? [];
    form.set("event", pairEvent);
    form.set("action", pairAction);
  }

  function recordIt(): void {
    const order = { event: event.trim(), action: action.trim(), description: description || null };
    void form.send(
      () => call("recordEvent", { id: record.id, body: order }),
      (recorded) => `${recorded.event} ${recorded.action} is recorded.`,
      onClose,
    );
  }

  return (
    <Dialog title="Record an event" onClose={onClose}>
      <Form form={form} submitLabel="Record" onSend={recordIt} onClose={onClose}>
        <Select
          label="Known pairs"
          value={String(pairIndex)}
          onChange={choose}
          options={[...knownPairs.map((pair, at): Option => [String(at), pair.join(" ")]), ["-1", "One of your own"]]}
        />
        <div class="fields">
          <Field label="Event" {...form.field("event")} suggestions={[...new Set(knownPairs.map(([one]) => one))]} />
          <Field
            label="Action"
            {...form.field("action")}
            suggestions={[...new Set(knownPairs.map(([, one]) => one))]}
          />
        </div>
        <Field
          label="Description"
          {...form.field("description")}
          hint="Null where it is empty, as in every case seen."
        />
      </Form>
    </Dialog>
  );
}

/** The attributes the admin API can change, and how a text becomes a value of each. */
const attributes = {
  status: { label: "Status", read: asText },
  step: { label: "Step", read: asTextOrNull },
  amount: { label: "Amount", read: asNumber },
  paid_amount: { label: "Paid amount", read: asNumber },
  price: { label: "Price", read: asNumber },
  quantity: { label: "Quantity", read: asNumber },
  expedited: { label: "Expedited", read: (text: string) => ({ true: true, false: false })[text] ?? text },
  investment_number: { label: "Number", read: asNumber },
  create_date: { label: "Created", read: asText },
  modify_date: { label: "Changed", read: asText },
  broker: { label: "Broker", read: asTextOrNull },
} as const;

type AttributeName = keyof typeof attributes;

const attributeNames = Object.keys(attributes) as AttributeName[];

function asText(text: string): string {
  return text;
}

/** An empty text goes as it is, for the server to refuse. */
function asNumber(text: string): number | string {
  return numeric(text) ?? "";
}

function asTextOrNull(text: string): string | null {
  return text === "" ? null : text;
}

function Change({ record, offering, onClose }: FormProps) {
  const present = Object.fromEntries(attributeNames.map((name) => [name, textOf(record[name])]));
  const initial = useRef(present).current;
  const form = useForm(attributeNames, initial);
  const changed = attributeNames.filter((name) => form.values[name] !== initial[name]);
  const suggestions: Partial<Record<AttributeName, readonly string[]>> = {
    status: [...new Set(["PENDING", "CLOSED", ...Object.keys(offering?.statuses ?? {})])],
    step: Object.keys(offering?.steps ?? {}),
    expedited: ["true", "false"],
  };

  function change(): void {
    const order = Object.fromEntries(changed.map((name) => [name, attributes[name].read(form.values[name])]));
    void form.send(
      () => call("changeInvestment", { id: record.id, body: unchecked(order) }),
      `Changed: ${changed.map((name) => attributes[name].label.toLowerCase()).join(", ")}.`,
      onClose,
    );
  }

  return (
    <Dialog title="Change attributes" onClose={onClose}>
      <Form form={form} submitLabel="Change" isDisabled={changed.length === 0} onSend={change} onClose={onClose}>
        <p class="muted">From the clock's present on. Fields that you leave alone stay as they are.</p>
        <div class="fields">
          {attributeNames.map((name) => (
            <Field
              key={name}
              label={attributes[name].label}
              {...form.field(name)}
              placeholder={name === "step" || name === "broker" ? "none" : undefined}
              suggestions={suggestions[name]}
            />
          ))}
        </div>
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
      ({ id, scenario }) => `${scenario} plays as ${id}. Its coming steps are on the timeline.`,
      onClose,
    );
  }

  return (
    <Dialog title="Play a scenario on it" onClose={onClose}>
      <Form form={form} submitLabel="Play" isDisabled={!chosen} onSend={play} onClose={onClose}>
        {scenarios.data ? (
          <Select
            label="Scenario"
            {...form.choice("scenario")}
            value={chosen?.name ?? ""}
            options={scenarios.data.map(({ name }) => [name])}
            hint={chosen?.description}
          />
        ) : (
          <Waiting problem={scenarios.problem} />
        )}
      </Form>
    </Dialog>
  );
}
