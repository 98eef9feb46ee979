import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AssumptionDescription } from "../../../src/public/control.ts";
import { focusOn, isFocusFree } from "../../base/focus.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { canEdit } from "../../base/token.ts";
import { formatValue, isChanged, short } from "./values.ts";

interface ValueProps extends AssumptionDescription {
  /** The id of the assumption that was just changed here. Its row moves to another group, and keeps the focus there. */
  readonly lastChanged?: { current: string | null };
}

/** Shows the value of an assumption, and changes it in place. */
export function ValueControl({ lastChanged, ...assumption }: ValueProps) {
  const { id, values, accepts, value, profile_value } = assumption;
  const error = useSignal<string | null>(null);
  /** An unlisted value while it is typed; null otherwise. */
  const text = useSignal<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isListed = Object.hasOwn(values, String(value));
  const hasList = Object.keys(values).length > 0;

  useEffect(() => {
    if (lastChanged?.current !== id) return;
    lastChanged.current = null;
    if (isFocusFree()) focusOn(box.current?.querySelector<HTMLElement>("select, input"));
  }, []);

  async function set(next: string | number): Promise<void> {
    error.value = null;
    const isDone = await command(
      async () => {
        await call("setAssumptions", { body: { [id]: next } });
        if (lastChanged) lastChanged.current = id;
        return true;
      },
      `${id} is set to ${short(next)}.`,
      ({ message }) => (error.value = message),
    );
    if (isDone) text.value = null;
  }

  if (!canEdit.value) return <code>{value}</code>;
  const draft = text.value ?? (isListed && hasList ? null : String(value));
  return (
    <div class="setting" ref={box} title={values[String(value)]}>
      {hasList && (
        <Select
          label={`Value of ${id}`}
          isLabelHidden
          value={draft === null ? String(value) : other}
          onChange={(next) => {
            if (next === other) text.value = "";
            else void set(next);
          }}
          options={[
            ...Object.entries(values).map(([name, meaning]) => [name, labelOf(name, meaning, name === String(value))]),
            ...(accepts === null ? [] : [[other, `${formatValue(accepts)} …`]]),
          ].map(([name = "", label = ""]) => [name, label] as const)}
        />
      )}
      {draft !== null && (
        <form
          class="toolbar"
          onSubmit={(event) => {
            event.preventDefault();
            void set(typeof accepts === "string" ? draft : Number(draft));
          }}
        >
          <Field
            label={`${hasList ? "Other value" : "Value"} of ${id}`}
            isLabelHidden
            type={typeof accepts === "string" ? "text" : "number"}
            value={draft}
            onChange={(next) => (text.value = next)}
            hint={hintOf(accepts)}
          />
          {draft !== String(value) && (
            <Button type="submit" disabled={draft === ""}>
              Set
            </Button>
          )}
        </form>
      )}
      {error.value !== null && (
        <small class="error" role="alert">
          {error.value}
        </small>
      )}
      {isChanged(assumption) && (
        <Button
          kind="quiet"
          class="small"
          title={`The profile's value: ${profile_value}`}
          onClick={() => void set(profile_value)}
        >
          Back to {short(profile_value)}
        </Button>
      )}
    </div>
  );
}

/**
 * `exact: only lower case names a resource`. A meaning is omitted that says no more than the name or, for the selected
 * value, is too long.
 */
function labelOf(name: string, meaning: string, isSelected: boolean): string {
  if (meaning.split(/[ ,]/, 1)[0] === name) return meaning;
  const whole = `${name}: ${meaning}`;
  return /^it (?:is|does)(?: not)?$/.test(meaning) || (isSelected && whole.length > 60) ? name : whole;
}

/** Marks the option for an unlisted value; no real value ends with a space. */
const other = "other ";

function hintOf(accepts: AssumptionDescription["accepts"]): string | undefined {
  if (accepts === null) return undefined;
  return (typeof accepts === "string" ? hints[accepts] : undefined) ?? formatValue(accepts);
}

const hints: Readonly<Record<string, string>> = {
  "error template": 'like: and JSON, such as like:{"message":"{detail}"}',
  "list template": 'like: and JSON, such as like:{"data":"{data}","total":"{total}"}',
  "order of errors": "All errors; of several, the service responds with the first",
};
