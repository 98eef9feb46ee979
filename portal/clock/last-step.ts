import { effect, signal, untracked } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ChangeDescription, ClockMove } from "../../src/public/control.ts";
import { list } from "../data/api.ts";
import { connection, now, previous, speed } from "../data/state.ts";

/**
 * The last step: a move of the clock from this page, or the last change that the clock passed in another way. Views
 * mark what the step changed, until the next one.
 */

/** The changes of the last step: those that happened, or were undone. */
const changes = signal<readonly ChangeDescription[]>([]);

/** Counts the steps. */
const steps = signal(0);

/** Counts the moves made on this page. */
const moves = signal(0);

/** The instant to which this page last set the clock; empty before the first move. */
let target = "";

/** Notes a move made on this page as the last step, before its changes are on screen. */
export function noteMove({ now: instant, applied, undone }: ClockMove): void {
  moves.value++;
  begin();
  [target, changes.value] = [instant, [...applied, ...undone]];
}

/** Freezes the values that views compare with: those before the step. */
function begin(): void {
  [steps.value, changes.value] = [steps.peek() + 1, []];
}

/** Returns a check: no other move was made here, and the clock, unless it runs, has not left its instant. */
export function lasting(): () => boolean {
  const [mine, at] = [moves.peek(), now.peek()];
  return () => moves.value === mine && (speed.value !== 0 || now.value === at);
}

/** With more marks than this, a list shows none: its whole page would glow. */
const maxMarks = 10;

/** Whether the last step changed an investment; with a date, at this instant. */
export function isChanged(subjectId: string, date?: string): boolean {
  const rows = new Set(
    date === undefined
      ? changes.value.map(({ subject_id }) => subject_id)
      : changes.value.filter(({ subject_id }) => subject_id === subjectId).map((change) => change.date),
  );
  return rows.size <= maxMarks && rows.has(date ?? subjectId);
}

type Values = Readonly<Record<string, unknown>>;

/** The values of an item before the last step, and the latest values. */
interface Memory {
  readonly name: string;
  step: number;
  before: Values | undefined;
  latest: Values | undefined;
}

/** Returns which values of an item differ from those before the last step. */
export function useChanged(name: string, values: Values | undefined): (member: string) => boolean {
  const memory = useRef<Memory>(null);
  if (memory.current?.name !== name) memory.current = { name, step: steps.value, before: undefined, latest: undefined };
  const seen = memory.current;
  if (seen.step !== steps.value) [seen.step, seen.before] = [steps.value, seen.latest];
  seen.latest = values ?? seen.latest;
  const { before, latest } = seen;
  return (member) => before !== undefined && JSON.stringify(before[member]) !== JSON.stringify(latest?.[member]);
}

/** The last change up to now that this page knows of; undefined before the first news of an environment. */
let last: string | null | undefined;

effect(() => {
  const date = previous.value;
  if (connection.value === "starting") {
    [last, target] = [undefined, ""];
    untracked(begin);
  } else if (connection.value === "live") {
    untracked(() => {
      if (last !== undefined && date !== last) void pass(date, last ?? "");
    });
    last = date;
  }
});

/**
 * Handles a new last change up to now. Its cause is the last move made here, running time, or a command from elsewhere.
 */
async function pass(date: string | null, before: string): Promise<void> {
  if ((date ?? "") <= target && now.peek() >= Date.parse(target)) return;
  begin();
  if (date === null || date < before) return;
  const mine = steps.peek();
  const found = await list("getTimeline", { query: { from: date, to: date } }).catch(() => []);
  if (steps.peek() === mine && changes.peek().length === 0) changes.value = found;
}
