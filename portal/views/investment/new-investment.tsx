import { useSignal } from "@preact/signals";
import type { InvestmentRecord, OfferingSummary } from "../../../src/control.ts";
import { post } from "../../api.ts";
import { go } from "../../routes.ts";
import { Field, Select } from "../../parts/field.tsx";
import { filterOf, listHref } from "./filter.ts";
import { Form } from "./form.tsx";

const fields = ["amount", "email", "first_name", "last_name", "status", "step", "alias"] as const;

type FieldName = (typeof fields)[number];

const labels: Readonly<Record<FieldName, string>> = {
  amount: "Amount",
  email: "E-mail",
  first_name: "First name",
  last_name: "Last name",
  status: "Status",
  step: "Step",
  alias: "Alias",
};

interface NewProps {
  readonly offerings: readonly OfferingSummary[];
  readonly onClose: () => void;
}

/** A sparse form: the server makes up whatever is left empty. */
export function NewInvestment({ offerings, onClose }: NewProps) {
  const { offering_id: wanted } = filterOf();
  const first = offerings.find(({ id, alias }) => wanted === id || wanted === alias) ?? offerings[0];
  const offering = useSignal(first?.id ?? "");
  const values = useSignal<Readonly<Partial<Record<FieldName, string>>>>({});
  const chosen = offerings.find(({ id }) => id === offering.value);
  const suggestions: Partial<Record<FieldName, readonly string[]>> = {
    status: ["PENDING", "CLOSED"],
    step: Object.keys(chosen?.steps ?? {}),
  };

  return (
    <Form
      title="New investment"
      does="Create"
      fields={fields}
      onClose={onClose}
      run={() => post<InvestmentRecord>("investments", bodyOf(offering.value, values.value))}
      words={({ investment_number: number }) => `Investment ${String(number)} is created.`}
      onDone={({ id }) => go(listHref({}, id))}
    >
      {(mistakes) => (
        <>
          <p class="muted">Leave empty what does not matter: it is made up.</p>
          <Select
            label="Offering"
            value={offering.value}
            onChange={(id) => (offering.value = id)}
            options={offerings.map(({ id, name }) => [id, name])}
          />
          <div class="fields">
            {fields.map((name) => (
              <Field
                key={name}
                label={labels[name]}
                value={values.value[name] ?? ""}
                onInput={(text) => (values.value = { ...values.value, [name]: text })}
                error={mistakes[name]}
                suggestions={suggestions[name]}
              />
            ))}
          </div>
        </>
      )}
    </Form>
  );
}

function bodyOf(offeringId: string, values: Readonly<Partial<Record<FieldName, string>>>): object {
  const given = Object.entries(values).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]));
  const { email, first_name, last_name, amount, ...rest } = Object.fromEntries(given) as Partial<
    Record<FieldName, string>
  >;
  const investor = { email, first_name, last_name };
  return {
    offering_id: offeringId,
    ...rest,
    ...(amount === undefined ? {} : { amount: asNumber(amount) }),
    ...((email ?? first_name ?? last_name) ? { investors: [investor] } : {}),
  };
}

/** The number that a text is; another text as it is, for the server to say what is expected. */
export function asNumber(text: string): number | string {
  const value = Number(text.replaceAll(/[\s,_]/g, ""));
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}
