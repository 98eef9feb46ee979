/**
 * The frames of a view. `<Page title="Keys" lead="…" actions={<Button>…</Button>}>` is a view: heading, window title
 * and content. `<Panel title="Offerings" actions={…}>` is a part of a view, `<Empty title="No requests yet.">…</Empty>`
 * explains why a view is empty and what to do next, `<Notice variant="warning">` is a message, `<Alert text={error} />`
 * an error. `<Loading for={resource} />` is shown until data arrives, `<Meter value={3} max={120} label="3 of 120" />`
 * shows a share.
 */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Resource } from "../data/resource.ts";
import { environmentId, to, type ViewName, views } from "../base/routes.ts";
import type { Variant } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface FrameProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export interface PageProps extends FrameProps {
  /** A sentence about the purpose of the view. */
  readonly lead?: ComponentChildren;
  /** The view to which this page belongs; a link to it is above the title. */
  readonly above?: ViewName;
}

export function Page({ title, lead, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${environmentId.value} · offering-sandbox`;
  }, [title, environmentId.value]);
  return (
    <>
      <header class="page">
        <div>
          {above && (
            <p class="above small">
              <a href={to(above)}>{views[above]}</a>
            </p>
          )}
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Panel({ title, actions, children, class: name }: FrameProps & { readonly class?: string }) {
  return (
    <section class={`panel ${name ?? ""}`}>
      <header>
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

export function Empty({ title, children }: Omit<FrameProps, "actions">) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

interface NoticeProps {
  readonly variant?: Variant | undefined;
  /** How screen readers announce a notice that appears. */
  readonly role?: "alert" | "status";
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Notice({ variant = "neutral", role, actions, children }: NoticeProps) {
  return (
    <div class={`notice ${variant}`} role={role}>
      {(variant === "bad" || variant === "warning") && <Icon name="warning" />}
      <div>{children}</div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** Shows an error next to its cause; renders nothing without one. */
export function Alert({ text }: { readonly text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Notice variant="bad" role="alert">
      <span class="preserved">{text}</span>
    </Notice>
  );
}

/** A resource that is loading, or whose request failed. */
export type Loadable = Pick<Resource<unknown>, "problem" | "reload">;

export function Loading({ for: source }: { readonly for?: Loadable | undefined }) {
  if (source?.problem) {
    return (
      <Notice variant="bad" actions={<Button onClick={source.reload}>Try again</Button>}>
        {source.problem.message}
      </Notice>
    );
  }
  return (
    <p class="waiting muted" aria-busy="true">
      Loading …
    </p>
  );
}

interface MeterProps {
  readonly value: number;
  readonly max: number;
  readonly label: string;
  /** Whether the meter warns when little is left. */
  readonly isLimit?: boolean;
}

export function Meter({ value, max, label, isLimit }: MeterProps) {
  const share = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <span class={isLimit && share >= 90 ? "meter high" : "meter"}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share} height="6" />
      </svg>{" "}
      <span class="number">{label}</span>
    </span>
  );
}
