import type { ClockAdvance, ClockReading, ClockReturn } from "../../src/control.ts";
import { call } from "../server/api.ts";
import { command, say } from "../server/commands.ts";
import { count, instant, pace } from "../format.ts";
import { now, showClock } from "../server/state.ts";

/** The commands that set the clock; each says what has happened. */

type Moved = ClockReading & Partial<ClockAdvance> & Partial<ClockReturn>;

/** Sets the clock to an instant in milliseconds, on or back. */
export function setClock(to: number): Promise<Moved | undefined> {
  return move(() => {
    const date = new Date(to).toISOString();
    return to > now.value ? call("advanceClock", { body: { to: date } }) : call("setClock", { body: { now: date } });
  });
}

/** Sets the clock to what a person has written: an instant, `now` or `fixture`. Throws the mistake in it. */
export function setClockTo(text: string): Promise<Moved> {
  return shown(() => call("setClock", { body: { now: text } }), inWords);
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

export function setSpeed(speed: number): Promise<ClockReading | undefined> {
  const words = speed === 0 ? "The clock stands still." : `The clock runs at ${pace(speed)}.`;
  return told(
    () => call("setClock", { body: { speed } }),
    () => words,
  );
}

function move(run: () => Promise<Moved>): Promise<Moved | undefined> {
  return told(run, inWords);
}

/** Of several moves in a row, the last one's words stay. */
function told<Reading extends ClockReading>(
  run: () => Promise<Reading>,
  words: (reading: Reading) => string,
): Promise<Reading | undefined> {
  return command(
    () => shown(run, words),
    undefined,
    ({ message }) => say(message, true, "clock"),
  );
}

async function shown<Reading extends ClockReading>(
  run: () => Promise<Reading>,
  words: (reading: Reading) => string,
): Promise<Reading> {
  const reading = await run();
  showClock(reading);
  say(words(reading), false, "clock");
  return reading;
}

function inWords({ now: date, applied_count: applied = 0, taken_back_count: takenBack = 0 }: Moved): string {
  if (takenBack > 0) {
    const taken = takenBack === 1 ? "1 change is taken back" : `${count(takenBack, "change")} are taken back`;
    return `${taken}. Nothing is lost: ${takenBack === 1 ? "it is" : "they are"} still on the timeline.`;
  }
  if (applied > 0) return `${count(applied, "change")} happened. It is ${instant(date)} UTC.`;
  return `It is ${instant(date)} UTC. No change lies between.`;
}
