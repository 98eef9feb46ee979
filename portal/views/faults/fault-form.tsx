import { call, unchecked } from "../../server/api.ts";
import { keyOptions } from "../../server/names.ts";
import { tabSignal } from "../../preferences.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Form, numeric, optionalText, useForm } from "../../parts/form.tsx";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const begin = { effect: "respond", status: "500" };
const storedText = tabSignal<Partial<FaultText>>("fault", begin);

const effects = [
  ["respond", "Another answer"],
  ["reset", "The connection breaks off"],
  ["empty", "The connection closes without an answer"],
  ["truncate", "A part of the answer"],
  ["drip", "The answer in drops"],
  ["delay", "The same answer, late"],
] as const;

/** A fault of any kind; the sandbox checks it, and its errors stand beside their fields. */
export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const form = useForm(faultFields, begin, storedText);
  const { field, choice } = form;
  const { effect } = form.values;

  function add(): void {
    void form.send(
      () => call("addFault", { body: unchecked(ruleOf(form.values)) }),
      ({ id }) => `${id} is added.`,
      () => {
        form.empty();
        onAdded();
      },
    );
  }

  return (
    <Form
      class="fault-form"
      form={form}
      submitLabel="Add the fault"
      onSend={add}
      beside={
        <Button kind="quiet" onClick={form.empty}>
          Empty the form
        </Button>
      }
    >
      <fieldset>
        <legend>Which requests</legend>
        <Field label="Path" placeholder="all" hint="Below /api/v1: * is one part, ** any number" {...field("path")} />
        <Select
          label="Method"
          {...choice("method")}
          options={[["", "All"], ...methods.map((method) => [method] as const)]}
        />
        <Select label="Key" {...choice("key_id")} options={[["", "All"], ...keyOptions()]} />
        <Field label="Share" placeholder="1" hint="From 0 to 1; drawn from the seed" {...field("share")} />
      </fieldset>
      <fieldset>
        <legend>What they meet</legend>
        <Select label="Instead of the answer" {...choice("effect")} options={effects} />
        {effect === "respond" && <Field label="Status" placeholder="500" {...field("status")} />}
        {effect === "truncate" && (
          <Field label="Part" placeholder="0.5" hint="From 0 to 1 of the body" {...field("truncate")} />
        )}
        {effect === "drip" && (
          <>
            <Field label="Bytes" placeholder="100" {...field("bytes")} />
            <Field label="Every" placeholder="1s" {...field("every")} />
          </>
        )}
        <Field
          label="Delay"
          placeholder={effect === "delay" ? "2s" : "none"}
          hint="2s, or each another: 1s..3s"
          {...field("delay")}
        />
        {effect === "respond" && (
          <div class="pair">
            <Field label="Headers" rows={2} placeholder="Retry-After: 5" hint="One a line" {...field("headers")} />
            <Field label="Body" rows={2} placeholder="none" hint="JSON, or any text" {...field("body")} />
          </div>
        )}
      </fieldset>
      <fieldset>
        <legend>How long</legend>
        <Field label="Times" placeholder="unlimited" hint="Number of requests" {...field("times")} />
        <Field label="For" placeholder="until it is removed" hint="30s, 5m, 1h by the clock above" {...field("for")} />
      </fieldset>
    </Form>
  );
}

/** The fields of a fault as it is typed; those of a rule's members have their names. */
const faultFields = [
  "path",
  "method",
  "key_id",
  "share",
  "effect",
  "status",
  "headers",
  "body",
  "truncate",
  "bytes",
  "every",
  "delay",
  "times",
  "for",
] as const;

type FaultText = Readonly<Record<(typeof faultFields)[number], string>>;

/** The rule as the sandbox takes it. A text goes as it is where it is no number or no JSON: the sandbox refuses it. */
function ruleOf(text: FaultText): Readonly<Record<string, unknown>> {
  const match = { path: optionalText(text.path), method: optionalText(text.method), key_id: optionalText(text.key_id) };
  const respond = { status: numeric(text.status) ?? "", headers: headersOf(text.headers), body: valueOf(text.body) };
  return {
    ...(Object.values(match).some((value) => value !== undefined) && { match }),
    ...(text.effect === "respond" && { respond }),
    ...((text.effect === "reset" || text.effect === "empty") && { connection: text.effect }),
    ...(text.effect === "truncate" && { truncate: numeric(text.truncate) ?? "" }),
    ...(text.effect === "drip" && { drip: { bytes: numeric(text.bytes) ?? "", every: text.every } }),
    delay: optionalText(text.delay) ?? (text.effect === "delay" ? "" : undefined),
    times: numeric(text.times),
    share: numeric(text.share),
    for: optionalText(text.for),
  };
}

function valueOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A line without a colon is a name without a value. */
function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
  );
}
