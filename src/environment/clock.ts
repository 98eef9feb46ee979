import {
  firstInstant,
  formatInstant,
  type Instant,
  instantExpected,
  lastInstant,
  readInstant,
  realTime,
} from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import { describeValue } from "../text/text.ts";
import { clockSpeed, maxSpeed } from "../settings/kinds.ts";

/** The milliseconds that an advance counts at most for the limits, 100 days: any number of advances stays countable. */
const maxAdvanceMs = 8_640_000_000;

/** A clock as plain data. */
interface ClockData {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly speed: number;
  /** The milliseconds of real time at which it showed `now`. @default the moment at which the clock is made */
  readonly at?: number | undefined;
}

/** The clock of an environment: an instant, fixed to an instant of real time, and the speed since then. */
export class EnvironmentClock {
  readonly #realTime: () => number;
  #setAt: number;
  #instant: number;
  #speed: number;
  /** The milliseconds at which the clock is held. */
  #fixedMs: number | undefined;
  readonly #onSet: () => void;
  #advancedMs = 0;
  #cachedReading = { nowMs: Number.NaN, now: "" };

  /** `time` returns milliseconds and never goes back. Throws ValidationError for an instant or a speed out of range. */
  constructor(start: ClockData, time: () => number = realTime, onSet = (): void => {}) {
    this.#realTime = time;
    this.#onSet = onSet;
    // The machine's clock may have been set back since: this clock continues from where it was set.
    this.#setAt = Math.min(start.at ?? Infinity, time());
    this.#instant = checkedInstant(start.now, `now is ${start.now}`);
    this.#speed = checkedSpeed(start.speed);
  }

  get now(): Instant {
    return this.read().now;
  }

  /** The present, as whole milliseconds since the epoch and as text. Formats each millisecond only once. */
  read(): { readonly nowMs: number; readonly now: Instant } {
    const { nowMs } = this;
    if (nowMs !== this.#cachedReading.nowMs) {
      this.#cachedReading = { nowMs, now: formatInstant(nowMs) };
    }
    return this.#cachedReading;
  }

  /** `now` as whole milliseconds since the epoch, up to the last instant of the format. */
  get nowMs(): number {
    if (this.#fixedMs !== undefined) return this.#fixedMs;
    const elapsed = (this.#realTime() - this.#setAt) * this.#speed;
    return Math.min(Math.floor(this.#instant + elapsed), lastInstant);
  }

  /** Calls a function, and holds the clock at an instant until that returns or sets the clock. */
  withFixedTime<Result>(instant: Instant, act: () => Result): Result {
    this.#fixedMs = Date.parse(instant);
    try {
      return act();
    } finally {
      this.#fixedMs = undefined;
    }
  }

  get speed(): number {
    return this.#speed;
  }

  /** Whole milliseconds for the rate limits: real time plus every advance by hand. Only runs forward. */
  get limitTime(): number {
    return Math.floor(this.#realTime() + this.#advancedMs);
  }

  /** The milliseconds of real time at which it was set. */
  get setAt(): number {
    return this.#setAt;
  }

  /** The plain data from which an equal clock can be made. */
  get data(): ClockData {
    return { now: this.#instant, speed: this.#speed, at: this.#setAt };
  }

  /** Returns the new reading: a running clock soon shows another. */
  set(to: { now?: Instant | undefined; speed?: number | undefined }): {
    readonly now: Instant;
    readonly speed: number;
  } {
    const instant =
      to.now === undefined
        ? this.nowMs
        : checkedInstant(Date.parse(readInstant(to.now) ?? ""), `now is ${describeValue(to.now)}`);
    const speed = to.speed === undefined ? this.#speed : checkedSpeed(to.speed);
    this.#fixedMs = undefined;
    this.#setAt = this.#realTime();
    this.#instant = instant;
    this.#speed = speed;
    this.#onSet();
    return { now: formatInstant(instant), speed };
  }

  advance(milliseconds: number): ReturnType<EnvironmentClock["set"]> {
    return this.advanceTo(formatInstant(checkedInstant(this.nowMs + milliseconds, "now would be later")));
  }

  /** Sets the clock as `set` does, and counts the time in between for the limits, up to `longestWait`. */
  advanceTo(instant: Instant): ReturnType<EnvironmentClock["set"]> {
    const { nowMs } = this;
    const reading = this.set({ now: instant });
    this.#advancedMs += Math.min(Math.max(0, this.#instant - nowMs), maxAdvanceMs);
    return reading;
  }
}

function checkedInstant(milliseconds: number, subject: string): number {
  if (milliseconds >= firstInstant && milliseconds <= lastInstant) {
    return Math.floor(milliseconds);
  }
  throw new ValidationError(`${subject}; expected ${instantExpected}, in the years 0000 to 9999.`);
}

function checkedSpeed(speed: number): number {
  if (clockSpeed.accepts(speed)) return speed;
  throw new ValidationError(
    `speed is ${describeValue(speed)}; expected a number from 0 (paused) to ${maxSpeed}; 1 is real time.`,
  );
}
