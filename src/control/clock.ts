import type {
  ChangeDescription,
  ClockAdvance,
  ClockReading,
  ClockReturn,
  ClockSetting,
  StepSubject,
  StoppedRun,
} from "../public/control.ts";
import type { EnvironmentClock } from "../environment/clock.ts";
import type { Environment } from "../environment/environment.ts";
import type { StateView } from "../environment/state.ts";
import { ControlError } from "../errors/control-error.ts";
import { inputLimits } from "../bounds/bounds.ts";
import type { Change } from "../model/resources.ts";
import { readDuration } from "../time/duration.ts";
import { formatInstant, type Instant, instantAfter, never, readInstant } from "../time/instant.ts";
import type { Handlers } from "./call.ts";
import { describeChange } from "./describe.ts";
import { selectionOf } from "./timeline.ts";

/** The handlers of the operations on the clock. */
export const clockHandlers = {
  getClock: ({ environment }) => ({ now: environment.read().now, speed: environment.parts.clock.speed }),

  setClock({ environment, body: setting }) {
    const { now, speed } = setting;
    if (now === "previous") return stepBack(environment, setting, speed);
    return setTo(environment, { now: instantFor(environment, now), speed });
  },

  /** Advances by a duration, or to an instant, which may be a word. */
  async advanceClock({ environment, body: { by, to: target = "", ...subject } }) {
    if (by !== undefined) return moveForward(environment, (clock) => clock.advance(readDuration(by) ?? 0));
    if (target === "next") return stepForward(environment, subject);
    const to = readInstant(instantFor(environment, target)) ?? "";
    if (Date.parse(to) < environment.parts.clock.milliseconds)
      throw new ControlError("conflict", "The clock is past that already; set it to go back.");
    return moveForward(environment, (clock) => clock.advanceTo(to));
  },
} satisfies Partial<Handlers>;

/** Sets the clock, and lists the undone changes. */
async function setTo(environment: Environment, setting: ClockSetting): Promise<ClockReading & Partial<ClockReturn>> {
  // Clients could see every change up to now, even if nobody read it: all of them are listed as undone.
  const { state } = environment.read();
  const { clock, history } = environment.parts;
  const { timeline } = history;
  const before = state.position;
  const reading = clock.set(setting);
  const remaining = timeline.countUntil(Date.parse(reading.now));
  // Described before the clock moves, while the state still has the resources.
  const undone = describeChanges(
    timeline.changes.slice(remaining, Math.min(before, remaining + inputLimits.applied)),
    state,
  );
  const back = remaining < before ? { undone, undone_count: before - remaining } : {};
  return environment.whenCaughtUp(() => ({ ...reading, ...back }));
}

/** Returns the instant for a word: `now` is the machine's, `fixture` the fixture's. */
function instantFor({ parts }: Environment, instant: Instant | undefined): Instant | undefined {
  if (instant === "now") return formatInstant(Date.now());
  return instant === "fixture" ? parts.history.dataset.now : instant;
}

/** Moves the clock. `applied` ends at the new instant, even if the clock runs on. */
async function moveForward(
  environment: Environment,
  move: (clock: EnvironmentClock) => ClockReading,
  stoppedBefore = stoppedRuns(environment),
): Promise<ClockAdvance> {
  const { era } = environment;
  const { clock, history } = environment.parts;
  const before = history.state.position;
  const reading = move(clock);
  return environment.whenCaughtUp(({ state }) => {
    if (environment.era !== era) {
      throw new ControlError("conflict", "The environment was reset or restored before its clock had caught up.");
    }
    const { timeline } = history;
    const count = Math.max(0, timeline.countUntil(Date.parse(reading.now)) - before);
    const applied = describeChanges(
      timeline.changes.slice(before, before + Math.min(count, inputLimits.applied)),
      state,
    );
    const known = new Set(stoppedBefore.map(({ id }) => id));
    const stopped = stoppedRuns(environment).filter(({ id }) => !known.has(id));
    return { ...reading, applied, applied_count: count, stopped };
  });
}

function stoppedRuns({ parts }: Environment): StoppedRun[] {
  return parts.runs.all.flatMap(({ id, scenario, problem }) =>
    problem === null ? [] : [{ id, scenario: scenario.name, problem }],
  );
}

/**
 * Advances to the next change, of a subject or of anything. If a repetition has it, the repetition begins now, with the
 * same changes as at its time. The clock may have moved meanwhile, so the search starts again; nothing runs between the
 * last look and the move.
 */
export async function stepForward(
  environment: Environment,
  subject: StepSubject = {},
  stoppedBefore = stoppedRuns(environment),
): Promise<ClockAdvance> {
  const { runs } = environment.parts;
  const { changes, applied, coming } = selectionOf(environment, subject);
  const next = changes[applied]?.date ?? never;
  if (coming < next) {
    await runs.catchUp(coming);
    return environment.whenCaughtUp(() => stepForward(environment, subject, stoppedBefore));
  }
  if (next !== never) return moveForward(environment, (clock) => clock.advanceTo(next), stoppedBefore);
  const waiting = runs.all.filter((run) => runs.describe(run).status === "waiting").map(({ id }) => id);
  const why =
    waiting.length === 0 ? "" : ` Steps wait for reads, or to be played: see ${waiting.slice(0, 12).join(", ")}.`;
  throw new ControlError("conflict", `No change is to come.${why}`);
}

/**
 * Sets the clock to before the last applied change of a subject or of anything: to the change before it, or to 1 ms
 * before the first.
 */
export async function stepBack(
  environment: Environment,
  subject: StepSubject = {},
  speed?: number,
): Promise<ClockReturn> {
  const { changes, applied } = selectionOf(environment, subject);
  const last = changes[applied - 1];
  if (!last) throw new ControlError("conflict", "There is no change to undo.");
  const now = changes.findLast(({ date }) => date < last.date)?.date ?? instantAfter(last.date, -1);
  return { undone: [], undone_count: 0, ...(await setTo(environment, { now, speed })) };
}

function describeChanges(changes: readonly Change[], state: StateView): ChangeDescription[] {
  return changes.map((change) => describeChange(change, state));
}
