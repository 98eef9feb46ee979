import type { ChangeDescription, InvestmentRecord } from "../../../src/control.ts";
import { setClock } from "../../clock/moves.ts";
import { day, time } from "../../format.ts";
import { now } from "../../server/state.ts";

/** A stage on the way of an investment. */
interface Stage {
  readonly name: string;
  /** Undefined where neither the record nor the timeline tells. */
  readonly date: string | undefined;
  readonly isReached: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** The way of an investment through its stages: those passed, and those to come as far as the timeline has them. */
function stagesOf(
  record: InvestmentRecord,
  timeline: readonly ChangeDescription[],
  present: number,
): readonly Stage[] {
  const { status, step, amount, paid_amount: paid, create_date } = record;
  const isClosed = status === "CLOSED";
  const isPaid = typeof amount === "number" && amount > 0 && Number(paid) >= amount;
  const dateOf = (isMeant: (set: Members) => boolean, isLast = false): string | undefined => {
    const matches = timeline.filter((change) => isMeant(setBy(change)));
    return (isLast ? matches.at(-1) : matches[0])?.date;
  };
  const signers = dateOf((set) => set["step"] === "SIGNERS");
  const payment = dateOf((set) => set["status"] === "succeeded", true);
  const closing = dateOf((set) => set["status"] === "CLOSED");
  const isPast = (date: string | undefined): boolean => date !== undefined && Date.parse(date) <= present;
  return [
    { name: "PENDING", date: typeof create_date === "string" ? create_date : undefined, isReached: true },
    { name: "SIGNERS", date: signers, isReached: step === "SIGNERS" || isClosed || isPaid || isPast(signers) },
    { name: "paid", date: isPaid && !isPast(payment) ? undefined : payment, isReached: isPaid },
    { name: "CLOSED", date: isClosed && !isPast(closing) ? undefined : closing, isReached: isClosed },
  ];
}

/** The attributes that a change sets: of the investment, or of a payment. */
function setBy({ kind, attributes, payment, investment }: ChangeDescription): Members {
  if (!["investment", "payment", "new_payment", "new_investment"].includes(kind)) return {};
  return (attributes ?? payment ?? investment ?? {}) as Members;
}

interface WayProps {
  readonly record: InvestmentRecord;
  readonly timeline: readonly ChangeDescription[];
}

/** PENDING → SIGNERS → paid → CLOSED, with the instants passed, and those to come as buttons. */
export function Way({ record, timeline }: WayProps) {
  const { status } = record;
  if (status !== "PENDING" && status !== "CLOSED") return null;
  return (
    <ol class="way" aria-label="Way of the investment">
      {stagesOf(record, timeline, now.value).map(({ name, date, isReached }) => (
        <li key={name} class={isReached ? "reached" : undefined}>
          <strong>{name}</strong>
          {isReached ? <small class="muted">{date && `${day(date)} ${time(date)}`}</small> : <ToCome date={date} />}
        </li>
      ))}
    </ol>
  );
}

function ToCome({ date }: { readonly date: string | undefined }) {
  if (date === undefined) return <small class="muted">open</small>;
  return (
    <button type="button" class="instant" title="Set the clock here" onClick={() => void setClock(Date.parse(date))}>
      <span class="unseen">Set the clock to </span>
      {day(date)} {time(date)}
    </button>
  );
}
