import type { ChangeDescription, InvestmentRecord } from "../../../src/public/control.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { changesState } from "../../../src/model/summaries.ts";
import { listOf, type Members } from "../../base/members.ts";
import { Moment } from "../../components/values.tsx";

/** A stage of an investment. */
interface Stage {
  readonly name: string;
  /** When the stage was or will be reached; undefined if the timeline does not have it. */
  readonly date: string | undefined;
  readonly isReached: boolean;
}

/** Returns the stages of an investment, each with the instant at which it was or will be reached. */
function stagesOf(record: InvestmentRecord, timeline: readonly ChangeDescription[], nowMs: number): readonly Stage[] {
  const { status, step, amount, paid_amount: paid, create_date } = record;
  const past = timeline.filter(({ date }) => Date.parse(date) <= nowMs);
  const upcoming = timeline.slice(past.length);
  const stage = (name: string, isReached: boolean, isReachedBy: (fields: Members) => boolean): Stage => {
    const change = (isReached ? past : upcoming).findLast((candidate) => isReachedBy(fieldsSetBy(candidate)));
    return { name, isReached, date: change?.date };
  };
  const isClosed = status === "CLOSED";
  const isPaid = isClosed || (typeof amount === "number" && amount > 0 && Number(paid) >= amount);
  // The timeline has no steps of an investment from a fixture.
  const hasSigned = listOf(record["payments"]).length > 0 || listOf(record["events"]).some(followsSigners);
  return [
    { name: "Pending", date: typeof create_date === "string" ? create_date : undefined, isReached: true },
    stage("Signing", step === "SIGNERS" || isPaid || hasSigned, (fields) => fields["step"] === "SIGNERS"),
    stage("Paid", isPaid, (fields) => fields["status"] === "succeeded"),
    stage("Closed", isClosed, (fields) => fields["status"] === "CLOSED"),
  ];
}

function followsSigners({ event }: Members): boolean {
  return event === "SUBSCRIPTION" || event === "PAYMENT";
}

/** Returns the attributes that a change sets on the investment or a payment. */
function fieldsSetBy(change: ChangeDescription): Members {
  const { attributes, payment, investment } = change;
  if (!changesState(change)) return {};
  return (attributes ?? payment ?? investment ?? {}) as Members;
}

interface ProgressProps {
  /** The instant of the record. */
  readonly now: string;
  readonly record: InvestmentRecord;
  readonly timeline: readonly ChangeDescription[];
}

/** Pending → Signing → Paid → Closed: a dot stands at the last stage reached, and upcoming instants are buttons. */
export function Progress({ now, record, timeline }: ProgressProps) {
  const { status } = record;
  if (status !== "PENDING" && status !== "CLOSED") return null;
  const stages = stagesOf(record, timeline, Date.parse(now));
  const current = stages.findLastIndex(({ isReached }) => isReached);
  return (
    <ol
      class={`progress ${status === "CLOSED" ? "closed" : ""}`}
      aria-label="Investment progress"
      style={{ "--at": String(current) }}
    >
      {stages.map(({ name, date, isReached }, index) => (
        <li key={name} class={isReached ? "reached" : undefined} aria-current={index === current ? "step" : undefined}>
          <strong>
            {name}
            <span class="unseen">{isReached ? " reached" : " upcoming"}</span>
          </strong>
          {isReached ? <small class="muted">{date && <Moment date={date} />}</small> : <UpcomingInstant date={date} />}
        </li>
      ))}
    </ol>
  );
}

function UpcomingInstant({ date }: { readonly date: string | undefined }) {
  if (date === undefined) return <small class="muted">no date yet</small>;
  return (
    <InstantButton date={date}>
      <Moment date={date} />
    </InstantButton>
  );
}
