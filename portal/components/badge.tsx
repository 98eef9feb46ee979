/**
 * Badges show a state by color and shape: `<StatusBadge status="PENDING" />` for an investment,
 * `<HttpBadge status={429} />` for a response (null: the connection ended), `<Badge variant="good">running</Badge>` for
 * any other state.
 */
import type { ComponentChildren } from "preact";

export type Variant = "good" | "waiting" | "bad" | "warning" | "neutral";

const shapes: Readonly<Record<Variant, ComponentChildren>> = {
  good: <circle cx="5" cy="5" r="4.5" />,
  waiting: <circle cx="5" cy="5" r="3.6" class="hollow" />,
  bad: <rect x="0.8" y="0.8" width="8.4" height="8.4" rx="1" />,
  warning: <path d="M5 .6L9.8 9.4H.2z" />,
  neutral: <path d="M5 0L10 5L5 10L0 5z" />,
};

export function Badge({ variant, children }: { readonly variant: Variant; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${variant}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {shapes[variant]}
      </svg>
      {children}
    </span>
  );
}

const statuses: Readonly<Record<string, Variant>> = { PENDING: "waiting", CLOSED: "good" };

export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge variant={statuses[status] ?? "neutral"}>{status}</Badge>;
}

function variantOf(status: number | null): Variant {
  if (status === null || status >= 500) return "bad";
  return status >= 400 ? "warning" : status >= 300 ? "neutral" : "good";
}

interface HttpProps {
  readonly status: number | null;
  readonly connection?: string | null;
}

export function HttpBadge({ status, connection }: HttpProps) {
  return <Badge variant={variantOf(status)}>{status ?? connection ?? "left"}</Badge>;
}
