import type { AdminConnection } from "../../client/connection.ts";
import type { Diagnostic, ScenarioDetail, ScenarioState, ScenarioStep } from "../../public/control.ts";
import { ConnectionError, ControlError } from "../../errors/control-error.ts";
import { formatDiagnostic, ValidationError } from "../../validation/errors.ts";
import { escaped, isName, formatCount } from "../../text/text.ts";
import { summarizeScenario } from "../../scenario/scenario.ts";
import { readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { connectionFlags, jsonFlag } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { alignColumns, indent, joinSections, textWidth, wrap } from "../output/text.ts";

/** Prints what a check found in a file, as `POST …/scenarios/check` responds. Returns the exit code. */
export function printReport(
  file: string,
  { errors, warnings }: Readonly<Record<"errors" | "warnings", readonly Diagnostic[]>>,
): 0 | 2 {
  printJson({ file, errors, warnings });
  return errors.length > 0 ? 2 : 0;
}

/** The states of which each has a line. */
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

/** Returns each value where it changes, and an empty string elsewhere. */
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

/** Formats a scenario: its subject, a table of its steps, and its states over time. */
function scenarioTable({ subject, steps, states, ...scenario }: ScenarioDetail): string {
  const width = textWidth - 2;
  return joinSections([
    [nameAndTitle(scenario), ...indent(wrap(scenario.description, width))],
    indent(wrap(`Plays on ${subject}.`, width)),
    indent(stepTable(steps)),
    [style("bold", "States"), ...indent(statePicture(states, width))],
  ]);
}

function nameAndTitle({ name, title }: Pick<ScenarioDetail, "name" | "title">): string {
  return title === name ? style("bold", name) : `${style("bold", name)}  ${title}`;
}

function stepTable(steps: readonly ScenarioStep[]): string[] {
  const rows = steps.map(({ when, since, effects }, index) => [String(index + 1), when, since, effects.join(" · ")]);
  const [heading = "", ...lines] = alignColumns([["step", "when", "since the start", "what happens"], ...rows]);
  return [style("dim", heading), ...lines];
}

/** Waits for a response of the sandbox; resolves to undefined if none runs and the caller named no address. */
async function ifSandboxRuns<Response>(
  { url }: AdminConnection,
  response: Promise<Response>,
): Promise<Response | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ConnectionError && url === connectionFlags.url.default) return undefined;
    throw error;
  }
}

/** Throws for a name that the sandbox does not know the same error as for one that is looked up here. */
function refuseName(error: unknown): never {
  throw error instanceof ControlError && error.code === "not_found"
    ? new ValidationError(error.message, { cause: error })
    : error;
}

export const scenarioCommands: readonly Command[] = [
  operationCommand("scenario list", "listScenarios", {
    summary: "List the scenarios of the sandbox, or those that ship if none runs.",
    examples: [
      ["scenario list", "each with its description"],
      ["scenario list --json", "for programs"],
    ],
    request: async (sandbox) =>
      (await ifSandboxRuns(sandbox, sandbox.call("listScenarios")))?.data ??
      (await (await import("../../scenario/load.ts")).shippedScenarios()).map(summarizeScenario),
    render: (scenarios) =>
      joinSections(scenarios.map((row) => [nameAndTitle(row), ...indent(wrap(row.description, textWidth - 2))])),
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
      print(`${escaped(nameOrFile)}: ${formatCount(steps.length, "step")}${played}`);
      return 0;
    },
  },
  operationCommand("scenario show", "getScenario", {
    summary: "Show a scenario's steps, and its states over time.",
    operand: "name or file",
    examples: [
      ["scenario show closing", "a scenario that ships, or one saved in the environment"],
      ["scenario show my.yaml", "your own"],
    ],
    async request(sandbox, _members, nameOrFile = "") {
      const [{ loadScenario }, { scenarioDetail }] = await Promise.all([
        import("../../scenario/load.ts"),
        import("../../scenario/parse.ts"),
      ]);
      try {
        return scenarioDetail(await loadScenario(nameOrFile));
      } catch (error) {
        if (!isName(nameOrFile)) throw error;
        // Only the sandbox knows its saved scenarios. It has no other with the name of one that ships.
        const saved = await ifSandboxRuns(sandbox, sandbox.call("getScenario", { id: nameOrFile })).catch(refuseName);
        if (!saved) throw error;
        return saved;
      }
    },
    render: scenarioTable,
  }),
];
