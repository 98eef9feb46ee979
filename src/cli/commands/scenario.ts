import type { ScenarioState, ScenarioStep } from "../../public/control.ts";
import { ConnectionError } from "../../errors/control-error.ts";
import { formatDiagnostic } from "../../validation/errors.ts";
import { escaped, escapedData } from "../../text/text.ts";
import type { Diagnostic } from "../../scenario/parse.ts";
import { type Scenario, summarizeScenario } from "../../scenario/scenario.ts";
import { readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { connectionFlags, jsonFlag } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { alignColumns, count, indent, joinSections, textWidth, wrap } from "../output/text.ts";

/** Prints what a check found in a file, as `POST …/scenarios/check` responds. Returns the exit code. */
export function printReport(
  file: string,
  { errors, warnings }: Readonly<Record<"errors" | "warnings", readonly Diagnostic[]>>,
): 0 | 2 {
  printJson({ file, errors, warnings });
  return errors.length > 0 ? 2 : 0;
}

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
async function scenarioTable(scenario: Scenario): Promise<string> {
  const { outlineOf } = await import("../../scenario/outline.ts");
  const width = textWidth - 2;
  const shown = escapedData(scenario);
  const { subject, steps, states } = outlineOf(shown);
  const description = wrap(scenario.description, width).map((line) => escaped(line));
  return joinSections([
    [nameAndTitle(shown), ...indent(description)],
    indent(wrap(`Plays on ${subject}.`, width)),
    indent(stepTable(steps)),
    [style("bold", "States"), ...indent(statePicture(states, width))],
  ]);
}

function nameAndTitle({ name, title }: Pick<Scenario, "name" | "title">): string {
  return title === name ? style("bold", name) : `${style("bold", name)}  ${title}`;
}

function stepTable(steps: readonly ScenarioStep[]): string[] {
  const rows = steps.map(({ when, since, effects }, index) => [String(index + 1), when, since, effects.join(" · ")]);
  const [heading = "", ...lines] = alignColumns([["step", "when", "since the start", "what happens"], ...rows]);
  return [style("dim", heading), ...lines];
}

export const scenarioCommands: readonly Command[] = [
  operationCommand("scenario list", "listScenarios", {
    summary: "List the scenarios of the sandbox, or those that ship if none runs.",
    examples: [
      ["scenario list", "each with its description"],
      ["scenario list --json", "for programs"],
    ],
    async request(sandbox) {
      try {
        return (await sandbox.call("listScenarios")).data;
      } catch (error) {
        if (!(error instanceof ConnectionError) || sandbox.url !== connectionFlags.url.default) throw error;
        const { shippedScenarios } = await import("../../scenario/load.ts");
        return (await shippedScenarios()).map(summarizeScenario);
      }
    },
    render: (scenarios) =>
      joinSections(scenarios.map((each) => [nameAndTitle(each), ...indent(wrap(each.description, textWidth - 2))])),
  }),
  {
    name: "scenario check",
    summary: "Check a scenario; every error with line and column.",
    operand: "file",
    flags: jsonFlag,
    examples: [
      ["scenario check my.yaml", "errors, exit code 2; or warnings and a summary, exit code 0"],
      ["scenario check my.yaml --json", "the same for programs"],
    ],
    async run({ operands: [nameOrFile = ""], flagValues }) {
      const [{ scenarioFile }, { readTextFile }, { examineScenario, parseScenario }] = await Promise.all([
        import("../../scenario/load.ts"),
        import("../../files/file.ts"),
        import("../../scenario/parse.ts"),
      ]);
      const file = await scenarioFile(nameOrFile);
      const text = await readTextFile(file);
      if (readAll(jsonFlag, flagValues).json) return printReport(file, examineScenario(text, file));
      const { scenario, warnings } = parseScenario(text, file);
      for (const warning of warnings) printError(`warning  ${formatDiagnostic(warning)}`);
      const { steps, repeat } = scenario;
      const played = repeat ? `, played ${repeat.count} times` : "";
      print(`${escaped(nameOrFile)}: ${count(steps.length, "step")}${played}`);
      return 0;
    },
  },
  {
    name: "scenario show",
    summary: "Show a scenario's steps, and its states over time.",
    operand: "name or file",
    flags: {},
    examples: [
      ["scenario show closing", "a scenario that ships"],
      ["scenario show my.yaml", "your own"],
    ],
    async run({ operands: [nameOrFile = ""] }) {
      const { loadScenario } = await import("../../scenario/load.ts");
      print(await scenarioTable(await loadScenario(nameOrFile)));
    },
  },
];
