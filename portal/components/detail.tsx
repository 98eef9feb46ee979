/**
 * `<Detail title="Aurora partner" view="keys">…</Detail>` shows one item next to its list, in a
 * `<div class="split opened">`; Esc and the cross return to the list, filtered as before.
 * `<Facts facts={[["Type", "partner"], ["Key", null, "no known key"]]} />` lists names and values; a fact without a
 * value is omitted, unless it has a text for that case.
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

export type Fact = readonly [name: string, value: ComponentChildren, otherwise?: string];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly class?: string;
}

export function Facts({ facts, class: look = "facts" }: FactsProps) {
  return (
    <dl class={look}>
      {facts.map(([name, value, otherwise], at) => {
        const isKnown = value !== null && value !== undefined && value !== false;
        if (!isKnown && otherwise === undefined) return null;
        return (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{isKnown ? value : <span class="muted">{otherwise}</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}
