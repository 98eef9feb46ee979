import { call, unchecked } from "../../server/api.ts";
import { offeringOptions } from "../../server/names.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Form, optionalText, useForm } from "../../parts/form.tsx";
import { go, to } from "../../routes.ts";
import { environment } from "../../server/state.ts";

const types = [
  ["marketing", "Marketing: personal data redacted"],
  ["partner", "Partner: personal data"],
] as const;

/** The form for a new key, which opens when it is there. */
export function IssueKey({ onClose }: { readonly onClose: () => void }) {
  const offerings = offeringOptions();
  const form = useForm(["type", "offering_id", "label"], { type: "partner", offering_id: offerings[0]?.[0] ?? "" });

  function issue(): void {
    const order = { ...form.values, label: optionalText(form.values.label) };
    void form.send(
      () => call("issueKey", { body: unchecked(order) }),
      "The key is issued.",
      ({ id }) => {
        onClose();
        environment.refresh();
        go(to("keys", id));
      },
    );
  }

  return (
    <Dialog title="Issue a key" onClose={onClose}>
      {offerings.length === 0 && <p>A key is for an offering, and this environment has none.</p>}
      <Form form={form} submitLabel="Issue" isDisabled={offerings.length === 0} onSend={issue} onClose={onClose}>
        <Select label="Type" {...form.choice("type")} options={types} />
        <Select label="Offering" {...form.choice("offering_id")} options={offerings} />
        <Field
          label="Label"
          {...form.field("label")}
          hint="A name for people, such as “Checkout test”. It is in the journal with each request."
        />
      </Form>
    </Dialog>
  );
}
