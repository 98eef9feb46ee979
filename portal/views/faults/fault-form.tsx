import { useSignal } from "@preact/signals";
import type { FaultDescription } from "../../../src/control.ts";
import { post } from "../../api.ts";
import { command } from "../../commands.ts";
import { keyName } from "../../names.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { environment } from "../../state.ts";
import { empty, errorsOf, type FaultText, ruleOf } from "./fault-text.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const effects = [
  ["respond", "Another answer"],
  ["reset", "The connection breaks off"],
  ["empty", "The connection closes without an answer"],
  ["delay", "The same answer, late"],
] as const;

/** A fault of any kind; the sandbox checks it, and its errors stand beside their fields. */
export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const text = useSignal<FaultText>(empty);
  const errors = useSignal<Readonly<Record<string, string>>>({});
  const keys = environment.data?.keys ?? [];

  const part = (name: keyof FaultText) => ({
    value: text.value[name],
    onInput: (value: string) => (text.value = { ...text.value, [name]: value }),
    error: errors.value[name],
  });
  const choice = (name: keyof FaultText) => ({
    value: text.value[name],
    onChange: (value: string) => (text.value = { ...text.value, [name]: value }),
  });

  async function add(): Promise<void> {
    errors.value = {};
    const fault = await command(
      () => post<FaultDescription>("faults", ruleOf(text.value)),
      ({ id }) => `${id} is added.`,
      ({ message }) => (errors.value = errorsOf(message)),
    );
    if (!fault) return;
    text.value = empty;
    onAdded();
  }

  return (
    <form
      class="stack fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <fieldset>
        <legend>Which requests</legend>
        <Field label="Path" placeholder="all" hint="Below /api/v1: * is one part, ** any number" {...part("path")} />
        <Select
          label="Method"
          {...choice("method")}
          options={[["", "All"], ...methods.map((method) => [method] as const)]}
        />
        <Select
          label="Key"
          {...choice("key")}
          options={[["", "All"], ...keys.map(({ id }) => [id, keyName(id)] as const)]}
        />
        <Field label="Share" placeholder="1" hint="From 0 to 1; drawn from the seed" {...part("share")} />
      </fieldset>
      <fieldset>
        <legend>What they meet</legend>
        <Select label="Instead of the answer" {...choice("effect")} options={effects} />
        {text.value.effect === "respond" && <Field label="Status" placeholder="500" {...part("status")} />}
        <Field
          label="Delay"
          placeholder={text.value.effect === "delay" ? "2s" : "none"}
          hint="2s, or each another: 1s..3s"
          {...part("delay")}
        />
        {text.value.effect === "respond" && (
          <div class="pair">
            <Field label="Headers" rows={2} placeholder="Retry-After: 5" hint="One a line" {...part("headers")} />
            <Field label="Body" rows={2} placeholder="none" hint="JSON, or any text" {...part("body")} />
          </div>
        )}
      </fieldset>
      <fieldset>
        <legend>How long</legend>
        <Field label="Times" placeholder="unlimited" hint="Number of requests" {...part("times")} />
        <Field label="For" placeholder="until it is removed" hint="30s, 5m, 1h by the clock above" {...part("for")} />
      </fieldset>
      {errors.value[""] && (
        <p class="error" role="alert">
          {errors.value[""]}
        </p>
      )}
      <div class="actions">
        <Button kind="primary" type="submit">
          Add the fault
        </Button>
        <Button kind="quiet" onClick={() => ([text.value, errors.value] = [empty, {}])}>
          Empty the form
        </Button>
      </div>
    </form>
  );
}
