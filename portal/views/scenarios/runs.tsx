import type { RunDescription, RunStep } from "../../../src/public/control.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { formatNumber } from "../../base/format.ts";
import { Badge, type Variant } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Ago } from "../../components/values.tsx";
import { toRun, useParameter } from "../../base/routes.ts";
import { environment } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";

type Status = RunDescription["status"] | RunStep["status"];

const variants: Readonly<Record<Status, Variant>> = {
  running: "good",
  done: "good",
  finished: "neutral",
  scheduled: "waiting",
  waiting: "warning",
  pending: "neutral",
  stopped: "bad",
};

/** The status of a run or of a step. */
export function RunBadge({ status }: { readonly status: Status }) {
  return <Badge variant={variants[status]}>{status}</Badge>;
}

/** `3 of 7` steps are done. */
export function stepProgress(steps: readonly RunStep[]): string {
  return `${formatNumber(steps.filter(({ status }) => status === "done").length)} of ${formatNumber(steps.length)}`;
}

/** `48 of 720` repetitions have begun; for a run with a single repetition, `3 of 7` steps are done. */
function runProgress({ repetitions, investment_ids, steps }: RunDescription): string {
  return repetitions === 1
    ? stepProgress(steps)
    : `${formatNumber(investment_ids.length)} of ${formatNumber(repetitions)}`;
}

export function hasWaitingStep({ status, steps }: RunDescription): boolean {
  return status !== "stopped" && steps.some((step) => step.status === "waiting");
}

export function playNext({ id, title }: RunDescription): Promise<RunDescription | undefined> {
  return command(() => call("playNext", { id }), `Played the next step of ${title}.`);
}

export function stopRun({ id, title }: RunDescription): Promise<RunDescription | undefined> {
  return command(() => call("stopRun", { id }), `${title} stopped. Its past changes stay.`);
}

const runColumns: readonly Column<RunDescription>[] = [
  { name: "Run", cell: RunName },
  { name: "State", cell: ({ status }) => <RunBadge status={status} /> },
  { name: "Done", isNumber: true, isMinor: true, cell: runProgress },
  { name: "Next", isNumber: true, cell: (run) => <Next {...run} /> },
];

function RunName({ id, title, problem }: RunDescription) {
  return (
    <span class="wide" title={problem ?? id}>
      {title} {problem !== null && <span class="error">{problem}</span>}
    </span>
  );
}

function Next(run: RunDescription) {
  if (hasWaitingStep(run)) {
    return (
      <Button needsEditAccess class="small" onClick={() => void playNext(run)}>
        Play next<span class="unseen"> step of {run.title}</span>
      </Button>
    );
  }
  return run.next_date === null ? <span class="muted">–</span> : <Ago date={run.next_date} />;
}

const runStatuses = ["running", "waiting", "finished", "stopped"];

/** The newest run of each scenario, by the name of the scenario. */
export function newestRuns(): ReadonlyMap<string, RunDescription> {
  return new Map(environment.data?.runs.map((run) => [run.scenario, run]));
}

/** The runs of the environment or, with `scenario`, of that scenario only; newest first. */
export function Runs({ scenario }: { readonly scenario?: string }) {
  const { data } = environment;
  const [state, setState] = useParameter("state");
  const all = (data?.runs ?? []).filter((run) => scenario === undefined || run.scenario === scenario);
  const matching = all.filter(({ status }) => state === "" || status === state).toReversed();
  const options = runStatuses.map((name) => {
    const runCount = all.filter(({ status }) => status === name).length;
    return [name, `${name} (${formatNumber(runCount)})`] as const;
  });
  return (
    <Panel
      title="Runs"
      actions={
        (all.length > 1 || state !== "") && (
          <Select
            label="State of the runs"
            isLabelHidden
            value={state}
            onChange={setState}
            options={[["", `All (${formatNumber(all.length)})`], ...options]}
          />
        )
      }
    >
      <DataTable
        label="Runs"
        rows={data && matching}
        source={environment}
        pageSize={50}
        columns={runColumns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => toRun(id)}
        empty={
          all.length > 0 ? (
            <Empty title="No runs in this state.">
              <Button onClick={() => setState("")}>Show all</Button>
            </Empty>
          ) : (
            <Empty title="No runs yet.">
              {canEdit.value && <p>Play {scenario ?? "a scenario"}, and move the clock to see its changes.</p>}
            </Empty>
          )
        }
      />
    </Panel>
  );
}
