import { calibratedIdsOf } from "../assumptions/catalog.ts";
import { inputLimits } from "../bounds/bounds.ts";
import type { DatedEffect } from "../model/resources.ts";
import { realTime } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import { EnvironmentClock } from "./clock.ts";
import type { EnvironmentConfig, EnvironmentData, RequestData } from "./document.ts";
import { FaultUses } from "./faults.ts";
import { History } from "./history.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import type { Run } from "./run.ts";
import { RunPlayer } from "./runs.ts";

/** Everything changeable in an environment. A reset replaces all of it, so that it can omit nothing. */
export type EnvironmentInternals = ReturnType<typeof createInternals>;

interface InternalsOptions {
  /** The id of the latest entry that the journal has had. */
  readonly lastEntryId: number;
  /** Whether a secret belongs to another environment. */
  readonly isForeign: (secret: string) => boolean;
  /** Called with the effects that were put on the timeline; with none after changes were removed. */
  readonly onChange: (effects: readonly DatedEffect[]) => void;
  /** Called whenever the clock is set. */
  readonly onSet: () => void;
  readonly onProblem: (run: Run) => void;
}

/** The message for a forged or damaged snapshot. */
export const damagedMessage = "The snapshot was edited or damaged after it was made.";

/** Creates the internals of an environment. Throws ConflictError and ValidationError for forged data. */
export function openInternals(...options: Parameters<typeof createInternals>): EnvironmentInternals {
  try {
    const internals = createInternals(...options);
    const [, data] = options;
    if (data) internals.history.checkChanges();
    return internals;
  } catch (error) {
    // A member of the data is missing, or of another type.
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
) {
  // The data may be of an environment with other keys, or that was opened on another day.
  const dataset = data ? loadedDataset.moveBy(data.days) : loadedDataset;
  const keys = data?.keys ?? (ownKeys === loadedDataset.keys ? dataset.keys : ownKeys);
  const assumptions = data?.assumptions ?? config.assumptions;
  const calibrated = data?.calibrated ?? config.calibrated;
  const exhaustedKeys = keys.filter((key) => key.at_limit);
  const allRequests = [{ ago: null, count: config.rateLimit }];
  const keyUses = requestData?.limits ?? exhaustedKeys.map(({ id }) => ({ key_id: id, requests: allRequests }));
  const journalData = requestData?.journal ?? { data: [], dropped: 0, last: lastEntryId };
  const clock = new EnvironmentClock(data?.clock ?? config.clock, realTime, onSet);
  const { idle, commands: commandCount, undoSteps } = requestData?.transfer ?? { idle: 0, commands: 0, undoSteps: [] };
  // The clock of a row of PostgreSQL was set when the row was written, together with its request data.
  const writtenAt = Math.floor(clock.setAt);
  const history = new History({ dataset, keys }, clock, data, isForeign, onChange);
  return {
    clock,
    history,
    runs: new RunPlayer({ ...config, dataset }, history, onProblem, structuredClone(data?.runs)),
    limits: new Limits(config.rateLimit, assumptions["limit.window"], keyUses, writtenAt),
    journal: new Journal(inputLimits.journal, journalData, writtenAt - idle),
    faultUses: new FaultUses(dataset.seed, data?.fault_uses, data?.fault_matches),
    assumptions,
    calibrated,
    calibratedIds: calibratedIdsOf({ assumptions, calibrated }),
    /** The number of responses with a random delay. */
    responseCount: requestData?.responses ?? 0,
    /** The number of resources that commands have created. */
    creationCount: data?.creations ?? 0,
    /** The number of commands since this object was created. */
    commandCount,
    /** The steps that undo the last commands, the newest last. */
    undoSteps: [...undoSteps],
  };
}
