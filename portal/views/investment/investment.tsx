import type { InvestmentRecord } from "../../../src/control.ts";
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

/** One investment as it is now, as each key reads it, and as it came about. */
export function Investment({ id }: { readonly id: string }) {
  const { data: record, problem } = useAnswer("getInvestment", { id });
  const offerings = useList("listOfferings");
  const back = (
    <p class="small">
      <a href={listHref({})}>All investments</a>
    </p>
  );
  const offering = offerings.data?.find((one) => one.id === record?.offering_id);
  const isGone = problem?.status === 404 || problem?.status === 400;
  const visible = isGone ? undefined : record;
  useSubject(visible ? `#${textOf(visible["investment_number"])}` : "this investment", { investment_id: id });
  return (
    <Page
      title={visible ? `${offering?.name ?? "Investment"} #${textOf(visible["investment_number"])}` : "Investment"}
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
          <Head record={visible} />
          <div class="investment">
            <History id={visible.id} record={visible} />
            <Comparison record={visible} offering={offering} />
          </div>
        </>
      )}
      {!visible && (problem ? <History id={id} record={undefined} /> : <Waiting />)}
    </Page>
  );
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
