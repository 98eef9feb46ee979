/**
 * `useForm` holds what is typed, in a signal of one's own where it is to outlive the form, and each mistake that the server finds in it, beside the field that it names:
 *
 *     const form = useForm(["type", "label"], { type: "partner" });
 *     const issue = () => form.send(() => call("issueKey", { body: unchecked(form.values) }), "The key is issued.", opened);
 *     <Form form={form} does="Issue" onSend={issue} onClose={onClose}>
 *       <Select label="Type" {...form.choice("type")} options={types} />
 *       <Field label="Label" {...form.field("label")} />
 *     </Form>
 */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { command } from "../server/commands.ts";
import { Button } from "./button.tsx";
import { Alert } from "./panel.tsx";

type Texts<Name extends string = string> = Readonly<Record<Name, string>>;

// oxlint-disable-next-line typescript/explicit-function-return-type
export function useForm<const Name extends string>(
  names: readonly Name[],
  begin: Partial<Texts<Name>> = {},
  kept?: Signal<Partial<Texts<Name>>>,
) {
  const own = useSignal(begin);
  const typed = kept ?? own;
  const mistakes = useSignal<Texts>({});
  const isBusy = useSignal(false);
  const set = (name: Name, value: string): void => void (typed.value = { ...typed.value, [name]: value });
  const valueOf = (name: Name): string => typed.value[name] ?? "";
  return {
    values: Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Texts<Name>,
    /** By the fields that they are in; those in none have the empty name. */
    mistakes: mistakes.value,
    isBusy: isBusy.value,
    set,
    field: (name: Name) => ({
      value: valueOf(name),
      onInput: (value: string) => set(name, value),
      error: mistakes.value[name],
    }),
    choice: (name: Name) => ({
      value: valueOf(name),
      onChange: (value: string) => set(name, value),
      error: mistakes.value[name],
    }),
    empty: (): void => void ([typed.value, mistakes.value] = [begin, {}]),
    /** Runs a command, and says its result. With a mistake all that was typed stays. */
    async send<Answer>(
      run: () => Promise<Answer>,
      words?: string | ((answer: Answer) => string),
      done?: (answer: Answer) => void,
    ): Promise<void> {
      [isBusy.value, mistakes.value] = [true, {}];
      let isDone = true;
      const answer = await command(run, words, ({ message }) => {
        isDone = false;
        mistakes.value = mistakesIn(message, names);
      });
      isBusy.value = false;
      if (isDone) done?.(answer as Answer);
    },
  };
}

/**
 * The lines of an error by the field that they name: `match.path: …`, `amount is -1; …`, `investors[0].email is "ada"; …`. An
 * error that begins with another thing is not of the form, but of a file or a text in it.
 */
function mistakesIn(message: string, fields: readonly string[]): Texts {
  const found: Record<string, string> = {};
  for (const line of message.split("\n")) {
    const [path = ""] = line.split(/[ :]/, 1);
    const field = path.split(/[.[\]]/).find((member) => fields.includes(member)) ?? "";
    found[field] = [found[field], line].filter(Boolean).join("\n");
  }
  return found[""]?.startsWith(message.split("\n", 1)[0] ?? "") ? { "": message } : found;
}

/** A text without the spaces around it; undefined, and so left out of the JSON, where nothing was typed. */
export function given(text: string): string | undefined {
  return text.trim() || undefined;
}

/** The number that a text is; another text as it is, for the server to say what it expects. */
export function numeric(text: string): number | string | undefined {
  const written = given(text);
  const value = Number(written?.replaceAll(/[\s,_]/g, ""));
  return Number.isNaN(value) ? written : value;
}

interface FormProps {
  readonly form?: Pick<ReturnType<typeof useForm>, "mistakes" | "isBusy">;
  /** The button that sends it. */
  readonly does: string;
  readonly onSend: () => void;
  /** Has a button that leaves without sending. */
  readonly onClose?: (() => void) | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly class?: string | undefined;
  /** Beside its buttons. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Form({ form, does, onSend, onClose, isDisabled, class: name, beside, children }: FormProps) {
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [form?.mistakes]);
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
      <Alert words={form?.mistakes[""]} />
      <div class="actions">
        {onClose && <Button onClick={onClose}>Cancel</Button>}
        <Button kind="primary" type="submit" disabled={isDisabled || form?.isBusy}>
          {does}
        </Button>
        {beside}
      </div>
    </form>
  );
}
