import { type CalibratedValues, calibratedIdsOf, type AssumptionId, type Assumptions } from "../assumptions/catalog.ts";
import { inputLimits } from "../bounds/bounds.ts";
import type { DatedEffect } from "../model/resources.ts";
import { realTime } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import { EnvironmentClock } from "./clock.ts";
import type { EnvironmentConfig, EnvironmentData, RequestData, UndoStep } from "./document.ts";
import { FaultUses } from "./faults.ts";
import { History } from "./history.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import type { Run } from "./run.ts";
import { RunPlayer } from "./runs.ts";

/** Everything changeable in an environment. A reset replaces all of it, so nothing can be forgotten. */
export interface EnvironmentParts {
  readonly clock: EnvironmentClock;
  readonly history: History;
  readonly runs: RunPlayer;
  readonly limits: Limits;
  readonly journal: Journal;
  readonly faultUses: FaultUses;
  assumptions: Assumptions;
  readonly calibrated: CalibratedValues | undefined;
  calibratedIds: ReadonlySet<AssumptionId> | undefined;
  /** Number of responses whose delay was one of a range. */
  responses: number;
  /** Number of resources created by commands. */
  creations: number;
  /** Number of commands since the parts were opened. */
  commands: number;
  /** What undoes the last commands, the newest last. */
  readonly undoSteps: UndoStep[];
}

interface PartOptions {
  /** The id of the latest entry that the journal has had. */
  readonly last: number;
  /** Whether a secret is of a key of another environment. */
  readonly isForeign: (secret: string) => boolean;
  /** Called with the effects put on the timeline, or with none when changes were removed. */
  readonly onChange: (effects: readonly DatedEffect[]) => void;
  /** Called whenever the clock is set. */
  readonly onSet: () => void;
  readonly onProblem: (run: Run) => void;
}

/** The refusal of a forged snapshot. */
export const notAsMade = "The snapshot was edited or damaged after it was made.";

/**
 * Opens the parts of a setup, with or without content and traffic. Throws ConflictError and ValidationError for a
 * forged one.
 */
export function openParts(
  setup: EnvironmentConfig,
  content: EnvironmentData | undefined,
  traffic: RequestData | undefined,
  options: PartOptions,
): EnvironmentParts {
  try {
    const parts = uncheckedParts(setup, content, traffic, options);
    if (content) parts.history.check();
    return parts;
  } catch (error) {
    // A member is missing, or of another type.
    throw error instanceof TypeError || error instanceof RangeError
      ? new ValidationError(notAsMade, { cause: error })
      : error;
  }
}

function uncheckedParts(
  { dataset: loaded, keys: ownKeys, ...setup }: EnvironmentConfig,
  content: EnvironmentData | undefined,
  traffic: RequestData | undefined,
  { last, isForeign, onChange, onSet, onProblem }: PartOptions,
): EnvironmentParts {
  // The content may be of an environment with other keys, or opened on another day.
  const dataset = content ? loaded.movedBy(content.days) : loaded;
  const keys = content?.keys ?? (ownKeys === loaded.keys ? dataset.keys : ownKeys);
  const assumptions = content?.assumptions ?? setup.assumptions;
  const calibrated = content?.calibrated ?? setup.calibrated;
  const usedUp = keys
    .filter((key) => key.at_limit)
    .map(({ id }) => ({ key_id: id, requests: [{ ago: null, count: setup.rateLimit }] }));
  const clock = new EnvironmentClock(content?.clock ?? setup.clock, realTime, onSet);
  const { idle, commands, undoSteps } = traffic?.transfer ?? { idle: 0, commands: 0, undoSteps: [] };
  // A row gives its clock the moment at which it was written, which is that of its traffic.
  const written = Math.floor(clock.setAt);
  const history = new History({ dataset, keys }, clock, content, isForeign, onChange);
  return {
    clock,
    history,
    runs: new RunPlayer({ ...setup, dataset }, history, onProblem, structuredClone(content?.runs)),
    limits: new Limits(setup.rateLimit, assumptions["limit.window"], traffic?.limits ?? usedUp, written),
    journal: new Journal(inputLimits.journal, traffic?.journal ?? { data: [], dropped: 0, last }, written - idle),
    faultUses: new FaultUses(dataset.seed, content?.fault_uses, content?.fault_matches),
    assumptions,
    calibrated,
    calibratedIds: calibratedIdsOf({ assumptions, calibrated }),
    responses: traffic?.responses ?? 0,
    creations: content?.creations ?? 0,
    commands,
    undoSteps: [...undoSteps],
  };
}
