import type { ChangeDescription, JournalEntry, RunDescription, OfferingSummary } from "../../../src/public/control.ts";
import { type ChangeGroup, groupChanges } from "../../../src/model/summaries.ts";
import { list } from "../../data/api.ts";
import { formatDistinct, shortenPath, formatCount, formatMoney } from "../../base/format.ts";
import { Badge, HttpBadge } from "../../components/badge.tsx";
import { Empty, Panel, Loading } from "../../components/panel.tsx";
import { Ago, NextRepetition, RealTimeAgo, Money } from "../../components/values.tsx";
import { useResource } from "../../data/use-resource.ts";
import { to, toRun, toOffering } from "../../base/routes.ts";
import { reasonOf } from "../../shared/reason.tsx";
import { connection, environment, journal, nextChangeAt, now } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import type { Resource } from "../../data/resource.ts";

const maxRows = 7;

/** The newest requests, newest first. */
export function LastRequests() {
  const entries = journal.value.slice(-maxRows).toReversed();
  const isLoaded = connection.value !== "starting";
  return (
    <Panel title="Last requests" actions={<a href={to("journal")}>Journal</a>}>
      {!isLoaded && <Loading />}
      {isLoaded && entries.length === 0 && (
        <Empty title="No requests yet.">
          <p>Press “Send”, or paste the curl command into a terminal: the request appears here at once.</p>
        </Empty>
      )}
      <ul class="rows">
        {entries.map((entry) => (
          <Request key={entry.id} {...entry} />
        ))}
      </ul>
    </Panel>
  );
}

function Request(entry: JournalEntry) {
  const { id, method, path, recorded_at, key_label } = entry;
  return (
    <li>
      <HttpBadge status={entry.status} connection={entry.connection} />
      <div>
        <a class="path" href={to("journal", String(id))} title={path}>
          {method} {shortenPath(path)}
        </a>
        <small class="muted">{reasonOf(entry) ?? key_label ?? "no known key"}</small>
      </div>
      <RealTimeAgo at={recorded_at} />
    </li>
  );
}

/** The next repetition of a run: its changes are not on the timeline yet. */
interface NextRepetition {
  readonly date: string;
  readonly run: RunDescription;
}

/** The next changes. Changes of one investment at one instant share a row. */
export function Upcoming() {
  const from = nextChangeAt.value;
  const changes = useResource(
    async (signal) => (from === null ? [] : list("getTimeline", { query: { from, limit: 40 }, signal })),
    [from],
  );
  const repetitions = (environment.data?.runs ?? []).flatMap((run): readonly NextRepetition[] =>
    run.next_repetition_date === null ? [] : [{ date: run.next_repetition_date, run }],
  );
  const rows = [...groupChanges(changes.data ?? [], true), ...repetitions]
    // The clock may have passed some of them since they were loaded.
    .filter(({ date }) => Date.parse(date) > now.value)
    .toSorted((left, right) => left.date.localeCompare(right.date))
    .slice(0, maxRows);
  return (
    <Panel title="Upcoming">
      {!changes.data && <Loading for={changes} />}
      {changes.data && from === null && rows.length === 0 && (
        <Empty title="No upcoming changes.">{canEdit.value && <a href={to("scenarios")}>Play a scenario</a>}</Empty>
      )}
      <ul class="rows">
        {rows.map((row) => (
          <li key={"run" in row ? row.run.id : `${row.date} ${row.subject_id}`}>
            <Badge variant="waiting">
              <Ago date={row.date} />
            </Badge>
            {"run" in row ? (
              <div>
                <a href={toRun(row.run.id)}>
                  {row.run.scenario} <NextRepetition {...row.run} date={row.date} />
                </a>
              </div>
            ) : (
              <ChangeRow {...row} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function ChangeRow({ date, subject_id: id, summaries, changes: [first] }: ChangeGroup<ChangeDescription>) {
  return (
    <div>
      {formatDistinct(summaries).join(" · ")}
      {first && first.investment_name !== null && (
        <small>
          <a href={to("investments", id, { change: date })}>{first.investment_name}</a>
        </small>
      )}
    </div>
  );
}

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
