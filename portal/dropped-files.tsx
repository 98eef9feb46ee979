import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showMessage } from "./data/commands.ts";
import { canEdit } from "./base/token.ts";
import { openSnapshotFiles } from "./views/environments/new-environment.tsx";
import { useFileStart } from "./shared/draft-start.tsx";

const viewOnlyMessage = "This link is only for looking: it opens no file.";

/** Takes files that are dropped on any page: a scenario becomes the draft, a snapshot becomes a new environment. */
export function DroppedFiles() {
  const isOver = useSignal(false);
  const [openScenario, question] = useFileStart();
  useEffect(() => {
    const take = (files: readonly File[]): void => {
      const scenario = files.find(({ name }) => /\.ya?ml$/i.test(name));
      if (!canEdit.value) showMessage(viewOnlyMessage, { isError: true });
      else if (scenario) openScenario(scenario);
      else void openSnapshotFiles(files);
    };
    const ending = new AbortController();
    const follow = (event: DragEvent): void => {
      // A file field handles its own drop.
      const isTaken = event.dataTransfer?.types.includes("Files") && !(event.target instanceof HTMLInputElement);
      isOver.value = Boolean(isTaken) && event.type === "dragover";
      if (!isTaken) return;
      event.preventDefault();
      if (event.type === "drop") take(Array.from(event.dataTransfer?.files ?? []));
    };
    for (const type of ["dragover", "dragleave", "drop"] as const) document.addEventListener(type, follow, ending);
    return () => ending.abort();
  }, []);
  return (
    <>
      {isOver.value && (
        <div class="drop">
          {canEdit.value ? "Drop it here: snapshots open, a scenario becomes a draft." : viewOnlyMessage}
        </div>
      )}
      {question}
    </>
  );
}
