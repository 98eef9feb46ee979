import type { InvestmentRecord, OfferingSummary } from "../../../src/control.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Facts } from "../../parts/detail.tsx";
import { Notice, Page, Waiting } from "../../parts/panel.tsx";
import { Money, When } from "../../parts/values.tsx";
import { useAnswer, useList } from "../../server/use-resource.ts";
import { useSubject } from "../../clock/subject.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { textOf } from "./documents.ts";
import { listHref } from "./filter.ts";
import { History } from "./history.tsx";
import { Way } from "./way.tsx";

/** One investment as it is now, as each key reads it, and as it came about. */
export function Investment({ id }: { readonly id: string }) {
  const { data: record, problem } = useAnswer("getInvestment", { id });
  const offerings = useList("listOfferings");
  const timeline = useList("getTimeline", { query: { investment_id: id, limit: 500 } });
  const back = (
    <p class="small">
      <a href={listHref({})}>All investments</a>
    </p>
  );
  const offering = offerings.data?.find((one) => one.id === record?.offering_id);
  const isGone = problem?.status === 404 || problem?.status === 400;
  const visible = isGone ? undefined : record;
  useSubject(visible ? `#${textOf(visible["investment_number"])}` : "this investment", {
    investment_id: visible?.id ?? id,
  });
  return (
    <Page
      title={visible ? titleOf(visible, offering) : "Investment"}
      above={back}
      // An open form keeps its text while the investment is gone.
      actions={record && <Actions record={record} offering={offering} isGone={isGone} />}
    >
      {problem && (
        <Notice look={isGone ? "warning" : "bad"}>
          {problem.message}
          {isGone &&
            " Perhaps the clock stands before its creation: an investment of a scenario is there from that instant on."}
        </Notice>
      )}
      {visible && (
        <>
          <Way record={visible} timeline={timeline.data ?? []} />
          <Head record={visible} />
          <div class="investment">
            <Comparison record={visible} offering={offering} />
            <History id={visible.id} record={visible} timeline={timeline} />
          </div>
        </>
      )}
      {!visible && (problem ? <History id={id} record={undefined} timeline={timeline} /> : <Waiting />)}
    </Page>
  );
}

/** `Aurora Robotics #148 · Ada Lovelace`: the investor is the primary one. */
function titleOf(record: InvestmentRecord, offering: OfferingSummary | undefined): string {
  const investors = (record["investors"] ?? []) as readonly Readonly<Record<string, unknown>>[];
  const primary = investors.find(({ is_primary }) => is_primary === true) ?? investors[0];
  const name = [primary?.["first_name"], primary?.["last_name"]].filter((part) => part).join(" ");
  const number = `${offering?.name ?? "Investment"} #${textOf(record["investment_number"])}`;
  return name === "" ? number : `${number} · ${name}`;
}

function Head({ record }: { readonly record: InvestmentRecord }) {
  const { id, alias, step, status, amount, paid_amount: paid, create_date, modify_date } = record;
  return (
    <Facts
      class="head"
      facts={[
        ["Status", <StatusBadge status={textOf(status)} />],
        ["Step", typeof step === "string" && step, "none"],
        ["Amount", typeof amount === "number" ? <Money value={amount} /> : textOf(amount)],
        ["Paid", typeof paid === "number" ? <Money value={paid} /> : textOf(paid)],
        ["Created", <When date={textOf(create_date)} />],
        ["Changed", <When date={textOf(modify_date)} />],
        [
          typeof alias === "string" ? `Id of “${alias}”` : "Id",
          <span class="identity">
            <code>{id}</code>
            <Copy text={id} subject="The id" />
          </span>,
        ],
      ]}
    />
  );
}
