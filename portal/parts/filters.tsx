/**
 * Filters beside a search, in a toolbar: `<Filters set={2}><Select … /></Filters>`. On a narrow screen a button unfolds them, and
 * says how many are set.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";

interface FiltersProps {
  /** How many of them leave something out. */
  readonly set: number;
  readonly children: ComponentChildren;
}

export function Filters({ set, children }: FiltersProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button class="fold" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        {set > 0 ? `Filters (${set})` : "Filters"}
      </Button>
      <div class={isOpen.value ? "filters open" : "filters"}>{children}</div>
    </>
  );
}
