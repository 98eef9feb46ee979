import type { Instant } from "../model/instant.ts";

/** Whether an instant lies between two bounds, both inclusive; a bound left out does not bind. */
export function within(instant: Instant, from: Instant | undefined, until: Instant | undefined): boolean {
  return (from === undefined || instant >= from) && (until === undefined || instant <= until);
}
