import { useSignal } from "@preact/signals";
import type {
  EventRecord,
  InvestmentRecord,
  OfferingSummary,
  RunDescription,
  ScenarioDescription,
} from "../../../src/control.ts";
import { get, patch, post } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Waiting } from "../../parts/panel.tsx";
import { useResource } from "../../resource.ts";
import { written } from "./documents.ts";
import { Form } from "./form.tsx";
import { asNumber } from "./new-investment.tsx";

interface ActionProps {
  readonly record: InvestmentRecord;
  readonly offering: OfferingSummary | undefined;
}

interface FormProps extends ActionProps {
  readonly onClose: () => void;
}

const forms = {
  event: { words: "Record an event", Form: RecordEvent },
  change: { words: "Change attributes", Form: Change },
  play: { words: "Play a scenario", Form: Play },
} as const;

type FormName = keyof typeof forms;

/** What one can do with an investment, at the clock's present. */
export function Actions(props: ActionProps) {
  const open = useSignal<FormName | null>(null);
  const Opened = open.value && forms[open.value].Form;
  return (
    <>
      {(Object.keys(forms) as FormName[]).map((name) => (
        <Button key={name} aria-haspopup="dialog" onClick={() => (open.value = name)}>
          {forms[name].words}
        </Button>
      ))}
      {Opened && <Opened {...props} onClose={() => (open.value = null)} />}
    </>
  );
}

/** The pairs that the specification shows. */
const knownPairs = [
  ["REGISTRATION", "COMPLETED"],
  ["PROFILE", "SUBMITTED"],
  ["SUBSCRIPTION", "SUBMITTED"],
  ["PAYMENT", "SUBMITTED"],
  ["PAYMENT", "APPROVED"],
  ["ADDRESS", "SUBMITTED"],
] as const;

const own = "";

function RecordEvent({ record, onClose }: FormProps) {
  const pair = useSignal("3");
  const [event, action] = [useSignal("PAYMENT"), useSignal("SUBMITTED")];
  const description = useSignal("");

  function choose(chosen: string): void {
    pair.value = chosen;
    const [knownEvent, knownAction] = knownPairs[Number(chosen)] ?? [];
    if (chosen === own || knownEvent === undefined || knownAction === undefined) return;
    event.value = knownEvent;
    action.value = knownAction;
  }

  function write(field: typeof event, words: string): void {
    field.value = words;
    const at = knownPairs.findIndex(([known, done]) => known === event.value && done === action.value);
    pair.value = at === -1 ? own : String(at);
  }

  return (
    <Form
      title="Record an event"
      does="Record"
      fields={["event", "action", "description"]}
      onClose={onClose}
      run={() =>
        post<EventRecord>(`investments/${record.id}/events`, {
          event: event.value.trim(),
          action: action.value.trim(),
          description: description.value === "" ? null : description.value,
        })
      }
      words={(recorded) => `${recorded.event} ${recorded.action} is recorded.`}
    >
      {(mistakes) => (
        <>
          <Select
            label="Known pairs"
            value={pair.value}
            onChange={choose}
            options={[
              ...knownPairs.map((words, at): [string, string] => [String(at), words.join(" ")]),
              [own, "One of your own"],
            ]}
          />
          <div class="fields">
            <Field
              label="Event"
              value={event.value}
              onInput={(words) => write(event, words)}
              error={mistakes["event"]}
              suggestions={[...new Set(knownPairs.map(([known]) => known))]}
            />
            <Field
              label="Action"
              value={action.value}
              onInput={(words) => write(action, words)}
              error={mistakes["action"]}
              suggestions={[...new Set(knownPairs.map(([, known]) => known))]}
            />
          </div>
          <Field
            label="Description"
            value={description.value}
            onInput={(words) => (description.value = words)}
            error={mistakes["description"]}
            hint="Null where it is empty, as in every case seen."
          />
        </>
      )}
    </Form>
  );
}

/** The attributes that the admin API changes, and how a text becomes a value of each. */
const attributes = {
  status: { words: "Status", read: asText },
  step: { words: "Step", read: asTextOrNull },
  amount: { words: "Amount", read: asNumber },
  paid_amount: { words: "Paid amount", read: asNumber },
  price: { words: "Price", read: asNumber },
  quantity: { words: "Quantity", read: asNumber },
  expedited: { words: "Expedited", read: (text: string) => ({ true: true, false: false })[text] ?? text },
  investment_number: { words: "Number", read: asNumber },
  create_date: { words: "Created", read: asText },
  modify_date: { words: "Changed", read: asText },
  broker: { words: "Broker", read: asTextOrNull },
} as const;

type AttributeName = keyof typeof attributes;

const attributeNames = Object.keys(attributes) as AttributeName[];

function asText(text: string): string {
  return text;
}

function asTextOrNull(text: string): string | null {
  return text === "" ? null : text;
}

function Change({ record, offering, onClose }: FormProps) {
  const before = Object.fromEntries(attributeNames.map((name) => [name, written(record[name])]));
  const values = useSignal(before);
  const begun = useSignal(before);
  const changed = attributeNames.filter((name) => values.value[name] !== begun.value[name]);
  const suggestions: Partial<Record<AttributeName, readonly string[]>> = {
    status: [...new Set(["PENDING", "CLOSED", ...Object.keys(offering?.statuses ?? {})])],
    step: Object.keys(offering?.steps ?? {}),
    expedited: ["true", "false"],
  };
  return (
    <Form
      title="Change attributes"
      does="Change"
      fields={attributeNames}
      isDisabled={changed.length === 0}
      onClose={onClose}
      run={() =>
        patch<InvestmentRecord>(
          `investments/${record.id}`,
          Object.fromEntries(changed.map((name) => [name, attributes[name].read(values.value[name] ?? "")])),
        )
      }
      words={() => `Changed: ${changed.map((name) => attributes[name].words.toLowerCase()).join(", ")}.`}
    >
      {(mistakes) => (
        <>
          <p class="muted">From the clock's present on. Fields that you leave alone stay as they are.</p>
          <div class="fields">
            {attributeNames.map((name) => (
              <Field
                key={name}
                label={attributes[name].words}
                value={values.value[name] ?? ""}
                onInput={(words) => (values.value = { ...values.value, [name]: words })}
                error={mistakes[name]}
                placeholder={name === "step" || name === "broker" ? "none" : undefined}
                suggestions={suggestions[name]}
              />
            ))}
          </div>
        </>
      )}
    </Form>
  );
}

function Play({ record, onClose }: FormProps) {
  const list = useResource((ended) => get<{ data: readonly ScenarioDescription[] }>("scenarios", {}, ended));
  const name = useSignal("closing");
  const scenarios = list.data?.data ?? [];
  const chosen = scenarios.find((one) => one.name === name.value) ?? scenarios[0];
  return (
    <Form
      title="Play a scenario on it"
      does="Play"
      fields={[]}
      isDisabled={!chosen}
      onClose={onClose}
      run={() => post<RunDescription>("runs", { scenario: chosen?.name, investment_id: record.id })}
      words={({ id, scenario }) => `${scenario} plays as ${id}. What is to come is on the timeline.`}
    >
      {() =>
        list.data ? (
          <Select
            label="Scenario"
            value={chosen?.name ?? ""}
            onChange={(wanted) => (name.value = wanted)}
            options={scenarios.map((one) => [one.name])}
            hint={chosen?.description}
          />
        ) : (
          <Waiting problem={list.problem} />
        )
      }
    </Form>
  );
}
