import type { ComponentChildren } from "preact";
import type { InvestmentRecord, OfferingSummary } from "../../../src/public/control.ts";
import { isUuid } from "../../../src/text/text.ts";
import { useChanged } from "../../clock/last-step.ts";
import { setClock } from "../../clock/moves.ts";
import { useSubject } from "../../clock/subject.ts";
import { formatMoney } from "../../base/format.ts";
import { nameOf } from "../../base/members.ts";
import { StatusBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { Select } from "../../components/field.tsx";
import { Notice, Page, Loading } from "../../components/panel.tsx";
import { ChangedMark, Money } from "../../components/values.tsx";
import { areReadersShown, isPresenting } from "../../base/preferences.ts";
import { toOffering, useParameter } from "../../base/routes.ts";
import { canEdit } from "../../base/token.ts";
import { useResponse, useList } from "../../data/use-resource.ts";
import { Actions } from "./actions.tsx";
import { Activity, newest } from "./activity.tsx";
import { Comparison } from "./comparison.tsx";
import { formatValue } from "./documents.ts";
import { listHref } from "./filters.tsx";
import { Progress } from "./progress.tsx";
import { Readers, ReadersButton } from "./readers.tsx";

const documents = { investment: "Investment", status: "Status", events: "Events" } as const;

type DocumentName = keyof typeof documents;

/** Why an investment is absent at the clock's present. */
const absenceReasons = {
  badId: "An id is a UUID; an alias names one investment, from its creation on.",
  never: "It does not exist at any time. A reset may have removed it.",
  notYet: "Perhaps the clock is before its creation: an investment of a scenario exists from that instant on.",
} as const;

/** One investment: its present state, what each key reads, and its activity. */
export function Investment({ id }: { readonly id: string }) {
  const [documentName, setDocumentName] = useParameter("document", "investment");
  const document = documentName in documents && !isPresenting.value ? (documentName as DocumentName) : "investment";
  const { data, problem } = useResponse("compare", { body: { investment_id: id, document } });
  const timeline = useList("getTimeline", { query: { investment_id: id, ...newest } });
  const record = data?.investment ?? undefined;
  const absence = problem?.status === 404 ? absenceOf() : undefined;
  const shown = absence ? undefined : record;
  const creation = timeline.data?.find(({ kind }) => kind === "new_investment");
  const name = record ? nameOf(record) : creation?.investment_name;
  const isFindable = absence === undefined || absence === "notYet";
  useSubject(name ?? "this investment", isFindable ? { investment_id: shown?.id ?? id } : null);

  function absenceOf(): keyof typeof absenceReasons {
    if (!isUuid(id) && !timeline.data?.length) return "badId";
    // The timeline knows an investment even before its creation.
    return timeline.problem?.status === 400 ? "never" : "notYet";
  }

  return (
    <Page
      title={name ?? "Investment"}
      // An open form retains its text while the clock is before the investment.
      actions={
        record &&
        absence !== "never" &&
        !isPresenting.value && <Actions record={record} isGone={absence !== undefined} />
      }
    >
      {problem && (
        <Notice
          variant={absence ? "warning" : "bad"}
          actions={
            absence === "notYet" && creation && canEdit.value ? (
              <Button onClick={() => void setClock(Date.parse(creation.date))}>Set clock to its creation</Button>
            ) : (
              <a href={listHref({})}>All investments</a>
            )
          }
        >
          {problem.message} {absence && absenceReasons[absence]}
        </Notice>
      )}
      {shown && data && (
        <>
          <Head record={shown} offering={data.offering} />
          <div class="stage">
            <Progress now={data.now} record={shown} timeline={timeline.data ?? []} />
            {isPresenting.value && <ReadersButton />}
            {isPresenting.value && areReadersShown.value ? (
              <Readers responses={data.responses} />
            ) : (
              <Activity key={shown.id} id={shown.id} record={shown} timeline={timeline} />
            )}
            {!isPresenting.value && (
              <Comparison comparison={data}>
                <Select
                  isLabelHidden
                  label="Document"
                  value={document}
                  onChange={setDocumentName}
                  options={Object.entries(documents)}
                />
              </Comparison>
            )}
          </div>
        </>
      )}
      {!shown && !problem && <Loading />}
      {absence === "notYet" && <Activity id={id} record={undefined} timeline={timeline} />}
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
  const hasChanged = useChanged(id, record);
  const withMark = (member: string, value: ComponentChildren): ComponentChildren => (
    <>
      {value}
      {hasChanged(member) && <ChangedMark />}
    </>
  );
  return (
    <p class="headline">
      <strong>{withMark("amount", typeof amount === "number" ? <Money value={amount} /> : formatValue(amount))}</strong>
      <span>{withMark("status", <StatusBadge status={formatValue(status)} />)}</span>
      {(step !== null || hasChanged("step")) && <span class="detail-fact">{withMark("step", formatValue(step))}</span>}
      {Number(paid) > 0 && (
        <span class="detail-fact">{withMark("paid_amount", `${formatMoney(Number(paid))} paid`)}</span>
      )}
      <code title={id}>{typeof alias === "string" ? alias : `${id.slice(0, 8)}…`}</code>
      <Copy text={id} subject="ID" />
      <a href={toOffering(offering.id)}>{offering.name}</a>
    </p>
  );
}
