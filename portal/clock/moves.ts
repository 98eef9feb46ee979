import { signal } from "@preact/signals";
import type { ClockMove } from "../../src/public/control.ts";
import { formatSpeed } from "../base/format.ts";
import { tabSignal } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { call, type Problem } from "../data/api.ts";
import { command, type MessageAction, showMessage } from "../data/commands.ts";
import { showClock, speed } from "../data/state.ts";
import { createMoveCheck, recordMove } from "./last-step.ts";
import { type Subject, subject } from "./subject.ts";

/** The commands that set the clock or undo; each shows its result. */

const maxActions = 10;

/** An action of this tab: what the sandbox has to undo, in an environment. */
interface Action {
  readonly environment: string;
  readonly last: string;
}

/** What was done here, the newest last. */
const actions = tabSignal<readonly Action[]>("actions", []);

/** Number of moves without a response. */
export const pendingMoveCount = signal(0);

let pendingQueue: Promise<unknown> = Promise.resolve();

/** Runs a move after all earlier ones, whether they succeed or not. */
function enqueueMove<Result>(run: () => Promise<Result>): Promise<Result> {
  pendingMoveCount.value++;
  const result = pendingQueue.then(run).finally(() => pendingMoveCount.value--);
  pendingQueue = result.catch(() => {});
  return result;
}

/** Resolves when all moves so far have shown their results. */
export function whenMovesSettle(): Promise<unknown> {
  return pendingQueue;
}

/** Sets the clock to an instant in milliseconds. */
export function setClock(to: number): Promise<ClockMove | undefined> {
  const body = { now: new Date(to).toISOString(), ...subject.peek()?.filter };
  return move(() => call("setClock", { body }));
}

/** Sets the clock to a typed text: an instant, `now` or `fixture`. Throws the error in the text. */
export function setClockTo(text: string): Promise<ClockMove> {
  const body = { now: text, ...subject.peek()?.filter };
  return enqueueMove(() => show(() => call("setClock", { body })));
}

/** `1h`, `1d`. */
export function advance(by: string): Promise<ClockMove | undefined> {
  const body = { by, ...subject.peek()?.filter };
  return move(() => call("advanceClock", { body }));
}

/**
 * Steps to the next change of a subject; null: to the next change of anything. Does nothing if there is none, or if
 * `mayStep`, which is asked right before, returns false.
 */
export function stepForward(of: Subject | null = null, mayStep = () => true): Promise<ClockMove | undefined> {
  const body = { to: "next", if_any: true, ...of?.filter };
  return move(() => call("advanceClock", { body }), { isStep: true, mayMove: mayStep });
}

/** Steps back to the change before the last applied one of a subject; null: of anything. */
export function stepBack(of: Subject | null = null): Promise<ClockMove | undefined> {
  const body = { now: "previous", if_any: true, ...of?.filter };
  return move(() => call("setClock", { body }), { isStep: true });
}

export function setSpeed(to: number): Promise<ClockMove | undefined> {
  const message = to === 0 ? "The clock is paused." : `The clock runs at ${formatSpeed(to)}.`;
  return command(async () => {
    const reading = await call("setClock", { body: { speed: to } });
    showClock(reading);
    showMessage(message, { isTrue: () => speed.value === to });
    return reading;
  });
}

/** Undoes the last action of this tab in the environment on screen, which may be under way. */
export async function undo(): Promise<void> {
  const about = subject.peek()?.filter;
  await move(
    async () => {
      const action = lastAction();
      const moved = await call("undo", { body: { last: action?.last, ...about } });
      actions.value = actions.value.filter((other) => other !== action);
      return moved;
    },
    { isUndo: true, mayMove: hasAction },
  );
}

/** Says so if there is no action to undo. */
function hasAction(): boolean {
  if (!lastAction()) showMessage("There is nothing to undo.");
  return lastAction() !== undefined;
}

/** Notes what can be undone: the instant to which a move set the clock, or the id of a changed investment. */
export function recordAction(last: string): void {
  actions.value = [...actions.value, { environment: environmentId.peek(), last }].slice(-maxActions);
}

/** The button of a message about an action that was done or undone; undefined if none is left to undo. */
export function undoAction(label: "Undo" | "Undo more" = "Undo"): MessageAction | undefined {
  return lastAction() && { label, run: () => void undo() };
}

function lastAction(): Action | undefined {
  return actions.value.findLast(({ environment }) => environment === environmentId.value);
}

type Run = () => Promise<ClockMove>;

interface MoveOptions {
  readonly isUndo?: boolean;
  /** Whether the last message stays where nothing happens. */
  readonly isStep?: boolean;
  /** Whether the move is still wanted when it is its turn. */
  readonly mayMove?: () => boolean;
}

function move(run: Run, { mayMove, ...options }: MoveOptions = {}): Promise<ClockMove | undefined> {
  return enqueueMove(async () =>
    mayMove?.() === false ? undefined : command(() => show(run, options), undefined, showError),
  );
}

function showError({ message }: Problem): void {
  showMessage(message, { isError: true, isTrue: createMoveCheck() });
}

async function show(run: Run, { isUndo = false, isStep = false }: MoveOptions = {}): Promise<ClockMove> {
  const environment = environmentId.peek();
  const moved = await run();
  if (environmentId.peek() !== environment || (isStep && changesNothing(moved))) return moved;
  recordMove(moved);
  showClock(moved);
  if (!isUndo) recordAction(moved.now);
  showMessage(moved.summary, { action: undoAction(isUndo ? "Undo more" : "Undo"), isTrue: createMoveCheck() });
  return moved;
}

export function changesNothing({ applied_count, undone_count, stopped }: ClockMove): boolean {
  return applied_count + undone_count + stopped.length === 0;
}
