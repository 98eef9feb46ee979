import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showMessage } from "./data/commands.ts";
import { canEdit } from "./base/token.ts";
import { openSnapshotFiles } from "./views/environments/new-environment.tsx";
import { useFileStart } from "./shared/drafts.tsx";

const viewOnlyMessage = "You have view-only access and cannot open files.";

/** Takes files that are dropped on any page: a scenario becomes the draft, a snapshot becomes a new environment. */
export function DroppedFiles() {
  const isOver = useSignal(false);
  const [openScenario, question] = useFileStart();
  useEffect(() => {
    const openFiles = (files: readonly File[]): void => {
      const scenario = files.find(({ name }) => /\.ya?ml$/i.test(name));
      if (!canEdit.value) showMessage(viewOnlyMessage, { isError: true });
      else if (scenario) openScenario(scenario);
      else void openSnapshotFiles(files);
    };
    const listeners = new AbortController();
    const handleDrag = (event: DragEvent): void => {
      // A file field handles its files itself.
      const hasFiles = event.dataTransfer?.types.includes("Files") && !(event.target instanceof HTMLInputElement);
      isOver.value = Boolean(hasFiles) && event.type === "dragover";
      if (!hasFiles) return;
      event.preventDefault();
      if (event.type === "drop") openFiles(Array.from(event.dataTransfer?.files ?? []));
    };
    for (const type of ["dragover", "dragleave", "drop"] as const)
      document.addEventListener(type, handleDrag, listeners);
    return () => listeners.abort();
  }, []);
  return (
    <>
      {isOver.value && (
        <div class="drop">
          {canEdit.value ? "Drop here to open a snapshot, or to edit a scenario." : viewOnlyMessage}
        </div>
      )}
      {question}
    </>
  );
}
