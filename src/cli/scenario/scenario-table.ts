import { formatDuration } from "../../model/duration.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { columns } from "../log/columns.ts";
import { style } from "../log/style.ts";
import { wrap } from "../log/wrap.ts";
import { effectInWords } from "./effect-in-words.ts";
import { statePicture } from "./state-picture.ts";
import { elapsed, triggerInWords } from "./trigger-in-words.ts";

/** A scenario for people: what it plays on, its steps as a table, and its states over time. */
export function scenarioTable(scenario: Scenario, width: number): string {
  const sections = [
    [style("bold", scenario.name), ...wrap(scenario.description, width - 2).map(indent)],
    columns(subject(scenario)).map(indent),
    steps(scenario).map(indent),
    [style("bold", "States"), ...statePicture(scenario, width - 2).map(indent)],
  ];
  return sections.map((lines) => lines.join("\n")).join("\n\n");
}

function indent(line: string): string {
  return `  ${line}`;
}

function subject({ offering, investment, repeat }: Scenario): string[][] {
  const rows = [
    ["offering", offering ?? "the first"],
    ["investment", typeof investment === "string" ? investment : newInvestment(investment)],
  ];
  if (repeat) {
    const { count, every, jitter } = repeat;
    const give = jitter > 0 ? `, give or take ${formatDuration(jitter)}` : "";
    rows.push(["repeat", `${count} times, every ${formatDuration(every)}${give}`]);
  }
  return rows;
}

function newInvestment({ amount }: Exclude<Scenario["investment"], string>): string {
  return amount === undefined ? "a new one" : `a new one of ${amount}`;
}

function steps(scenario: Scenario): string[] {
  const since = elapsed(scenario.steps);
  const rows = scenario.steps.flatMap(({ trigger, effects }, index) =>
    effects.map((effect, position) =>
      position === 0
        ? [String(index + 1), triggerInWords(trigger, index), since[index] ?? "", effectInWords(effect)]
        : ["", "", "", effectInWords(effect)],
    ),
  );
  const [heading = "", ...lines] = columns([["step", "when", "since the start", "what happens"], ...rows]);
  return [style("dim", heading), ...lines];
}
