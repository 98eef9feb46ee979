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

/** The handlers of the operations on the timeline, and of the pulse: its neighbors and the journal's news. */
export const timelineHandlers = {
  getTimeline: ({ environment, query }) => ({ data: listTimeline(environment, query) }),
  getHistogram: ({ environment, query }) => histogram(environment, query),
  getPulse: ({ server, environment, query }) => pulse(environment, server, query),
} satisfies Partial<Handlers>;

export function listTimeline(environment: Environment, filter: TimelineFilter): ChangeDescription[] {
  const { from, to, limit } = filter;
  const { history } = environment.internals;
  const { timeline } = history;
  history.read();
  const { isMeant } = filteredSubject(environment, filter);
  const begin = from === undefined ? 0 : timeline.countUntil(timeOf(from) - 1);
  const end = to === undefined ? undefined : timeline.countUntil(timeOf(to));
  const matches = timeline.changes.slice(begin, end).filter(isMeant);
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
  const isMeant = (change: Change): boolean =>
    (run === undefined || change.origin?.run === run) &&
    (investment === undefined || investmentIn(change) === investment) &&
    (offering === undefined || offeringIn(change, history) === offering);
  return { run, investment, offering, isMeant };
}

function timeOf(instant: Instant): number {
  return Date.parse(readInstant(instant) ?? "");
}

/**
 * Returns the id of an investment, even if it only exists at another time. Throws ValidationError if it never exists.
 */
export function investmentIdOf(history: History, reference: string): string {
  const { dataset, created } = history;
  const lowerCase = reference.toLowerCase();
  if (created.has(lowerCase)) return lowerCase;
  const ids = dataset.offerings.flatMap((offering) => created.idByAlias(offering.id, reference) ?? []);
  const [only = "", ...others] = ids;
  const isThere = dataset.offerings.some(({ id }) => dataset.aliased(id, reference) !== undefined);
  return ids.length > 0 && others.length === 0 && !isThere ? only : findInvestment(history, reference).id;
}

/** Returns the investment of a change, or of the resource it changes. */
export function investmentIn(change: Change): string | undefined {
  if ("investment" in change) return change.investment.id;
  return "investment_id" in change ? change.investment_id : undefined;
}

/** Returns the offering of a change: its own, or the offering of its investment or key. */
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
  readonly isMeant: (change: Change) => boolean;
  readonly changes: readonly Change[];
  /** Number of changes up to now. */
  readonly applied: number;
  /** The date of the first change by a repetition that has not begun, which is not yet on the timeline; or `never`. */
  readonly coming: Instant;
}

/** Selects the changes of a filter. Throws ValidationError for an unknown offering, investment or run. */
export function selectionOf(environment: Environment, filter: Filter = {}): Selection {
  const { history, runs } = environment.internals;
  const { changes } = history.timeline;
  const { position } = history.read().state;
  const { run, investment, offering, isMeant } = filteredSubject(environment, filter);
  if (run === undefined && investment === undefined && offering === undefined)
    return { isMeant, changes, applied: position, coming: runs.nextDate() };
  return {
    isMeant,
    changes: changes.filter(isMeant),
    applied: changes.slice(0, position).filter(isMeant).length,
    coming: runs.nextDate(
      ({ id, investment_id, offering_id }) =>
        (run === undefined || id === run) &&
        (investment === undefined || investment_id === investment) &&
        (offering === undefined || offering_id === offering),
    ),
  };
}

/** Returns the dates of the last change up to now and the first one after it: the only place that knows the future. */
function neighbors({ changes, applied, coming }: Selection): Pick<TimelineHistogram, "previous" | "next"> {
  const next = earlier(changes[applied]?.date ?? never, coming);
  return { previous: changes[applied - 1]?.date ?? null, next: next === never ? null : next };
}

export function histogram(environment: Environment, filter: HistogramFilter): TimelineHistogram {
  const { now } = environment.read();
  const selection = selectionOf(environment, filter);
  const { changes, applied } = selectionOf(environment);
  const maxBuckets = filter.buckets ?? histogramFilter.buckets.default;
  const [past, future] = [instantsIn(changes, 0, applied), instantsIn(changes, applied, changes.length)];
  const instants = past.length + future.length;
  // Past and future each have a share of at least one bucket, so the present is never inside a bucket.
  const share = Math.round((Math.min(maxBuckets, instants) * past.length) / Math.max(1, instants));
  const ofPast = Math.min(past.length, Math.max(1, Math.min(share, maxBuckets - Math.min(1, future.length))));
  const ofFuture = Math.min(future.length, Math.max(1, maxBuckets - ofPast));
  return {
    first: selection.changes[0]?.date ?? null,
    last: selection.changes.at(-1)?.date ?? null,
    now,
    ...neighbors(selection),
    total: selection.changes.length,
    applied: selection.applied,
    buckets: [
      ...bucketsOf(selection, changes, past, applied, ofPast),
      ...bucketsOf(selection, changes, future, changes.length, ofFuture),
    ],
  };
}

/** Returns the positions at which another instant begins, from `from` up to, but not including, `to`. */
function instantsIn(changes: readonly Change[], from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at++) if (at === from || changes[at]?.date !== changes[at - 1]?.date) starts.push(at);
  return starts;
}

/** Returns buckets with about equal numbers of instants; `instants` are their positions, the last ends before `end`. */
function bucketsOf(
  { isMeant }: Selection,
  changes: readonly Change[],
  instants: readonly number[],
  end: number,
  count: number,
): TimelineBucket[] {
  const beginOf = (bucket: number): number => instants[Math.floor((bucket * instants.length) / count)] ?? end;
  return Array.from({ length: count }, (_, bucket) => {
    const inBucket = changes.slice(beginOf(bucket), beginOf(bucket + 1));
    const kinds: Record<string, number> = {};
    for (const { kind } of inBucket) kinds[kind] = (kinds[kind] ?? 0) + 1;
    const [from, to] = [inBucket[0]?.date ?? "", inBucket.at(-1)?.date ?? ""];
    return { from, to, count: inBucket.length, own: inBucket.filter(isMeant).length, kinds };
  });
}

/** Maximum number of journal entries in a pulse. */
const maxEntries = 200;

function pulse(environment: Environment, server: Server, { after = 0, revision }: PulseSince): Pulse {
  const { now } = environment.read();
  const { clock, journal } = environment.internals;
  const isOther = after > journal.lastId || (revision !== undefined && !revision.startsWith(journal.series));
  const from = isOther ? 0 : after;
  return {
    revision: revisionOf(environment),
    version,
    clock: { now, speed: clock.speed },
    real_time: formatInstant(Date.now()),
    ...neighbors(selectionOf(environment)),
    journal: {
      ...listEntries(environment, server, { after: from, limit: maxEntries }),
      last: journal.lastId,
      after: from,
    },
  };
}

/** Returns the revision, which begins with the series of the journal. */
function revisionOf(environment: Environment): string {
  const { journal, commandCount } = environment.internals;
  const { now, state } = environment.read();
  // Keys and faults end without a change.
  const ended = Array.from(state.faults).filter(({ until }) => (until ?? never) <= now);
  const revoked = Array.from(state.keys).filter((key) => keyStatus(key, now) === "revoked");
  return [journal.series, commandCount, environment.revision, state.position, ended.length, revoked.length].join();
}
