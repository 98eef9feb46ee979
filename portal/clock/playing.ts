import { effect, signal, untracked } from "@preact/signals";
import { formatSpeed } from "../base/format.ts";
import { isPresenting, type PlaySpeed, playSpeed } from "../base/preferences.ts";
import { environmentId } from "../base/routes.ts";
import { showMessage } from "../data/commands.ts";
import { nextChangeAt, now, speed } from "../data/state.ts";
import { changesNothing, setSpeed, whenMovesSettle, stepForward } from "./moves.ts";
import { type Subject, subject } from "./subject.ts";

/**
 * Play and pause. Either the clock runs at its own speed, or, at one change a second, it is paused and this page steps
 * to the next change of the open item, or of anything: hours without a change take no time. Any other move of the
 * clock, from this page or elsewhere, ends the steps.
 */

/** The steps at one change a second. */
interface Series {
  /** The instant of the last step, in milliseconds. */
  lastStepAt?: number;
}

/** The current series of steps; null while this page does not step. */
const series = signal<Series | null>(null);

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

/** `1 h/s`, or `1 change/s` with the name of the subject. */
export function formatPlaySpeed(value: PlaySpeed, of: Subject | null = null): string {
  return value === "changes" ? `1 change/s${of ? ` of ${of.name}` : ""}` : formatSpeed(value);
}

export function togglePlay(): void {
  if (!isPlaying()) void play();
  else if (series.value) endSeries();
  else void setSpeed(0);
}

/** Plays at the selected speed. */
export async function play(): Promise<void> {
  endSeries();
  const selected = isTooSlow() ? "changes" : playSpeed.value;
  if (selected !== "changes") return void (await setSpeed(selected));
  if (speed.value !== 0 && !(await setSpeed(0))) return;
  series.value = {};
  endIfHidden();
  if (series.value) await step(series.value);
}

/** Makes a step of a series, and schedules the next one for a second after the response: two never overlap. */
async function step(current: Series): Promise<void> {
  const stepSubject = subject.peek();
  let before = 0;
  const result = await stepForward(stepSubject, () => {
    before = now.peek();
    return series.peek() === current && (current.lastStepAt ?? before) === before;
  });
  if (series.peek() !== current) return;
  if (!result || changesNothing(result)) {
    // After a step, the message about its result stays on screen.
    const isFirst = result !== undefined && current.lastStepAt === undefined;
    return endSeries(
      isFirst ? `No upcoming changes${stepSubject ? ` of ${stepSubject.name}` : ""}. The clock is paused.` : "",
    );
  }
  const firstDate = result.applied[0]?.date;
  // A change before the clock's instant: another person has set the clock back meanwhile.
  if (firstDate !== undefined && Date.parse(firstDate) <= before) return endSeries();
  current.lastStepAt = Date.parse(result.now);
  timer = setTimeout(() => void step(current), 1000);
}

function endSeries(message = ""): void {
  clearTimeout(timer);
  // A step without a response shows its own message first.
  if (series.peek() && message) void whenMovesSettle().then(() => showMessage(message));
  series.value = null;
}

function endIfHidden(): void {
  if (document.hidden) endSeries("The clock is paused: this page was hidden.");
}

addEventListener("visibilitychange", endIfHidden);
// Ends the series for another environment, and when the clock starts to run.
effect(() => {
  void [environmentId.value, speed.value];
  untracked(() => endSeries());
});
