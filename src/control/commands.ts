import { parseAssumption } from "../assumptions/parse.ts";
import type {
  AssumptionDescription,
  FaultDescription,
  FaultRule,
  KeyDescription,
  KeyOrder,
  LimitDescription,
  PlaySubject,
  RequestFilter,
  RequestList,
  RunDescription,
  RunDetail,
} from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { isWaitingMatch } from "../environment/journal.ts";
import { keyStatus } from "../environment/keys.ts";
import type { Run } from "../environment/run.ts";
import { findKey, findOffering, firstOffering, missing } from "../environment/references.ts";
import { addressed, ControlError } from "../errors/control-error.ts";
import { newKey } from "../fixture/complete/place.ts";
import { bounds } from "../model/bounds.ts";
import type { Fault } from "../model/change.ts";
import { readDuration } from "../model/duration.ts";
import { withKeyId } from "../model/fault.ts";
import { instantAfter } from "../model/instant.ts";
import { didYouMean, isLabel, isUuid, labelExpected } from "../model/text.ts";
import { keyTypes } from "../model/vocabulary.ts";
import { describeAssumptions, describeFault, describeKey, describeLimit } from "./describe.ts";
import { scenarioFrom, tellScenario } from "./scenarios.ts";

/*
 * The commands on an environment of this process. They throw Mistake or ControlError, and change nothing then.
 */

export function listKeys(environment: Environment): KeyDescription[] {
  const { now } = environment.read();
  return environment.keys.map((key) => describeKey(key, environment, now));
}

export function issueKey(environment: Environment, order: KeyOrder): KeyDescription {
  const { type, offering_id: reference, label = null } = order;
  if (!keyTypes.includes(type)) {
    throw new ControlError("invalid", `type is ${keyTypes.join(" or ")}.${didYouMean(type, keyTypes)}`);
  }
  if (label !== null && !isLabel(label)) {
    throw new ControlError("invalid", `label is ${labelExpected}.`);
  }
  environment.refuseKeyIn("label", label);
  const { offerings } = environment;
  const offering = reference === undefined ? firstOffering(offerings) : findOffering(offerings, reference);
  const { now } = environment.read();
  const key = newKey(environment.nextPlace, { type, offering_id: offering.id, label, create_date: now });
  environment.record([{ kind: "new_key", key, date: now }]);
  return describeKey(key, environment, now);
}

export function revokeKey(environment: Environment, reference: string): KeyDescription {
  const { now } = environment.read();
  const key = addressed(() => findKey(environment.keys, reference));
  if (keyStatus(key, now) === "active") {
    environment.record([{ kind: "key", key_id: key.id, attributes: { revoke_date: now }, date: now }]);
  }
  return describeKey(environment.read().state.key(key.id) ?? key, environment, now);
}

/** More than a test needs, and few enough to bound the memory. */
const maximumFaults = 1000;

export function listFaults(environment: Environment): FaultDescription[] {
  const { now } = environment.read();
  return currentFaults(environment).map((fault) => describeFault(fault, environment.stores.faultUses, now));
}

export function addFault(environment: Environment, { for: duration, ...order }: FaultRule): FaultDescription {
  const rule = withKeyId(order, (reference) => findKey(environment.keys, reference).id);
  const { faultUses, creations } = environment.stores;
  const faults = currentFaults(environment).filter((fault) => !faultUses.isUsedUp(fault));
  if (faults.length >= maximumFaults) {
    throw new ControlError("conflict", `There are ${maximumFaults} faults already; remove some.`);
  }
  const rules = JSON.stringify([rule, ...faults.map((fault) => fault.rule)]);
  if (rules.length > bounds.faultRules) {
    const maxLength = bounds.faultRules.toLocaleString("en");
    throw new ControlError("conflict", `All faults together may have ${maxLength} characters; remove some.`);
  }
  const { now } = environment.read();
  const until = duration === undefined ? null : instantAfter(now, readDuration(duration) ?? 0);
  const fault: Fault = { id: `fault-${creations + 1}`, rule, from: now, until };
  environment.record([{ kind: "new_fault", fault, date: now }]);
  return describeFault(fault, faultUses, now);
}

/** Removes the fault of an id, or all faults: winding the clock back does not bring them back. */
export function removeFaults(environment: Environment, id?: string): void {
  const faults = currentFaults(environment);
  const removed = faults.filter((fault) => id === undefined || fault.id === id);
  if (id !== undefined && removed.length === 0) {
    throw new ControlError(
      "not_found",
      missing(
        "fault",
        id,
        faults.map((fault) => fault.id),
      ),
    );
  }
  environment.removeFaults(removed);
}

function currentFaults(environment: Environment): Fault[] {
  const { now, state } = environment.read();
  return [...state.faults].filter(({ until }) => until === null || until > now);
}

export function setLimit(environment: Environment, reference: string, used: number): LimitDescription {
  const { id } = addressed(() => findKey(environment.keys, reference));
  environment.stores.limits.set(id, used);
  return describeLimit(environment, id);
}

export function setAssumptions(
  environment: Environment,
  changes: Readonly<Record<string, unknown>>,
): AssumptionDescription[] {
  // All are parsed before the first is set.
  const parsed = Object.entries(changes).map(([id, value]) => parseAssumption(id, value));
  for (const change of parsed) environment.assume(change);
  return describeAssumptions(environment);
}

export function listRequests(environment: Environment, filter: RequestFilter): RequestList {
  const { key_id: reference } = filter;
  // The journal may have requests of a key from another time of the clock.
  const isId = reference === undefined || isUuid(reference);
  const wanted = isId ? filter : { ...filter, key_id: findKey(environment.keys, reference).id };
  const waiting = environment.waiting.filter((request) => isWaitingMatch(request, wanted));
  return { ...environment.stores.journal.list(wanted), waiting };
}

/** Plays a scenario: a document, the text of a file, a name or, unless the caller is remote, the path of a file. */
export async function play(
  environment: Environment,
  scenario: string | object,
  subject: PlaySubject,
  isRemote: boolean,
): Promise<RunDescription> {
  const script = await scenarioFrom(scenario, environment.setup.known, isRemote);
  await environment.stores.runs.prepare();
  const run = await environment.caughtUp(() => environment.stores.runs.play(script, subject));
  return environment.caughtUp(() => environment.stores.runs.describe(run));
}

/** Plays the waiting step of a run, or stops the run. */
export function continueRun(environment: Environment, id: string, command: "next" | "stop"): RunDescription {
  const { runs } = environment.stores;
  const run = findRun(environment, id);
  runs[command](run);
  environment.read();
  return runs.describe(run);
}

export async function getRun(environment: Environment, id: string): Promise<RunDetail> {
  const run = findRun(environment, id);
  const script = await tellScenario(run.scenario);
  return { ...environment.stores.runs.describe(run), script };
}

function findRun({ stores: { runs } }: Environment, id: string): Run {
  const run = runs.all.find((candidate) => candidate.id === id);
  if (!run)
    throw new ControlError(
      "not_found",
      missing(
        "run",
        id,
        runs.all.map((each) => each.id),
      ),
    );
  return run;
}
