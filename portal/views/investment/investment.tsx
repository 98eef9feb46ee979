import type { ComponentChildren } from "preact";
import type { ChangeDescription, InvestmentRecord, OfferingSummary } from "../../../src/public/control.ts";
import { isUuid } from "../../../src/text/text.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { useChanged } from "../../clock/last-step.ts";
import { changesState } from "../../clock/moves.ts";
import { useSubject } from "../../clock/subject.ts";
import { money } from "../../format.ts";
import { listOf, type Members, nameOf } from "../../members.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Select } from "../../parts/field.tsx";
import { Notice, Page, Waiting } from "../../parts/panel.tsx";
import { Changed, Moment, Money } from "../../parts/values.tsx";
import { isPresenting } from "../../preferences.ts";
import { toOffering, useParameter } from "../../routes.ts";
import { useAnswer, useList } from "../../server/use-resource.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { textOf } from "./documents.ts";
import { listHref } from "./filters.tsx";
import { History, newest } from "./history.tsx";

const documents = { investment: "Investment", status: "Status", events: "Events" } as const;

type DocumentName = keyof typeof documents;

/** One investment: its present state, what each key reads, and its history. */
export function Investment({ id }: { readonly id: string }) {
  const [name, setName] = useParameter("document", "investment");
  const document = name in documents ? (name as DocumentName) : "investment";
  const { data, problem } = useAnswer("compare", { body: { investment_id: id, document } });
  const timeline = useList("getTimeline", { query: { investment_id: id, ...newest } });
  const isGone = problem?.status === 404;
  const record = data?.investment ?? undefined;
  const visible = isGone ? undefined : record;
  // The timeline knows an investment even before its creation.
  const isLost = isGone && timeline.problem?.status === 400;
  const isKnown = isUuid(id) || timeline.data?.length;
  useSubject(visible ? nameOf(visible) : "this investment", {
    investment_id: visible?.id ?? id,
  });
  return (
    <Page
      title={visible ? nameOf(visible) : "Investment"}
      // An open form keeps its text while the investment is gone.
      actions={record && !isPresenting.value && <Actions record={record} isGone={isGone} />}
    >
      {problem && (
        <Notice look={isGone ? "warning" : "bad"} actions={<a href={listHref({})}>All investments</a>}>
          {problem.message}
          {isGone &&
            (isKnown
              ? isLost
                ? " It is there at no time: perhaps it was part of what was reset."
                : " Perhaps the clock is before its creation: an investment of a scenario exists from that instant on."
              : " An id is a UUID; an alias names one investment, from its creation on.")}
        </Notice>
      )}
      {visible && data && (
        <>
          <Head record={visible} offering={data.offering} />
          <div class="stage">
            <Way now={data.now} record={visible} timeline={timeline.data ?? []} />
            <History key={visible.id} id={visible.id} record={visible} timeline={timeline} />
            {!isPresenting.value && (
              <Comparison comparison={data}>
                <Select
                  isBare
                  label="Document"
                  value={document}
                  onChange={setName}
                  options={Object.entries(documents)}
                />
              </Comparison>
            )}
          </div>
        </>
      )}
      {!visible && !problem && <Waiting />}
      {!visible && problem && isKnown && !isLost && <History id={id} record={undefined} timeline={timeline} />}
    </Page>
  );
}

interface HeadProps {
  readonly record: InvestmentRecord;
  readonly offering: OfferingSummary;
}

/** A line with the investment's amounts, status and step, and its names for programs. */
function Head({ record, offering }: HeadProps) {
  const { id, alias, step, status, amount, paid_amount: paid } = record;
  const changed = useChanged(id, record);
  const marked = (member: string, shown: ComponentChildren): ComponentChildren => (
    <>
      {shown}
      {changed(member) && <Changed />}
    </>
  );
  return (
    <p class="headline">
      <strong>{marked("amount", typeof amount === "number" ? <Money value={amount} /> : textOf(amount))}</strong>
      <span>{marked("status", <StatusBadge status={textOf(status)} />)}</span>
      {(step !== null || changed("step")) && <span>{marked("step", textOf(step))}</span>}
      {Number(paid) > 0 && <span>{marked("paid_amount", `${money(Number(paid))} paid`)}</span>}
      <code title={id}>{typeof alias === "string" ? alias : `${id.slice(0, 8)}…`}</code>
      <Copy text={id} subject="The id" />
      <a href={toOffering(offering.id)}>{offering.name}</a>
    </p>
  );
}

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
    { name: "Pending", date: typeof create_date === "string" ? create_date : undefined, isReached: true },
    stage("Signing", step === "SIGNERS" || isPaid || hasSigned, (set) => set["step"] === "SIGNERS"),
    stage("Paid", isPaid, (set) => set["status"] === "succeeded"),
    stage("Closed", isClosed, (set) => set["status"] === "CLOSED"),
  ];
}

function followsSigners({ event }: Members): boolean {
  return event === "SUBSCRIPTION" || event === "PAYMENT";
}

/** Returns the attributes that a change sets on the investment or a payment. */
function setBy(change: ChangeDescription): Members {
  const { attributes, payment, investment } = change;
  if (!changesState(change)) return {};
  return (attributes ?? payment ?? investment ?? {}) as Members;
}

interface WayProps {
  /** The instant of the record. */
  readonly now: string;
  readonly record: InvestmentRecord;
  readonly timeline: readonly ChangeDescription[];
}

/** Pending → Signing → Paid → Closed: the last stage reached is filled, and the instants to come are buttons. */
function Way({ now, record, timeline }: WayProps) {
  const { status } = record;
  if (status !== "PENDING" && status !== "CLOSED") return null;
  const stages = stagesOf(record, timeline, Date.parse(now));
  const current = stages.findLast(({ isReached }) => isReached);
  return (
    <ol class="way" aria-label="Way of the investment">
      {stages.map(({ name, date, isReached }) => (
        <li
          key={name}
          class={isReached ? "reached" : undefined}
          aria-current={name === current?.name ? "step" : undefined}
        >
          <strong>
            {name}
            <span class="unseen">{isReached ? " reached" : " to come"}</span>
          </strong>
          {isReached ? <small class="muted">{date && <Moment date={date} />}</small> : <ToCome date={date} />}
        </li>
      ))}
    </ol>
  );
}

function ToCome({ date }: { readonly date: string | undefined }) {
  if (date === undefined) return <small class="muted">open</small>;
  return (
    <InstantButton date={date}>
      <Moment date={date} />
    </InstantButton>
  );
}
