/**
 * `<OpenFile label="Open snapshot" accept=".json" onFiles={open} />`: a button to choose files.
 * `DroppedFiles` takes files that are dropped.
 */
import { useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface OpenFileProps {
  readonly label: string;
  /** The extensions of accepted files. */
  readonly accept: string;
  /** @default false */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function OpenFile({ label, accept, multiple = false, onFiles }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label}: the file`}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget: box }) => {
          if (box.files?.length) onFiles(Array.from(box.files));
          // Allows choosing the same file again.
          box.value = "";
        }}
      />
    </>
  );
}
