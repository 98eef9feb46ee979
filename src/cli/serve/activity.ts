import type { Environment } from "../../environment/environment.ts";
import { summaryOf } from "../../environment/effects.ts";
import type { State } from "../../environment/state.ts";
import { groupChanges } from "../../model/summaries.ts";
import type { Change, Fault } from "../../model/resources.ts";
import { type Instant, never } from "../../time/instant.ts";
import { compareText } from "../../model/order.ts";
import { isUuid } from "../../text/text.ts";
import { formatFirstRows } from "../output/text.ts";

/** The maximum number of lines at once: more would scroll the terminal. */
const maxShownLines = 10;

/** Returns the delay to gather changes. With a fast clock, changes come faster than a person can read. */
function printDelayMs({ internals: { clock } }: Environment): number {
  return clock.speed > 1 ? 1000 : 50;
}

/** The longest delay of a timer. Node would fire a timer with a longer delay at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Prints a line for each activity when the clock reaches it. Checks only after a change and at the next due instant, so
 * an idle environment costs nothing. Returns a function to stop.
 */
export function showActivity(environment: Environment, print: (lines: readonly string[]) => void): () => void {
  let timer: { readonly at: number; readonly timeout: NodeJS.Timeout } | undefined;
  let isEnded = false;
  let printedState = printedStateOf(environment);

  /** Schedules a check for activity, unless an earlier check is scheduled. */
  const scheduleCheck = (delayMs: number): void => {
    const checkAt = performance.now() + delayMs;
    if (isEnded || delayMs === Infinity || (timer && timer.at <= checkAt)) return;
    clearTimeout(timer?.timeout);
    timer = { at: checkAt, timeout: setTimeout(() => void check(), Math.min(delayMs, maxTimerMs)).unref() };
  };
  const check = async (): Promise<void> => {
    timer = undefined;
    // A reset rejects a pending advance of the clock; the next check comes after the reset.
    await environment.whenCaughtUp(() => {}).catch(() => {});
    if (isEnded) return;
    const lines = formatActivity(printedState, environment);
    printedState = printedStateOf(environment);
    if (lines.length > 0) print(lines);
    scheduleCheck(delayUntilNext(environment));
  };
  const unsubscribe = environment.onChange(() => scheduleCheck(printDelayMs(environment)));
  scheduleCheck(delayUntilNext(environment));
  return () => {
    isEnded = true;
    unsubscribe();
    clearTimeout(timer?.timeout);
  };
}

type PrintedState = ReturnType<typeof printedStateOf>;

/** Returns the state up to which activity has been printed. */
function printedStateOf(environment: Environment) {
  const { generation, internals } = environment;
  const { now, state } = environment.read();
  return {
    generation,
    now,
    /** The number of changes ever put on the timeline. */
    issued: internals.history.timeline.insertedCount,
    faults: [...state.faults].filter((fault) => internals.faultUses.isActive(fault, now)),
  };
}

/** Returns the real time until the next activity in milliseconds; Infinity without any, or if the clock is paused. */
function delayUntilNext(environment: Environment): number {
  const { now, state } = environment.read();
  const { clock, history, runs } = environment.internals;
  const dates = [
    history.timeline.changes[state.position]?.date,
    ...Array.from(state.faults, ({ until }) => until),
    ...Array.from(state.keys, ({ revoke_date }) => revoke_date),
  ].filter((date) => date !== undefined && date !== null && date > now && date < never);
  // A repetition may have become due since the last check.
  const repetition = runs.nextDate();
  const repetitionTime = repetition === never ? Infinity : Date.parse(repetition);
  const next = dates.reduce((first, date) => Math.min(first, Date.parse(date ?? never)), repetitionTime);
  const delayMs = clock.speed === 0 ? Infinity : Math.ceil((next - clock.nowMs) / clock.speed);
  return Math.max(delayMs, printDelayMs(environment));
}

/** Formats the activity since the last check; empty after the clock was set back, a reset or a restore. */
function formatActivity(printedState: PrintedState, environment: Environment): string[] {
  const { now, state } = environment.read();
  if (printedState.generation !== environment.generation || now < printedState.now) return [];
  const { timeline } = environment.internals.history;
  const first = timeline.countUntil(Date.parse(printedState.now) - 1);
  const changes = timeline.changes
    .slice(first, state.position)
    .filter(({ date, sequence }) => date > printedState.now || sequence >= printedState.issued);
  const describedChanges = changes.map((change) => ({ ...change, ...summaryOf(change, state) }));
  const changeActivity = groupChanges(describedChanges).map(({ date, subject_id, summaries }) => {
    return { date, subject: formatSubject(subject_id, state), summaries };
  });
  const unsortedActivity = [...changeActivity, ...endings(printedState, changes, environment)];
  const activity = unsortedActivity.toSorted((left, right) => compareText(left.date, right.date));
  const rows = activity.slice(0, maxShownLines).map(({ date, subject, summaries }) => {
    const [day, time] = [date.slice(0, 10), date.slice(11, 19)];
    return [now.startsWith(day) ? time : `${day} ${time}`, subject, [...new Set(summaries)].join(" · ")];
  });
  const hiddenCount = activity.slice(maxShownLines).reduce((sum, { summaries }) => sum + summaries.length, 0);
  return formatFirstRows(rows, rows.length + hiddenCount);
}

/** Returns ended faults, and keys past their revoke date. */
function endings(printedState: PrintedState, changes: readonly Change[], { internals, keys }: Environment) {
  const { now, state } = internals.history.read();
  const isOver = (date: Instant | null): date is Instant => date !== null && date > printedState.now && date <= now;
  const newFaults = changes.flatMap((change) => (change.kind === "new_fault" ? [change.fault] : []));
  const ids = new Set(Array.from(state.faults, ({ id }) => id));
  const endedFaults = [...printedState.faults, ...newFaults].filter(
    (fault) => !ids.has(fault.id) || !internals.faultUses.isActive(fault, now),
  );
  const changedKeyIds = new Set(changes.map((change) => change.kind === "key" && change.key_id));
  return [
    ...endedFaults.map((fault) => {
      return { date: isOver(fault.until) ? fault.until : now, subject: formatFaultName(fault), summaries: ["ends"] };
    }),
    ...keys.flatMap(({ id, label, revoke_date: date }) => {
      return isOver(date) && !changedKeyIds.has(id)
        ? [{ date, subject: `key ${label ?? id}`, summaries: ["revoked"] }]
        : [];
    }),
  ];
}

/** Formats the name of a fault: `fault-1`, or the first letters of a scenario fault's UUID. */
function formatFaultName({ id }: Pick<Fault, "id">): string {
  return isUuid(id) ? `fault ${id.slice(0, 8)}` : id;
}

/** Formats the subject of a change: `Aurora Robotics #130`. */
function formatSubject(id: string, state: State): string {
  const nameOf = (offering: string): string => state.offering(offering)?.name ?? offering;
  const investment = state.investment(id);
  if (investment) return `${nameOf(investment.offering_id)} #${investment.investment_number}`;
  const key = state.key(id);
  if (key) return `key ${key.label ?? id}`;
  return state.offering(id)?.name ?? formatFaultName({ id });
}
