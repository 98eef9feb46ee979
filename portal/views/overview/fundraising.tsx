import type { OfferingSummary } from "../../../src/public/control.ts";
import { formatCount, formatMoney } from "../../base/format.ts";
import { Empty, Panel, Loading } from "../../components/panel.tsx";
import { Money } from "../../components/values.tsx";
import { to, toOffering } from "../../base/routes.ts";
import type { Resource } from "../../data/resource.ts";

const stages = { closed: "Closed", signed: "Signed", pending: "Pending" } as const;
const stageNames = Object.keys(stages) as (keyof typeof stages)[];

/** The fundraising as a picture: for each offering a bar of its closed, signed and pending amounts. */
export function Fundraising(offerings: Resource<readonly OfferingSummary[]>) {
  const { data } = offerings;
  const largest = Math.max(1, ...(data ?? []).map(({ amount }) => amount));
  return (
    <Panel title="Offerings" class="fundraising" actions={<a href={to("investments")}>All investments</a>}>
      {!data && <Loading for={offerings} />}
      {data?.length === 0 && (
        <Empty title="No offerings.">
          <p>
            Start the sandbox with <code>--fixture demo</code>.
          </p>
        </Empty>
      )}
      <ul>
        {data?.map((offering) => (
          <Bar key={offering.id} {...offering} largest={largest} />
        ))}
      </ul>
    </Panel>
  );
}

interface BarProps extends OfferingSummary {
  /** The amount of the longest bar. */
  readonly largest: number;
}

function Bar({ id, name, investments, amount, amounts, largest }: BarProps) {
  return (
    <li>
      <p class="toolbar">
        <a data-row href={toOffering(id)}>
          {name}
        </a>
        <small class="minor muted">{formatCount(investments, "investment")}</small>
        <strong>
          <Money value={amount} />
        </strong>
      </p>
      <div class="amounts" aria-hidden="true">
        {stageNames.map((stage) => (
          <span key={stage} class={stage} style={{ width: `${(100 * amounts[stage]) / largest}%` }} />
        ))}
      </div>
      <dl class="statuses small muted">
        {stageNames.map((stage) => (
          <div key={stage} class={stage}>
            <dt>{stages[stage]}</dt> <dd class="number">{formatMoney(amounts[stage])}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
