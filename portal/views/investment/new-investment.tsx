import { useSignal } from "@preact/signals";
import type { OfferingSummary } from "../../../src/public/control.ts";
import { shownStatuses } from "../../../src/model/vocabulary.ts";
import { investmentName } from "../../../src/model/summaries.ts";
import { call, uncheckedBody } from "../../data/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, optionalText, numeric, useForm } from "../../components/form.tsx";
import { go } from "../../base/routes.ts";
import { filterOf, listHref } from "./filters.tsx";

const fields = [
  ["first_name", "First name"],
  ["last_name", "Last name"],
  ["email", "Email"],
  ["amount", "Amount"],
  ["alias", "Alias"],
] as const;

interface NewProps {
  readonly offerings: readonly OfferingSummary[];
  readonly onClose: () => void;
}

/** The form for a new investment: the server generates the value of each blank field. */
export function NewInvestment({ offerings, onClose }: NewProps) {
  const { offering_id: filter } = filterOf();
  const first = offerings.find(({ id, alias }) => filter === id || filter === alias) ?? offerings[0];
  const names = ["offering_id", "status", "step", ...fields.map(([name]) => name)] as const;
  const form = useForm(names, { offering_id: first?.id ?? "" });
  const chosen = offerings.find(({ id }) => id === form.values.offering_id);

  function create(): void {
    const { email, first_name, last_name, amount, ...rest } = form.values;
    const investor = optionalTexts({ email, first_name, last_name });
    const body = {
      ...optionalTexts(rest),
      amount: numeric(amount),
      investors: Object.values(investor).some(Boolean) ? [investor] : undefined,
    };
    void form.send(
      () => call("createInvestment", { body: uncheckedBody(body) }),
      ({ investment_number: number }) => `${investmentName(number)} created.`,
      ({ id }) => {
        onClose();
        go(listHref({}, id));
      },
    );
  }

  return (
    <Dialog title="Create investment" onClose={onClose}>
      <Form form={form} submitLabel="Create investment" onSend={create} onClose={onClose}>
        <p class="muted">Leave a field blank to generate its value.</p>
        <Select label="Offering" {...form.field("offering_id")} options={offerings.map(({ id, name }) => [id, name])} />
        <div class="fields">
          {fields.map(([name, label]) => (
            <Field key={name} label={label} {...form.field(name)} />
          ))}
          <CodeField label="Status" field={form.field("status")} codes={shownStatuses} />
          <CodeField label="Step" field={form.field("step")} codes={Object.keys(chosen?.steps ?? {})} />
        </div>
      </Form>
    </Dialog>
  );
}

/** Trims each text; JSON omits the blank ones. */
function optionalTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, optionalText(text)]));
}

interface CodeProps {
  readonly label: string;
  readonly field: ReturnType<ReturnType<typeof useForm<"status" | "step">>["field"]>;
  readonly codes: readonly string[];
}

/** A field that suggests the codes in use; any other code may be typed. */
function CodeField({ label, field, codes }: CodeProps) {
  const isTyped = useSignal(false);
  return (
    <>
      <Select
        label={label}
        value={isTyped.value ? "…" : field.value}
        error={isTyped.value ? undefined : field.error}
        onChange={(code) => {
          isTyped.value = code === "…";
          field.onChange(isTyped.value ? "" : code);
        }}
        options={[["", "Generated"], ...codes.map((code) => [code] as const), ["…", "Another …"]]}
      />
      {isTyped.value && <Field label={`Another ${label.toLowerCase()}`} {...field} />}
    </>
  );
}
