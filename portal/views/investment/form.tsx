import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { command } from "../../commands.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/panel.tsx";
import { mistakesIn } from "./mistakes.ts";

interface FormProps<Answer> {
  readonly title: string;
  /** The button that sends it. */
  readonly does: string;
  /** The names by which errors speak of its fields. */
  readonly fields: readonly string[];
  readonly isDisabled?: boolean;
  readonly run: () => Promise<Answer>;
  /** The result in words. */
  readonly words: (answer: Answer) => string;
  readonly onDone?: (answer: Answer) => void;
  readonly onClose: () => void;
  /** Draws the fields with what is wrong with each. */
  readonly children: (mistakes: Readonly<Record<string, string>>) => ComponentChildren;
}

/** A dialog that sends a command; errors stand next to their fields, and what was written stays. */
export function Form<Answer>(props: FormProps<Answer>) {
  const { title, does, fields, isDisabled, run, words, onDone, onClose, children } = props;
  const mistakes = useSignal<Readonly<Record<string, string>>>({});
  const isSent = useSignal(false);

  async function send(): Promise<void> {
    isSent.value = true;
    mistakes.value = {};
    const answer = await command(run, words, (problem) => (mistakes.value = mistakesIn(problem, fields)));
    isSent.value = false;
    if (answer === undefined) return;
    onClose();
    onDone?.(answer);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {mistakes.value[""] && (
          <div role="alert">
            <Notice look="bad">{mistakes.value[""]}</Notice>
          </div>
        )}
        {children(mistakes.value)}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isDisabled || isSent.value}>
            {does}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
