import type { ComponentChildren } from "preact";
import { formatDay, formatTime } from "../base/format.ts";
import { canEdit } from "../base/token.ts";
import { setClock } from "./moves.ts";

interface InstantProps {
  readonly date: string;
  /** The effect on the open item: `2 changes applied`. */
  readonly effect?: string;
  /** Whether setting the clock has no effect on it, so that the date is only text. */
  readonly isFixed?: boolean;
  /** Shown in place of the date. */
  readonly children?: ComponentChildren;
}

/** An instant as a button that sets the clock to it; with view-only access, only text. */
export function InstantButton({ date, effect, isFixed, children }: InstantProps) {
  const text = `${formatDay(date)} ${formatTime(date)}`;
  if (isFixed || !canEdit.value) return <span class="instant muted">{children ?? text}</span>;
  return (
    <button
      type="button"
      class="instant"
      title={effect === undefined ? "Set clock here" : `Set clock here: ${effect}`}
      onClick={() => void setClock(Date.parse(date))}
    >
      <span class="unseen">Set clock to {children && `${text}, `}</span>
      {children ?? text}
      {effect !== undefined && <span class="unseen">: {effect}</span>}
    </button>
  );
}
