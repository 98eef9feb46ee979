/**
 * Form fields with their labels.
 * `<Field label="Label" value={text} onChange={setText} hint="Shown in the list" error={message} />`,
 * `<Select label="Status" value={status} onChange={setStatus} options={[["", "All"], ["PENDING"]]} />` (value and
 * label), `<Search label="Search" value={search} onChange={setSearch} />` (searches after a moment without typing; `/`
 * focuses it), `<Switch label="Live" checked={isLive} onChange={setLive} />`. `isLabelHidden` shows the label only to
 * screen readers. `<DateField label="From" value={from} onDate={setFrom} placeholder="YYYY-MM-DD" />`.
 */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { findKeyId } from "../data/names.ts";

interface LabelProps {
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  readonly hint?: ComponentChildren;
  /** The error in the value. */
  readonly error?: string | null | undefined;
}

interface LabeledControlProps extends LabelProps {
  readonly class?: string | undefined;
  /** Renders the control; the attributes connect it with its label and hint. */
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

function LabeledControl({ label, isLabelHidden, hint, error, class: name = "field", children }: LabeledControlProps) {
  const id = useId();
  const hintId = error || hint ? `${id}-hint` : undefined;
  return (
    <div class={name}>
      <label for={id} class={isLabelHidden ? "unseen" : undefined}>
        {label}
      </label>
      {children({ id, "aria-describedby": hintId, "aria-invalid": error ? "true" : undefined })}
      {hintId && (
        <small id={hintId} class={error ? "error" : "muted"}>
          {error || hint}
        </small>
      )}
    </div>
  );
}

interface ControlProps extends LabelProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface FieldProps extends ControlProps {
  readonly type?: "text" | "number" | "password" | undefined;
  readonly placeholder?: string | undefined;
  /** More than one line. */
  readonly rows?: number | undefined;
  /** Values to choose from; the person may type any other value. */
  readonly suggestions?: readonly string[] | undefined;
  readonly onBlur?: (() => void) | undefined;
}

export function Field({ value, onChange, rows, type, suggestions, placeholder, onBlur, ...label }: FieldProps) {
  // The types of an input have one shape each.
  const inputType = (type ?? "text") as "text";
  return (
    <LabeledControl {...label}>
      {(attributes) => {
        const shared = {
          ...attributes,
          value,
          placeholder,
          spellcheck: false,
          onBlur,
          onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
        };
        if (rows !== undefined) return <textarea rows={rows} {...shared} />;
        const list = suggestions && `${attributes.id}-list`;
        return (
          <>
            <input type={inputType} autocomplete="off" list={list} {...shared} />
            {suggestions && (
              <datalist id={list}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion}>{suggestion}</option>
                ))}
              </datalist>
            )}
          </>
        );
      }}
    </LabeledControl>
  );
}

interface DateFieldProps extends LabelProps {
  readonly value: string;
  /** Called with a complete date, or an empty string. */
  readonly onDate: (date: string) => void;
  readonly placeholder: string;
}

/** A field for a date as the page writes dates, whatever the language of the browser. */
export function DateField({ value, onDate, ...label }: DateFieldProps) {
  const text = useSignal(value);
  const isBlurred = useSignal(false);
  useEffect(() => void (text.value = value), [value]);
  const setText = (typed: string): void => {
    [text.value, isBlurred.value] = [typed, false];
    if (typed === "" || isCalendarDate(typed)) onDate(typed);
  };
  const isComplete = isBlurred.value || text.value.length >= 10;
  const isInvalid = isComplete && text.value !== "" && !isCalendarDate(text.value);
  const error = isInvalid ? `Not a date: YYYY-MM-DD. Still ${value ? `filtered by ${value}` : "not filtered"}.` : null;
  return (
    <Field {...label} value={text.value} onChange={setText} onBlur={() => (isBlurred.value = true)} error={error} />
  );
}

/** `Date` accepts the 31st of every month. */
function isCalendarDate(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

export type Option = readonly [value: string, label?: string];

interface SelectProps extends ControlProps {
  readonly options: readonly Option[];
}

export function Select({ value, onChange, options, ...label }: SelectProps) {
  // A value from the address may not be among the options.
  const allOptions =
    value === "" || options.some(([option]) => option === value) ? options : [...options, [value] as const];
  return (
    <LabeledControl {...label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {allOptions.map(([option, text]) => (
            <option key={option} value={option}>
              {text ?? option}
            </option>
          ))}
        </select>
      )}
    </LabeledControl>
  );
}

interface SearchProps extends ControlProps {
  readonly placeholder?: string | undefined;
}

export function Search({ label, value, onChange, placeholder = label }: SearchProps) {
  const text = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reported = useRef(value);
  useEffect(() => {
    // The value that this field reported must not replace what was typed since.
    if (value !== reported.current) text.value = value;
    reported.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <LabeledControl label={label} isLabelHidden class="field grow">
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          value={text.value}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            const typed = event.currentTarget.value;
            const key = findKeyId(typed);
            // The secret of a key must not get into the address or a request.
            const search = key === undefined ? typed : (key ?? "");
            event.currentTarget.value = text.value = search;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => {
              reported.current = search.trim();
              onChange(reported.current);
            }, 200);
          }}
        />
      )}
    </LabeledControl>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
