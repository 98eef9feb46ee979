/** A scenario for people: its steps in words, its states over time, its warnings. */
import type { Diagnostic, ScenarioDetail, ScenarioState, ScenarioStep } from "../../../src/public/control.ts";
import { formatCount, formatMoney } from "../../base/format.ts";
import { Notice } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";

interface NumberedStep extends ScenarioStep {
  readonly index: number;
}

type StepColumn = Column<NumberedStep>;

const place: StepColumn = { name: "Step", isNumber: true, cell: ({ index }) => index + 1 };
const when: StepColumn = { name: "When", cell: (step) => <span class="number">{step.when}</span> };
const sinceStart: StepColumn = {
  name: "Since the start",
  isMinor: true,
  cell: ({ since }) => <span class="number">{since}</span>,
};
const what: StepColumn = { name: "What happens", cell: ({ effects }) => <Effects effects={effects} /> };

interface StepsProps extends Pick<ScenarioDetail, "steps"> {
  /** How far each step is, in place of the times that a narrow table has no room for. */
  readonly progress?: StepColumn;
}

export function Steps({ steps, progress }: StepsProps) {
  return (
    <DataTable
      label="Steps"
      rows={steps.map((step, index) => ({ ...step, index }))}
      columns={progress ? [place, { ...when, isMinor: true }, what, progress] : [place, when, sinceStart, what]}
      keyOf={({ index }) => index}
    />
  );
}

export function Effects({ effects }: Pick<ScenarioStep, "effects">) {
  return (
    <ul class="effects">
      {effects.map((effect, index) => (
        <li key={index}>{effect}</li>
      ))}
    </ul>
  );
}

export function Warnings({ warnings }: { readonly warnings: readonly Diagnostic[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice variant="warning">
      <strong>{formatCount(warnings.length, "warning")}.</strong> It can be played nevertheless.
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

/** Up to this number of states, each has its own column; if there are more, equal neighbors share one. */
const fewStates = 14;

function momentsOf(states: readonly ScenarioState[]): readonly Span<ScenarioState>[] {
  return spansOf(states, (at) => at <= 1 || states.length <= fewStates);
}

const lanes: readonly (readonly [name: keyof ScenarioState, label: string])[] = [
  ["status", "Status"],
  ["step", "Step"],
  ["signed", "Signed by"],
  ["paid", "Paid"],
  ["offering", "Offering"],
];

/** The states as lanes: a cell is as wide as the steps for which its value holds. */
export function StatePicture({ states, steps }: Pick<ScenarioDetail, "states" | "steps">) {
  const moments = momentsOf(states);
  return (
    <div class="table lanes" role="region" aria-label="States over the steps" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">State</span>
            </th>
            {moments.map(({ at, length }) => (
              <th key={at} scope="col">
                {at === 0 ? "Start" : length === 1 ? at : `${at}–${at + length - 1}`}
                <small>{at === 0 ? "" : steps[at - 1]?.since}</small>
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
                {spansOf(moments.map(({ value: state }) => state[name])).map(({ value, length, at }) => (
                  <td key={at} colSpan={length}>
                    <Stored lane={name} value={value} />
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
  /** The index of the first one. */
  readonly at: number;
  readonly length: number;
}

function spansOf<Value>(values: readonly Value[], isApart = (_at: number) => false): readonly Span<Value>[] {
  const spans: Span<Value>[] = [];
  for (const [at, value] of values.entries()) {
    const last = spans.at(-1);
    if (last && !isApart(at) && JSON.stringify(last.value) === JSON.stringify(value))
      spans[spans.length - 1] = { ...last, length: last.length + 1 };
    else spans.push({ value, at, length: 1 });
  }
  return spans;
}

/** The initial values, which are shown less prominently. */
const beginnings: Readonly<Record<string, string>> = { null: "none", nobody: "nobody", "0": "0" };
const looks: Readonly<Record<string, string>> = { PENDING: "waiting", CLOSED: "good", everybody: "good" };

function Stored({ lane, value }: { readonly lane: string; readonly value: string | null }) {
  if (value === null) return <span class="stored none">as it was</span>;
  const text = lane === "paid" ? paid(value) : (beginnings[value] ?? value);
  const look = value in beginnings ? "none" : (looks[value] ?? "set");
  return (
    <span class={`stored ${look}`} title={text}>
      {text.length > 24 ? `${text.slice(0, 23)}…` : text}
    </span>
  );
}

function paid(value: string): string {
  const amount = Number(value);
  return value === "0" || Number.isNaN(amount) ? value : formatMoney(amount);
}
