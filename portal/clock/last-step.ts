import { effect, signal, untracked } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ChangeDescription, ClockMove } from "../../src/public/control.ts";
import { list } from "../data/api.ts";
import { connection, now, previousChangeAt, speed } from "../data/state.ts";

/**
 * The last step: a move of the clock from this page, or the last change that the clock passed in another way. Views
 * mark what the step changed, until the next step.
 */

/** The changes of the last step: those that happened, or were undone. */
const changes = signal<readonly ChangeDescription[]>([]);

const stepCount = signal(0);

/** The number of moves made on this page. */
const moveCount = signal(0);

/** The instant to which this page last moved the clock; empty before the first move. */
let target = "";

/** Records a move made on this page as the last step, before its changes are on screen. */
export function recordMove({ now: instant, applied, undone }: ClockMove): void {
  moveCount.value++;
  startStep();
  [target, changes.value] = [instant, [...applied, ...undone]];
}

/** Starts a step: views then compare with the values that they have now. */
function startStep(): void {
  [stepCount.value, changes.value] = [stepCount.peek() + 1, []];
}

/** Returns a check that no other move was made here, and that the clock, unless it runs, has not left its instant. */
export function createMoveCheck(): () => boolean {
  const [move, instant] = [moveCount.peek(), now.peek()];
  return () => moveCount.value === move && (speed.value !== 0 || now.value === instant);
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

/** Returns a check whether a value of an item differs from the value before the last step. */
export function useChanged(name: string, values: Values | undefined): (member: string) => boolean {
  const memory = useMemo<{ step: number; before?: Values | undefined; latest?: Values | undefined }>(
    () => ({ step: stepCount.value }),
    [name],
  );
  if (memory.step !== stepCount.value) [memory.step, memory.before] = [stepCount.value, memory.latest];
  memory.latest = values ?? memory.latest;
  const { before, latest } = memory;
  return (member) => before !== undefined && JSON.stringify(before[member]) !== JSON.stringify(latest?.[member]);
}

/** The date of the last change that this page knows of; undefined before the first pulse of an environment. */
let knownChangeAt: string | null | undefined;

effect(() => {
  const date = previousChangeAt.value;
  if (connection.value === "starting") {
    [knownChangeAt, target] = [undefined, ""];
    untracked(startStep);
  } else if (connection.value === "live") {
    const before = knownChangeAt;
    knownChangeAt = date;
    if (before !== undefined && date !== before) untracked(() => void handleNewLastChange(date, before ?? ""));
  }
});

/** Starts a step for a new last change, unless a move of this page is its cause. */
async function handleNewLastChange(date: string | null, before: string): Promise<void> {
  if ((date ?? "") <= target && now.peek() >= Date.parse(target)) return;
  startStep();
  if (date === null || date < before) return;
  const step = stepCount.peek();
  const dateChanges = await list("getTimeline", { query: { from: date, to: date } }).catch(() => []);
  if (stepCount.peek() === step && changes.peek().length === 0) changes.value = dateChanges;
}
