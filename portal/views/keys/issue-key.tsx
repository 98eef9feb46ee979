import { useSignal } from "@preact/signals";
import type { KeyDescription } from "../../../src/control.ts";
import { post } from "../../api.ts";
import { command } from "../../commands.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { go, to } from "../../routes.ts";
import { environment } from "../../state.ts";

const types = [
  ["marketing", "Marketing: personal data redacted"],
  ["partner", "Partner: personal data"],
] as const;

/** The form for a new key, which opens when it is there. */
export function IssueKey({ onClose }: { readonly onClose: () => void }) {
  const offerings = environment.data?.offerings ?? [];
  const type = useSignal<string>("partner");
  const offering = useSignal(offerings[0]?.id ?? "");
  const label = useSignal("");
  const error = useSignal<string | null>(null);

  async function issue(): Promise<void> {
    const order = { type: type.value, offering_id: offering.value, ...(label.value && { label: label.value }) };
    const key = await command(
      () => post<KeyDescription>("keys", order),
      "The key is issued.",
      (problem) => (error.value = problem.message),
    );
    if (!key) return;
    onClose();
    environment.refresh();
    go(to("keys", key.id));
  }

  return (
    <Dialog title="Issue a key" onClose={onClose}>
      {offerings.length === 0 && <p>A key is for an offering, and this environment has none.</p>}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void issue();
        }}
      >
        <Select label="Type" value={type.value} onChange={(value) => (type.value = value)} options={types} />
        <Select
          label="Offering"
          value={offering.value}
          onChange={(value) => (offering.value = value)}
          options={offerings.map(({ id, name }) => [id, name])}
        />
        <Field
          label="Label"
          value={label.value}
          onInput={(value) => (label.value = value)}
          hint="A name for people, such as “Checkout test”. It is in the journal with each request."
          error={error.value}
        />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={offerings.length === 0}>
            Issue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
