import type { ChangeDescription, EventRecord, InvestmentRecord } from "../../../src/control.ts";
import { count, eachOnce, instant, number, span } from "../../format.ts";
import { isMembers } from "../../members.ts";
import { Empty, Panel, Waiting } from "../../parts/panel.tsx";
import { Ago, Changed } from "../../parts/values.tsx";
import type { Resource } from "../../server/resource.ts";
import { route, toRun } from "../../routes.ts";
import { now } from "../../server/state.ts";
import { isChanged } from "../../clock/last-step.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { useOwnOutline } from "../../clock/subject.ts";

/** One instant of an investment's history. */
interface Moment {
  readonly date: string;
  readonly texts: readonly string[];
  /** The run that recorded it; null for a command, and for the fixture. */
  readonly run: string | null;
  /** Number of its changes on the timeline, which the clock undoes or applies. */
  readonly changes: number;
}

interface HistoryProps {
  readonly id: string;
  /** Undefined before the investment's creation. */
  readonly record: InvestmentRecord | undefined;
  readonly timeline: Resource<readonly ChangeDescription[]>;
}

/** Past and future of one investment as one line; each instant is a button that sets the clock. */
export function History({ id, record, timeline }: HistoryProps) {
  // A repetition that has not begun has no changes on the timeline yet.
  const { next: coming, total = 0 } = useOwnOutline().data ?? {};
  if (!timeline.data) {
    return (
      <Panel title="Events and changes">
        <Waiting problem={timeline.problem} />
      </Panel>
    );
  }
  const { length, 0: first } = timeline.data;
  const isCut = total > length && first !== undefined;
  // Events before the first loaded change may or may not be changes, so they are left out.
  const moments = momentsOf(record, timeline.data).filter(({ date }) => !isCut || date >= first.date);
  const past = moments.filter(({ date }) => Date.parse(date) <= now.value);
  const future = moments.slice(past.length);
  return (
    <Panel title="Events and changes">
      {isCut && (
        <p class="muted">
          The newest {number(length)} of {count(total, "change")}.
        </p>
      )}
      {moments.length === 0 && <Empty title="Nothing has happened." />}
      <ol class="history">
        {past.map((moment, at) => (
          <Entry key={moment.date} id={id} moment={moment} before={past[at - 1]} changes={sumOf(past.slice(at + 1))} />
        ))}
        <li class="present" aria-current="time">
          <strong>Now</strong> <span class="muted number">{instant(now.value)} UTC</span>
        </li>
        {future.map((moment, at) => (
          <Entry
            key={moment.date}
            id={id}
            moment={moment}
            before={future[at - 1]}
            isFuture
            changes={sumOf(future.slice(0, at + 1))}
          />
        ))}
      </ol>
      {future.length === 0 && (
        <p class="muted">
          {coming
            ? `A scenario goes on with it at ${instant(coming)}.`
            : "Nothing is to come until a scenario plays on it."}
        </p>
      )}
    </Panel>
  );
}

interface EntryProps {
  /** The id of the investment. */
  readonly id: string;
  readonly moment: Moment;
  readonly before: Moment | undefined;
  readonly isFuture?: boolean;
  /** Number of changes of this investment that are undone or applied when the clock is set here. */
  readonly changes: number;
}

function Entry({ id, moment: { date, texts, run }, before, isFuture = false, changes }: EntryProps) {
  const length = before ? Date.parse(date) - Date.parse(before.date) : 0;
  const effect =
    changes === 0
      ? "nothing changes in it"
      : isFuture
        ? `${count(changes, "change")} of it ${changes === 1 ? "happens" : "happen"}`
        : `${count(changes, "change")} of it ${changes === 1 ? "is" : "are"} undone`;
  const isMeant = route.value.query.get("at") === date;
  return (
    <li class={[isFuture ? "future" : "past", isMeant && "meant"].filter(Boolean).join(" ")}>
      {length >= 1000 && <small class="apart muted">{span(length)} later</small>}
      <div class="moment">
        <span class="what">
          {eachOnce(texts).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
        <span>
          <InstantButton date={date} effect={effect} />
          {isChanged(id, date) && <Changed words={isFuture ? "just undone" : "just happened"} />}
        </span>
        <small class="muted">
          <Ago date={date} />
          {run !== null && (
            <>
              {", "}
              <a href={toRun(run)}>{run}</a>
            </>
          )}
        </small>
      </div>
    </li>
  );
}

function sumOf(moments: readonly Moment[]): number {
  return moments.reduce((sum, { changes }) => sum + changes, 0);
}

/** The record's events and the timeline's changes by instant; an event in both is shown once. */
function momentsOf(record: InvestmentRecord | undefined, changes: readonly ChangeDescription[]): readonly Moment[] {
  const moments = new Map<string, { date: string; texts: string[]; run: string | null; changes: number }>();
  const at = (date: string) => {
    const moment = moments.get(date) ?? { date, texts: [], run: null, changes: 0 };
    moments.set(date, moment);
    return moment;
  };
  const eventIds = new Set(changes.map((change) => eventIdOf(change)));
  const isCreatedHere = changes.some(({ kind }) => kind === "new_investment");
  if (record && !isCreatedHere && typeof record["create_date"] === "string") {
    at(record["create_date"]).texts.push("created");
  }
  for (const { id, event, action, create_date } of eventsOf(record)) {
    if (!eventIds.has(id)) at(create_date).texts.push(`event ${event} ${action}`);
  }
  for (const change of changes) {
    const moment = at(change.date);
    moment.texts.push(change.summary);
    moment.run ??= change.run;
    moment.changes += 1;
  }
  return [...moments.values()].toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date));
}

function eventsOf(record: InvestmentRecord | undefined): readonly EventRecord[] {
  const events = record?.["events"];
  return Array.isArray(events) ? events : [];
}

function eventIdOf({ event }: ChangeDescription): unknown {
  return isMembers(event) ? event["id"] : undefined;
}
