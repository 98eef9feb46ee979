/** `<Pages previous={href} next={null}>Page 3 of 3</Pages>`: the links to the pages before and after, null where there is none. */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface PagesProps {
  readonly previous: string | null;
  readonly next: string | null;
  readonly children?: ComponentChildren;
}

export function Pages({ previous, next, children }: PagesProps) {
  if (previous === null && next === null) return null;
  return (
    <div class="actions" role="group" aria-label="Pages">
      {previous !== null && (
        <a class="button" href={previous}>
          <Icon name="back" />
          Previous page
        </a>
      )}
      {children}
      {next !== null && (
        <a class="button" href={next}>
          Next page
          <Icon name="forward" />
        </a>
      )}
    </div>
  );
}
