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
export interface EnvironmentInternals {
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
  responseCount: number;
  /** Number of resources created by commands. */
  creationCount: number;
  /** Number of commands since the parts were opened. */
  commandCount: number;
  /** What undoes the last commands, the newest last. */
  readonly undoSteps: UndoStep[];
}

interface InternalsOptions {
  /** The id of the latest entry that the journal has had. */
  readonly lastEntryId: number;
  /** Whether a secret is of a key of another environment. */
  readonly isForeign: (secret: string) => boolean;
  /** Called with the effects put on the timeline, or with none when changes were removed. */
  readonly onChange: (effects: readonly DatedEffect[]) => void;
  /** Called whenever the clock is set. */
  readonly onSet: () => void;
  readonly onProblem: (run: Run) => void;
}

/** The refusal of a forged snapshot. */
export const damagedMessage = "The snapshot was edited or damaged after it was made.";

/**
 * Opens the parts of a setup, with or without content and traffic. Throws ConflictError and ValidationError for a
 * forged one.
 */
export function openInternals(
  config: EnvironmentConfig,
  data: EnvironmentData | undefined,
  requestData: RequestData | undefined,
  options: InternalsOptions,
): EnvironmentInternals {
  try {
    const internals = createInternals(config, data, requestData, options);
    if (data) internals.history.checkChanges();
    return internals;
  } catch (error) {
    // A member is missing, or of another type.
    throw error instanceof TypeError || error instanceof RangeError
      ? new ValidationError(damagedMessage, { cause: error })
      : error;
  }
}

function createInternals(
  { dataset: loadedDataset, keys: ownKeys, ...config }: EnvironmentConfig,
  data: EnvironmentData | undefined,
  requestData: RequestData | undefined,
  { lastEntryId, isForeign, onChange, onSet, onProblem }: InternalsOptions,
): EnvironmentInternals {
  // The content may be of an environment with other keys, or opened on another day.
  const dataset = data ? loadedDataset.movedBy(data.days) : loadedDataset;
  const keys = data?.keys ?? (ownKeys === loadedDataset.keys ? dataset.keys : ownKeys);
  const assumptions = data?.assumptions ?? config.assumptions;
  const calibrated = data?.calibrated ?? config.calibrated;
  const exhaustedKeyUses = keys
    .filter((key) => key.at_limit)
    .map(({ id }) => ({ key_id: id, requests: [{ ago: null, count: config.rateLimit }] }));
  const clock = new EnvironmentClock(data?.clock ?? config.clock, realTime, onSet);
  const { idle, commands: commandCount, undoSteps } = requestData?.transfer ?? { idle: 0, commands: 0, undoSteps: [] };
  // A row gives its clock the moment at which it was written, which is that of its traffic.
  const writtenAt = Math.floor(clock.setAt);
  const history = new History({ dataset, keys }, clock, data, isForeign, onChange);
  return {
    clock,
    history,
    runs: new RunPlayer({ ...config, dataset }, history, onProblem, structuredClone(data?.runs)),
    limits: new Limits(
      config.rateLimit,
      assumptions["limit.window"],
      requestData?.limits ?? exhaustedKeyUses,
      writtenAt,
    ),
    journal: new Journal(
      inputLimits.journal,
      requestData?.journal ?? { data: [], dropped: 0, last: lastEntryId },
      writtenAt - idle,
    ),
    faultUses: new FaultUses(dataset.seed, data?.fault_uses, data?.fault_matches),
    assumptions,
    calibrated,
    calibratedIds: calibratedIdsOf({ assumptions, calibrated }),
    responseCount: requestData?.responses ?? 0,
    creationCount: data?.creations ?? 0,
    commandCount,
    undoSteps: [...undoSteps],
  };
}
