import { tabSignal } from "../../preferences.ts";
import { Field, Select } from "../../parts/field.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { call, unchecked } from "../../server/api.ts";

/** An example rule for each way to fail. */
const examples = {
  "Another answer": { respond: { status: 503, headers: { "Retry-After": "5" }, body: { error: "down" } } },
  "The connection breaks off": { connection: "reset" },
  "The connection closes without an answer": { connection: "empty" },
  "A part of the answer": { truncate: 0.5 },
  "The answer in drops": { drip: { bytes: 64, every: "250ms" } },
  "The same answer, late": { delay: "1s..3s" },
};

function exampleOf(effect: keyof typeof examples): string {
  return JSON.stringify({ match: { path: "/investments/*" }, ...examples[effect], times: 10 }, undefined, 2);
}

const begin = { rule: exampleOf("Another answer") };
const storedText = tabSignal("fault", begin);

/** A fault of any kind, as its rule in JSON, which the sandbox checks. */
export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const form = useForm(["rule"], begin, storedText);
  const add = (): void =>
    void form.send(
      () => call("addFault", { body: unchecked(new Blob([form.values.rule])) }),
      ({ id }) => `${id} is added.`,
      onAdded,
    );
  return (
    <Form form={form} submitLabel="Add the fault" onSend={add}>
      <Select
        label="An example to begin with"
        value=""
        onChange={(effect) => form.set("rule", exampleOf(effect as keyof typeof examples))}
        options={[["", "Choose …"], ...Object.keys(examples).map((effect) => [effect] as const)]}
      />
      <Field
        label="The rule, JSON"
        rows={12}
        {...form.field("rule")}
        hint="Leave out what is to stay open: match has path, method and key_id, an id or label; share is from 0 to 1; delay is 2s, or each another, 1s..3s; times is a number of requests; for is 5m by the clock above."
      />
    </Form>
  );
}
