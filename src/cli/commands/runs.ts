import type { RunDescription, RunStep } from "../../public/control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escaped, isLabel, labelExpected } from "../../text/text.ts";
import { text } from "../../settings/kinds.ts";
import { timelineFilter } from "../../settings/queries.ts";
import type { Command } from "../command.ts";
import { callerOf, connectionFlags, readConnected } from "../connection.ts";
import { operationCommand } from "../operation-command.ts";
import { forceFlag, refuseExisting, replaceFile } from "../output/files.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { columns, count, firstRows, indent, table, upcomingLines } from "../output/text.ts";

/** The runs with a waiting step, in the order in which they began. */
export function waitingRuns(runs: readonly RunDescription[]): RunDescription[] {
  return runs.filter(({ steps }) => steps.some(({ status }) => status === "waiting"));
}

function onlyWaitingRun(runs: readonly RunDescription[]): string {
  const [run, ...others] = waitingRuns(runs);
  if (!run) throw new ControlError("conflict", "No run has a waiting step.");
  if (others.length === 0) return run.id;
  const waiting = [run, ...others].map(({ id, title }) => `${id} (${title})`);
  throw new ValidationError(`Several runs wait: ${waiting.join(", ")}. Name one: scenario next ${run.id}.`);
}

/** Writes a run with its steps; for a run on many investments, the progress of the first ones. */
function runBlock(run: RunDescription): string {
  const { id, title, status, repetitions, investment_ids: investments, steps } = run;
  const head = `${style("bold", id)}  ${title}, ${status}`;
  const lines = investments.length > 1 ? progressLines(investments, steps) : stepLines(investments[0], steps);
  return [
    head,
    ...indent([...(repetitions > 1 ? [`${formatBeginnings(run)} begun`] : []), ...lines, ...upcomingLines([run])]),
  ].join("\n");
}

const maxShownInvestments = 20;

function stepLines(investment: string | undefined, steps: readonly RunStep[]): string[] {
  const rows = steps.map(({ index, status, due }) => [`step ${index + 1}`, status, due ?? ""]);
  return [...(investment === undefined ? [] : [`investment ${investment}`]), ...columns(rows)];
}

function progressLines(investments: readonly string[], steps: readonly RunStep[]): string[] {
  const rows = investments.slice(0, maxShownInvestments).map((id) => {
    const its = steps.filter(({ investment_id: of }) => of === id);
    const next = its.find(({ status }) => status === "waiting" || status === "scheduled");
    return [`investment ${id}`, `${stepsDone(its)} done`, next ? nextStep(next) : ""];
  });
  return firstRows(rows, investments.length);
}

function nextStep({ index, status, due }: RunStep): string {
  return status === "waiting" ? `step ${index + 1} waits` : `step ${index + 1} at ${due}`;
}

/** `48 of 720 repetitions` */
function formatBeginnings({ investment_ids: investments, repetitions }: RunDescription): string {
  return `${investments.length} of ${count(repetitions, "repetition")}`;
}

/** `3 of 7 steps` */
function stepsDone(steps: readonly RunStep[]): string {
  const done = steps.filter(({ status }) => status === "done").length;
  return `${done} of ${count(steps.length, "step")}`;
}

function runTable(runs: readonly RunDescription[]): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => {
    const { id, title, status, investment_ids: investments, repetitions, steps, problem, next_date: next } = run;
    const of = repetitions > 1 ? formatBeginnings(run) : count(investments.length, "investment");
    return [id, title, status, of, stepsDone(steps), problem ?? next ?? ""];
  });
  return table(["run", "plays", "status", "of", "done", "next"], rows);
}

const recordFlags = {
  from: timelineFilter.from,
  investment_id: {
    ...timelineFilter.investment_id,
    defaultText: "the only one that was changed by hand",
    words: "the investment to record",
  },
  name: { kind: text("name", labelExpected, isLabel), defaultText: "recorded", help: "the name of the scenario" },
  ...forceFlag,
} as const;

const recordCommand: Command = {
  name: "scenario record",
  summary: "Turn what you did by hand into a scenario.",
  operand: "[file]",
  flags: { ...recordFlags, ...connectionFlags },
  examples: [
    ["scenario record mine.yaml", "writes a file for scenario check and scenario play"],
    ["scenario record --investment at-signers --from 2026-01-15", "prints a scenario of one investment since then"],
  ],
  async run({ given, operands: [file] }) {
    const { flags, connection } = readConnected(recordFlags, given);
    const { force, ...body } = flags;
    if (file !== undefined) refuseExisting(file, force);
    const recorded = await (await callerOf(connection)).call("recordScenario", { body });
    if (file !== undefined) await replaceFile(file, recorded.text);
    if (connection.json) return printJson(recorded);
    for (const warning of recorded.warnings) printError(`warning  ${escaped(warning)}`);
    print(file === undefined ? recorded.text.trimEnd() : `The scenario was written to ${escaped(file)}.`);
  },
};

/** Reads a scenario by its name or file: only this process knows the file. */
const readScenario = async (source = "") => (await import("../../control/files.ts")).scenarioOf(source);

export const runCommands = [
  operationCommand("scenario play", "playScenario", {
    operand: "name or file",
    member: "scenario",
    examples: [
      ["scenario play closing", "a scenario that ships"],
      ["scenario play my.yaml --offering aurora", "your own, on the offering aurora"],
    ],
    request: async (sandbox, subject, source) =>
      sandbox.call("playScenario", { body: { ...subject, scenario: await readScenario(source) } }),
    render: runBlock,
  }),
  operationCommand("scenario save", "saveScenario", {
    operand: "file",
    examples: [["scenario save mine.yaml", "then scenario play mine plays it, even after a reset"]],
    request: async (sandbox, _, file) => sandbox.call("saveScenario", { body: await readScenario(file) }),
    render: ({ name }) => `Scenario ${name} saved.`,
  }),
  operationCommand("scenario delete", "deleteScenario", { operand: "name", render: () => "Scenario deleted." }),
  operationCommand("scenario next", "playNext", {
    operand: "[run]",
    examples: [
      ["scenario next", "the waiting step of the only run that has one"],
      ["scenario next run-2", "the waiting step of run-2"],
    ],
    request: async (sandbox, _, id) =>
      sandbox.call("playNext", { id: id ?? onlyWaitingRun((await sandbox.call("listRuns")).data) }),
    render: runBlock,
  }),
  operationCommand("runs list", "listRuns", { render: runTable }),
  operationCommand("runs show", "getRun", {
    operand: "run",
    examples: [["runs show run-1", "its progress; with --json also its scenario, in words and as text"]],
    render: runBlock,
  }),
  operationCommand("runs stop", "stopRun", {
    operand: "run",
    examples: [["runs stop run-1", "its future steps are removed; it stays listed"]],
    render: runBlock,
  }),
  recordCommand,
];
