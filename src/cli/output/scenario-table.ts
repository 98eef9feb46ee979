import { formatDuration, formatSpan } from "../../model/duration.ts";
import { escaped, escapedData } from "../../model/text.ts";
import { effectInWords } from "../../scenario/effects.ts";
import { type Progress, progressOf } from "../../scenario/progress.ts";
import type { Scenario, Step, Trigger } from "../../scenario/scenario.ts";
import { style } from "./terminal.ts";
import { columns, indent, joinSections, textWidth, wrap } from "./text.ts";

/** The states in the picture, with their texts. */
const lanes: readonly (readonly [name: string, read: (progress: Progress) => string | undefined])[] = [
  ["status", ({ status }) => status],
  ["step", ({ step }) => (step === null ? "null" : step)],
  ["signed", ({ signed }) => signed],
  ["paid", ({ paid }) => paid?.toString()],
  ["offering", ({ offering }) => offering],
];

const laneWidth = Math.max(...lanes.map(([name]) => name.length)) + 2;

/** Draws a line for each state, with its value at the start and at each step that changes it. */
function statePicture(scenario: Scenario, width: number): string[] {
  const states = progressOf(scenario);
  const drawn = lanes
    .map(([name, read]) => ({ name, values: changesOf(states.map(read)) }))
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
function changesOf(values: readonly (string | undefined)[]): string[] {
  return values.map((value, index) => (index > 0 && value === values[index - 1] ? "" : (value ?? "")));
}

function cells(texts: readonly string[], widths: readonly number[], from: number, to: number, filling: string): string {
  return texts
    .slice(from, to)
    .map((text, index) => (text === "" ? "" : `${text} `).padEnd(widths[from + index] ?? 0, filling))
    .join("");
}

/** Splits columns into ranges that fit the width. */
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

/** Writes a trigger: `2m later`. */
function triggerInWords(trigger: Trigger, index: number): string {
  switch (trigger.kind) {
    case "after": {
      const { by, most = by } = trigger;
      return most === 0 ? (index === 0 ? "at once" : "with it") : `${formatSpan([by, most])} later`;
    }
    case "at": {
      if (!("instant" in trigger)) return `at ${formatSpan([trigger.since, trigger.most ?? trigger.since])}`;
      return `at ${trigger.instant}${trigger.until === undefined ? "" : `..${trigger.until}`}`;
    }
    case "after_reads":
      return trigger.reads === 1 ? "after 1 read" : `after ${trigger.reads} reads`;
    case "next":
      return "on command";
  }
}

/** Time from the start to each step: `1h5m`, `1h..2h`; `?` for a step that waits, `? + 5m` for those after it. */
function elapsed(all: readonly Step[]): string[] {
  let [isKnown, least, most] = [true, 0, 0];
  return all.map(({ trigger }) => {
    if (trigger.kind === "after") [least, most] = [least + trigger.by, most + (trigger.most ?? trigger.by)];
    else if (trigger.kind === "at" && "since" in trigger) {
      // It draws from what the step before leaves of its span.
      [least, most] = [isKnown ? Math.max(least, trigger.since) : trigger.since, trigger.most ?? trigger.since];
      isKnown = true;
    } else [isKnown, least, most] = [false, 0, 0];
    if (isKnown) return formatSpan([least, most]);
    return most === 0 ? "?" : `? + ${formatSpan([least, most])}`;
  });
}

/** A scenario for people: its subject, a table of its steps, and its states over time. */
export function scenarioTable(given: Scenario): string {
  const width = textWidth - 2;
  const scenario = escapedData(given);
  const description = wrap(given.description, width).map((line) => escaped(line));
  return joinSections([
    [style("bold", scenario.name), ...indent(description)],
    indent(columns(subject(scenario))),
    indent(steps(scenario)),
    [style("bold", "States"), ...indent(statePicture(scenario, width))],
  ]);
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
