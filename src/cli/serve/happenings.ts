import type { Environment } from "../../environment/environment.ts";
import { summaryOf } from "../../environment/effects.ts";
import type { State } from "../../environment/state.ts";
import { happeningsOf } from "../../model/words.ts";
import type { Change, Fault } from "../../model/resources.ts";
import { type Instant, never } from "../../time/instant.ts";
import { compareText } from "../../model/order.ts";
import { isUuid } from "../../text/text.ts";
import { firstRows } from "../output/text.ts";

/** The maximum number of lines at once: more would scroll the terminal. */
const maxShownLines = 10;

/** Milliseconds to gather changes. A fast clock has more of them than anybody can read. */
function printDelay({ internals: { clock } }: Environment): number {
  return clock.speed > 1 ? 1000 : 50;
}

/** The longest time that a timer can have; with a longer one, Node would fire it at once. */
const maxTimer = 2 ** 31 - 1;

/**
 * Prints a line for each happening when the clock reaches it. Checks only after a change and at the next due instant,
 * so an idle environment costs nothing. Returns a function to stop.
 */
export function showHappenings(environment: Environment, print: (lines: readonly string[]) => void): () => void {
  let timer: { readonly at: number; readonly timeout: NodeJS.Timeout } | undefined;
  let ended = false;
  let seen = seenOf(environment);

  /** Schedules a check for happenings, unless an earlier one is scheduled. */
  const lookIn = (milliseconds: number): void => {
    const at = performance.now() + milliseconds;
    if (ended || milliseconds === Infinity || (timer && timer.at <= at)) return;
    clearTimeout(timer?.timeout);
    timer = { at, timeout: setTimeout(() => void look(), Math.min(milliseconds, maxTimer)).unref() };
  };
  const look = async (): Promise<void> => {
    timer = undefined;
    // A reset rejects a pending advance of the clock; the next check comes after the reset.
    await environment.whenCaughtUp(() => {}).catch(() => {});
    if (ended) return;
    const lines = linesSince(seen, environment);
    seen = seenOf(environment);
    if (lines.length > 0) print(lines);
    lookIn(untilNext(environment));
  };
  const forget = environment.onChange(() => lookIn(printDelay(environment)));
  lookIn(untilNext(environment));
  return () => {
    ended = true;
    forget();
    clearTimeout(timer?.timeout);
  };
}

type Seen = ReturnType<typeof seenOf>;

/** The printed part of an environment. */
function seenOf(environment: Environment) {
  const { generation, internals } = environment;
  const { now, state } = environment.read();
  return {
    generation,
    now,
    /** Number of changes ever put on the timeline. */
    issued: internals.history.timeline.insertedCount,
    faults: [...state.faults].filter((fault) => internals.faultUses.isActive(fault, now)),
  };
}

/** Milliseconds of real time until something is due; Infinity if nothing is, or the clock is paused. */
function untilNext(environment: Environment): number {
  const { now, state } = environment.read();
  const { clock, history, runs } = environment.internals;
  const dates = [
    history.timeline.changes[state.position]?.date,
    ...Array.from(state.faults, ({ until }) => until),
    ...Array.from(state.keys, ({ revoke_date }) => revoke_date),
  ].filter((date) => date !== undefined && date !== null && date > now && date < never);
  // A repetition may have become due since the last check.
  const repetition = runs.nextDate();
  const start = repetition === never ? Infinity : Date.parse(repetition);
  const next = dates.reduce((first, date) => Math.min(first, Date.parse(date ?? never)), start);
  const wait = clock.speed === 0 ? Infinity : Math.ceil((next - clock.nowMs) / clock.speed);
  return Math.max(wait, printDelay(environment));
}

/** The lines since the last check; none after the clock was set back, a reset or a restore. */
function linesSince(seen: Seen, environment: Environment): string[] {
  const { now, state } = environment.read();
  if (seen.generation !== environment.generation || now < seen.now) return [];
  const { timeline } = environment.internals.history;
  const first = timeline.countUntil(Date.parse(seen.now) - 1);
  const changes = timeline.changes
    .slice(first, state.position)
    .filter(({ date, sequence }) => date > seen.now || sequence >= seen.issued);
  const worded = changes.map((change) => ({ ...change, ...summaryOf(change, state) }));
  const begun = happeningsOf(worded).map(({ date, subject_id, words }) => {
    return { date, subject: subjectName(subject_id, state), words };
  });
  const all = [...begun, ...endings(seen, changes, environment)];
  const happenings = all.toSorted((left, right) => compareText(left.date, right.date));
  const rows = happenings.slice(0, maxShownLines).map(({ date, subject, words }) => {
    const [day, time] = [date.slice(0, 10), date.slice(11, 19)];
    return [now.startsWith(day) ? time : `${day} ${time}`, subject, [...new Set(words)].join(" · ")];
  });
  const hidden = happenings.slice(maxShownLines).reduce((sum, { words }) => sum + words.length, 0);
  return firstRows(rows, rows.length + hidden);
}

/** Ended faults, and keys past their revoke date. */
function endings(seen: Seen, changes: readonly Change[], { internals, keys }: Environment) {
  const { now, state } = internals.history.read();
  const isOver = (date: Instant | null): date is Instant => date !== null && date > seen.now && date <= now;
  const newFaults = changes.flatMap((change) => (change.kind === "new_fault" ? [change.fault] : []));
  const ids = new Set(Array.from(state.faults, ({ id }) => id));
  const over = [...seen.faults, ...newFaults].filter(
    (fault) => !ids.has(fault.id) || !internals.faultUses.isActive(fault, now),
  );
  const changed = new Set(changes.map((change) => change.kind === "key" && change.key_id));
  return [
    ...over.map((fault) => {
      return { date: isOver(fault.until) ? fault.until : now, subject: faultName(fault), words: ["ends"] };
    }),
    ...keys.flatMap(({ id, label, revoke_date: date }) => {
      return isOver(date) && !changed.has(id) ? [{ date, subject: `key ${label ?? id}`, words: ["revoked"] }] : [];
    }),
  ];
}

/** `fault-1`, or the first letters of the UUID of a scenario's fault. */
function faultName({ id }: Pick<Fault, "id">): string {
  return isUuid(id) ? `fault ${id.slice(0, 8)}` : id;
}

/** `Aurora Robotics #130` */
function subjectName(id: string, state: State): string {
  const nameOf = (offering: string): string => state.offering(offering)?.name ?? offering;
  const investment = state.investment(id);
  if (investment) return `${nameOf(investment.offering_id)} #${investment.investment_number}`;
  const key = state.key(id);
  if (key) return `key ${key.label ?? id}`;
  return state.offering(id)?.name ?? faultName({ id });
}
