import type { ComponentChildren } from "preact";
import type { InvestmentRecord } from "../../../src/control.ts";
import { useChanged } from "../../clock/last-step.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Facts } from "../../parts/detail.tsx";
import { Select } from "../../parts/field.tsx";
import { Notice, Page, Waiting } from "../../parts/panel.tsx";
import { Changed, Money, When } from "../../parts/values.tsx";
import { isPresenting } from "../../preferences.ts";
import { isUuid } from "../../../src/model/text.ts";
import { listOf, personName } from "../../members.ts";
import { investmentName } from "../../server/names.ts";
import { toOffering, useParameter } from "../../routes.ts";
import { useAnswer, useList } from "../../server/use-resource.ts";
import { useSubject } from "../../clock/subject.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { textOf } from "./documents.ts";
import { listHref } from "./filter.ts";
import { History } from "./history.tsx";
import { Way } from "./way.tsx";

const documents = { investment: "Investment", status: "Status", events: "Events" } as const;

type DocumentName = keyof typeof documents;

/** Selects the latest changes, including future ones. */
const newest = { to: "9999-12-31T23:59:59.999Z", limit: 500 };

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
      above={
        <p class="small">
          <a href={listHref({})}>All investments</a>
          {visible && data && (
            <>
              {" · "}
              <a href={toOffering(data.offering.id)}>{data.offering.name}</a>
            </>
          )}
        </p>
      }
      // An open form keeps its text while the investment is gone.
      actions={record && !isPresenting.value && <Actions record={record} isGone={isGone} />}
    >
      {problem && (
        <Notice look={isGone ? "warning" : "bad"}>
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
          <Way now={data.now} record={visible} timeline={timeline.data ?? []} />
          <Head record={visible} />
          <div class="investment">
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
            <History id={visible.id} record={visible} timeline={timeline} />
          </div>
        </>
      )}
      {!visible && !problem && <Waiting />}
      {!visible && problem && isKnown && !isLost && <History id={id} record={undefined} timeline={timeline} />}
    </Page>
  );
}

function nameOf(record: InvestmentRecord): string {
  const [first = {}] = listOf(record["investors"]);
  return investmentName(record["investment_number"], personName(first));
}

function Head({ record }: { readonly record: InvestmentRecord }) {
  const { id, alias, step, status, amount, paid_amount: paid, create_date, modify_date } = record;
  const changed = useChanged(id, record);
  const marked = (member: string, shown: ComponentChildren): ComponentChildren => (
    <>
      {shown}
      {changed(member) && <Changed />}
    </>
  );
  return (
    <Facts
      class="head"
      facts={[
        ["Status", marked("status", <StatusBadge status={textOf(status)} />)],
        ["Step", marked("step", typeof step === "string" ? step : <span class="muted">none</span>)],
        ["Amount", marked("amount", typeof amount === "number" ? <Money value={amount} /> : textOf(amount))],
        ["Paid", marked("paid_amount", typeof paid === "number" ? <Money value={paid} /> : textOf(paid))],
        ["Created", <When date={textOf(create_date)} />],
        ["Changed", <When date={textOf(modify_date)} />],
        [
          typeof alias === "string" ? `Id of “${alias}”` : "Id",
          <span class="copied">
            <code>{id}</code>
            <Copy text={id} subject="The id" />
          </span>,
        ],
      ]}
    />
  );
}
