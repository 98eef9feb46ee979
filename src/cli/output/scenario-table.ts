import type { ScenarioState, ScenarioStep } from "../../public/control.ts";
import { escaped, escapedData } from "../../text/text.ts";
import { outlineOf } from "../../scenario/outline.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { style } from "./terminal.ts";
import { columns, indent, joinSections, textWidth, wrap } from "./text.ts";

/** The states in the picture. */
const lanes = ["status", "step", "signed", "paid", "offering"] as const satisfies readonly (keyof ScenarioState)[];

const laneWidth = Math.max(...lanes.map((name) => name.length)) + 2;

/** Draws a line for each state, with its value at the start and after each change. */
function statePicture(states: readonly ScenarioState[], width: number): string[] {
  const drawn = lanes
    .map((name) => ({ name, values: distinctValues(states.map((state) => state[name])) }))
    .filter(({ values }) => values.some((value) => value !== ""));
  const headings = states.map((_, index) => (index === 0 ? "start" : String(index)));
  const widths = headings.map(
    (heading, index) => Math.max(heading.length, ...drawn.map(({ values }) => values[index]?.length ?? 0)) + 1,
  );
  return blocks(widths, width - laneWidth).flatMap(([from, to], block) => [
    ...(block === 0 ? [] : [""]),
    style("dim", (" ".repeat(laneWidth) + cells(headings, widths, from, to, " ")).trimEnd()),
    ...drawn.map(({ name, values }) => (name.padEnd(laneWidth) + cells(values, widths, from, to, "─")).trimEnd()),
  ]);
}

/** Returns the values where they change, an empty text elsewhere. */
function distinctValues(values: readonly (string | null)[]): string[] {
  return values.map((value, index) => (index > 0 && value === values[index - 1] ? "" : (value ?? "")));
}

function cells(texts: readonly string[], widths: readonly number[], from: number, to: number, filling: string): string {
  return texts
    .slice(from, to)
    .map((text, index) => (text === "" ? "" : `${text} `).padEnd(widths[from + index] ?? 0, filling))
    .join("");
}

/** Splits columns into ranges within the width. */
function blocks(widths: readonly number[], maxWidth: number): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let [from, used] = [0, 0];
  for (const [index, width] of widths.entries()) {
    if (index > from && used + width > maxWidth) {
      parts.push([from, index]);
      [from, used] = [index, 0];
    }
    used += width;
  }
  return [...parts, [from, widths.length]];
}

/** A scenario for people: its subject, a table of its steps, and its states over time. */
export function scenarioTable(scenario: Scenario): string {
  const width = textWidth - 2;
  const shown = escapedData(scenario);
  const { subject, steps, states } = outlineOf(shown);
  const description = wrap(scenario.description, width).map((line) => escaped(line));
  return joinSections([
    [style("bold", shown.name), ...indent(description)],
    indent(wrap(`Plays on ${subject}.`, width)),
    indent(stepTable(steps)),
    [style("bold", "States"), ...indent(statePicture(states, width))],
  ]);
}

function stepTable(steps: readonly ScenarioStep[]): string[] {
  const rows = steps.map(({ when, since, effects }, index) => [String(index + 1), when, since, effects.join(" · ")]);
  const [heading = "", ...lines] = columns([["step", "when", "since the start", "what happens"], ...rows]);
  return [style("dim", heading), ...lines];
}
