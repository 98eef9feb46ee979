import type { RunDescription, RunStep, ScenarioStep } from "../../../src/control.ts";
import { number } from "../../format.ts";
import { Empty, Panel } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { Ago, InvestmentName } from "../../parts/values.tsx";
import { to } from "../../routes.ts";
import { Effects } from "./outline.tsx";
import { progressOf, StepBadge } from "./runs.tsx";

interface RepetitionsProps extends RunDescription {
  readonly script: readonly ScenarioStep[] | undefined;
}

/** One playing of the steps, on one investment. */
interface Repetition {
  readonly id: string;
  readonly place: number;
  readonly steps: readonly RunStep[];
}

const columns: readonly Column<Repetition>[] = [
  { name: "Investment", cell: ({ id }) => <InvestmentName key={id} id={id} /> },
  { name: "Repetition", isNumber: true, isMinor: true, cell: ({ place }) => number(place) },
  { name: "Steps done", isNumber: true, cell: ({ steps }) => progressOf(steps) },
  { name: "State", cell: ({ steps }) => <StepBadge status={stateOf(steps)} /> },
  { name: "Next step", isNumber: true, cell: ({ steps }) => <Next steps={steps} /> },
];

function stateOf(steps: readonly RunStep[]): string {
  return steps.find(({ status }) => status !== "done")?.status ?? "done";
}

function Next({ steps }: Pick<Repetition, "steps">) {
  const due = steps.find(({ status }) => status === "scheduled")?.due;
  return due ? <Ago date={due} /> : <span class="muted">–</span>;
}

/** A run with many repetitions: how many have reached each step, and a table of all. */
export function Repetitions({ steps, script, investment_ids, repetitions }: RepetitionsProps) {
  // Each repetition has all steps; several may be on one investment.
  const length = steps.length / investment_ids.length;
  const all = investment_ids
    .map((id, at) => ({ id, place: at + 1, steps: steps.slice(at * length, (at + 1) * length) }))
    .toReversed();
  return (
    <div class="split even">
      <Panel title="Steps" class="whole">
        {script && <StepsDone script={script} steps={steps} of={repetitions} />}
      </Panel>
      <Panel title="Investments">
        <DataTable
          label="Investments"
          rows={all}
          atFirst={10}
          columns={columns}
          keyOf={({ place }) => place}
          hrefOf={({ id }) => to("investments", id)}
          empty={
            <Empty title="None has begun.">
              <p>The first begins as the clock moves on.</p>
            </Empty>
          }
        />
      </Panel>
    </div>
  );
}

interface StepsDoneProps {
  readonly script: readonly ScenarioStep[];
  readonly steps: readonly RunStep[];
  /** Number of repetitions. */
  readonly of: number;
}

function StepsDone({ script, steps, of }: StepsDoneProps) {
  const rows = script.map((step, index) => {
    const done = steps.filter((one) => one.index === index && one.status === "done").length;
    return { ...step, index, done };
  });
  const stepColumns: readonly Column<(typeof rows)[number]>[] = [
    { name: "Step", isNumber: true, cell: ({ index }) => index + 1 },
    { name: "When", isMinor: true, cell: ({ when }) => <span class="trigger">{when}</span> },
    { name: "What happens", cell: ({ effects }) => <Effects effects={effects} /> },
    { name: "Done", isNumber: true, cell: ({ done }) => `${number(done)} of ${number(of)}` },
  ];
  return <DataTable label="Steps" rows={rows} columns={stepColumns} keyOf={({ index }) => index} />;
}
