import type { Scenario } from "../../scenario/scenario.ts";
import { standings, type Standing } from "../../scenario/standing.ts";
import { style } from "../log/style.ts";

/** Each state that a scenario moves, and how it reads. */
const lanes: readonly (readonly [name: string, read: (standing: Standing) => string | undefined])[] = [
  ["status", ({ status }) => status],
  ["step", ({ step }) => (step === null ? "null" : step)],
  ["signed", ({ signed }) => signed],
  ["paid", ({ paid }) => paid?.toString()],
  ["offering", ({ offering }) => offering],
];

const laneWidth = Math.max(...lanes.map(([name]) => name.length)) + 2;

/** A line for each state, with what it is at the beginning and what it becomes at which step. */
export function statePicture(scenario: Scenario, width: number): string[] {
  const stands = standings(scenario);
  const drawn = lanes
    .map(([name, read]) => ({ name, values: changesOf(stands.map(read)) }))
    .filter(({ values }) => values.some((value) => value !== ""));
  const headings = stands.map((_, index) => (index === 0 ? "start" : String(index)));
  const widths = headings.map(
    (heading, index) => Math.max(heading.length, ...drawn.map(({ values }) => values[index]?.length ?? 0)) + 1,
  );
  return blocks(widths, width - laneWidth).flatMap(([from, to], block) => [
    ...(block === 0 ? [] : [""]),
    style("dim", (" ".repeat(laneWidth) + cells(headings, widths, from, to, " ")).trimEnd()),
    ...drawn.map(({ name, values }) => (name.padEnd(laneWidth) + cells(values, widths, from, to, "─")).trimEnd()),
  ]);
}

/** The value where it changes, and nothing where it stays. */
function changesOf(values: readonly (string | undefined)[]): string[] {
  return values.map((value, index) => (index > 0 && value === values[index - 1] ? "" : (value ?? "")));
}

function cells(texts: readonly string[], widths: readonly number[], from: number, to: number, filling: string): string {
  return texts
    .slice(from, to)
    .map((text, index) => (text === "" ? "" : `${text} `).padEnd(widths[from + index] ?? 0, filling))
    .join("");
}

/** Ranges of columns that fit the width, for a picture in several parts. */
function blocks(widths: readonly number[], most: number): [from: number, to: number][] {
  const parts: [number, number][] = [];
  let [from, used] = [0, 0];
  for (const [index, width] of widths.entries()) {
    if (index > from && used + width > most) {
      parts.push([from, index]);
      [from, used] = [index, 0];
    }
    used += width;
  }
  return [...parts, [from, widths.length]];
}
