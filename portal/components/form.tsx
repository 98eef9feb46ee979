/**
 * `useForm` has the typed values (in a signal of the caller if they outlive the form), and the server's errors by
 * field:
 *
 *     const form = useForm(["type", "label"], { type: "partner" });
 *     const issue = () => form.send(() => call("issueKey", { body: uncheckedBody(form.values) }), "Key issued.", onClose);
 *     <Form form={form} submitLabel="Issue key" onSend={issue} onClose={onClose}>
 *       <Select label="Type" {...form.field("type")} options={types} />
 *       <Field label="Label" {...form.field("label")} />
 *     </Form>
 */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { offerFocus } from "../base/focus.ts";
import { command } from "../data/commands.ts";
import { Button } from "./button.tsx";
import { Alert } from "./panel.tsx";

type FormValues<Name extends string = string> = Readonly<Record<Name, string>>;

// oxlint-disable-next-line typescript/explicit-function-return-type
export function useForm<const Name extends string>(
  names: readonly Name[],
  initial: Partial<FormValues<Name>> = {},
  externalValues?: Signal<Partial<FormValues<Name>>>,
) {
  const internalValues = useSignal(initial);
  const values = externalValues ?? internalValues;
  const errors = useSignal<FormValues>({});
  const isBusy = useSignal(false);
  const set = (name: Name, value: string): void => void (values.value = { ...values.value, [name]: value });
  const valueOf = (name: Name): string => values.value[name] ?? "";
  return {
    values: Object.fromEntries(names.map((name) => [name, valueOf(name)])) as FormValues<Name>,
    /** Errors by the name of the field; the empty name has the errors that belong to no field. */
    errors: errors.value,
    isBusy: isBusy.value,
    set,
    field: (name: Name) => ({
      value: valueOf(name),
      onChange: (value: string) => set(name, value),
      error: errors.value[name],
    }),
    /** Runs a command, and shows its result. After an error the typed values stay. */
    async send<Result>(
      run: () => Promise<Result>,
      success?: string | ((response: Result) => string),
      onDone?: (response: Result) => void,
    ): Promise<void> {
      [isBusy.value, errors.value] = [true, {}];
      const onError = ({ message }: Error): void => void (errors.value = errorsIn(message, names));
      await command(run, success, onError, onDone);
      isBusy.value = false;
    },
  };
}

/**
 * Groups the lines of an error by the field they name: `match.path: …`, `amount is -1; …`,
 * `investors[0].email is "ada"; …`. A line that begins in another way is about a file, or YAML in the form.
 */
function errorsIn(message: string, fields: readonly string[]): FormValues {
  const lines: Record<string, string> = {};
  for (const line of message.split("\n")) {
    const [path = ""] = line.split(/[ :]/, 1);
    const field = path.split(/[.[\]]/).find((member) => fields.includes(member)) ?? "";
    lines[field] = [lines[field], line].filter(Boolean).join("\n");
  }
  return lines[""]?.startsWith(message.split("\n", 1)[0] ?? "") ? { "": message } : lines;
}

/** Trims a value; returns undefined, which JSON omits, if nothing was typed. */
export function optionalText(text: string): string | undefined {
  return text.trim() || undefined;
}

/** Parses a number, with or without thousands separators; returns any other value unchanged: the server refuses it. */
export function numeric(text: string): number | string | undefined {
  const trimmed = optionalText(text);
  const value = Number(trimmed?.replaceAll(/(?<=\d)[\s,_](?=\d{3}(?!\d))/g, ""));
  return Number.isNaN(value) ? trimmed : value;
}

interface FormProps {
  readonly form?: Pick<ReturnType<typeof useForm>, "errors" | "isBusy">;
  /** The label of the button that submits the form. */
  readonly submitLabel: string;
  readonly onSend: () => void;
  /** Called by the Cancel button, which the form has only with this callback. */
  readonly onClose?: (() => void) | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly class?: string | undefined;
  /** Shown next to the buttons. */
  readonly extra?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Form({ form, submitLabel, onSend, onClose, isDisabled, class: name, extra, children }: FormProps) {
  const box = useRef<HTMLFormElement>(null);
  /** The element that had the focus when the form was sent. */
  const sender = useRef<Element>(null);
  useEffect(() => {
    if (form?.isBusy) sender.current = document.activeElement;
    else offerFocus(box.current?.querySelector<HTMLElement>("[aria-invalid]"), sender.current);
  }, [form?.isBusy]);
  return (
    <form
      ref={box}
      class={`stack ${name ?? ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      <Alert text={form?.errors[""]} />
      <div class="actions">
        {onClose && <Button onClick={onClose}>Cancel</Button>}
        <Button kind="primary" type="submit" disabled={isDisabled || form?.isBusy}>
          {submitLabel}
        </Button>
        {extra}
      </div>
    </form>
  );
}
