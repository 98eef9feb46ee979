import type { ClockAdvance, ClockReading, ClockReturn } from "../../src/control.ts";
import { call } from "../server/api.ts";
import { command, say } from "../server/commands.ts";
import { count, instant, pace } from "../format.ts";
import { now, showClock } from "../server/state.ts";

/** The commands to set the clock; each says its result. */

type Moved = ClockReading & Partial<ClockAdvance> & Partial<ClockReturn>;

/** Sets the clock to an instant in milliseconds, on or back. */
export function setClock(to: number): Promise<Moved | undefined> {
  return move(() => {
    const date = new Date(to).toISOString();
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

export function stepOn(): Promise<Moved | undefined> {
  return move(() => call("advanceClock", { body: { to: "next" } }));
}

export function stepBack(): Promise<Moved | undefined> {
  return move(() => call("setClock", { body: { now: "previous" } }));
}

export function setSpeed(speed: number): Promise<Moved | undefined> {
  const message = speed === 0 ? "The clock stands still." : `The clock runs at ${pace(speed)}.`;
  return move(
    () => call("setClock", { body: { speed } }),
    () => message,
  );
}

/** Of several moves in a row, the last one's message stays. */
function move(run: () => Promise<Moved>, success = messageOf): Promise<Moved | undefined> {
  return command(
    () => show(run, success),
    undefined,
    ({ message }) => say(message, true, "clock"),
  );
}

async function show(run: () => Promise<Moved>, success = messageOf): Promise<Moved> {
  const reading = await run();
  showClock(reading);
  say(success(reading), false, "clock");
  return reading;
}

function messageOf({ now: date, applied_count: applied = 0, taken_back_count: takenBack = 0 }: Moved): string {
  if (takenBack > 0) {
    const changes = takenBack === 1 ? "1 change is taken back" : `${count(takenBack, "change")} are taken back`;
    return `${changes}. Nothing is lost: ${takenBack === 1 ? "it is" : "they are"} still on the timeline.`;
  }
  if (applied > 0) return `${count(applied, "change")} happened. It is ${instant(date)} UTC.`;
  return `It is ${instant(date)} UTC. No change lies between.`;
}
