import {
  firstInstant,
  formatInstant,
  type Instant,
  instantExpected,
  lastInstant,
  readInstant,
  realTime,
} from "../time/instant.ts";
import type { ClockReading } from "../public/timeline.ts";
import { ValidationError } from "../validation/errors.ts";
import { describeValue } from "../text/text.ts";
import { clockSpeed, maxSpeed } from "../settings/kinds.ts";

/** The rate limits count at most 100 days of an advance, so that the sum of many advances stays an exact integer. */
const maxAdvanceMs = 8_640_000_000;

/** A clock as plain data. */
interface ClockData {
  /** The milliseconds since the epoch. */
  readonly now: number;
  readonly speed: number;
  /** The milliseconds of real time at which the clock showed `now`. @default the creation of the clock */
  readonly at?: number | undefined;
}

/** The clock of an environment: the instant that it showed at a moment of real time, and the speed since then. */
export class EnvironmentClock {
  readonly #realTime: () => number;
  #setAt: number;
  #instant: number;
  #speed: number;
  /** The present during `withFixedTime`; undefined at any other time. */
  #fixedMs: number | undefined;
  readonly #onSet: () => void;
  #advancedMs = 0;
  #cachedReading = { nowMs: Number.NaN, now: "" };

  /**
   * `time` returns milliseconds that never decrease. `onSet` is called after each change. Throws ValidationError for an
   * instant or a speed out of range.
   */
  constructor(start: ClockData, time: () => number = realTime, onSet = (): void => {}) {
    this.#realTime = time;
    this.#onSet = onSet;
    // If the machine's clock was set back since, this clock continues from the instant to which it was set.
    this.#setAt = Math.min(start.at ?? Infinity, time());
    this.#instant = checkedInstant(start.now, `now is ${start.now}`);
    this.#speed = checkedSpeed(start.speed);
  }

  get now(): Instant {
    return this.read().now;
  }

  /** Returns the present in integer milliseconds since the epoch and as text. Formats each millisecond only once. */
  read(): { readonly nowMs: number; readonly now: Instant } {
    const { nowMs } = this;
    if (nowMs !== this.#cachedReading.nowMs) {
      this.#cachedReading = { nowMs, now: formatInstant(nowMs) };
    }
    return this.#cachedReading;
  }

  /** The present in integer milliseconds since the epoch, up to the last instant of the format. */
  get nowMs(): number {
    if (this.#fixedMs !== undefined) return this.#fixedMs;
    const elapsed = (this.#realTime() - this.#setAt) * this.#speed;
    return Math.min(Math.floor(this.#instant + elapsed), lastInstant);
  }

  /** Calls a function while the clock stays at an instant, until the function returns or sets the clock. */
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

  /** The time for the rate limits in integer milliseconds: real time plus every advance. It never decreases. */
  get limitTime(): number {
    return Math.floor(this.#realTime() + this.#advancedMs);
  }

  /** The milliseconds of real time at which the clock was set. */
  get setAt(): number {
    return this.#setAt;
  }

  /** The plain data of an equal clock. */
  get data(): ClockData {
    return { now: this.#instant, speed: this.#speed, at: this.#setAt };
  }

  /** Sets the clock. Returns the new reading, because a running clock soon shows another instant. */
  set(change: { now?: Instant | undefined; speed?: number | undefined }): ClockReading {
    const instant =
      change.now === undefined
        ? this.nowMs
        : checkedInstant(Date.parse(readInstant(change.now) ?? ""), `now is ${describeValue(change.now)}`);
    const speed = change.speed === undefined ? this.#speed : checkedSpeed(change.speed);
    this.#fixedMs = undefined;
    this.#setAt = this.#realTime();
    this.#instant = instant;
    this.#speed = speed;
    this.#onSet();
    return { now: formatInstant(instant), speed };
  }

  advance(milliseconds: number): ClockReading {
    return this.advanceTo(formatInstant(checkedInstant(this.nowMs + milliseconds, "now would be after 9999")));
  }

  /** Sets the clock like `set`, and counts the time in between for the limits, up to `maxAdvanceMs`. */
  advanceTo(instant: Instant): ClockReading {
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
