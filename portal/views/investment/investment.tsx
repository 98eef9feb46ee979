import type { InvestmentRecord, OfferingSummary } from "../../../src/control.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Facts } from "../../parts/detail.tsx";
import { Notice, Page, Waiting } from "../../parts/panel.tsx";
import { Money, When } from "../../parts/values.tsx";
import { useAnswer, useList } from "../../server/resource.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { written } from "./documents.ts";
import { listHref } from "./filter.ts";
import { History } from "./history.tsx";

/** One investment as it is now, as each key reads it, and as it came about. */
export function Investment({ id }: { readonly id: string }) {
  const { data: record, problem } = useAnswer<InvestmentRecord>(`investments/${encodeURIComponent(id)}`);
  const offerings = useList<OfferingSummary>("offerings");
  const back = (
    <p class="small">
      <a href={listHref({})}>All investments</a>
    </p>
  );
  if (!record || problem?.status === 404 || problem?.status === 400) {
    return (
      <Page title="Investment" above={back}>
        {problem ? (
          <>
            <Notice look="warning">
              {problem.message} Perhaps the clock stands before its creation: an investment of a scenario is there from
              that instant on.
            </Notice>
            <History id={id} record={undefined} />
          </>
        ) : (
          <Waiting />
        )}
      </Page>
    );
  }
  const offering = offerings.data?.find((one) => one.id === record.offering_id);
  const own = written(record["investment_number"]);
  return (
    <Page
      title={`${offering?.name ?? "Investment"} #${own}`}
      above={back}
      actions={<Actions record={record} offering={offering} />}
    >
      {problem && <Notice look="bad">{problem.message}</Notice>}
      <Head record={record} />
      <div class="investment">
        <History id={record.id} record={record} />
        <Comparison record={record} offering={offering} />
      </div>
    </Page>
  );
}

function Head({ record }: { readonly record: InvestmentRecord }) {
  const { id, alias, step, status, amount, paid_amount: paid, create_date, modify_date } = record;
  return (
    <Facts
      class="head"
      facts={[
        ["Status", <StatusBadge status={written(status)} />],
        ["Step", typeof step === "string" && step, "none"],
        ["Amount", typeof amount === "number" ? <Money value={amount} /> : written(amount)],
        ["Paid", typeof paid === "number" ? <Money value={paid} /> : written(paid)],
        ["Created", <When date={written(create_date)} />],
        ["Changed", <When date={written(modify_date)} />],
        [
          typeof alias === "string" ? `Id of “${alias}”` : "Id",
          <span class="identity">
            <code>{id}</code>
            <Copy text={id} what="The id" />
          </span>,
        ],
      ]}
    />
  );
}
