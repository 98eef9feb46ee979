import { effect, signal, untracked } from "@preact/signals";
import { formatSpeed } from "../base/format.ts";
import { isPresenting, type PlaySpeed, playSpeed } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { showMessage } from "../data/commands.ts";
import { nextChangeAt, now, speed } from "../data/state.ts";
import { changesNothing, setSpeed, whenMovesSettle, stepForward } from "./moves.ts";
import { type Subject, subject } from "./subject.ts";

/**
 * Play and pause. At one change a second the clock is paused, and this page steps to the next change of the open item,
 * or of anything. Hours without a change pass at once. Any other move of the clock, here or elsewhere, pauses.
 */

/** The series of steps under way; null while paused. `at` is the instant of the last step. */
const series = signal<{ at?: number } | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the clock moves; in a presentation, real time counts as paused while it leads to a change. */
export function isPlaying(): boolean {
  return series.value !== null || (speed.value !== 0 && !isTooSlow());
}

function isTooSlow(): boolean {
  return isPresenting.value && speed.value === 1 && nextChangeAt.value !== null;
}

/** The speed of the clock or, while it is paused, of Play. */
export function selectedSpeed(): PlaySpeed {
  if (isTooSlow()) return "changes";
  return speed.value === 0 ? playSpeed.value : speed.value;
}

/** `1 h/s`, or `1 change/s` with the name of the subject, if one is given. */
export function formatPlaySpeed(at: PlaySpeed, of: Subject | null = null): string {
  return at === "changes" ? `1 change/s${of ? ` of ${of.name}` : ""}` : formatSpeed(at);
}

export function toggle(): void {
  if (!isPlaying()) void play();
  else if (series.value) endSeries();
  else void setSpeed(0);
}

/** Plays at the chosen speed. */
export async function play(): Promise<void> {
  endSeries();
  const at = isTooSlow() ? "changes" : playSpeed.value;
  if (at !== "changes") return void (await setSpeed(at));
  if (speed.value !== 0 && !(await setSpeed(0))) return;
  series.value = {};
  endIfHidden();
  if (series.value) await step(series.value);
}

/** Another step follows a second after the response, so there is never more than one. */
async function step(mine: { at?: number }): Promise<void> {
  const of = subject.peek();
  let before = 0;
  const moved = await stepForward(of, () => {
    before = now.peek();
    return series.peek() === mine && (mine.at ?? before) === before;
  });
  if (series.peek() !== mine) return;
  // After a step, its own result stays on screen.
  if (moved && changesNothing(moved) && mine.at === undefined)
    return endSeries(`No upcoming changes${of ? ` of ${of.name}` : ""}. The clock is paused.`);
  const first = moved?.applied[0]?.date;
  // Nothing moved, or the clock is before the last step: somebody set it back in between.
  if (!moved || changesNothing(moved) || (first !== undefined && Date.parse(first) <= before)) return endSeries();
  mine.at = Date.parse(moved.now);
  timer = setTimeout(() => void step(mine), 1000);
}

function endSeries(message = ""): void {
  clearTimeout(timer);
  // A step that is still under way shows its own message.
  if (series.peek() && message) void whenMovesSettle().then(() => showMessage(message));
  series.value = null;
}

function endIfHidden(): void {
  if (document.hidden) endSeries("The clock is paused: this page was hidden.");
}

addEventListener("visibilitychange", endIfHidden);
// Pauses for another environment, and when somebody else starts the clock.
effect(() => {
  void [environmentId.value, speed.value];
  untracked(() => endSeries());
});
