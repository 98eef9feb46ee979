/** What one more request did to the count of a key. */
export interface Hit {
  /** Requests that count now, this one included. */
  readonly used: number;
  /** Milliseconds until the window ends or, in a sliding one, until it has room again. */
  readonly resetsIn: number;
}

/** Counts the requests of one key. `time` is in milliseconds of limit time. */
export interface LimitWindow {
  hit(time: number): Hit;
  /** Where the count stands, without counting anything. */
  read(time: number): Hit;
}

/** How long a window is, in milliseconds (section 8). */
export const windowLength = 60_000;
