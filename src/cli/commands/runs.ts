import type { RunDescription } from "../../control.ts";
import { connectedCommand } from "../connection.ts";
import { begun, runBlock, stepsDone, table } from "../output/lines.ts";
import { count } from "../output/text.ts";

function runTable(runs: readonly RunDescription[]): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => {
    const { id, scenario, status, investment_ids: investments, repetitions, steps, problem, next_date: next } = run;
    const of = repetitions > 1 ? begun(run) : count(investments.length, "investment");
    return [id, scenario, status, of, stepsDone(steps), problem ?? next ?? ""];
  });
  return table(["run", "scenario", "status", "of", "done", "next"], rows);
}

export const runCommands = [
  connectedCommand({
    name: "runs list",
    summary: "List the runs of scenarios.",
    examples: [["runs list", "each with its progress and the date of its next step"]],
    ask: () => (environment) => environment.runs.list(),
    show: runTable,
  }),
  connectedCommand({
    name: "runs stop",
    summary: "Stop a run; its future steps never happen.",
    operand: "run",
    examples: [["runs stop run-1", "its future steps are removed; it stays listed"]],
    ask: (id) => (environment) => environment.runs.stop(id),
    show: runBlock,
  }),
];
