import type {
  ChangeDescription,
  HistogramFilter,
  Pulse,
  PulseSince,
  TimelineBucket,
  TimelineFilter,
  TimelineHistogram,
} from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import type { History } from "../environment/history.ts";
import { keyStatus } from "../environment/keys.ts";
import { findInvestment, findOffering, formatMissing } from "../environment/references.ts";
import type { Change } from "../model/resources.ts";
import { version } from "../package.ts";
import { earlier, formatInstant, type Instant, never, readInstant } from "../time/instant.ts";
import { ValidationError } from "../validation/errors.ts";
import { histogramFilter } from "../settings/queries.ts";
import type { Handlers, Server } from "./call.ts";
import { describeChange } from "./describe.ts";
import { listEntries } from "./requests.ts";

/** The handlers of the operations on the timeline, and of the pulse, which has its neighbors and new requests. */
export const timelineHandlers = {
  getTimeline: ({ environment, query }) => ({ data: listTimeline(environment, query) }),
  getHistogram: ({ environment, query }) => createHistogram(environment, query),
  getPulse: ({ server, environment, query }) => createPulse(environment, server, query),
} satisfies Partial<Handlers>;

export function listTimeline(environment: Environment, filter: TimelineFilter): ChangeDescription[] {
  const { from, to, limit } = filter;
  const { history } = environment.internals;
  const { timeline } = history;
  history.read();
  const { isIncluded } = filteredSubject(environment, filter);
  const startPosition = from === undefined ? 0 : timeline.countUntil(millisecondsOf(from) - 1);
  const endPosition = to === undefined ? undefined : timeline.countUntil(millisecondsOf(to));
  const matches = timeline.changes.slice(startPosition, endPosition).filter(isIncluded);
  const isLast = to !== undefined && from === undefined;
  const page = isLast ? matches.slice(Math.max(0, matches.length - (limit ?? Infinity))) : matches.slice(0, limit);
  return page.map((change) => describeChange(change, history));
}

type Filter = Pick<TimelineFilter, "offering_id" | "investment_id" | "run">;

/**
 * Resolves the run, offering and investment of a filter to ids, with a check whether a change belongs to them. Throws
 * ValidationError if one is missing.
 */
export function filteredSubject(
  { offerings, internals: { history, runs } }: Environment,
  { offering_id, investment_id, run }: Filter,
) {
  const ids = runs.all.map(({ id }) => id);
  if (run !== undefined && !ids.includes(run)) throw new ValidationError(formatMissing("run", run, ids));
  const investment = investment_id === undefined ? undefined : investmentIdOf(history, investment_id);
  const offering = offering_id === undefined ? undefined : findOffering(offerings, offering_id).id;
  const isIncluded = (change: Change): boolean =>
    (run === undefined || change.origin?.run === run) &&
    (investment === undefined || investmentIn(change) === investment) &&
    (offering === undefined || offeringIn(change, history) === offering);
  return { run, investment, offering, isIncluded };
}

function millisecondsOf(instant: Instant): number {
  return Date.parse(readInstant(instant) ?? "");
}

/** Returns the id of an investment that exists at any time. Throws ValidationError if it never exists. */
export function investmentIdOf(history: History, reference: string): string {
  const { dataset, created } = history;
  const lowerCase = reference.toLowerCase();
  if (created.has(lowerCase)) return lowerCase;
  const ids = dataset.offerings.flatMap((offering) => created.idByAlias(offering.id, reference) ?? []);
  const [onlyId = "", ...otherIds] = ids;
  const isInDataset = dataset.offerings.some(({ id }) => dataset.idOfAlias(id, reference) !== undefined);
  return ids.length > 0 && otherIds.length === 0 && !isInDataset ? onlyId : findInvestment(history, reference).id;
}

/** Returns the id of the investment that a change is about. */
export function investmentIn(change: Change): string | undefined {
  if ("investment" in change) return change.investment.id;
  return "investment_id" in change ? change.investment_id : undefined;
}

/** Returns the id of the offering that a change is about, even through an investment or key. */
function offeringIn(change: Change, history: History): string | undefined {
  if ("offering_id" in change) return change.offering_id;
  if ("key" in change) return change.key.offering_id;
  if ("key_id" in change) return history.keysBy(change.date).find(({ id }) => id === change.key_id)?.offering_id;
  const id = investmentIn(change);
  if (id === undefined) return undefined;
  return (history.created.investment(id, change.date) ?? history.dataset.investment(id))?.offering_id;
}

/** All changes of a timeline, or the changes of an offering, an investment or a run. */
interface Selection {
  readonly isIncluded: (change: Change) => boolean;
  readonly changes: readonly Change[];
  /** The number of changes up to now. */
  readonly appliedCount: number;
  /** The date of the first change that is not on the timeline because its repetition has not begun; or `never`. */
  readonly upcomingDate: Instant;
}

/** Selects the changes of a filter. Throws ValidationError for an unknown offering, investment or run. */
export function selectionOf(environment: Environment, filter: Filter = {}): Selection {
  const { history, runs } = environment.internals;
  const { changes } = history.timeline;
  const { position } = history.read().state;
  const { run, investment, offering, isIncluded } = filteredSubject(environment, filter);
  if (run === undefined && investment === undefined && offering === undefined)
    return { isIncluded, changes, appliedCount: position, upcomingDate: runs.nextDate() };
  return {
    isIncluded,
    changes: changes.filter(isIncluded),
    appliedCount: changes.slice(0, position).filter(isIncluded).length,
    upcomingDate: runs.nextDate(
      ({ id, investment_id, offering_id }) =>
        (run === undefined || id === run) &&
        (investment === undefined || investment_id === investment) &&
        (offering === undefined || offering_id === offering),
    ),
  };
}

/** Returns the dates of the last change up to now and of the next one. No other function returns upcoming dates. */
function neighbors({ changes, appliedCount, upcomingDate }: Selection): Pick<TimelineHistogram, "previous" | "next"> {
  const next = earlier(changes[appliedCount]?.date ?? never, upcomingDate);
  return { previous: changes[appliedCount - 1]?.date ?? null, next: next === never ? null : next };
}

export function createHistogram(environment: Environment, filter: HistogramFilter): TimelineHistogram {
  const { now } = environment.read();
  const selection = selectionOf(environment, filter);
  const { changes, appliedCount } = selectionOf(environment);
  const maxBuckets = filter.buckets ?? histogramFilter.buckets.default;
  const [past, future] = [instantsIn(changes, 0, appliedCount), instantsIn(changes, appliedCount, changes.length)];
  const instantCount = past.length + future.length;
  // Past and future each have a share of at least one bucket, so the present is never inside a bucket.
  const pastShare = Math.round((Math.min(maxBuckets, instantCount) * past.length) / Math.max(1, instantCount));
  const pastBucketCount = Math.min(
    past.length,
    Math.max(1, Math.min(pastShare, maxBuckets - Math.min(1, future.length))),
  );
  const futureBucketCount = Math.min(future.length, Math.max(1, maxBuckets - pastBucketCount));
  return {
    first: selection.changes[0]?.date ?? null,
    last: selection.changes.at(-1)?.date ?? null,
    now,
    ...neighbors(selection),
    total: selection.changes.length,
    applied: selection.appliedCount,
    buckets: [
      ...bucketsOf(selection, changes, past, appliedCount, pastBucketCount),
      ...bucketsOf(selection, changes, future, changes.length, futureBucketCount),
    ],
  };
}

/** Returns the positions at which a new instant begins, from `from` up to, but not including, `to`. */
function instantsIn(changes: readonly Change[], from: number, to: number): number[] {
  const starts: number[] = [];
  for (let position = from; position < to; position++)
    if (position === from || changes[position]?.date !== changes[position - 1]?.date) starts.push(position);
  return starts;
}

/** Returns buckets with about equal numbers of instants. `instants` has their positions; the last ends before `end`. */
function bucketsOf(
  { isIncluded }: Selection,
  changes: readonly Change[],
  instants: readonly number[],
  end: number,
  bucketCount: number,
): TimelineBucket[] {
  const startOf = (index: number): number => instants[Math.floor((index * instants.length) / bucketCount)] ?? end;
  return Array.from({ length: bucketCount }, (_, index) => {
    const inBucket = changes.slice(startOf(index), startOf(index + 1));
    const kinds: Record<string, number> = {};
    for (const { kind } of inBucket) kinds[kind] = (kinds[kind] ?? 0) + 1;
    const [from, to] = [inBucket[0]?.date ?? "", inBucket.at(-1)?.date ?? ""];
    return { from, to, count: inBucket.length, subject_count: inBucket.filter(isIncluded).length, kinds };
  });
}

/** Maximum number of journal entries in a pulse. */
const maxEntries = 200;

function createPulse(environment: Environment, server: Server, { after = 0, revision }: PulseSince): Pulse {
  const { now } = environment.read();
  const { clock, journal } = environment.internals;
  const isOtherSeries = after > journal.lastId || (revision !== undefined && !revision.startsWith(journal.series));
  const afterId = isOtherSeries ? 0 : after;
  return {
    revision: revisionOf(environment),
    version,
    clock: { now, speed: clock.speed },
    real_time: formatInstant(Date.now()),
    ...neighbors(selectionOf(environment)),
    journal: {
      ...listEntries(environment, server, { after: afterId, limit: maxEntries }),
      last: journal.lastId,
      after: afterId,
    },
  };
}

/** Returns the revision, which begins with the series of the journal. */
function revisionOf(environment: Environment): string {
  const { journal, commandCount } = environment.internals;
  const { now, state } = environment.read();
  // The end of a key or fault is no change on the timeline, so both are counted.
  const endedFaults = Array.from(state.faults).filter(({ until }) => (until ?? never) <= now);
  const revokedKeys = Array.from(state.keys).filter((key) => keyStatus(key, now) === "revoked");
  return [
    journal.series,
    commandCount,
    environment.revision,
    state.position,
    endedFaults.length,
    revokedKeys.length,
  ].join();
}
