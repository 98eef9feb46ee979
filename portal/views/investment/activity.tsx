import { computed, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { ChangeDescription, EventRecord, InvestmentRecord } from "../../../src/public/control.ts";
import { formatEvent, type ChangeGroup, groupChanges } from "../../../src/model/summaries.ts";
import { isChanged } from "../../clock/last-step.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { histogram } from "../../clock/subject.ts";
import { formatCount, formatDay, formatDistinct, formatInstant, formatNumber, formatTime } from "../../base/format.ts";
import { isMembers } from "../../base/members.ts";
import { Button } from "../../components/button.tsx";
import { Panel, Loading } from "../../components/panel.tsx";
import { Ago, ChangedMark } from "../../components/values.tsx";
import { route, toRun } from "../../base/routes.ts";
import type { Resource } from "../../data/resource.ts";
import { environment, now } from "../../data/state.ts";
import { formatValue } from "./documents.ts";

/** Selects the latest changes, including future ones. */
export const newest = { to: "9999-12-31T23:59:59.999Z", limit: 500 };

/** A change of the timeline, or a fact of the record that is not on the timeline. */
type DatedFact = Pick<ChangeDescription, "date" | "subject_id" | "kind" | "summary"> & Partial<ChangeDescription>;

interface ActivityProps {
  readonly id: string;
  /** Undefined before the investment's creation. */
  readonly record: InvestmentRecord | undefined;
  readonly timeline: Resource<readonly ChangeDescription[]>;
}

/** The number of upcoming rows that are shown at first, and the maximum height of their box in rows. */
const [initialRows, maxRows] = [3, 8];

/** The past and future of an investment, newest first. The instant of a change is a button that sets the clock. */
export function Activity({ id, record, timeline }: ActivityProps) {
  const { data } = timeline;
  const isOpen = useSignal(false);
  /** The height of the box of upcoming rows. It never shrinks by itself, so that Now stays in place. */
  const boxRows = useRef(0);
  // A repetition that has not begun has no changes on the timeline yet.
  const { next: nextDate, total = 0 } = (!histogram.isLoading && histogram.data) || {};
  const facts = useMemo(() => datedFactsOf(id, record, data ?? []), [record, data]);
  const pastCount = useMemo(
    () => computed(() => facts.filter(({ date }) => Date.parse(date) <= now.value).length),
    [facts],
  );
  if (!data) {
    return (
      <Panel title="Activity">
        <Loading for={timeline} />
      </Panel>
    );
  }
  const past = groupChanges(facts.slice(0, pastCount.value)).toReversed();
  const upcoming = groupChanges(facts.slice(pastCount.value), true);
  const shownUpcoming = isOpen.value ? upcoming : upcoming.slice(0, initialRows);
  const runs = environment.data?.runs.filter((run) => data.some((change) => change.run === run.id)) ?? [];
  boxRows.current = Math.max(boxRows.current, Math.min(maxRows, shownUpcoming.length));
  return (
    <Panel
      class="happens"
      title="Activity"
      actions={
        <>
          {upcoming.length > initialRows && (
            <Button
              kind="quiet"
              class="inline"
              aria-expanded={isOpen.value}
              onClick={() => ([boxRows.current, isOpen.value] = [0, !isOpen.value])}
            >
              {isOpen.value ? "Fewer" : `${formatNumber(upcoming.length - initialRows)} more`}
              <span class="unseen"> upcoming</span>
            </Button>
          )}
          {runs.map((run) => (
            <a key={run.id} class="small" href={toRun(run.id)} title={run.title}>
              {run.scenario}
            </a>
          ))}
        </>
      }
    >
      <div class="coming" style={{ "--rows": String(boxRows.current) }}>
        {upcoming.length === 0 ? (
          <p class="muted">
            {/* The clock may have passed it since it was loaded. */}
            {nextDate && Date.parse(nextDate) > now.value
              ? `A scenario continues at ${formatInstant(nextDate)}.`
              : "No upcoming changes."}
          </p>
        ) : (
          <ol class="history">
            {shownUpcoming.toReversed().map((row) => (
              <Entry
                key={keyOf(row)}
                {...row}
                isUpcoming
                changeCount={countReplayed(upcoming, (date) => date <= row.date)}
              />
            ))}
          </ol>
        )}
      </div>
      <Now />
      <ol class="history">
        {past.map((row) => (
          <Entry key={keyOf(row)} {...row} changeCount={countReplayed(past, (date) => date > row.date)} />
        ))}
      </ol>
      {total > data.length && (
        <p class="muted">
          The newest {formatNumber(data.length)} of {formatCount(total, "change")}.
        </p>
      )}
    </Panel>
  );
}

/** A separate component, because a tick of the clock then renders only this. */
function Now() {
  return (
    <p class="at-now" aria-current="time">
      <strong class="number">Now {formatTime(now.value)}</strong>{" "}
      <small class="muted number">{formatDay(now.value)} UTC</small>
    </p>
  );
}

interface EntryProps extends ChangeGroup<DatedFact> {
  readonly isUpcoming?: boolean;
  /** Number of changes of this investment that are undone or applied when the clock is set here. */
  readonly changeCount: number;
}

function Entry({ date, subject_id: id, summaries, changes: facts, isUpcoming = false, changeCount }: EntryProps) {
  const effect = `${formatCount(changeCount, "change")} of it ${isUpcoming ? "applied" : "undone"}`;
  const isLinked = route.value.query.get("change") === date;
  const text = formatDistinct(summaries).join(" · ");
  const codes = facts.flatMap(({ event }) =>
    isMembers(event) ? `${formatValue(event["event"])} ${formatValue(event["action"])}` : [],
  );
  return (
    <li class={`${isUpcoming ? "future" : "past"} ${isLinked ? "meant" : ""}`}>
      <span class="what" title={text}>
        {text}
        {isChanged(id, date) && <ChangedMark label={isUpcoming ? "just undone" : "just happened"} />}
      </span>
      <InstantButton date={date} effect={effect} isFixed={!facts.some(isReplayed)}>
        <Ago date={date} />
      </InstantButton>
      <small class="codes muted">{formatDistinct(codes).join(", ")}</small>
    </li>
  );
}

/** Whether moving the clock applies and undoes the fact: the content of the fixture always stays. */
function isReplayed({ sequence }: DatedFact): boolean {
  return sequence !== undefined;
}

/** Counts the changes that setting the clock applies or undoes, at the instants that it passes. */
function countReplayed(rows: readonly ChangeGroup<DatedFact>[], isPassed: (date: string) => boolean): number {
  return rows.flatMap(({ date, changes }) => (isPassed(date) ? changes.filter(isReplayed) : [])).length;
}

function keyOf({ date, changes: [first] }: ChangeGroup<DatedFact>): string {
  return `${date} ${first?.run}`;
}

/** Merges the record's events and the timeline's changes, oldest first; an event in both appears once. */
function datedFactsOf(
  id: string,
  record: InvestmentRecord | undefined,
  changes: readonly ChangeDescription[],
): readonly DatedFact[] {
  const timelineEvents = new Set(changes.map(({ event }) => (isMembers(event) ? event["id"] : undefined)));
  const events = (record?.["events"] ?? []) as readonly EventRecord[];
  const facts: DatedFact[] = events
    .filter((event) => !timelineEvents.has(event.id))
    .map((event) => ({ date: event.create_date, subject_id: id, kind: "event", event, summary: formatEvent(event) }));
  const created = record?.["create_date"];
  if (typeof created === "string" && !changes.some(({ kind }) => kind === "new_investment"))
    facts.push({ date: created, subject_id: id, kind: "created", summary: "Created" });
  // If the timeline is cut off, it is unknown which earlier events are changes.
  const first = changes.length === newest.limit ? (changes[0]?.date ?? "") : "";
  return [...facts.filter(({ date }) => date >= first), ...changes].toSorted(
    (left, right) => Date.parse(left.date) - Date.parse(right.date),
  );
}
