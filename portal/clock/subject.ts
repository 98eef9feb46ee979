import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { TimelineOutline } from "../../src/public/control.ts";
import { call } from "../data/api.ts";
import type { Resource } from "../data/resource.ts";
import { useResource } from "../data/use-resource.ts";

/** An open offering, investment or run: the clock steps along its own changes. */
export interface Subject {
  /** `Aurora Robotics`, `#148 Ada Lovelace`, `closing on #148 Ada Lovelace`. */
  readonly name: string;
  /** Selects the changes of the subject. */
  readonly filter: { readonly offering_id: string } | { readonly investment_id: string } | { readonly run: string };
}

/** Null if nothing is open: the clock then steps along all changes. */
export const subject = signal<Subject | null>(null);

/** Makes an offering, an investment or a run the subject while its view is on screen. */
export function useSubject(name: string, filter: Subject["filter"]): void {
  // Before the next paint: the next key may be one that steps.
  useLayoutEffect(() => {
    const mine = { name, filter };
    subject.value = mine;
    return () => {
      if (subject.peek() === mine) subject.value = null;
    };
  }, [name, JSON.stringify(filter)]);
}

/** The subject's changes over time, the last and the next among them; undefined without a subject. */
export function useOwnOutline(): Resource<TimelineOutline | undefined> {
  const filter = subject.value?.filter;
  return useResource(
    async (aborted) => filter && call("getOutline", { query: { ...filter, buckets: 100 }, signal: aborted }),
    [JSON.stringify(filter)],
  );
}
