import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useId, useRef } from "preact/hooks";

interface EditorProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** The marks of lines, by their numbers from 1. */
  readonly marks: ReadonlyMap<number, "bad" | "warning">;
  readonly isValid: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

/** A text with numbers beside its lines. Tab indents; after Esc it leaves. */
export function Editor({ label, value, onInput, marks, isValid, area }: EditorProps) {
  const id = useId();
  const isLeaving = useSignal(false);
  const gutter = useRef<HTMLDivElement>(null);
  const lines = value.split("\n").length;

  function press(event: KeyboardEvent): void {
    if (event.key === "Escape") isLeaving.value = true;
    else if (event.key !== "Tab" && event.key !== "Shift") isLeaving.value = false;
    const box = area.current;
    if (!box || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Tab" && !event.shiftKey && !isLeaving.value) {
      event.preventDefault();
      indent(box);
    } else if (event.key === "Enter") {
      event.preventDefault();
      write(`\n${/^ */.exec(lineOf(box))?.[0] ?? ""}`);
    }
  }

  return (
    <div class="editor">
      <label for={id} class="unseen">
        {label}
      </label>
      <div class="lines">
        <div class="gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            <span key={index} class={marks.get(index + 1)}>
              {index + 1}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          value={value}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-describedby={`${id}-hint`}
          aria-invalid={!isValid}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={() => (isLeaving.value = false)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <small id={`${id}-hint`} class="muted">
        Tab indents. To leave with the keyboard, press Esc, then Tab.
      </small>
    </div>
  );
}

/** Puts the caret at a place, both from 1, and shows it. */
export function showPlace(area: HTMLTextAreaElement, line: number, column: number): void {
  const before = area.value.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0);
  const at = Math.min(area.value.length, start + column - 1);
  const end = area.value.indexOf("\n", at);
  area.focus();
  area.setSelectionRange(at, end === -1 ? area.value.length : end);
  const height = area.scrollHeight / area.value.split("\n").length;
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
}

/** As if it was typed, for the browser to undo. */
function write(text: string): void {
  document.execCommand("insertText", false, text);
}

function indent(area: HTMLTextAreaElement): void {
  const { value, selectionStart, selectionEnd } = area;
  if (!value.slice(selectionStart, selectionEnd).includes("\n")) return write("  ");
  const start = startOfLine(area);
  area.setSelectionRange(start, selectionEnd);
  const text = value.slice(start, selectionEnd).replaceAll(/^(?=.)/gm, "  ");
  write(text);
  area.setSelectionRange(start, start + text.length);
}

function startOfLine({ value, selectionStart }: HTMLTextAreaElement): number {
  return value.lastIndexOf("\n", selectionStart - 1) + 1;
}

/** The line of the caret, up to it. */
function lineOf(area: HTMLTextAreaElement): string {
  return area.value.slice(startOfLine(area), area.selectionStart);
}
