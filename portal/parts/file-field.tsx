/**
 * `<FileField label="A snapshot" file={file.value} onFile={(next) => (file.value = next)} />`: a JSON file, chosen, or dropped on
 * the field. It is not read here, so that a large one is no matter; `put(path, file)` sends it.
 */
import { useId } from "preact/hooks";
import { number } from "../format.ts";

interface FileFieldProps {
  readonly label: string;
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

export function FileField({ label, file, onFile }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
      <small id={`${id}-hint`} class="muted">
        {file ? `${number(Math.ceil(file.size / 1024))} KB` : "A JSON file, chosen or dropped here."}
      </small>
    </div>
  );
}
