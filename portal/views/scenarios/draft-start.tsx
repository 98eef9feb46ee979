import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { go, to } from "../../routes.ts";
import { begin, beginning, draft, draftPath } from "./draft.ts";

interface StartDraftProps {
  readonly text: string;
  readonly label: string;
  /** Of the scenario with this text. */
  readonly name: string;
}

/** Begins a draft with a text; asks where another would be lost. */
export function StartDraft({ text, label, name }: StartDraftProps) {
  function start(): void {
    begin(text);
    go(to("scenarios", draftPath));
  }
  if (draft.value === beginning.value || draft.value.trim() === "") return <Button onClick={start}>{label}</Button>;
  return (
    <ConfirmButton
      question="Replace your draft?"
      consequence={`You have written a scenario of your own. A copy of ${name} takes its place.`}
      confirmLabel="Replace it"
      onConfirm={start}
    >
      {label}
    </ConfirmButton>
  );
}
