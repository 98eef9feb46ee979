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
const longestWait = 8_640_000_000;

/** A clock as plain data. */
interface ClockContent {
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
  #held: number | undefined;
  readonly #onSet: () => void;
  #advanced = 0;
  #reading = { milliseconds: Number.NaN, now: "" };

  /** `time` returns milliseconds and never goes back. Throws ValidationError for an instant or a speed out of range. */
  constructor(start: ClockContent, time: () => number = realTime, onSet = (): void => {}) {
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
  read(): { readonly milliseconds: number; readonly now: Instant } {
    const { milliseconds } = this;
    if (milliseconds !== this.#reading.milliseconds) {
      this.#reading = { milliseconds, now: formatInstant(milliseconds) };
    }
    return this.#reading;
  }

  /** `now` as whole milliseconds since the epoch, up to the last instant of the format. */
  get milliseconds(): number {
    if (this.#held !== undefined) return this.#held;
    const elapsed = (this.#realTime() - this.#setAt) * this.#speed;
    return Math.min(Math.floor(this.#instant + elapsed), lastInstant);
  }

  /** Calls a function, and holds the clock at an instant until that returns or sets the clock. */
  heldAt<Result>(instant: Instant, act: () => Result): Result {
    this.#held = Date.parse(instant);
    try {
      return act();
    } finally {
      this.#held = undefined;
    }
  }

  get speed(): number {
    return this.#speed;
  }

  /** Whole milliseconds for the rate limits: real time plus every advance by hand. Only runs forward. */
  get limitTime(): number {
    return Math.floor(this.#realTime() + this.#advanced);
  }

  /** The milliseconds of real time at which it was set. */
  get setAt(): number {
    return this.#setAt;
  }

  /** The plain data from which an equal clock can be made. */
  get setting(): ClockContent {
    return { now: this.#instant, speed: this.#speed, at: this.#setAt };
  }

  /** Returns the new reading: a running clock soon shows another. */
  set(to: { now?: Instant | undefined; speed?: number | undefined }): {
    readonly now: Instant;
    readonly speed: number;
  } {
    const instant =
      to.now === undefined
        ? this.milliseconds
        : checkedInstant(Date.parse(readInstant(to.now) ?? ""), `now is ${describeValue(to.now)}`);
    const speed = to.speed === undefined ? this.#speed : checkedSpeed(to.speed);
    this.#held = undefined;
    this.#setAt = this.#realTime();
    this.#instant = instant;
    this.#speed = speed;
    this.#onSet();
    return { now: formatInstant(instant), speed };
  }

  advance(milliseconds: number): ReturnType<EnvironmentClock["set"]> {
    return this.advanceTo(formatInstant(checkedInstant(this.milliseconds + milliseconds, "now would be later")));
  }

  /** Sets the clock as `set` does, and counts the time in between for the limits, up to `longestWait`. */
  advanceTo(instant: Instant): ReturnType<EnvironmentClock["set"]> {
    const { milliseconds } = this;
    const reading = this.set({ now: instant });
    this.#advanced += Math.min(Math.max(0, this.#instant - milliseconds), longestWait);
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
