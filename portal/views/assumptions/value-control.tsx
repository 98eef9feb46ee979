import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AssumptionDescription } from "../../../src/public/control.ts";
import { focusOn, isFocusFree } from "../../base/focus.ts";
import { formatNumber } from "../../base/format.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { canEdit } from "../../base/token.ts";

interface ValueProps extends AssumptionDescription {
  /** The id of the assumption that was just changed. Its row moves to another group, where it gets the focus again. */
  readonly lastChanged?: { current: string | null };
}

/** Shows the value of an assumption, and changes it in place. */
export function ValueControl({ lastChanged, ...assumption }: ValueProps) {
  const { id, values, accepts, value, profile_value } = assumption;
  const error = useSignal<string | null>(null);
  /** An unlisted value while it is typed; null otherwise. */
  const typed = useSignal<string | null>(null);
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
    const wasSet = await command(
      async () => {
        await call("setAssumptions", { body: { [id]: next } });
        if (lastChanged) lastChanged.current = id;
        return true;
      },
      `${id} set to ${shorten(next)}.`,
      ({ message }) => (error.value = message),
    );
    if (wasSet) typed.value = null;
  }

  if (!canEdit.value) return <code>{value}</code>;
  const draft = typed.value ?? (isListed && hasList ? null : String(value));
  return (
    <div class="setting" ref={box} title={values[String(value)]}>
      {hasList && (
        <Select
          label={`Value of ${id}`}
          isLabelHidden
          value={draft === null ? String(value) : unlisted}
          onChange={(next) => {
            if (next === unlisted) typed.value = "";
            else void set(next);
          }}
          options={[
            ...Object.entries(values).map(([name, meaning]) => [
              name,
              formatOption(name, meaning, name === String(value)),
            ]),
            ...(accepts === null ? [] : [[unlisted, `${formatAccepted(accepts)} …`]]),
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
            onChange={(next) => (typed.value = next)}
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
          Reset to {shorten(profile_value)}
        </Button>
      )}
    </div>
  );
}

/**
 * `exact: only lower case names a resource`. Omits a meaning that says no more than the name or, for the selected
 * value, is too long.
 */
function formatOption(name: string, meaning: string, isSelected: boolean): string {
  if (meaning.split(/[ ,]/, 1)[0] === name) return meaning;
  const whole = `${name}: ${meaning}`;
  return /^it (?:is|does)(?: not)?$/.test(meaning) || (isSelected && whole.length > 60) ? name : whole;
}

/** The option for an unlisted value; no real value ends with a space. */
const unlisted = "unlisted ";

function hintOf(accepts: AssumptionDescription["accepts"]): string | undefined {
  if (accepts === null) return undefined;
  return (typeof accepts === "string" ? hints[accepts] : undefined) ?? formatAccepted(accepts);
}

const hints: Readonly<Record<string, string>> = {
  "error template": 'like: and JSON, such as like:{"message":"{detail}"}',
  "list template": 'like: and JSON, such as like:{"data":"{data}","total":"{total}"}',
  "order of errors": "All errors. If several apply, the service responds with the first",
};

export function isChanged({ value, profile_value }: AssumptionDescription): boolean {
  return value !== profile_value;
}

/** `1 to 1,000`, `any media type`. */
export function formatAccepted(accepts: NonNullable<AssumptionDescription["accepts"]>): string {
  return typeof accepts === "string"
    ? `any ${accepts}`
    : `${formatNumber(accepts.from)} to ${formatNumber(accepts.to)}`;
}

/** Shortens a value to one line. */
function shorten(value: string | number): string {
  const text = String(value);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
