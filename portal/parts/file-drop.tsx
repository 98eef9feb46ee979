/**
 * `<FileDrop label="A snapshot" file={file.value} onFile={(next) => (file.value = next)} />`: a JSON file, chosen or dropped. It
 * is not read here, so that a large one is no matter; `put(path, file)` sends it.
 */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { number } from "../format.ts";

interface FileDropProps {
  readonly label: string;
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

export function FileDrop({ label, file, onFile }: FileDropProps) {
  const id = useId();
  const isOver = useSignal(false);
  return (
    <div
      class={isOver.value ? "field drop over" : "field drop"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        const [dropped] = event.dataTransfer?.files ?? [];
        if (dropped) onFile(dropped);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
      <small class="muted">
        {file ? `${file.name}, ${number(Math.ceil(file.size / 1024))} KB` : "A JSON file, chosen or dropped here."}
      </small>
    </div>
  );
}
