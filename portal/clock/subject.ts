import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Route } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { createResource } from "../data/resource.ts";

/** An open offering, investment or run: the clock steps along its changes. */
export interface Subject {
  /** `Aurora Robotics`, `#148 Ada Lovelace`, `closing on #148 Ada Lovelace`. */
  readonly name: string;
  /** Selects the changes of the subject. */
  readonly filter: { readonly offering_id: string } | { readonly investment_id: string } | { readonly run: string };
}

/** Null if nothing is open: the clock then steps along all changes. */
export const subject = signal<Subject | null>(null);

/** Makes an offering, an investment or a run the subject while its view is on screen; null if it does not exist. */
export function useSubject(name: string, filter: Subject["filter"] | null): void {
  // Before the next paint: the next key may be a key that steps.
  useLayoutEffect(() => {
    const current = filter && { name, filter };
    subject.value = current;
    return () => {
      if (subject.peek() === current) subject.value = null;
    };
  }, [name, JSON.stringify(filter)]);
}

/** All changes over time, with the last and the next one of the subject. */
export const histogram = createResource((aborted) =>
  call("getHistogram", { query: { ...subject.peek()?.filter, buckets: 100 }, signal: aborted }),
);

/** Selects the changes of the item in an address, which its view may still be loading. */
export function filterOf({ view, id }: Pick<Route, "view" | "id">): Subject["filter"] | undefined {
  const [, kind, name] = /^(offerings|runs)\/(.+)$/.exec(id ?? "") ?? [];
  if (kind === "runs" && name) return { run: name };
  if (kind === "offerings" && name) return { offering_id: name };
  return view === "investments" && id !== null ? { investment_id: id } : undefined;
}
