/**
 * `<OpenFile label="Open a snapshot" accept=".json" onFile={open} />`: a button to choose a file, which may also be
 * dropped anywhere on the page.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface OpenFileProps {
  readonly label: string;
  /** The extensions of accepted files. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

export function OpenFile({ label, accept, onFile }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const ending = new AbortController();
    const take = (event: DragEvent): void => {
      // A file field handles its own drop.
      const isTaken = event.dataTransfer?.types.includes("Files") && !(event.target instanceof HTMLInputElement);
      isOver.value = Boolean(isTaken) && event.type === "dragover";
      if (!isTaken) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file && event.type === "drop") latest.current(file);
    };
    for (const type of ["dragover", "dragleave", "drop"] as const) document.addEventListener(type, take, ending);
    return () => ending.abort();
  }, []);
  return (
    <>
      {isOver.value && <div class="drop">{label}: drop the file anywhere on this page.</div>}
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label}: the file`}
        accept={accept}
        onChange={({ currentTarget: box }) => {
          const [file] = box.files ?? [];
          if (file) onFile(file);
          // Allows choosing the same file again.
          box.value = "";
        }}
      />
    </>
  );
}
