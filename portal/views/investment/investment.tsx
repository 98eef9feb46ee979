import type { InvestmentRecord, OfferingSummary } from "../../../src/control.ts";
import { get } from "../../api.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Notice, Page, Waiting } from "../../parts/panel.tsx";
import { Money, When } from "../../parts/values.tsx";
import { useResource } from "../../resource.ts";
import { environment } from "../../state.ts";
import { Actions } from "./actions.tsx";
import { Comparison } from "./comparison.tsx";
import { written } from "./documents.ts";
import { listHref } from "./filter.ts";
import { History } from "./history.tsx";

/** One investment: what it is now, how each key reads it, and how it came about. */
export function Investment({ id }: { readonly id: string }) {
  const { data: record, problem } = useResource(
    (ended) => get<InvestmentRecord>(`investments/${encodeURIComponent(id)}`, {}, ended),
    [id],
  );
  const offerings = useResource((ended) => get<{ data: readonly OfferingSummary[] }>("offerings", {}, ended));
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
              {problem.message} It may be of another time: one that a scenario creates is there from that instant on.
            </Notice>
            <History id={id} record={undefined} />
          </>
        ) : (
          <Waiting />
        )}
      </Page>
    );
  }
  const offering = offerings.data?.data.find((one) => one.id === record.offering_id);
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
        <Comparison record={record} offering={offering} keys={environment.data?.keys ?? []} />
      </div>
    </Page>
  );
}

function Head({ record }: { readonly record: InvestmentRecord }) {
  const { id, alias, step, status, amount, paid_amount: paid, create_date, modify_date } = record;
  return (
    <dl class="head">
      <div>
        <dt>Status</dt>
        <dd>
          <StatusBadge status={written(status)} />
        </dd>
      </div>
      <div>
        <dt>Step</dt>
        <dd>{typeof step === "string" ? step : <span class="muted">none</span>}</dd>
      </div>
      <div>
        <dt>Amount</dt>
        <dd>{typeof amount === "number" ? <Money value={amount} /> : written(amount)}</dd>
      </div>
      <div>
        <dt>Paid</dt>
        <dd>{typeof paid === "number" ? <Money value={paid} /> : written(paid)}</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <When date={written(create_date)} />
        </dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>
          <When date={written(modify_date)} />
        </dd>
      </div>
      <div>
        <dt>Id{typeof alias === "string" && <> of “{alias}”</>}</dt>
        <dd class="identity">
          <code>{id}</code>
          <Copy text={id} label="Copy the id" said="The id is copied." />
        </dd>
      </div>
    </dl>
  );
}
