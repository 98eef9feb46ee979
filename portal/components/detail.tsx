/**
 * `<Detail title="Aurora partner" view="keys">…</Detail>` shows one item next to its list, in a
 * `<div class="split opened">`; Esc and the cross return to the list, filtered as before.
 * `<Facts facts={[["Type", "partner"], ["Key", null, "no known key"]]} />` lists labels and values; a fact without a
 * value is omitted, unless it has a fallback.
 */
import type { ComponentChildren } from "preact";
import { route, to, type ViewName } from "../base/routes.ts";
import { Icon } from "./icon.tsx";

interface DetailProps {
  readonly title: ComponentChildren;
  readonly view: ViewName;
  readonly children: ComponentChildren;
}

export function Detail({ title, view, children }: DetailProps) {
  const list = to(view, null, Object.fromEntries(route.value.query));
  return (
    <section class="panel detail" aria-labelledby="opened">
      <header>
        <h2 id="opened" data-opened tabIndex={-1}>
          {title}
        </h2>
        <a class="button quiet icon-only" href={list} aria-label="Close" title="Close (Esc)">
          <Icon name="close" />
        </a>
      </header>
      {children}
    </section>
  );
}

export type Fact = readonly [label: string, value: ComponentChildren, fallback?: string];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly class?: string;
}

export function Facts({ facts, class: name = "facts" }: FactsProps) {
  return (
    <dl class={name}>
      {facts.map(([label, value, fallback], index) => {
        const isKnown = value !== null && value !== undefined && value !== false;
        if (!isKnown && fallback === undefined) return null;
        return (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{isKnown ? value : <span class="muted">{fallback}</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}
