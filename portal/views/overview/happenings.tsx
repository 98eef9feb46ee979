import type { ChangeDescription, JournalEntry, RunDescription } from "../../../src/control.ts";
import { list } from "../../server/api.ts";
import { eachOnce, instant, shortPath } from "../../format.ts";
import { Badge, HttpBadge } from "../../parts/badge.tsx";
import { Empty, Panel, Waiting } from "../../parts/panel.tsx";
import { Ago, Id, Made } from "../../parts/values.tsx";
import { useResource } from "../../server/use-resource.ts";
import { to, toRun } from "../../routes.ts";
import { reasonOf } from "../journal/reasons.ts";
import { connection as link, environment, journal, next } from "../../server/state.ts";
import { nextDueOf, progressOf, RunBadge } from "../scenarios/runs.tsx";

const maxRows = 7;

/** The newest requests, newest first. */
export function LastRequests() {
  const entries = journal.value.slice(-maxRows).toReversed();
  const isKnown = link.value !== "starting";
  return (
    <Panel title="Last requests" actions={<a href={to("journal")}>Journal</a>}>
      {!isKnown && <Waiting />}
      {isKnown && entries.length === 0 && (
        <Empty title="No request yet.">
          <p>Press “Send” above, or paste the curl into a terminal: it shows here at once.</p>
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
  const { id, method, path, status, connection, recorded_at, key_label } = entry;
  return (
    <li>
      <HttpBadge status={status} connection={connection} />
      <div>
        <a class="path" href={to("journal", String(id))} title={path}>
          {method} {shortPath(path)}
        </a>
        <small class="muted">{reasonOf(entry) ?? key_label ?? "no known key"}</small>
      </div>
      <Made at={recorded_at} />
    </li>
  );
}

interface Step {
  readonly date: string;
  readonly investmentId: string | null;
  readonly texts: readonly string[];
}

/** The changes to come; those of one instant and one investment are one row. */
export function Next() {
  const from = next.value;
  const changes = useResource(
    async (signal) => (from === null ? [] : list("getTimeline", { query: { from, limit: 40 }, signal })),
    [from],
  );
  const steps = stepsOf(changes.data ?? []).slice(0, maxRows);
  const begins = !changes.loading && from !== null && steps[0]?.date !== from;
  return (
    <Panel title="What happens next">
      {!changes.data && <Waiting problem={changes.problem} />}
      {changes.data && from === null && (
        <Empty title="Nothing is to come.">
          <p>
            <a href={to("scenarios")}>Play a scenario</a>: investors subscribe, sign and pay, faults come and go.
          </p>
        </Empty>
      )}
      <ul class="rows">
        {begins && <Beginning date={from} />}
        {steps.map(({ date, investmentId, texts }) => (
          <li key={`${date} ${investmentId}`}>
            <Badge look="waiting">
              <Ago date={date} />
            </Badge>
            <div>
              {eachOnce(texts).join(", ")}
              {investmentId !== null && (
                <small>
                  <a href={to("investments", investmentId, { at: date })}>
                    investment <Id id={investmentId} />
                  </a>
                </small>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The next repetition of a run: its changes are not on the timeline yet. */
function Beginning({ date }: { readonly date: string }) {
  const running = (environment.data?.runs ?? []).filter(({ status }) => status === "running");
  const names = [...new Set(running.map(({ scenario }) => scenario))];
  if (names.length === 0) return null;
  return (
    <li>
      <Badge look="waiting">
        <Ago date={date} />
      </Badge>
      <div>
        {names.length === 1 ? `${names[0]} goes on` : "a scenario goes on"}
        <small class="muted">{instant(date)}</small>
      </div>
    </li>
  );
}

function stepsOf(changes: readonly ChangeDescription[]): readonly Step[] {
  const steps = new Map<string, { date: string; investmentId: string | null; texts: string[] }>();
  for (const change of changes) {
    const isOfInvestment = change.kind === "new_investment" || change["investment_id"] !== undefined;
    const investmentId = isOfInvestment ? change.subject_id : null;
    const name = `${change.date} ${investmentId}`;
    const step = steps.get(name) ?? { date: change.date, investmentId, texts: [] };
    step.texts.push(change.summary);
    steps.set(name, step);
  }
  return [...steps.values()];
}

/** The unfinished runs. */
export function Runs() {
  const { data, problem } = environment;
  const runs = data?.runs.filter(({ status }) => status === "running" || status === "waiting") ?? [];
  return (
    <Panel title="Running scenarios" actions={<a href={to("scenarios")}>Scenarios</a>}>
      {!data && <Waiting problem={problem} />}
      {data && runs.length === 0 && (
        <Empty title="No scenario is running.">
          <p>
            <a href={to("scenarios")}>Play one</a>, and move the clock to see it happen.
          </p>
        </Empty>
      )}
      <ul class="rows">
        {runs.slice(0, maxRows).map((run) => (
          <Run key={run.id} {...run} />
        ))}
      </ul>
    </Panel>
  );
}

function Run({ id, scenario, status, steps }: RunDescription) {
  const due = nextDueOf(steps);
  return (
    <li>
      <RunBadge status={status} />
      <div>
        <a href={toRun(id)}>{scenario}</a>
        <small class="muted">
          {id}, {progressOf(steps)} steps
        </small>
      </div>
      {due ? <Ago date={due} /> : <small class="muted">{status === "waiting" ? "needs you" : ""}</small>}
    </li>
  );
}
