import type { ChangeDescription, ClockAdvance, ClockReading, ClockReturn } from "../../src/control.ts";
import { call, Problem } from "../server/api.ts";
import { command, say, type ToastAction } from "../server/commands.ts";
import { count, instant, number, pace } from "../format.ts";
import { environmentId } from "../routes.ts";
import { now, showClock, speed } from "../server/state.ts";
import { lastChange, neighboursOf, type Subject, subject } from "./subject.ts";

/** The commands to set the clock; each says its result. */

type Moved = ClockReading & Partial<ClockAdvance> & Partial<ClockReturn>;

/** Sets the clock to an instant in milliseconds, on or back. */
export function setClock(to: number): Promise<Moved | undefined> {
  return move(() => goTo(to));
}

/** Advances, or sets back: both answers tell the changes between. */
function goTo(to: number): Promise<Moved> {
  const date = iso(to);
  return to > now.value ? call("advanceClock", { body: { to: date } }) : call("setClock", { body: { now: date } });
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
export function stepOn(of: Subject | null = null): Promise<Moved | undefined> {
  if (!of) return move(() => call("advanceClock", { body: { to: "next" } }));
  return move(async () => {
    const { next } = await neighboursOf(of);
    if (next === null) throw new Problem(`No change of ${of.name} is to come.`, 0, "");
    return call("advanceClock", { body: { to: next } });
  }, of);
}

/** The last step back: from a clock that runs fast, the next step goes on from there. */
let lastStep = { name: "", to: 0, at: -Infinity };

/** Milliseconds for which a step back counts as the last, as in the sandbox. */
const lastingStep = 2000;

/** Steps back to the change before the last applied one, of a subject or of anything. */
export function stepBack(of: Subject | null = null): Promise<Moved | undefined> {
  if (!of) return move(() => call("setClock", { body: { now: "previous" } }));
  return move(async () => {
    const isRecent = lastStep.name === of.name && performance.now() - lastStep.at < lastingStep;
    const isAgain = speed.value !== 0 && isRecent;
    const last = await lastChange(of, isAgain ? lastStep.to : await present());
    if (last === undefined) throw new Problem(`There is no change of ${of.name} to take back.`, 0, "");
    const before = Date.parse(last) - 1;
    const to = Date.parse((await lastChange(of, before)) ?? iso(before));
    lastStep = { name: of.name, to, at: performance.now() };
    return call("setClock", { body: { now: iso(to) } });
  }, of);
}

/** The sandbox's own present in milliseconds: the page only counts it on. */
async function present(): Promise<number> {
  return Date.parse((await call("getClock")).now);
}

export function setSpeed(to: number): Promise<Moved | undefined> {
  const message = to === 0 ? "The clock stands still." : `The clock runs at ${pace(to)}.`;
  return command(async () => showMoved(await call("setClock", { body: { speed: to } }), message), undefined, fail);
}

let lastMove: Promise<unknown> = Promise.resolve();

/**
 * Moves the clock, after the moves before, and says the changes: first those of the subject that is open, or of the one
 * given.
 */
function move(run: () => Promise<Moved>, of = subject.peek()): Promise<Moved | undefined> {
  const moved = lastMove.then(() => command(() => show(run, of), undefined, fail));
  lastMove = moved;
  return moved;
}

/** Of several moves in a row, the last one's message stays. */
function fail({ message }: Problem): void {
  say(message, { isError: true, topic: "clock" });
}

async function show(run: () => Promise<Moved>, of: Subject | null = null): Promise<Moved> {
  const [before, environment] = [now.value, environmentId.peek()];
  const reading = await run();
  const { applied_count: applied = 0, taken_back_count: takenBack = 0 } = reading;
  const undo = {
    label: "Undo",
    run: () => {
      if (environmentId.peek() === environment) void move(() => goTo(before), of);
    },
  };
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
  const changed = [...applied, ...takenBack];
  // An answer lists the first thousand: of more, nobody knows here whose they are.
  const own = changed.length < total ? [] : changed.filter((change) => isOf(change, of));
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
