import type { ChangeDescription, ClockAdvance, ClockReading, ClockReturn } from "../../src/control.ts";
import { call, Problem } from "../server/api.ts";
import { command, say, type ToastAction } from "../server/commands.ts";
import { count, instant, number, pace } from "../format.ts";
import { now, showClock } from "../server/state.ts";
import { lastChange, nextChange, type Subject, subject } from "./subject.ts";

/** The commands to set the clock; each says its result. */

type Moved = ClockReading & Partial<ClockAdvance> & Partial<ClockReturn>;

/** Sets the clock to an instant in milliseconds, on or back. */
export function setClock(to: number): Promise<Moved | undefined> {
  return move(() => {
    const date = iso(to);
    return to > now.value ? call("advanceClock", { body: { to: date } }) : call("setClock", { body: { now: date } });
  });
}

/** Sets the clock to a typed text: an instant, `now` or `fixture`. Throws the mistake in it. */
export function setClockTo(text: string): Promise<Moved> {
  return show(() => call("setClock", { body: { now: text } }));
}

/** `1h`, `1d`. */
export function advance(by: string): Promise<Moved | undefined> {
  return move(() => call("advanceClock", { body: { by } }));
}

/** Steps on to the next change, of a subject or of anything. */
export async function stepOn(of: Subject | null = null): Promise<Moved | undefined> {
  if (!of) return move(() => call("advanceClock", { body: { to: "next" } }));
  return move(async () => {
    const to = await nextChange(of);
    if (to === undefined) throw new Problem(`No change of ${of.name} is to come.`, 0, "");
    return call("advanceClock", { body: { to } });
  }, of);
}

/** Steps back to the change before the last applied one, of a subject or of anything. */
export async function stepBack(of: Subject | null = null): Promise<Moved | undefined> {
  if (!of) return move(() => call("setClock", { body: { now: "previous" } }));
  return move(async () => {
    const last = await lastChange(of, now.value);
    if (last === undefined) throw new Problem(`There is no change of ${of.name} to take back.`, 0, "");
    const before = Date.parse(last) - 1;
    const to = (await lastChange(of, before)) ?? iso(before);
    return call("setClock", { body: { now: to } });
  }, of);
}

export function setSpeed(speed: number): Promise<Moved | undefined> {
  const message = speed === 0 ? "The clock stands still." : `The clock runs at ${pace(speed)}.`;
  return command(async () => showMoved(await call("setClock", { body: { speed } }), message), undefined, fail);
}

/** Moves the clock and says the changes: first those of the subject that is open, or of the one given. */
function move(run: () => Promise<Moved>, of = subject.peek()): Promise<Moved | undefined> {
  return command(() => show(run, of), undefined, fail);
}

/** Of several moves in a row, the last one's message stays. */
function fail({ message }: Problem): void {
  say(message, { isError: true, topic: "clock" });
}

async function show(run: () => Promise<Moved>, of: Subject | null = null): Promise<Moved> {
  const before = now.value;
  const reading = await run();
  const { applied_count: applied = 0, taken_back_count: takenBack = 0 } = reading;
  const undo = { label: "Undo", run: () => void move(() => call("setClock", { body: { now: iso(before) } }), null) };
  return showMoved(reading, messageOf(reading, of), applied + takenBack > 0 ? undo : undefined);
}

function showMoved(reading: Moved, message: string, action?: ToastAction): Moved {
  showClock(reading);
  say(message, { topic: "clock", action });
  return reading;
}

/** The changes that a move applied or took back: those of a subject in words, others by their number. */
function messageOf(moved: Moved, of: Subject | null): string {
  const { applied = [], applied_count: happened = 0, taken_back: takenBack = [], taken_back_count: lost = 0 } = moved;
  const total = happened + lost;
  if (total === 0) return `It is ${instant(moved.now)} UTC. No change lies between.`;
  const own = [...applied, ...takenBack].filter((change) => isOf(change, of));
  const changes = own.length === 0 || !of ? count(total, "change") : inWords(own, of, total - own.length);
  if (lost > 0) return `Taken back: ${changes}. The timeline keeps ${lost === 1 ? "it" : "them"}.`;
  return `${changes}${own.length === 0 ? " happened" : ""}. It is ${instant(moved.now)} UTC.`;
}

function isOf({ subject_id, run }: ChangeDescription, of: Subject | null): boolean {
  if (!of) return false;
  return "run" in of.filter ? run === of.filter.run : subject_id === of.filter.investment_id;
}

/** `#148: payment succeeded; status CLOSED, and 2 changes of others`. */
function inWords(changes: readonly ChangeDescription[], { name }: Subject, others: number): string {
  const summaries = changes.map(({ summary }) => summary.replace(/^investment: /, ""));
  const last = summaries.length > 3 ? [`${number(summaries.length - 2)} changes`, ...summaries.slice(-2)] : summaries;
  return `${name}: ${last.join("; ")}${others === 0 ? "" : `, and ${count(others, "change")} of others`}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
