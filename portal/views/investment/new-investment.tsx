import { useSignal } from "@preact/signals";
import type { OfferingSummary } from "../../../src/public/control.ts";
import { shownStatuses } from "../../../src/model/vocabulary.ts";
import { investmentName } from "../../../src/model/words.ts";
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

/** A form for a new investment: the server generates whatever is left empty. */
export function NewInvestment({ offerings, onClose }: NewProps) {
  const { offering_id: filter } = filterOf();
  const first = offerings.find(({ id, alias }) => filter === id || filter === alias) ?? offerings[0];
  const form = useForm(["offering_id", "status", "step", ...fields.map(([name]) => name)], {
    offering_id: first?.id ?? "",
  });
  const { offering_id, email, first_name, last_name, amount, status, step, alias } = form.values;
  const chosen = offerings.find(({ id }) => id === offering_id);
  function create(): void {
    const investor = {
      email: optionalText(email),
      first_name: optionalText(first_name),
      last_name: optionalText(last_name),
    };
    const order = {
      offering_id,
      amount: numeric(amount),
      status: optionalText(status),
      step: optionalText(step),
      alias: optionalText(alias),
      investors: Object.values(investor).some(Boolean) ? [investor] : undefined,
    };
    void form.send(
      () => call("createInvestment", { body: uncheckedBody(order) }),
      ({ investment_number: number }) => `${investmentName(number)} is created.`,
      ({ id }) => {
        onClose();
        go(listHref({}, id));
      },
    );
  }

  return (
    <Dialog title="New investment" onClose={onClose}>
      <Form form={form} submitLabel="Create" onSend={create} onClose={onClose}>
        <p class="muted">Leave a field blank to generate its value.</p>
        <Select label="Offering" {...form.field("offering_id")} options={offerings.map(({ id, name }) => [id, name])} />
        <div class="fields">
          {fields.map(([name, label]) => (
            <Field key={name} label={label} {...form.field(name)} />
          ))}
          <Word label="Status" field={form.field("status")} words={shownStatuses} />
          <Word label="Step" field={form.field("step")} words={Object.keys(chosen?.steps ?? {})} />
        </div>
      </Form>
    </Dialog>
  );
}

interface WordProps {
  readonly label: string;
  readonly field: ReturnType<ReturnType<typeof useForm<"status" | "step">>["field"]>;
  readonly words: readonly string[];
}

/** A field with suggested words; another one may be typed. */
function Word({ label, field, words }: WordProps) {
  const isTyped = useSignal(false);
  return (
    <>
      <Select
        label={label}
        value={isTyped.value ? "…" : field.value}
        error={isTyped.value ? undefined : field.error}
        onChange={(word) => {
          isTyped.value = word === "…";
          field.onChange(isTyped.value ? "" : word);
        }}
        options={[["", "Generated"], ...words.map((word) => [word] as const), ["…", "Another …"]]}
      />
      {isTyped.value && <Field label={`Another ${label.toLowerCase()}`} {...field} />}
    </>
  );
}
