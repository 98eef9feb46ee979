import type { Instant } from "../../model/instant.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** One playing of a scenario. Plain data: it is kept in snapshots, with the script as it was when the run began. */
export interface Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly offering_id: string;
  /** When it began. */
  readonly start: Instant;
  /** The investment that it is played on; null for new ones. */
  readonly investment_id: string | null;
  /** The repetitions that have begun, in order. */
  readonly tracks: Track[];
  stopped: boolean;
  /** Why a repetition could not begin, which stops the run; null while all is well. */
  problem: string | null;
}

/** One repetition of a run: the script played on one investment. */
export interface Track {
  readonly investment_id: string;
  /** When it begins. */
  readonly start: Instant;
  /** When each step happens or happened, for as many steps as that is known; null for one that was stopped before. */
  readonly dues: (Instant | null)[];
  /** The payments of this track, by the alias in the script. */
  readonly payments: Record<string, string>;
  /** How often the investment was read since the last step happened. */
  reads: number;
}

/** Whether the last dated step of a track has happened. */
export function hasArrived({ dues, start }: Track, now: Instant): boolean {
  return (dues.at(-1) ?? start) <= now;
}
