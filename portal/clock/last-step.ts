import { effect, signal, untracked } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ChangeDescription, ClockMove } from "../../src/public/control.ts";
import { list } from "../data/api.ts";
import { connection, now, previousChangeAt, speed } from "../data/state.ts";

/**
 * The last step: a move of the clock from this page, or the last change that the clock passed in another way. Views
 * mark what the step changed, until the next one.
 */

/** The changes of the last step: those that happened, or were undone. */
const changes = signal<readonly ChangeDescription[]>([]);

/** Counts the steps. */
const stepCount = signal(0);

/** Counts the moves made on this page. */
const moveCount = signal(0);

/** The instant to which this page last set the clock; empty before the first move. */
let lastChangeAt = "";

/** Notes a move made on this page as the last step, before its changes are on screen. */
export function recordMove({ now: instant, applied, undone }: ClockMove): void {
  moveCount.value++;
  startStep();
  [lastChangeAt, changes.value] = [instant, [...applied, ...undone]];
}

/** Freezes the values that views compare with: those before the step. */
function startStep(): void {
  [stepCount.value, changes.value] = [stepCount.peek() + 1, []];
}

/** Returns a check: no other move was made here, and the clock, unless it runs, has not left its instant. */
export function createMoveCheck(): () => boolean {
  const [mine, at] = [moveCount.peek(), now.peek()];
  return () => moveCount.value === mine && (speed.value !== 0 || now.value === at);
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
  if (memory.current?.name !== name)
    memory.current = { name, step: stepCount.value, before: undefined, latest: undefined };
  const seen = memory.current;
  if (seen.step !== stepCount.value) [seen.step, seen.before] = [stepCount.value, seen.latest];
  seen.latest = values ?? seen.latest;
  const { before, latest } = seen;
  return (member) => before !== undefined && JSON.stringify(before[member]) !== JSON.stringify(latest?.[member]);
}

/** The last change up to now that this page knows of; undefined before the first news of an environment. */
let last: string | null | undefined;

effect(() => {
  const date = previousChangeAt.value;
  if (connection.value === "starting") {
    [last, lastChangeAt] = [undefined, ""];
    untracked(startStep);
  } else if (connection.value === "live") {
    untracked(() => {
      if (last !== undefined && date !== last) void handlePassedChange(date, last ?? "");
    });
    last = date;
  }
});

/**
 * Handles a new last change up to now. Its cause is the last move made here, running time, or a command from elsewhere.
 */
async function handlePassedChange(date: string | null, before: string): Promise<void> {
  if ((date ?? "") <= lastChangeAt && now.peek() >= Date.parse(lastChangeAt)) return;
  startStep();
  if (date === null || date < before) return;
  const mine = stepCount.peek();
  const found = await list("getTimeline", { query: { from: date, to: date } }).catch(() => []);
  if (stepCount.peek() === mine && changes.peek().length === 0) changes.value = found;
}
