import type { CalibratedValues } from "../assumptions/calibration.ts";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import type { EnvironmentClock } from "./clock.ts";
import type { FaultUses } from "./faults.ts";
import type { History } from "./history.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { Runs } from "./runs.ts";

/** Everything in an environment that can change. A reset replaces all of it, so nothing can be forgotten. */
export interface Stores {
  readonly clock: EnvironmentClock;
  readonly history: History;
  readonly runs: Runs;
  readonly limits: Limits;
  readonly journal: Journal;
  readonly faultUses: FaultUses;
  assumptions: Assumptions;
  readonly calibrated: CalibratedValues | undefined;
  calibratedIds: ReadonlySet<AssumptionId> | undefined;
  /** Number of answers whose delay was one of a range. */
  answers: number;
  /** Number of resources that commands have created. */
  creations: number;
  /** Number of commands since the stores were opened. */
  commands: number;
}
