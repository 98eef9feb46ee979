import { computed, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { ChangeDescription, EventRecord, InvestmentRecord } from "../../../src/public/control.ts";
import { formatEvent, type Happening, happeningsOf } from "../../../src/model/words.ts";
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
import { textOf } from "./documents.ts";

/** Selects the latest changes, including future ones. */
export const newest = { to: "9999-12-31T23:59:59.999Z", limit: 500 };

/** A change of the timeline, or a fact of the record that none of them brought. */
type Fact = Pick<ChangeDescription, "date" | "subject_id" | "kind" | "summary"> & Partial<ChangeDescription>;

interface HistoryProps {
  readonly id: string;
  /** Undefined before the investment's creation. */
  readonly record: InvestmentRecord | undefined;
  readonly timeline: Resource<readonly ChangeDescription[]>;
}

/** The number of upcoming instants that are shown at first, and the most rows of their box. */
const [few, most] = [3, 8];

/** The past and future of an investment, newest first. The instant of a change is a button that sets the clock. */
export function History({ id, record, timeline }: HistoryProps) {
  const { data } = timeline;
  const isOpen = useSignal(false);
  /** The box does not become lower, so that Now stays in place. */
  const height = useRef(0);
  // A repetition that has not begun has no changes on the timeline yet.
  const { next: coming, total = 0 } = (!histogram.isLoading && histogram.data) || {};
  const facts = useMemo(() => factsOf(id, record, data ?? []), [record, data]);
  const passed = useMemo(
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
  const past = happeningsOf(facts.slice(0, passed.value)).toReversed();
  const future = happeningsOf(facts.slice(passed.value), true);
  const runs = environment.data?.runs.filter((run) => data.some((change) => change.run === run.id)) ?? [];
  height.current = Math.max(height.current, Math.min(isOpen.value ? most : few, future.length));
  return (
    <Panel
      class="happens"
      title="Activity"
      actions={
        <>
          {future.length > few && (
            <Button
              kind="quiet"
              class="inline"
              aria-expanded={isOpen.value}
              onClick={() => ([height.current, isOpen.value] = [0, !isOpen.value])}
            >
              {isOpen.value ? "Fewer" : `${formatNumber(future.length - few)} more`}
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
      <div class="coming" style={{ "--rows": String(height.current) }}>
        {future.length === 0 ? (
          <p class="muted">
            {/* The clock may have passed it since it was loaded. */}
            {coming && Date.parse(coming) > now.value
              ? `A scenario continues at ${formatInstant(coming)}.`
              : "No upcoming changes."}
          </p>
        ) : (
          <ol class="history">
            {(isOpen.value ? future : future.slice(0, few))
              .map((one) => (
                <Entry key={keyOf(one)} one={one} isFuture changes={sumOf(future, (date) => date <= one.date)} />
              ))
              .toReversed()}
          </ol>
        )}
      </div>
      <Now />
      <ol class="history">
        {past.map((one) => (
          <Entry key={keyOf(one)} one={one} changes={sumOf(past, (date) => date > one.date)} />
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

interface EntryProps {
  readonly one: Happening<Fact>;
  readonly isFuture?: boolean;
  /** Number of changes of this investment that are undone or applied when the clock is set here. */
  readonly changes: number;
}

function Entry({ one: { date, subject_id: id, words, changes: facts }, isFuture = false, changes }: EntryProps) {
  const effect = `${formatCount(changes, "change")} of it ${isFuture ? "made" : "undone"}`;
  const isMeant = route.value.query.get("at") === date;
  const text = formatDistinct(words).join(" · ");
  const codes = facts.flatMap(({ event }) =>
    isMembers(event) ? `${textOf(event["event"])} ${textOf(event["action"])}` : [],
  );
  return (
    <li class={[isFuture ? "future" : "past", isMeant && "meant"].filter(Boolean).join(" ")}>
      <span class="what" title={text}>
        {text}
        {isChanged(id, date) && <ChangedMark label={isFuture ? "just undone" : "just happened"} />}
      </span>
      <InstantButton date={date} effect={effect} isFixed={!facts.some(isReplayed)}>
        <Ago date={date} />
      </InstantButton>
      <small class="codes muted">{formatDistinct(codes).join(", ")}</small>
    </li>
  );
}

/** The clock only applies and undoes changes of the timeline: the fixture's own content stays. */
function isReplayed({ sequence }: Fact): boolean {
  return sequence !== undefined;
}

/** Counts the changes that setting the clock applies or undoes, at the instants that it passes. */
function sumOf(all: readonly Happening<Fact>[], isPassed: (date: string) => boolean): number {
  const passed = all.filter(({ date }) => isPassed(date));
  return passed.reduce((sum, { changes }) => sum + changes.filter(isReplayed).length, 0);
}

function keyOf({ date, changes: [first] }: Happening<Fact>): string {
  return `${date} ${first?.run}`;
}

/** The record's events and the timeline's changes, oldest first; an event in both is there once. */
function factsOf(
  id: string,
  record: InvestmentRecord | undefined,
  changes: readonly ChangeDescription[],
): readonly Fact[] {
  const known = new Set(changes.map(({ event }) => (isMembers(event) ? event["id"] : undefined)));
  const events = (record?.["events"] ?? []) as readonly EventRecord[];
  const facts: Fact[] = events
    .filter((event) => !known.has(event.id))
    .map((event) => ({
      date: event.create_date,
      subject_id: id,
      kind: "event",
      event,
      summary: formatEvent(event),
    }));
  const created = record?.["create_date"];
  if (typeof created === "string" && !changes.some(({ kind }) => kind === "new_investment"))
    facts.push({ date: created, subject_id: id, kind: "created", summary: "Created" });
  // If the timeline is cut off, it is unknown which earlier events are changes.
  const first = changes.length === newest.limit ? (changes[0]?.date ?? "") : "";
  return [...facts.filter(({ date }) => date >= first), ...changes].toSorted(
    (left, right) => Date.parse(left.date) - Date.parse(right.date),
  );
}
