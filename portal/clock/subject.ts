import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TimelineFilter } from "../../src/control.ts";
import { list } from "../server/api.ts";
import type { Resource } from "../server/resource.ts";
import { now } from "../server/state.ts";
import { useResource } from "../server/use-resource.ts";

/** An open investment or run: the clock steps along its own changes. */
export interface Subject {
  /** `#148`, `run-2`. */
  readonly name: string;
  /** Selects its changes. */
  readonly filter: { readonly investment_id: string } | { readonly run: string };
}

/** Null where nothing is open: the clock steps along all changes. */
export const subject = signal<Subject | null>(null);

/** Makes an investment or a run the subject while its view is on screen. */
export function useSubject(name: string, filter: Subject["filter"]): void {
  useEffect(() => {
    const mine = { name, filter };
    subject.value = mine;
    return () => {
      if (subject.peek() === mine) subject.value = null;
    };
  }, [name, JSON.stringify(filter)]);
}

/** The dates of a subject's last change up to now, and of its first after; null without one. */
interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

/** The neighbours of the subject's present, asked for with each revision; undefined without a subject. */
export function useNeighbours(): Resource<Neighbours | undefined> {
  const open = subject.value;
  return useResource(
    async (abortSignal) => {
      if (!open) return undefined;
      const [previous, next] = await Promise.all([
        lastChange(open, now.peek(), abortSignal),
        nextChange(open, abortSignal),
      ]);
      return { previous: previous ?? null, next: next ?? null };
    },
    [JSON.stringify(open)],
  );
}

/** The date of the subject's last change up to an instant in milliseconds. */
export function lastChange({ filter }: Subject, until: number, abortSignal?: AbortSignal): Promise<string | undefined> {
  const query = { ...filter, to: new Date(until).toISOString(), limit: 1 };
  return firstDate(query, abortSignal);
}

/** The date of the subject's first change after the present. */
export function nextChange({ filter }: Subject, abortSignal?: AbortSignal): Promise<string | undefined> {
  const query = { ...filter, from: new Date(Math.floor(now.peek()) + 1).toISOString(), limit: 1 };
  return firstDate(query, abortSignal);
}

async function firstDate(query: TimelineFilter, abortSignal: AbortSignal | undefined): Promise<string | undefined> {
  const [change] = await list("getTimeline", { query, ...(abortSignal && { signal: abortSignal }) });
  return change?.date;
}
