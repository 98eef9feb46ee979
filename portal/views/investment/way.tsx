import type { ChangeDescription, InvestmentRecord } from "../../../src/control.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { day, time } from "../../format.ts";
import { listOf, type Members } from "../../members.ts";

/** A stage on the way of an investment. */
interface Stage {
  readonly name: string;
  /** When the stage was or will be reached; undefined if the timeline does not have it. */
  readonly date: string | undefined;
  readonly isReached: boolean;
}

/** Returns the stages of an investment: those passed, and the future ones on the timeline. */
function stagesOf(record: InvestmentRecord, timeline: readonly ChangeDescription[], present: number): readonly Stage[] {
  const { status, step, amount, paid_amount: paid, create_date } = record;
  const past = timeline.filter(({ date }) => Date.parse(date) <= present);
  const future = timeline.slice(past.length);
  const stage = (name: string, isReached: boolean, isMeant: (set: Members) => boolean): Stage => {
    const isSet = (change: ChangeDescription): boolean => isMeant(setBy(change));
    return { name, isReached, date: (isReached ? past : future).findLast(isSet)?.date };
  };
  const isClosed = status === "CLOSED";
  const isPaid = isClosed || (typeof amount === "number" && amount > 0 && Number(paid) >= amount);
  // The timeline has no steps of an investment from a fixture.
  const hasSigned = listOf(record["payments"]).length > 0 || listOf(record["events"]).some(followsSigners);
  return [
    { name: "PENDING", date: typeof create_date === "string" ? create_date : undefined, isReached: true },
    stage("SIGNERS", step === "SIGNERS" || isPaid || hasSigned, (set) => set["step"] === "SIGNERS"),
    stage("PAID", isPaid, (set) => set["status"] === "succeeded"),
    stage("CLOSED", isClosed, (set) => set["status"] === "CLOSED"),
  ];
}

function followsSigners({ event }: Members): boolean {
  return event === "SUBSCRIPTION" || event === "PAYMENT";
}

/** Returns the attributes that a change sets on the investment or a payment. */
function setBy({ kind, attributes, payment, investment }: ChangeDescription): Members {
  if (!["investment", "payment", "new_payment", "new_investment"].includes(kind)) return {};
  return (attributes ?? payment ?? investment ?? {}) as Members;
}

interface WayProps {
  /** The instant of the record. */
  readonly now: string;
  readonly record: InvestmentRecord;
  readonly timeline: readonly ChangeDescription[];
}

/** PENDING → SIGNERS → PAID → CLOSED, with the past and future instants as buttons. */
export function Way({ now, record, timeline }: WayProps) {
  const { status } = record;
  if (status !== "PENDING" && status !== "CLOSED") return null;
  return (
    <ol class="way" aria-label="Way of the investment">
      {stagesOf(record, timeline, Date.parse(now)).map(({ name, date, isReached }) => (
        <li key={name} class={isReached ? "reached" : undefined}>
          <strong>
            {name}
            <span class="unseen">{isReached ? " reached" : " to come"}</span>
          </strong>
          {isReached ? <small class="muted">{date && `${day(date)} ${time(date)}`}</small> : <ToCome date={date} />}
        </li>
      ))}
    </ol>
  );
}

function ToCome({ date }: { readonly date: string | undefined }) {
  if (date === undefined) return <small class="muted">open</small>;
  return <InstantButton date={date} />;
}
