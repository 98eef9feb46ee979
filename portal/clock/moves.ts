import type {
  ChangeDescription,
  ClockAdvance,
  ClockReading,
  ClockReturn,
  TimelineOutline,
} from "../../src/public/control.ts";
import type { EffectKind } from "../../src/model/resources.ts";
import { happeningsOf } from "../../src/model/words.ts";
import { call, type Problem } from "../data/api.ts";
import { command, say } from "../data/commands.ts";
import { count, money, number, pace } from "../base/format.ts";
import { environmentId } from "../base/routes.ts";
import { now, showClock, speed } from "../data/state.ts";
import { inTurn, noteStep, undoAction } from "../data/undo.ts";
import { lasting, step } from "./last-step.ts";
import { type Subject, subject } from "./subject.ts";

/** The commands that set the clock; each shows its result. */

type Moved = ClockReading & Partial<ClockAdvance> & Partial<ClockReturn>;

/** Sets the clock forward or back to an instant in milliseconds. */
export function setClock(to: number): Promise<Moved | undefined> {
  return move(() => goTo(to));
}

/** Advances the clock or sets it back: both answers list the changes on the way. */
function goTo(to: number): Promise<Moved> {
  const date = new Date(to).toISOString();
  return to > now.value ? call("advanceClock", { body: { to: date } }) : call("setClock", { body: { now: date } });
}

/** Sets the clock to a typed text: an instant, `now` or `fixture`. Throws the mistake in the text. */
export function setClockTo(text: string): Promise<Moved> {
  return show(() => call("setClock", { body: { now: text } }));
}

/** `1h`, `1d`. */
export function advance(by: string): Promise<Moved | undefined> {
  return move(() => call("advanceClock", { body: { by } }));
}

/** Steps to the next change of a subject; null: to the next change of anything. `mayStep` is asked right before. */
export function stepOn(of: Subject | null = null, mayStep?: MayStep): Promise<Moved | undefined> {
  return stepTo("next", of, () => call("advanceClock", { body: { to: "next", ...of?.filter } }), mayStep);
}

/** Steps back to the change before the last applied one of a subject; null: of anything. */
export function stepBack(of: Subject | null = null): Promise<Moved | undefined> {
  return stepTo("previous", of, () => call("setClock", { body: { now: "previous", ...of?.filter } }));
}

type MayStep = (outline: TimelineOutline) => boolean;

/** Does nothing, and leaves the last message, where there is no such change. */
function stepTo(
  side: "previous" | "next",
  of: Subject | null,
  run: () => Promise<Moved>,
  mayStep: MayStep = () => true,
): Promise<Moved | undefined> {
  const stepThere = async () => {
    // The page may know the neighbours of an earlier instant.
    const outline = await call("getOutline", { query: { ...of?.filter, buckets: 1 } });
    return mayStep(outline) && outline[side] !== null ? show(run, of ?? subject.peek()) : undefined;
  };
  return inTurn(() => command(stepThere, undefined, fail));
}

export function setSpeed(to: number): Promise<Moved | undefined> {
  const message = to === 0 ? "The clock is paused." : `The clock runs at ${pace(to)}.`;
  return command(async () => {
    const reading = await call("setClock", { body: { speed: to } });
    showClock(reading);
    say(message, { isTrue: () => speed.value === to });
    return reading;
  });
}

/** Moves the clock, and shows the changes: the changes of `of` first, by default the open subject. */
function move(run: () => Promise<Moved>, of = subject.peek(), isUndo = false): Promise<Moved | undefined> {
  return inTurn(() => command(() => show(run, of, isUndo), undefined, fail));
}

function fail({ message }: Problem): void {
  say(message, { isError: true, isTrue: lasting() });
}

async function show(run: () => Promise<Moved>, of: Subject | null = null, isUndo = false): Promise<Moved> {
  const [before, environment] = [now.value, environmentId.peek()];
  const reading = await step(run, changesOf);
  showClock(reading);
  // A change does not name its offering.
  const named = of && "offering_id" in of.filter ? null : of;
  const isTrue = lasting();
  const { stopped = [] } = reading;
  const ends = stopped.map(({ id, problem }) => ` ${id} stopped: ${problem}`).join("");
  const text = (await messageOf(reading, named)) + ends;
  if (environmentId.peek() !== environment) return reading;
  if (!isUndo) noteStep(() => move(() => goTo(before), of, true));
  say(text, { action: undoAction(isUndo ? "Undo more" : "Undo"), isTrue });
  return reading;
}

function changesOf({ applied = [], undone = [] }: Moved): readonly ChangeDescription[] {
  return [...applied, ...undone];
}

/** Describes the changes that a move applied or undid: the subject's in words, all others as a number. */
async function messageOf(moved: Moved, of: Subject | null): Promise<string> {
  const { applied_count: happened = 0, undone_count: lost = 0 } = moved;
  const total = happened + lost;
  if (total === 0) return "Nothing changed in between.";
  const all = changesOf(moved);
  const own = all.filter((change) => isOf(change, of));
  // An answer lists only the first thousand changes; the subject of the rest is unknown.
  if (of && own.length > 0 && all.length === total) return `${await stateOf(of, own, lost > 0)}.`;
  if (lost > 0) return `Undone: ${count(total, "change")}. The timeline keeps ${lost === 1 ? "it" : "them"}.`;
  return `${count(total, "change")} happened${of && all.length === total ? `, none of ${of.name}` : ""}.`;
}

function isOf({ subject_id, run }: ChangeDescription, of: Subject | null): boolean {
  if (!of) return false;
  return "run" in of.filter
    ? run === of.filter.run
    : "investment_id" in of.filter && subject_id === of.filter.investment_id;
}

/** Whether a kind of change changes an investment's status or payments, or creates it. */
const areOfState: { readonly [Kind in EffectKind]: boolean } = {
  offering: false,
  new_investment: true,
  investment: true,
  investor: false,
  signing_party: false,
  payment: true,
  new_payment: true,
  event: false,
  new_key: false,
  key: false,
  new_fault: false,
};

export function changesState({ kind }: ChangeDescription): boolean {
  return areOfState[kind as EffectKind];
}

/** `#148 is CLOSED, 5,000.00 paid`; if the state is the same, the changes: `#148: Profile submitted`. */
async function stateOf({ name, filter }: Subject, own: readonly ChangeDescription[], isBack: boolean): Promise<string> {
  if ("investment_id" in filter && own.some(changesState)) {
    if (isBack && own.some(({ kind }) => kind === "new_investment")) return `${name} is not created yet`;
    const { status, step: at, paid_amount: paid } = await call("getInvestment", { id: filter.investment_id });
    const state = typeof at === "string" ? `${String(status)} in step ${at}` : String(status);
    return `${name} is ${isBack ? "back at " : ""}${state}, ${money(Number(paid))} paid`;
  }
  const all = happeningsOf(own).map(({ words }) => words.join(" · "));
  const last = all.length > 3 ? [`${number(all.length - 2)} before`, ...all.slice(-2)] : all;
  return `${name}: ${isBack ? "undone: " : ""}${last.join("; ")}`;
}
