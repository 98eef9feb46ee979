import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { go, to } from "../../routes.ts";
import { begin, begun, draft, draftPath } from "./draft.ts";

interface StartDraftProps {
  readonly text: string;
  readonly words: string;
  /** Of the scenario that the text is of. */
  readonly name: string;
}

/** Begins a draft with a text; asks where another would be lost. */
export function StartDraft({ text, words, name }: StartDraftProps) {
  function start(): void {
    begin(text);
    go(to("scenarios", draftPath));
  }
  if (draft.value === begun.value || draft.value.trim() === "") return <Button onClick={start}>{words}</Button>;
  return (
    <ConfirmButton
      question="Replace your draft?"
      words={`You have written a scenario of your own. A copy of ${name} takes its place.`}
      does="Replace it"
      onConfirm={start}
    >
      {words}
    </ConfirmButton>
  );
}
