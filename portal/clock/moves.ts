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

/** The commands that move the clock or undo. They run one after another, and each shows its result. */

const maxActions = 10;

/** An action of this tab: what the sandbox has to undo, in an environment. */
interface Action {
  readonly environment: string;
  readonly last: string;
}

/** The actions of this tab, the newest last. */
const actions = tabSignal<readonly Action[]>("actions", []);

/** The number of moves without a response. */
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
export function setClock(instant: number): Promise<ClockMove | undefined> {
  const body = { now: new Date(instant).toISOString(), ...subject.peek()?.filter };
  return enqueueMove(() => runMove(() => call("setClock", { body })));
}

/** Sets the clock to what a person typed: an instant, `now` or `fixture`. Rejects if it is invalid. */
export function setClockTo(instant: string): Promise<ClockMove> {
  const body = { now: instant, ...subject.peek()?.filter };
  return enqueueMove(() => applyMove(() => call("setClock", { body })));
}

/** Advances the clock by a duration: `1h`, `1d`. */
export function advance(by: string): Promise<ClockMove | undefined> {
  const body = { by, ...subject.peek()?.filter };
  return enqueueMove(() => runMove(() => call("advanceClock", { body })));
}

/**
 * Steps to the next change of a subject, or of anything. Does nothing if there is none, or if `canStep`, called right
 * before the step, returns false.
 */
export function stepForward(stepSubject: Subject | null = null, canStep = () => true): Promise<ClockMove | undefined> {
  const body = { to: "next", if_any: true, ...stepSubject?.filter };
  return enqueueMove(async () =>
    canStep() ? runMove(() => call("advanceClock", { body }), { isStep: true }) : undefined,
  );
}

/** Undoes the last applied change of a subject, or of anything: the clock steps back before it. */
export function stepBack(stepSubject: Subject | null = null): Promise<ClockMove | undefined> {
  const body = { now: "previous", if_any: true, ...stepSubject?.filter };
  return enqueueMove(() => runMove(() => call("setClock", { body }), { isStep: true }));
}

export function setSpeed(clockSpeed: number): Promise<ClockMove | undefined> {
  const message = clockSpeed === 0 ? "The clock is paused." : `The clock runs at ${formatSpeed(clockSpeed)}.`;
  return command(async () => {
    const reading = await call("setClock", { body: { speed: clockSpeed } });
    showClock(reading);
    showMessage(message, { isTrue: () => speed.value === clockSpeed });
    return reading;
  });
}

/** Undoes the last action of this tab in the environment on screen, which may be under way. */
export async function undo(): Promise<void> {
  const filter = subject.peek()?.filter;
  await enqueueMove(async () => {
    const action = lastAction();
    if (!action) return showMessage("Nothing to undo.");
    const run = async (): Promise<ClockMove> => {
      const result = await call("undo", { body: { last: action.last, ...filter } });
      actions.value = actions.value.filter((item) => item !== action);
      return result;
    };
    await runMove(run, { isUndo: true });
  });
}

/** Records what can be undone: the instant to which a move set the clock, or the id of a changed investment. */
export function recordAction(last: string): void {
  actions.value = [...actions.value, { environment: environmentId.peek(), last }].slice(-maxActions);
}

/** Returns the button of a message to undo the last action; undefined if there is none. */
export function undoAction(label: "Undo" | "Undo more" = "Undo"): MessageAction | undefined {
  return lastAction() && { label, run: () => void undo() };
}

function lastAction(): Action | undefined {
  return actions.value.findLast(({ environment }) => environment === environmentId.value);
}

type Run = () => Promise<ClockMove>;

interface MoveOptions {
  readonly isUndo?: boolean;
  /** Whether a move without a change is not shown, and the last message stays. */
  readonly isStep?: boolean;
}

function showError({ message }: Problem): void {
  showMessage(message, { isError: true, isTrue: createMoveCheck() });
}

/** Runs a move and shows its result or its error. */
function runMove(run: Run, options?: MoveOptions): Promise<ClockMove | undefined> {
  return command(() => applyMove(run, options), undefined, showError);
}

/** Runs a move and shows its result, unless the page shows another environment meanwhile. */
async function applyMove(run: Run, { isUndo = false, isStep = false }: MoveOptions = {}): Promise<ClockMove> {
  const environment = environmentId.peek();
  const result = await run();
  if (environmentId.peek() !== environment || (isStep && changesNothing(result))) return result;
  recordMove(result);
  showClock(result);
  if (!isUndo) recordAction(result.now);
  showMessage(result.summary, { action: undoAction(isUndo ? "Undo more" : "Undo"), isTrue: createMoveCheck() });
  return result;
}

export function changesNothing({ applied_count, undone_count, stopped }: ClockMove): boolean {
  return applied_count + undone_count + stopped.length === 0;
}
