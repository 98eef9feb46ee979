import type { RunDescription, RunStep } from "../../public/control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escaped, isLabel, labelExpected, formatCount } from "../../text/text.ts";
import { text } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { timelineFilter } from "../../settings/queries.ts";
import type { Command } from "../command.ts";
import { callerOf, connectionFlags, readConnected } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { forceFlag, refuseExisting, replaceFile } from "../output/files.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { alignColumns, formatFirstRows, indent, formatTable, formatUpcoming } from "../output/text.ts";

/** Returns the runs with a waiting step, in the order of their start. */
export function waitingRuns(runs: readonly RunDescription[]): RunDescription[] {
  return runs.filter(({ steps }) => steps.some(({ status }) => status === "waiting"));
}

function findWaitingRun(runs: readonly RunDescription[]): string {
  const [run, ...otherRuns] = waitingRuns(runs);
  if (!run) throw new ControlError("conflict", "No run has a waiting step.");
  if (otherRuns.length === 0) return run.id;
  const waiting = [run, ...otherRuns].map(({ id, title }) => `${id} (${title})`);
  throw new ValidationError(
    `Several runs have a waiting step: ${waiting.join(", ")}. Name the run, such as scenario next ${run.id}.`,
  );
}

/** Formats a run with its steps, or with the progress of its first investments if it has several. */
function formatRun(run: RunDescription): string {
  const { id, title, status, repetitions, investment_ids: investments, steps } = run;
  const head = `${style("bold", id)}  ${title}, ${status}`;
  const lines = investments.length > 1 ? formatProgress(investments, steps) : formatSteps(investments[0], steps);
  return [
    head,
    ...indent([...(repetitions > 1 ? [`${formatRepetitions(run)} begun`] : []), ...lines, ...formatUpcoming([run])]),
  ].join("\n");
}

const maxShownInvestments = 20;

function formatSteps(investment: string | undefined, steps: readonly RunStep[]): string[] {
  const rows = steps.map(({ index, status, due }) => [`step ${index + 1}`, status, due ?? ""]);
  return [...(investment === undefined ? [] : [`investment ${investment}`]), ...alignColumns(rows)];
}

function formatProgress(investments: readonly string[], steps: readonly RunStep[]): string[] {
  const rows = investments.slice(0, maxShownInvestments).map((id) => {
    const investmentSteps = steps.filter(({ investment_id }) => investment_id === id);
    const next = investmentSteps.find(({ status }) => status === "waiting" || status === "scheduled");
    return [`investment ${id}`, `${formatDoneSteps(investmentSteps)} done`, next ? formatNextStep(next) : ""];
  });
  return formatFirstRows(rows, investments.length);
}

function formatNextStep({ index, status, due }: RunStep): string {
  return status === "waiting" ? `step ${index + 1} waits` : `step ${index + 1} at ${due}`;
}

/** Formats `48 of 720 repetitions`. */
function formatRepetitions({ investment_ids: investments, repetitions }: RunDescription): string {
  return `${investments.length} of ${formatCount(repetitions, "repetition")}`;
}

/** Formats `3 of 7 steps`. */
function formatDoneSteps(steps: readonly RunStep[]): string {
  const doneCount = steps.filter(({ status }) => status === "done").length;
  return `${doneCount} of ${formatCount(steps.length, "step")}`;
}

function formatRuns(runs: readonly RunDescription[]): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => {
    const { id, title, status, investment_ids: investments, repetitions, steps, problem, next_date: next } = run;
    const extent = repetitions > 1 ? formatRepetitions(run) : formatCount(investments.length, "investment");
    return [id, title, status, extent, formatDoneSteps(steps), problem ?? next ?? ""];
  });
  return formatTable(["run", "plays", "status", "of", "done", "next"], rows);
}

const recordFlags = {
  from: timelineFilter.from,
  investment_id: {
    ...timelineFilter.investment_id,
    defaultText: "the only investment with manual changes",
    help: "the investment to record",
  },
  name: { kind: text("name", labelExpected, isLabel), defaultText: "recorded", help: "the name of the scenario" },
  ...forceFlag,
} as const satisfies Settings;

const recordCommand: Command = {
  name: "scenario record",
  summary: "Record manual changes as a scenario.",
  operand: "[file]",
  flags: { ...recordFlags, ...connectionFlags },
  examples: [
    ["scenario record mine.yaml", "writes a file for scenario check and scenario play"],
    ["scenario record --investment at-signers --from 2026-01-15", "prints a scenario of one investment since then"],
  ],
  async run({ flagValues, operands: [file] }) {
    const { flags, connection } = readConnected(recordFlags, flagValues);
    const { force, ...body } = flags;
    if (file !== undefined) refuseExisting(file, force);
    const recording = await (await callerOf(connection)).call("recordScenario", { body });
    if (file !== undefined) await replaceFile(file, recording.text);
    if (connection.json) return printJson(recording);
    for (const warning of recording.warnings) printError(`warning  ${escaped(warning)}`);
    print(file === undefined ? recording.text.trimEnd() : `The scenario was written to ${escaped(file)}.`);
  },
};

/** Reads a scenario by its name or file. This process reads the file, because the sandbox may run elsewhere. */
const readScenario = async (source = "") => (await import("../../control/files.ts")).convertScenario(source);

export const runCommands = [
  operationCommand("scenario play", "playScenario", {
    operand: "name or file",
    member: "scenario",
    examples: [
      ["scenario play closing", "plays a scenario that ships"],
      ["scenario play my.yaml --offering aurora", "plays your own scenario on the offering aurora"],
    ],
    request: async (sandbox, subject, source) =>
      sandbox.call("playScenario", { body: { ...subject, scenario: await readScenario(source) } }),
    render: formatRun,
  }),
  operationCommand("scenario save", "saveScenario", {
    operand: "file",
    examples: [["scenario save mine.yaml", "then scenario play mine plays it, even after a reset"]],
    async request(sandbox, _, file = "") {
      const [{ readScenarioFile }, { addFileName }] = await Promise.all([
        import("../../scenario/load.ts"),
        import("../../scenario/parse.ts"),
      ]);
      return sandbox.call("saveScenario", { body: addFileName(await readScenarioFile(file), file) });
    },
    render: ({ name }) => `Scenario ${name} saved.`,
  }),
  operationCommand("scenario delete", "deleteScenario", {
    operand: "name",
    examples: [["scenario delete mine", "deletes the saved scenario mine"]],
    render: () => "Scenario deleted.",
  }),
  operationCommand("scenario next", "playNext", {
    operand: "[run]",
    examples: [
      ["scenario next", "the waiting step of the only run that has one"],
      ["scenario next run-2", "the waiting step of run-2"],
    ],
    request: async (sandbox, _, id) =>
      sandbox.call("playNext", { id: id ?? findWaitingRun((await sandbox.call("listRuns")).data) }),
    render: formatRun,
  }),
  operationCommand("runs list", "listRuns", { render: formatRuns }),
  operationCommand("runs show", "getRun", {
    operand: "run",
    examples: [["runs show run-1", "its progress; --json adds its scenario"]],
    render: formatRun,
  }),
  operationCommand("runs stop", "stopRun", {
    operand: "run",
    examples: [["runs stop run-1", "removes its upcoming steps; the run stays in the list"]],
    render: formatRun,
  }),
  recordCommand,
];
