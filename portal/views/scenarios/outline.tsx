/** The parts of a scenario's page: its steps in words, its states over time, its warnings, and the form to play it. */
import type { Diagnostic, ScenarioDetail, ScenarioState, ScenarioStep } from "../../../src/public/control.ts";
import { formatCount, formatMoney } from "../../base/format.ts";
import { Notice, Alert, Panel } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { useSignal } from "@preact/signals";
import { playScenario } from "../../shared/play-scenario.ts";
import { Button, ignoreDoubleClick } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { to, useParameter } from "../../base/routes.ts";
import { offeringOptions } from "../../data/names.ts";
import { canEdit } from "../../base/token.ts";

interface NumberedStep extends ScenarioStep {
  readonly index: number;
}

type StepColumn = Column<NumberedStep>;

const position: StepColumn = { name: "Step", isNumber: true, cell: ({ index }) => index + 1 };
const when: StepColumn = { name: "When", cell: (step) => <span class="number">{step.when}</span> };
const sinceStart: StepColumn = {
  name: "Since the start",
  isMinor: true,
  cell: ({ since }) => <span class="number">{since}</span>,
};
const effects: StepColumn = { name: "Effects", cell: (step) => <Effects {...step} /> };

interface StepsProps extends Pick<ScenarioDetail, "steps"> {
  /** The progress of each step, in place of the times, for which a narrow table has no room. */
  readonly progress?: StepColumn;
}

export function Steps({ steps, progress }: StepsProps) {
  return (
    <DataTable
      label="Steps"
      rows={steps.map((step, index) => ({ ...step, index }))}
      columns={
        progress ? [position, { ...when, isMinor: true }, effects, progress] : [position, when, sinceStart, effects]
      }
      keyOf={({ index }) => index}
    />
  );
}

export function Effects(step: Pick<ScenarioStep, "effects">) {
  return (
    <ul class="effects">
      {step.effects.map((effect, index) => (
        <li key={index}>{effect}</li>
      ))}
    </ul>
  );
}

export function Warnings({ warnings }: { readonly warnings: readonly Diagnostic[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice variant="warning">
      <strong>{formatCount(warnings.length, "warning")}.</strong> The scenario can still be played.
      <ul class="hints">
        {warnings.map(({ line, column, message }, index) => (
          <li key={index}>
            Line {line}, column {column}: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Up to this number of states, each has its own column; if there are more, equal neighbors share a column. */
const maxColumns = 14;

const lanes: readonly (readonly [name: keyof ScenarioState, label: string])[] = [
  ["status", "Status"],
  ["step", "Step"],
  ["signed", "Signed by"],
  ["paid", "Paid"],
  ["offering", "Offering"],
];

/** The states as lanes: a cell is as wide as the steps for which its value holds. */
export function StatePicture({ states, steps }: Pick<ScenarioDetail, "states" | "steps">) {
  const columns = spansOf(states, (index) => index <= 1 || states.length <= maxColumns);
  return (
    <div class="table lanes" role="region" aria-label="States over the steps" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">State</span>
            </th>
            {columns.map(({ index, length }) => (
              <th key={index} scope="col">
                {index === 0 ? "Start" : length === 1 ? index : `${index}–${index + length - 1}`}
                <small>{index === 0 ? "" : steps[index - 1]?.since}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes
            .filter(([name]) => states.some((state) => state[name] !== null))
            .map(([name, label]) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                {spansOf(columns.map(({ value: state }) => state[name])).map(({ value, length, index }) => (
                  <td key={index} colSpan={length}>
                    <LaneValue lane={name} value={value} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** Equal values in a row. */
interface Span<Value> {
  readonly value: Value;
  /** The index of the first value. */
  readonly index: number;
  readonly length: number;
}

function spansOf<Value>(values: readonly Value[], isSeparate = (_index: number) => false): readonly Span<Value>[] {
  const spans: Span<Value>[] = [];
  for (const [index, value] of values.entries()) {
    const last = spans.at(-1);
    if (last && !isSeparate(index) && JSON.stringify(last.value) === JSON.stringify(value))
      spans[spans.length - 1] = { ...last, length: last.length + 1 };
    else spans.push({ value, index, length: 1 });
  }
  return spans;
}

/** The classes of some values: initial values are less prominent. */
const classes: Readonly<Record<string, string>> = {
  null: "none",
  nobody: "none",
  "0": "none",
  PENDING: "waiting",
  CLOSED: "good",
  everybody: "good",
};

function LaneValue({ lane, value }: { readonly lane: string; readonly value: string | null }) {
  if (value === null) return <span class="stored none">unchanged</span>;
  const text = lane === "paid" ? formatPaid(value) : value === "null" ? "none" : value;
  return (
    <span class={`stored ${classes[value] ?? "set"}`} title={text}>
      {text.length > 24 ? `${text.slice(0, 23)}…` : text}
    </span>
  );
}

function formatPaid(value: string): string {
  const amount = Number(value);
  return value === "0" || Number.isNaN(amount) ? value : formatMoney(amount);
}

interface PlayProps {
  /** The name of a scenario, or its YAML. */
  readonly scenario: string;
  /** The investment of the scenario, in words. */
  readonly subject: string;
}

/** The form to play a scenario on its subject. The page of an investment plays a scenario on that investment. */
export function Play({ scenario, subject }: PlayProps) {
  const [offeringId, chooseOffering] = useParameter("offering_id");
  const problem = useSignal<string | null>(null);
  if (!canEdit.value) return null;
  const fail = ({ message }: Error): void => void (problem.value = message);
  return (
    <Panel title="Play scenario">
      <div class="stack">
        <p>
          On {subject}. To play it on another investment, <a href={to("investments")}>open the investment</a>.
        </p>
        <div class="toolbar">
          <Select
            label="Offering"
            value={offeringId}
            onChange={chooseOffering}
            options={[["", "The scenario's offering"], ...offeringOptions()]}
          />
          <Button
            kind="primary"
            icon="play"
            onClick={ignoreDoubleClick(() => playScenario(scenario, offeringId || undefined, fail))}
          >
            Play
          </Button>
        </div>
        <Alert text={problem.value} />
      </div>
    </Panel>
  );
}
