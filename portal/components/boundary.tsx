/**
 * `<Boundary key="journal"><Journal /></Boundary>`: shows an error in place of a view that fails to render; the page
 * around it stays.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { Button } from "./button.tsx";
import { Notice } from "./panel.tsx";

interface BoundaryProps {
  /** The open item: with another item, the view is rendered again. */
  readonly item?: string | null;
  readonly children: ComponentChildren;
}

export function Boundary({ item, children }: BoundaryProps) {
  const [error, reset] = useErrorBoundary((problem) => reportError(problem));
  useEffect(reset, [item]);
  if (error === undefined) return <>{children}</>;
  return (
    <Notice variant="bad" role="alert" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
      This part of the page cannot be shown: {String(error)}
    </Notice>
  );
}
