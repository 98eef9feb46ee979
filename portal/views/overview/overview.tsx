import type { OfferingSummary } from "../../../src/control.ts";
import { count, number } from "../../format.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { finderKey } from "../../finder/finder.tsx";
import { isFirstVisit, isPresenting } from "../../preferences.ts";
import { Empty, Meter, Notice, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { Money } from "../../parts/values.tsx";
import { useList } from "../../server/use-resource.ts";
import type { Resource } from "../../server/resource.ts";
import { environmentId, to, toOffering } from "../../routes.ts";
import { environment } from "../../server/state.ts";
import { Connect, Examples } from "./connect.tsx";
import { LastRequests, Next } from "./happenings.tsx";

/** The landing page: its purpose, how to call it, and its latest events. */
export function Overview() {
  const { data } = environment;
  const list = useList("listOfferings");
  const isDefault = environmentId.value === "default";
  return (
    <Page
      title={isDefault ? (list.data ? holdings(list.data) : "Overview") : (data?.label ?? environmentId.value)}
      lead={
        <>
          A stand-in for the Investment and Offering Reporting Service
          {data && (
            <>
              , with the fixture <b>{data.fixture}</b>
            </>
          )}
          . Call it from your client, move the clock above, and watch investments change.
        </>
      }
    >
      {isFirstVisit.value && <Welcome />}
      {!isPresenting.value && (
        <div class="grid">
          <Connect />
          <Examples />
        </div>
      )}
      <Offerings list={list} />
      <div class="grid">
        {!isPresenting.value && <LastRequests />}
        <Next />
      </div>
    </Page>
  );
}

/** An introduction for the first visit. */
function Welcome() {
  return (
    <Notice actions={<Button onClick={() => (isFirstVisit.value = false)}>Close</Button>}>
      <strong>To begin:</strong> play <a href={to("scenarios", "closing")}>closing</a>, open its investment, and press
      Play at <b>1 change/s</b> above. Give your client the address and a key from below: its calls appear in{" "}
      <a href={to("journal")}>Journal</a>, with the reason where one fails. <kbd>{finderKey}</kbd> finds anything and
      does most of it.
    </Notice>
  );
}

/** `3 offerings, 300 investments, all invented` */
function holdings(offerings: readonly OfferingSummary[]): string {
  const investments = offerings.reduce((sum, one) => sum + one.investments, 0);
  const all = [count(offerings.length, "offering"), count(investments, "investment")];
  return [...all, ...(investments > 0 ? ["all invented"] : [])].join(", ");
}

const columns: readonly Column<OfferingSummary>[] = [
  { name: "Offering", cell: ({ name }) => name },
  { name: "Investments", isNumber: true, cell: ({ investments }) => number(investments) },
  { name: "By status", cell: ({ statuses }) => <Statuses statuses={statuses} /> },
  { name: "Amount", isNumber: true, cell: ({ amount }) => <Money value={amount} /> },
  { name: "Paid", isNumber: true, cell: ({ paid_amount }) => <Money value={paid_amount} /> },
  { name: "Paid of amount", isMinor: true, cell: (offering) => <Share {...offering} /> },
];

function Offerings({ list }: { readonly list: Resource<readonly OfferingSummary[]> }) {
  return (
    <Panel title="Offerings" actions={<a href={to("investments")}>All investments</a>}>
      {list.data ? (
        <DataTable
          label="Offerings"
          rows={list.data}
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => toOffering(id)}
          empty={
            <Empty title="No offering.">
              <p>
                This fixture has none. Start the sandbox with another: <code>--fixture demo</code>.
              </p>
            </Empty>
          }
        />
      ) : (
        <Waiting problem={list.problem} />
      )}
    </Panel>
  );
}

function Statuses({ statuses }: Pick<OfferingSummary, "statuses">) {
  return (
    <span class="statuses">
      {Object.entries(statuses).map(([status, times]) => (
        <span key={status}>
          <StatusBadge status={status} /> <span class="number">{number(times)}</span>
        </span>
      ))}
    </span>
  );
}

function Share({ amount, paid_amount }: OfferingSummary) {
  const share = amount > 0 ? paid_amount / amount : 0;
  return <Meter value={share} max={1} label={`${Math.round(share * 100)} %`} />;
}
