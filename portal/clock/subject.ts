import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TimelineFilter } from "../../src/control.ts";
import { list } from "../server/api.ts";
import type { Resource } from "../server/resource.ts";
import { next, now } from "../server/state.ts";
import { useResource } from "../server/use-resource.ts";

/** An open investment or run: the clock steps along its own changes. */
export interface Subject {
  /** `#148`, `run-2`. */
  readonly name: string;
  /** Selects its changes. */
  readonly filter: { readonly investment_id: string } | { readonly run: string };
  /** A run that has repetitions to begin: the changes of these are not on the timeline yet. */
  readonly begins: boolean;
}

/** Null where nothing is open: the clock steps along all changes. */
export const subject = signal<Subject | null>(null);

/** Makes an investment or a run the subject while its view is on screen. */
export function useSubject(name: string, filter: Subject["filter"], begins = false): void {
  useEffect(() => {
    const mine = { name, filter, begins };
    subject.value = mine;
    return () => {
      if (subject.peek() === mine) subject.value = null;
    };
  }, [name, JSON.stringify(filter), begins]);
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
      const present = now.peek();
      const [before, after] = await Promise.all([
        lastChange(open, present, abortSignal),
        nextChange(open, present, abortSignal),
      ]);
      return { previous: before ?? null, next: after?.date ?? null };
    },
    [JSON.stringify(open && [open.filter, open.begins])],
  );
}

/** The date of the subject's last change up to an instant in milliseconds. */
export function lastChange({ filter }: Subject, until: number, abortSignal?: AbortSignal): Promise<string | undefined> {
  const query = { ...filter, to: new Date(until).toISOString(), limit: 1 };
  return firstDate(query, abortSignal);
}

/** A change to come; `isBeginning` is that of a repetition, whose date is the earliest. */
interface NextChange {
  readonly date: string;
  readonly isBeginning: boolean;
}

/** The subject's first change after an instant in milliseconds. */
export async function nextChange(
  { filter, begins }: Subject,
  after: number,
  abortSignal?: AbortSignal,
): Promise<NextChange | undefined> {
  const query = { ...filter, from: new Date(Math.floor(after) + 1).toISOString(), limit: 1 };
  const date = await firstDate(query, abortSignal);
  const coming = next.peek();
  if (begins && coming !== null && (date === undefined || coming < date)) return { date: coming, isBeginning: true };
  return date === undefined ? undefined : { date, isBeginning: false };
}

async function firstDate(query: TimelineFilter, abortSignal: AbortSignal | undefined): Promise<string | undefined> {
  const [change] = await list("getTimeline", { query, ...(abortSignal && { signal: abortSignal }) });
  return change?.date;
}
