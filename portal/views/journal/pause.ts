import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { beats, journal } from "../../server/state.ts";

interface Pause {
  /** The id of the newest visible entry. */
  readonly upTo: ReadonlySignal<number>;
  /** Shows all entries. */
  readonly catchUp: () => void;
}

/** Holds a list of requests still while somebody reads it: it is scrolled, has the focus, or lies under the pointer. */
export function usePause(list: RefObject<HTMLElement | null>): Pause {
  const upTo = useSignal(0);
  useSignalEffect(() => {
    void beats.value;
    const isShown = upTo.peek() > 0 && upTo.peek() <= last();
    if (!isShown || !list.current || !isRead(list.current)) upTo.value = last();
  });
  return { upTo, catchUp: () => (upTo.value = last()) };
}

function last(): number {
  return journal.value.at(-1)?.id ?? 0;
}

const canHover = matchMedia("(hover: hover)");

function isRead(list: HTMLElement): boolean {
  if (list.matches(":focus-within") || (canHover.matches && list.matches(":hover"))) return true;
  return list.getBoundingClientRect().top < 0 || (list.querySelector(".table")?.scrollTop ?? 0) > 0;
}
