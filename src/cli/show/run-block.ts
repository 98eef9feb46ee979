import type { RunDescription, RunStep } from "../../control.ts";
import { columns } from "../log/columns.ts";
import { style } from "../log/style.ts";
import { count } from "./count.ts";

/** A run with its steps; one of many investments with how far it is with each, the first so many of them. */
export function runBlock(run: RunDescription): string {
  const { id, scenario, status, investment_ids: investments, steps } = run;
  const head = `${style("bold", id)}  ${scenario}, ${status}`;
  const lines = investments.length > 1 ? tracks(investments, steps) : track(investments[0], steps);
  return [head, ...lines.map((line) => `  ${line}`)].join("\n");
}

const most = 20;

function track(investment: string | undefined, steps: readonly RunStep[]): string[] {
  const rows = steps.map(({ index, status, due }) => [`step ${index + 1}`, status, due ?? ""]);
  return [...(investment === undefined ? [] : [`investment ${investment}`]), ...columns(rows)];
}

function tracks(investments: readonly string[], steps: readonly RunStep[]): string[] {
  const rows = investments.slice(0, most).map((id) => {
    const own = steps.filter(({ investment_id: of }) => of === id);
    const done = own.filter(({ status }) => status === "done").length;
    const next = own.find(({ status }) => status === "waiting" || status === "scheduled");
    return [`investment ${id}`, `${done} of ${count(own.length, "step")} done`, next ? nextStep(next) : ""];
  });
  const more = investments.length - most;
  return more > 0 ? [...columns(rows), style("dim", `… and ${more} more`)] : columns(rows);
}

function nextStep({ index, status, due }: RunStep): string {
  return status === "waiting" ? `step ${index + 1} waits` : `step ${index + 1} at ${due}`;
}
