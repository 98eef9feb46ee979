import { useSignal } from "@preact/signals";
import type { InvestmentPage, InvestmentSummary, OfferingSummary } from "../../../src/control.ts";
import { count, number } from "../../format.ts";
import { isChanged } from "../../clock/last-step.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Notice, Waiting } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { Changed, Money, When } from "../../parts/values.tsx";
import { useAnswer, useList } from "../../server/use-resource.ts";
import { route, to, toOffering } from "../../routes.ts";
import { Export } from "./export.tsx";
import { asQuestion, filterOf, InvestmentFilters, isFiltered, listHref, setFilter, unfiltered } from "./filters.tsx";
import { Investment } from "./investment.tsx";
import { NewInvestment } from "./new-investment.tsx";
import { Offering } from "./offering.tsx";

export function Investments() {
  const { id } = route.value;
  if (id === null) return <All />;
  const [, offering] = id.split(/^offerings\//);
  if (offering === undefined) return <Investment key={id} id={id} />;
  return <Offering key={id} id={offering} columns={columnsFor([]).filter(({ name }) => name !== "Offering")} />;
}

/** All investments: found, filtered, ordered and paged by the server. */
function All() {
  const isNew = useSignal(false);
  const filter = filterOf();
  const offerings = useList("listOfferings");
  const page = useAnswer("listInvestments", { query: asQuestion(filter) });
  const all = offerings.data ?? [];
  const { data, problem } = page;

  return (
    <ListPage
      title="Investments"
      lead="Everything the sandbox holds, in full. Looking at it here uses up no key's limit."
      actions={
        <Button kind="primary" icon="plus" disabled={all.length === 0} onClick={() => (isNew.value = true)}>
          New investment
        </Button>
      }
      search={{ label: "Search number, id, alias, name, e-mail" }}
      filters={<InvestmentFilters offerings={all} />}
    >
      {problem && (
        <Notice
          look="bad"
          actions={
            <>
              <Button onClick={page.ask}>Try again</Button>
              {isFiltered(filter) && <Button onClick={() => setFilter(unfiltered)}>Clear the filters</Button>}
            </>
          }
        >
          {problem.message}
        </Notice>
      )}
      {!data && !problem && <Waiting />}
      {data && (
        <section class="stack" aria-label="Investments found">
          <div class="toolbar">
            <Matches page={data} isStale={page.loading} />
            {data.total > 0 && <Export />}
          </div>
          <DataTable
            label="Investments"
            view="investments"
            rows={data.data}
            columns={columnsFor(all)}
            keyOf={({ id }) => id}
            order={filter.order}
            onOrder={(order) => setFilter({ order })}
            isStale={page.loading}
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
          <Icon name="back" />
          Previous page
        </a>
      )}
      {next !== null && (
        <a class="button" href={listHref({ after: next, before: "" })}>
          Next page
          <Icon name="forward" />
        </a>
      )}
    </div>
  );
}

function columnsFor(offerings: readonly OfferingSummary[]): readonly Column<InvestmentSummary>[] {
  const names = new Map(offerings.map(({ id, name }) => [id, name]));
  return [
    { name: "Number", order: "number", cell: Numbered },
    { name: "Investor", cell: (one) => <People {...one} /> },
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
      cell: ({ step }) => <span class={step === null ? "muted" : "step"}>{step ?? "–"}</span>,
    },
    { name: "Amount", order: "amount", isNumber: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: "Created", order: "create_date", cell: ({ create_date: date }) => <When date={date} isShort /> },
    {
      name: "Changed",
      order: "modify_date",
      isMinor: true,
      cell: ({ modify_date: date }) => <When date={date} isShort />,
    },
  ];
}

function Numbered({ id, number: value }: InvestmentSummary) {
  return (
    <>
      <span class="number">#{value}</span>
      {isChanged(id) && <Changed />}
    </>
  );
}

function People({ investors: [first, ...others], alias }: InvestmentSummary) {
  return (
    <span class="person">
      <span title={first?.name}>
        {first?.name || <span class="muted">nobody</span>}
        {others.length > 0 && <span class="muted"> and {others.length} more</span>}
        {alias !== null && <code> {alias}</code>}
      </span>
      <small class="muted" title={first?.email}>
        {first?.email}
      </small>
    </span>
  );
}

/** Shows how many investments match, and which members were searched. */
function Matches({ page, isStale }: { readonly page: InvestmentPage; readonly isStale: boolean }) {
  const { total, data, preceding, searched } = page;
  const members = searched.map((member) => ({ email: "e-mail", id: "the id's beginning" })[member] ?? member);
  // The numbers belong to the previous query.
  if (isStale)
    return (
      <p class="muted" role="status">
        Searching …
      </p>
    );
  return (
    <p class="muted" role="status">
      {isFiltered(filterOf()) ? (
        <>
          <strong>{number(total)}</strong> {total === 1 ? "investment matches" : "investments match"}
        </>
      ) : (
        <strong>{count(total, "investment")}</strong>
      )}
      {data.length < total &&
        data.length > 0 &&
        `, ${number(preceding + 1)} to ${number(preceding + data.length)} shown`}
      {members.length > 0 && `. Searched: ${members.join(", ")}.`}
    </p>
  );
}

function NoMatch({ page: { total }, hasOffering }: { readonly page: InvestmentPage; readonly hasOffering: boolean }) {
  if (total > 0) {
    return (
      <Empty title="Nothing is left on this page.">
        <a href={listHref({ after: "", before: "" })}>To the first page</a>
      </Empty>
    );
  }
  if (isFiltered(filterOf())) {
    return (
      <Empty title="No investment matches.">
        <Button onClick={() => setFilter(unfiltered)}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No investment yet.">
      {hasOffering ? (
        <p>
          Press “New investment”, or <a href={to("scenarios")}>play a scenario</a>: it brings investments along.
        </p>
      ) : (
        <p>
          This fixture has no offering either. Start the sandbox with another: <code>--fixture demo</code>.
        </p>
      )}
    </Empty>
  );
}
