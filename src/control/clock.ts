import type { ChangeDescription, ClockMove, ClockReading, StepSubject, StoppedRun } from "../public/control.ts";
import type { EnvironmentClock } from "../environment/clock.ts";
import type { UndoStep } from "../environment/document.ts";
import type { Environment } from "../environment/environment.ts";
import type { History } from "../environment/history.ts";
import { ControlError } from "../errors/control-error.ts";
import { inputLimits } from "../bounds/bounds.ts";
import type { Change } from "../model/resources.ts";
import { readDuration } from "../time/duration.ts";
import { formatInstant, type Instant, instantAfter, never, readInstant } from "../time/instant.ts";
import type { BodyValue } from "./bodies.ts";
import type { Handlers } from "./call.ts";
import { describeChange } from "./describe.ts";
import { formatMoveSummary } from "./move-summary.ts";
import { filteredSubject, selectionOf } from "./timeline.ts";

/** The handlers of the operations on the clock. */
export const clockHandlers = {
  getClock: ({ environment }) => ({ now: environment.read().now, speed: environment.internals.clock.speed }),

  setClock({ environment, body: { now: word, speed, if_any, ...subject } }) {
    if (word === "previous") return stepBack(environment, { if_any, ...subject }, speed);
    const now = instantFor(environment, word);
    return move(environment, subject, (clock) => clock.set({ now, speed }), { speed, isUndoable: now !== undefined });
  },

  /** Advances by a duration, or to an instant, which may be a word. */
  async advanceClock({ environment, body: { by, to: target = "", if_any, ...subject } }) {
    if (by !== undefined) return move(environment, subject, (clock) => clock.advance(readDuration(by) ?? 0));
    if (target === "next") return stepForward(environment, { if_any, ...subject });
    const to = readInstant(instantFor(environment, target)) ?? "";
    if (Date.parse(to) < environment.internals.clock.nowMs)
      throw new ControlError("conflict", "The clock is already past that instant. To go back, set the clock instead.");
    return move(environment, subject, (clock) => clock.advanceTo(to));
  },
} satisfies Partial<Handlers>;

/** Returns the instant for a word: `now` is the machine's, `fixture` the fixture's. */
function instantFor({ internals }: Environment, instant: Instant | undefined): Instant | undefined {
  if (instant === "now") return formatInstant(Date.now());
  return instant === "fixture" ? internals.history.dataset.now : instant;
}

/** The number of commands that can be undone. */
const maxUndoSteps = 10;

/** Adds the step that undoes a command. */
export function addUndoStep({ internals: { undoSteps } }: Environment, step: UndoStep): void {
  if (undoSteps.push(step) > maxUndoSteps) undoSteps.shift();
}

interface MoveOptions {
  /** The speed that the move also sets. */
  readonly speed?: number | undefined;
  /** The runs that were stopped before the move. @default the current ones */
  readonly previouslyStopped?: readonly StoppedRun[];
  /** @default true */
  readonly isUndoable?: boolean;
}

/**
 * Moves the clock in either direction. The result has the changes up to the new instant, even if the clock runs
 * meanwhile. All changes up to the old instant count as applied, because clients could see them.
 */
export async function move(
  environment: Environment,
  subject: StepSubject,
  moveClock: (clock: EnvironmentClock) => ClockReading,
  { speed, previouslyStopped = stoppedRuns(environment), isUndoable = true }: MoveOptions = {},
): Promise<ClockMove> {
  const { generation } = environment;
  const { clock, history } = environment.internals;
  const { timeline } = history;
  const { now, state: stateBefore } = environment.read();
  const { position } = stateBefore;
  // This throws for an unknown subject, before the clock moves.
  const subjectIds = filteredSubject(environment, subject);
  const previousSetting = { now, speed: speed === undefined ? undefined : clock.speed };
  const reading = moveClock(clock);
  const undoneChanges = timeline.changes.slice(timeline.countUntil(Date.parse(reading.now)), position);
  // The changes are described now, while the state still has their resources.
  const undone = describeChanges(undoneChanges, history);
  if (isUndoable) addUndoStep(environment, { last: reading.now, clock: previousSetting });
  return environment.whenCaughtUp(() => {
    if (environment.generation !== generation)
      throw new ControlError("conflict", "The environment was reset or restored before its clock had caught up.");
    const changes = timeline.changes.slice(position, timeline.countUntil(Date.parse(reading.now)));
    const knownIds = new Set(previouslyStopped.map(({ id }) => id));
    const stopped = stoppedRuns(environment).filter(({ id }) => !knownIds.has(id));
    const applied = describeChanges(changes, history);
    const counts = { applied_count: changes.length, undone_count: undoneChanges.length };
    const result = { applied, undone, ...counts, stopped };
    return { ...reading, ...result, summary: formatMoveSummary(environment, subjectIds, result) };
  });
}

function stoppedRuns({ internals }: Environment): StoppedRun[] {
  return internals.runs.all.flatMap(({ id, scenario, problem }) =>
    problem === null ? [] : [{ id, scenario: scenario.name, problem }],
  );
}

/** The subject of a step. With `if_any`, the clock stays as it is without such a change, in place of a conflict. */
type StepSubjectIfAny = StepSubject & Pick<BodyValue<"ClockStep">, "if_any">;

/**
 * Advances to the next change of a subject, or of anything. If the change belongs to a repetition that has not begun,
 * the repetition begins now, with the same changes as at its time. The clock may have moved meanwhile, so the search
 * starts again; nothing runs between the last search and the move.
 */
export async function stepForward(
  environment: Environment,
  options: StepSubjectIfAny = {},
  previouslyStopped = stoppedRuns(environment),
): Promise<ClockMove> {
  const { if_any: isOptional, ...subject } = options;
  const { runs } = environment.internals;
  const { changes, appliedCount, upcomingDate } = selectionOf(environment, subject);
  const next = changes[appliedCount]?.date ?? never;
  if (upcomingDate < next) {
    await runs.catchUp(upcomingDate);
    return environment.whenCaughtUp(() => stepForward(environment, options, previouslyStopped));
  }
  if (next !== never) return move(environment, subject, (clock) => clock.advanceTo(next), { previouslyStopped });
  if (isOptional) return move(environment, subject, readClock, { isUndoable: false });
  const waitingRuns = runs.all.filter((run) => runs.describe(run).status === "waiting").map(({ id }) => id);
  const waiting = ` Steps wait for reads, or to be played: see ${waitingRuns.slice(0, 12).join(", ")}.`;
  throw new ControlError("conflict", `No upcoming change.${waitingRuns.length === 0 ? "" : waiting}`);
}

/** Rewinds the clock to the change before the last applied one of a subject, or of anything; or to before the first. */
export async function stepBack(
  environment: Environment,
  { if_any: isOptional, ...subject }: StepSubjectIfAny = {},
  speed?: number,
): Promise<ClockMove> {
  const { changes, appliedCount } = selectionOf(environment, subject);
  const last = changes[appliedCount - 1];
  if (!last && isOptional) return move(environment, subject, readClock, { isUndoable: false });
  if (!last) throw new ControlError("conflict", "There is no change to undo.");
  const now = changes.findLast(({ date }) => date < last.date)?.date ?? instantAfter(last.date, -1);
  return move(environment, subject, (clock) => clock.set({ now, speed }), { speed });
}

/** Reads the clock, in place of a function that moves it. */
export function readClock({ now, speed }: EnvironmentClock): ClockReading {
  return { now, speed };
}

/** Describes the first changes of a move. */
function describeChanges(changes: readonly Change[], history: History): ChangeDescription[] {
  return changes.slice(0, inputLimits.applied).map((change) => describeChange(change, history));
}
