import type { RunDescription, RunStep, ScenarioStep } from "../../../src/public/control.ts";
import { InstantButton } from "../../clock/instant-button.tsx";
import { useSubject } from "../../clock/subject.ts";
import { formatNumber } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/confirm.tsx";
import { Facts } from "../../components/detail.tsx";
import { Empty, Meter, Notice, Page, Panel, Loading } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Ago, NextRepetition, When } from "../../components/values.tsx";
import { to } from "../../base/routes.ts";
import { environment } from "../../data/state.ts";
import { useResponse } from "../../data/use-resource.ts";
import { Effects, Steps, Warnings } from "./outline.tsx";
import { hasWaitingStep, playNext, RunBadge, stepProgress, stopRun } from "./runs.tsx";

/** One run: its progress, and its steps with their dates. */
export function RunPage({ id }: { readonly id: string }) {
  const { data } = environment;
  const run = data?.runs.find((candidate) => candidate.id === id);
  if (run) return <Run {...run} />;
  return (
    <Page title={id} above="scenarios">
      {data ? (
        <Empty title="There is no such run.">
          <p>
            A reset ends all runs, and a restored snapshot has its own. <a href={to("scenarios")}>Show current runs</a>
          </p>
        </Empty>
      ) : (
        <Loading for={environment} />
      )}
    </Page>
  );
}

function Run(run: RunDescription) {
  const {
    id,
    scenario,
    status,
    problem,
    steps,
    repetitions,
    next_date: nextDate,
    next_repetition_date: nextRepetition,
  } = run;
  const detail = useResponse("getRun", { id });
  useSubject(run.title, { run: id });
  const script = detail.data?.script;
  const isOver = status === "finished" || status === "stopped";
  const isRepeated = repetitions > 1;
  // `steps` only contains steps of repetitions that have begun.
  const total = repetitions * (script?.steps.length ?? 0);
  const doneCount = steps.filter((step) => step.status === "done").length;
  return (
    <Page
      title={run.title}
      above="scenarios"
      lead={script && `On ${script.subject}.`}
      actions={
        <>
          {hasWaitingStep(run) && (
            <Button kind="primary" icon="play" onClick={() => void playNext(run)}>
              Play next
            </Button>
          )}
          {!isOver && (
            <ConfirmButton
              question={`Stop ${run.title}?`}
              consequence="Removes its upcoming steps from the timeline. A stopped run cannot be resumed."
              confirmLabel="Stop"
              onConfirm={() => void stopRun(run)}
            />
          )}
        </>
      }
    >
      {problem !== null && <Notice variant="bad">{problem}</Notice>}
      <Panel title="Progress" actions={<a href={to("scenarios", scenario)}>{scenario}</a>}>
        <Facts
          facts={[
            [
              "State",
              <>
                <RunBadge status={status} /> <small class="muted">{waitsFor(run, script?.steps)}</small>
              </>,
            ],
            [
              "Steps done",
              script && (
                <Meter value={doneCount} max={total} label={`${formatNumber(doneCount)} of ${formatNumber(total)}`} />
              ),
            ],
            ["Next step", nextDate !== null && <When date={nextDate} />, isOver ? "none" : "not known yet"],
            [
              "Repetitions",
              isRepeated && (
                <>
                  {formatNumber(run.investment_ids.length)} of {formatNumber(repetitions)} have begun
                  {nextRepetition !== null && (
                    <>
                      ; it <NextRepetition {...run} date={nextRepetition} />
                    </>
                  )}
                </>
              ),
            ],
          ]}
        />
      </Panel>
      {isRepeated ? <Repetitions {...run} script={script?.steps} /> : <SingleRun {...run} script={script?.steps} />}
      {script && <Warnings warnings={script.warnings} />}
    </Page>
  );
}

/** Describes what a run waits for, if it is not only the clock. */
function waitsFor(run: RunDescription, script: readonly ScenarioStep[] | undefined): string {
  const waiting = run.steps.find(({ status }) => status === "waiting");
  const step = waiting && script?.[waiting.index];
  if (!step || run.status === "stopped") return "";
  return `step ${waiting.index + 1} ${step.trigger === "next" ? "waits for you" : `comes ${step.when}`}`;
}

interface ScriptedRun extends RunDescription {
  readonly script: readonly ScenarioStep[] | undefined;
}

function SingleRun({ steps, script, investment_ids, investment_names: [name] }: ScriptedRun) {
  const [investmentId] = investment_ids;
  const columns: readonly Column<RunStep>[] = [
    { name: "Step", isNumber: true, isMinor: true, cell: ({ index }) => index + 1 },
    { name: "Effects", cell: ({ index }) => <Effects effects={script?.[index]?.effects ?? []} /> },
    { name: "State", cell: ({ status }) => <RunBadge status={status} /> },
    { name: "Date", cell: ({ due, index }) => (due === null ? script?.[index]?.when : <InstantButton date={due} />) },
  ];
  return (
    <Panel
      class="whole"
      title="Steps"
      actions={investmentId !== undefined && <a href={to("investments", investmentId)}>{name}</a>}
    >
      <DataTable label="Steps of the run" rows={steps} columns={columns} keyOf={({ index }) => index} />
    </Panel>
  );
}

/** One of the times that the run plays its steps, on one investment. */
interface Repetition {
  readonly id: string;
  readonly name: string | undefined;
  readonly index: number;
  readonly steps: readonly RunStep[];
}

const columns: readonly Column<Repetition>[] = [
  { name: "Investment", cell: ({ name }) => name },
  { name: "Repetition", isNumber: true, isMinor: true, cell: ({ index }) => formatNumber(index + 1) },
  { name: "Steps done", isNumber: true, isMinor: true, cell: ({ steps }) => stepProgress(steps) },
  { name: "State", cell: ({ steps }) => <RunBadge status={stateOf(steps)} /> },
  { name: "Next step", isNumber: true, cell: ({ steps }) => <Next steps={steps} /> },
];

function stateOf(steps: readonly RunStep[]): RunStep["status"] {
  return steps.find(({ status }) => status !== "done")?.status ?? "done";
}

function Next({ steps }: Pick<Repetition, "steps">) {
  const due = steps.find(({ status }) => status === "scheduled")?.due;
  return due ? <Ago date={due} /> : <span class="muted">–</span>;
}

/** A run with many repetitions: how many have reached each step, and a table of all. */
function Repetitions({ steps, script, investment_ids, investment_names: names, repetitions }: ScriptedRun) {
  // Each repetition has all steps; several may be on one investment.
  const length = steps.length / investment_ids.length;
  const all = investment_ids
    .map((id, index) => ({ id, name: names[index], index, steps: steps.slice(index * length, (index + 1) * length) }))
    .toReversed();
  const countDone = (index: number): number =>
    steps.filter((step) => step.index === index && step.status === "done").length;
  const progress: Column<{ readonly index: number }> = {
    name: "Done",
    isNumber: true,
    cell: ({ index }) => `${formatNumber(countDone(index))} of ${formatNumber(repetitions)}`,
  };
  return (
    <div class="split even">
      <Panel title="Steps" class="whole">
        {script && <Steps steps={script} progress={progress} />}
      </Panel>
      <Panel title="Investments">
        <DataTable
          label="Investments"
          rows={all}
          pageSize={10}
          columns={columns}
          keyOf={({ index }) => index}
          hrefOf={({ id }) => to("investments", id)}
          empty={
            <Empty title="No repetitions yet.">
              <p>The first begins when the clock reaches its date.</p>
            </Empty>
          }
        />
      </Panel>
    </div>
  );
}
