import { useSignal } from "@preact/signals";
import type { InvestmentPage, InvestmentSummary, OfferingSummary } from "../../../src/public/control.ts";
import { investmentName } from "../../../src/model/summaries.ts";
import { formatCount, formatNumber } from "../../base/format.ts";
import { isChanged } from "../../clock/last-step.ts";
import { StatusBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Loading } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { ChangedMark, Money, Name, When } from "../../components/values.tsx";
import { useResponse, useList } from "../../data/use-resource.ts";
import { isPresenting } from "../../base/preferences.ts";
import { route, to, toOffering } from "../../base/routes.ts";
import { Export } from "./export.tsx";
import { filterOf, InvestmentFilters, isFiltered, listHref, setFilter, toQuery, unfiltered } from "./filters.tsx";
import { Investment } from "./investment.tsx";
import { NewInvestment } from "./new-investment.tsx";
import { Offering } from "./offering.tsx";

export function Investments() {
  const { id } = route.value;
  if (id === null) return <InvestmentList />;
  const [, offering] = id.split(/^offerings\//);
  if (offering === undefined) return <Investment key={id} id={id} />;
  return <Offering key={id} id={offering} columns={columnsFor([]).filter(({ name }) => name !== "Offering")} />;
}

/** All investments: the server searches, filters, orders and pages them. */
function InvestmentList() {
  const isNew = useSignal(false);
  const filter = filterOf();
  const offerings = useList("listOfferings");
  const page = useResponse("listInvestments", { query: toQuery(filter) });
  const all = offerings.data ?? [];
  const { data, problem } = page;

  return (
    <ListPage
      title="Investments"
      lead={data && <Matches page={data} isStale={page.isLoading} />}
      actions={
        <>
          {(data?.total ?? 0) > 0 && !isPresenting.value && <Export />}
          <Button kind="primary" icon="plus" disabled={all.length === 0} onClick={() => (isNew.value = true)}>
            Create investment
          </Button>
        </>
      }
      search={{ label: "Search number, id, alias, name, email" }}
      filters={<InvestmentFilters offerings={all} />}
    >
      {(problem || !data) && <Loading for={page} />}
      {data && (
        <section class="stack" aria-label="Investments found">
          <DataTable
            label="Investments"
            view="investments"
            rows={data.data}
            columns={columnsFor(all)}
            keyOf={({ id }) => id}
            order={filter.order}
            onOrder={(order) => setFilter({ order })}
            isStale={page.isLoading}
            empty={<NoMatch page={data} hasOffering={all.length > 0} />}
          />
          <Pages {...data} />
        </section>
      )}
      {isNew.value && <NewInvestment offerings={all} onClose={() => (isNew.value = false)} />}
    </ListPage>
  );
}

function Pages({ previous, next }: Pick<InvestmentPage, "previous" | "next">) {
  return (
    <div class="actions">
      {previous !== null && (
        <a class="button" href={listHref({ before: previous, after: "" })}>
          Previous page
        </a>
      )}
      {next !== null && (
        <a class="button" href={listHref({ after: next, before: "" })}>
          Next page
        </a>
      )}
    </div>
  );
}

function columnsFor(offerings: readonly OfferingSummary[]): readonly Column<InvestmentSummary>[] {
  const names = new Map(offerings.map(({ id, name }) => [id, name]));
  return [
    { name: "Investment", order: "number", cell: InvestmentName },
    {
      name: "Offering",
      isMinor: true,
      cell: ({ offering_id: id }) => (
        <a class="name" title={names.get(id)} href={toOffering(id)}>
          {names.get(id) ?? id}
        </a>
      ),
    },
    { name: "Status", order: "status", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      name: "Step",
      order: "step",
      isMinor: true,
      cell: ({ step }) => (step === null ? <span class="muted">–</span> : <Name text={step} />),
    },
    { name: "Amount", order: "amount", isNumber: true, cell: ({ amount }) => <Money value={amount} /> },
    dateColumn("Created", "create_date"),
    dateColumn("Changed", "modify_date"),
  ];
}

function dateColumn(name: string, member: "create_date" | "modify_date"): Column<InvestmentSummary> {
  return { name, order: member, isMinor: true, cell: (row) => <When date={row[member]} isShort /> };
}

function InvestmentName({ id, number: value, investors: [first, ...rest], alias }: InvestmentSummary) {
  return (
    <span class="name" title={first?.email}>
      {isChanged(id) && <ChangedMark />}
      {investmentName(value, first?.name)}
      {rest.length > 0 && <span class="muted"> and {rest.length} more</span>}
      {alias !== null && <code class="muted"> {alias}</code>}
    </span>
  );
}

/** Shows how many investments match, and which members were searched. */
function Matches({ page, isStale }: { readonly page: InvestmentPage; readonly isStale: boolean }) {
  const { total, data, preceding, searched } = page;
  const members = searched.map((member) => (member === "id" ? "the id's beginning" : member));
  // The numbers belong to the previous query.
  if (isStale) return <span role="status">Searching …</span>;
  return (
    <span role="status">
      {isFiltered(filterOf()) ? (
        <>
          <strong>{formatNumber(total)}</strong> {total === 1 ? "investment matches" : "investments match"}
        </>
      ) : (
        <strong>{formatCount(total, "investment")}</strong>
      )}
      {data.length < total &&
        data.length > 0 &&
        `, ${formatNumber(preceding + 1)} to ${formatNumber(preceding + data.length)} shown`}
      {members.length > 0 && `. Searched: ${members.join(", ")}.`}
    </span>
  );
}

function NoMatch({ page: { total }, hasOffering }: { readonly page: InvestmentPage; readonly hasOffering: boolean }) {
  if (total > 0) {
    return (
      <Empty title="No investments on this page.">
        <a href={listHref({ after: "", before: "" })}>First page</a>
      </Empty>
    );
  }
  if (isFiltered(filterOf())) {
    return (
      <Empty title="No matching investments.">
        <Button onClick={() => setFilter(unfiltered)}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No investments yet.">
      {hasOffering ? (
        <p>
          Press “Create investment”, or <a href={to("scenarios")}>play a scenario</a>, which creates investments.
        </p>
      ) : (
        <p>
          This fixture has no offerings either. Start the sandbox with <code>--fixture demo</code>.
        </p>
      )}
    </Empty>
  );
}
