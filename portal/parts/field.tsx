/**
 * Form fields with their labels. `<Field label="Label" value={text} onInput={setText} hint="For people" error={words} />`,
 * `<Select label="Status" value={status} onChange={setStatus} options={[["", "All"], ["PENDING"]]} />` (value and words),
 * `<Search label="Search" value={search} onInput={setSearch} />` (asks when one rests for a moment; `/` gets there),
 * `<Switch label="Live" checked={isLive} onChange={setLive} />`. `isBare` shows the label to screen readers alone.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface LabelProps {
  readonly label: string;
  readonly isBare?: boolean | undefined;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | null | undefined;
}

interface FieldProps extends LabelProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "number" | "password" | "date" | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** More than one line. */
  readonly rows?: number | undefined;
  /** Values to choose from; any other may be written. */
  readonly suggestions?: readonly string[] | undefined;
}

export function Field({ label, isBare, hint, error, value, onInput, rows, type, suggestions, ...rest }: FieldProps) {
  const id = useId();
  const described = error || hint ? `${id}-hint` : undefined;
  // The type of an input has a shape of its own for each of its types.
  const typed = (type ?? "text") as "text";
  const shared = {
    ...rest,
    id,
    value,
    "aria-describedby": described,
    "aria-invalid": error ? ("true" as const) : undefined,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id} class={isBare ? "unseen" : undefined}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          type={typed}
          autocomplete="off"
          spellcheck={false}
          list={suggestions ? `${id}-list` : undefined}
          {...shared}
        />
      ) : (
        <textarea rows={rows} spellcheck={false} {...shared} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion}>{suggestion}</option>
          ))}
        </datalist>
      )}
      {described !== undefined && (
        <small id={described} class={error ? "error" : "muted"}>
          {error || hint}
        </small>
      )}
    </div>
  );
}

interface SelectProps extends LabelProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, words?: string])[];
  readonly disabled?: boolean | undefined;
}

export function Select({ label, isBare, hint, value, onChange, options, disabled }: SelectProps) {
  const id = useId();
  // An address may name a value that is none of them.
  const all = options.some(([option]) => option === value) ? options : [...options, [value] as const];
  return (
    <div class="field">
      <label for={id} class={isBare ? "unseen" : undefined}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {all.map(([option, words]) => (
          <option key={option} value={option}>
            {words ?? option}
          </option>
        ))}
      </select>
      {hint && (
        <small id={`${id}-hint`} class="muted">
          {hint}
        </small>
      )}
    </div>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string | undefined;
}

export function Search({ label, value, onInput, placeholder }: SearchProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(value);
  useEffect(() => {
    // Its own question must not take back what was written since.
    if (value !== asked.current) setText(value);
    asked.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <div class="field grow">
      <label for={id} class="unseen">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={placeholder ?? label}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            asked.current = next.trim();
            onInput(asked.current);
          }, 200);
        }}
      />
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean | undefined;
}

export function Switch({ label, checked, onChange, disabled }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
