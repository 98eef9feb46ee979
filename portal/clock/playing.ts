import { effect, signal, untracked } from "@preact/signals";
import { pace } from "../base/format.ts";
import { isPresenting, type PlaySpeed, playSpeed } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { say } from "../data/commands.ts";
import { next, now, speed } from "../data/state.ts";
import { changesNothing, setSpeed, settled, stepOn } from "./moves.ts";
import { type Subject, subject } from "./subject.ts";

/**
 * Play and pause. At one change a second the clock is paused, and this page steps to the next change of the open item,
 * or of anything. Hours without a change pass at once. Any other move of the clock, here or elsewhere, pauses.
 */

/** The series of steps under way; null while paused. `at` is the instant of the last step. */
const stepping = signal<{ at?: number } | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the clock moves; in a presentation, real time counts as paused while it leads to a change. */
export function isPlaying(): boolean {
  return stepping.value !== null || (speed.value !== 0 && !isTooSlow());
}

function isTooSlow(): boolean {
  return isPresenting.value && speed.value === 1 && next.value !== null;
}

/** The speed of the clock or, while it is paused, of Play. */
export function chosenSpeed(): PlaySpeed {
  if (isTooSlow()) return "changes";
  return speed.value === 0 ? playSpeed.value : speed.value;
}

/** `1 h/s`, or `1 change/s` with the name of the subject, if one is given. */
export function paceOf(at: PlaySpeed, of: Subject | null = null): string {
  return at === "changes" ? `1 change/s${of ? ` of ${of.name}` : ""}` : pace(at);
}

export function toggle(): void {
  if (!isPlaying()) void play();
  else if (stepping.value) end();
  else void setSpeed(0);
}

/** Plays at the chosen speed. */
export async function play(): Promise<void> {
  end();
  const at = isTooSlow() ? "changes" : playSpeed.value;
  if (at !== "changes") return void (await setSpeed(at));
  if (speed.value !== 0 && !(await setSpeed(0))) return;
  stepping.value = {};
  endIfHidden();
  if (stepping.value) await step(stepping.value);
}

/** Another step follows a second after the response, so there is never more than one. */
async function step(mine: { at?: number }): Promise<void> {
  const of = subject.peek();
  let before = 0;
  const moved = await stepOn(of, () => {
    before = now.peek();
    return stepping.peek() === mine && (mine.at ?? before) === before;
  });
  if (stepping.peek() !== mine) return;
  // After a step, its own result stays on screen.
  if (moved && changesNothing(moved) && mine.at === undefined)
    return end(`No upcoming changes${of ? ` of ${of.name}` : ""}. The clock is paused.`);
  const first = moved?.applied[0]?.date;
  // Nothing moved, or the clock is before the last step: somebody set it back in between.
  if (!moved || changesNothing(moved) || (first !== undefined && Date.parse(first) <= before)) return end();
  mine.at = Date.parse(moved.now);
  timer = setTimeout(() => void step(mine), 1000);
}

function end(message = ""): void {
  clearTimeout(timer);
  // A step that is still under way shows its own message.
  if (stepping.peek() && message) void settled().then(() => say(message));
  stepping.value = null;
}

function endIfHidden(): void {
  if (document.hidden) end("The clock is paused: this page was hidden.");
}

addEventListener("visibilitychange", endIfHidden);
// Pauses for another environment, and when somebody else starts the clock.
effect(() => {
  void [environmentId.value, speed.value];
  untracked(() => end());
});
