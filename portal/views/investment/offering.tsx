import type { Comparison as ComparisonData, InvestmentSummary } from "../../../src/public/control.ts";
import { formatCount, formatNumber } from "../../base/format.ts";
import { StatusBadge } from "../../components/badge.tsx";
import { CopyableValue } from "../../components/copy.tsx";
import { Facts } from "../../components/detail.tsx";
import { Empty, Notice, Page, Panel, Loading } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Money } from "../../components/values.tsx";
import { useSubject } from "../../clock/subject.ts";
import { to } from "../../base/routes.ts";
import { activeKeys } from "../../data/names.ts";
import { useResponse } from "../../data/use-resource.ts";
import { Comparison } from "./comparison.tsx";
import { formatValue } from "./documents.ts";

interface OfferingProps {
  /** The id or alias of the offering. */
  readonly id: string;
  /** The columns of the table of newest investments. */
  readonly columns: readonly Column<InvestmentSummary>[];
}

/** One offering: its present state, what each key reads, and its newest investments. */
export function Offering({ id, columns }: OfferingProps) {
  const { data, problem } = useResponse("compare", { body: { offering_id: id } });
  return (
    <Page title={data?.offering.name ?? "Offering"} above="overview">
      {problem && (
        <Notice variant={problem.status === 404 ? "warning" : "bad"}>
          {problem.message}
          {problem.status === 404 && " All offerings come from the fixture, at every instant of the clock."}
        </Notice>
      )}
      {data ? <OfferingDetail comparison={data} columns={columns} /> : !problem && <Loading />}
    </Page>
  );
}

function OfferingDetail({
  comparison,
  columns,
}: Pick<OfferingProps, "columns"> & { readonly comparison: ComparisonData }) {
  const { id, name, attributes, investments, statuses, steps, amount, paid_amount } = comparison.offering;
  const newest = useResponse("listInvestments", { query: { offering_id: id, order: "-create_date", limit: 8 } });
  useSubject(name, { offering_id: id });
  const list = (filter: object = {}): string => to("investments", null, { offering_id: id, ...filter });
  return (
    <>
      <Facts
        class="head"
        facts={[
          ["Status", <StatusBadge status={formatValue(attributes["status"])} />],
          ["Investments", <a href={list()}>{formatCount(investments, "investment")}</a>],
          ["By status", <Counts counts={statuses} hrefOf={(status) => list({ status })} />],
          ["By step", <Counts counts={steps} hrefOf={(step) => list({ step })} />],
          ["Amount", <Money value={amount} />],
          ["Paid", <Money value={paid_amount} />],
          ["Keys", <a href={to("keys", null, { search: name })}>{formatCount(activeKeys(id).length, "active key")}</a>],
          [
            "Id",
            <CopyableValue text={id} subject="ID">
              <code>{id}</code>
            </CopyableValue>,
          ],
        ]}
      />
      <Comparison comparison={comparison} />
      <Panel title="Newest investments" actions={<a href={list()}>All investments</a>}>
        <DataTable
          label="Newest investments"
          rows={newest.data?.data}
          source={newest}
          columns={columns}
          keyOf={(investment) => investment.id}
          hrefOf={(investment) => to("investments", investment.id)}
          empty={<Empty title="No investments yet." />}
        />
      </Panel>
    </>
  );
}

interface CountsProps {
  readonly counts: Readonly<Record<string, number>>;
  readonly hrefOf: (code: string) => string;
}

function Counts({ counts, hrefOf }: CountsProps) {
  const entries = Object.entries(counts);
  if (entries.length === 0) return <span class="muted">none</span>;
  return (
    <span class="statuses">
      {entries.map(([code, times]) => (
        <a key={code} href={hrefOf(code)}>
          {code} <span class="number">{formatNumber(times)}</span>
        </a>
      ))}
    </span>
  );
}
