import type { ComponentChildren } from "preact";
import type { InvestmentRecord, OfferingSummary } from "../../../src/public/control.ts";
import { isUuid } from "../../../src/text/text.ts";
import { useChanged } from "../../clock/last-step.ts";
import { useSubject } from "../../clock/subject.ts";
import { formatMoney } from "../../base/format.ts";
import { nameOf } from "../../base/members.ts";
import { StatusBadge } from "../../components/badge.tsx";
import { Copy } from "../../components/copy.tsx";
import { Select } from "../../components/field.tsx";
import { Notice, Page, Loading } from "../../components/panel.tsx";
import { ChangedMark, Money } from "../../components/values.tsx";
import { areReadersShown, isPresenting } from "../../base/preferences.ts";
import { toOffering, useParameter } from "../../base/routes.ts";
import { useResponse, useList } from "../../data/use-resource.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { textOf } from "./documents.ts";
import { listHref } from "./filters.tsx";
import { History, newest } from "./history.tsx";
import { Progress } from "./progress.tsx";
import { Readers, ReadersButton } from "./readers.tsx";

const documents = { investment: "Investment", status: "Status", events: "Events" } as const;

type DocumentName = keyof typeof documents;

/** One investment: its present state, what each key reads, and its history. */
export function Investment({ id }: { readonly id: string }) {
  const [name, setName] = useParameter("document", "investment");
  const document = name in documents && !isPresenting.value ? (name as DocumentName) : "investment";
  const { data, problem } = useResponse("compare", { body: { investment_id: id, document } });
  const timeline = useList("getTimeline", { query: { investment_id: id, ...newest } });
  const isGone = problem?.status === 404;
  const record = data?.investment ?? undefined;
  const visible = isGone ? undefined : record;
  // The timeline knows an investment even before its creation.
  const isLost = isGone && timeline.problem?.status === 400;
  const isKnown = isUuid(id) || timeline.data?.length;
  useSubject(visible ? nameOf(visible) : "this investment", isLost ? null : { investment_id: visible?.id ?? id });
  return (
    <Page
      title={visible ? nameOf(visible) : "Investment"}
      // An open form keeps its text while the investment is gone.
      actions={record && !isPresenting.value && <Actions record={record} isGone={isGone} />}
    >
      {problem && (
        <Notice variant={isGone ? "warning" : "bad"} actions={<a href={listHref({})}>All investments</a>}>
          {problem.message}
          {isGone &&
            (isKnown
              ? isLost
                ? " It does not exist at any time. A reset may have removed it."
                : " Perhaps the clock is before its creation: an investment of a scenario exists from that instant on."
              : " An id is a UUID; an alias names one investment, from its creation on.")}
        </Notice>
      )}
      {visible && data && (
        <>
          <Head record={visible} offering={data.offering} />
          <div class="stage">
            <Progress now={data.now} record={visible} timeline={timeline.data ?? []} />
            {isPresenting.value && <ReadersButton />}
            {isPresenting.value && areReadersShown.value ? (
              <Readers responses={data.responses} />
            ) : (
              <History key={visible.id} id={visible.id} record={visible} timeline={timeline} />
            )}
            {!isPresenting.value && (
              <Comparison comparison={data}>
                <Select
                  isLabelHidden
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
      {!visible && !problem && <Loading />}
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
      {changed(member) && <ChangedMark />}
    </>
  );
  return (
    <p class="headline">
      <strong>{marked("amount", typeof amount === "number" ? <Money value={amount} /> : textOf(amount))}</strong>
      <span>{marked("status", <StatusBadge status={textOf(status)} />)}</span>
      {(step !== null || changed("step")) && <span class="detail-fact">{marked("step", textOf(step))}</span>}
      {Number(paid) > 0 && (
        <span class="detail-fact">{marked("paid_amount", `${formatMoney(Number(paid))} paid`)}</span>
      )}
      <code title={id}>{typeof alias === "string" ? alias : `${id.slice(0, 8)}…`}</code>
      <Copy text={id} subject="ID" />
      <a href={toOffering(offering.id)}>{offering.name}</a>
    </p>
  );
}
