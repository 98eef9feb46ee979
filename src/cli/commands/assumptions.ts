import { assume, catalog, originOfValue } from "../../assumptions/catalog.ts";
import { formatOrder } from "../../assumptions/precedence.ts";
import { formOf, type Row } from "../../assumptions/row.ts";
import { readTextFile } from "../../files/file.ts";
import { isMembers } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { calibratedValues } from "../../settings/assumption-kinds.ts";
import { readAll } from "../../settings/values.ts";
import { parsedJson } from "../../text/json-text.ts";
import { escaped, escapedData } from "../../text/text.ts";
import type { Command } from "../command.ts";
import { jsonFlag } from "../connection.ts";
import type { VaryReport } from "../exec/vary-report.ts";
import { print, printJson, style } from "../output/terminal.ts";
import { joinSections, textWidth, wrap } from "../output/text.ts";
import { assumptionSettings, currentAssumptions, loadSettings } from "../settings/load.ts";

type Origins = Parameters<typeof originOfValue>[1];

/** The column where questions and meanings begin. */
const column = 28;
const valueWidth = column - 6;

/** Formats a question and its values, with the current value marked, and its origin unless that is the profile. */
function formatAssumption(row: (typeof catalog)[number], current: Origins): string[] {
  const currentValue = String(current.assumptions[row.id]);
  const { source, calibrated, confidence } = originOfValue(row.id, current);
  const origins = { profile: "", set: "; set", calibrated: `; calibrated ${calibrated}, ${confidence}` };
  const [first = "", ...rest] = wrap(`${row.question} (section ${row.section}${origins[source]})`, textWidth - column);
  return [
    style("bold", row.id.padEnd(column)) + first,
    ...rest.map((line) => " ".repeat(column) + line),
    ...valuesOf(row, currentValue).flatMap(([value, meaning]) => formatValue(value, meaning, value === currentValue)),
  ];
}

/** Returns each value with its meaning, including the current value if the row does not name it. */
function valuesOf({ values, accepts }: Row, currentValue: string): [value: string, meaning: string][] {
  const describedValues = Object.entries(values);
  if (!accepts) return describedValues;
  if (!Object.hasOwn(values, currentValue)) describedValues.push([currentValue, "the current value"]);
  describedValues.push(["…", formOf(accepts).description]);
  return describedValues;
}

function formatValue(value: string, meaning: string, isCurrent: boolean): string[] {
  const label = `  ${isCurrent ? "*" : " "} ${value}`;
  const meanings = wrap(meaning, textWidth - column).map((line) => " ".repeat(column) + line);
  const lines =
    value.length > valueWidth
      ? [label, ...meanings]
      : [label.padEnd(column) + meanings[0]?.trimStart(), ...meanings.slice(1)];
  return isCurrent ? lines.map((line) => style("green", line)) : lines;
}

const assumptionsCommand: Command = {
  name: "assumptions",
  summary: "Show the assumptions about what the specification leaves open.",
  flags: { ...assumptionSettings, ...jsonFlag },
  examples: [
    ["assumptions", "the catalog, the current values marked *"],
    ["assumptions --profile minimal", "the same with the profile minimal"],
    ["assumptions --json", "for programs"],
  ],
  async run({ flagValues }) {
    const { settings } = await loadSettings(flagValues);
    const { profile, calibrated } = settings;
    const values = { assumptions: currentAssumptions(settings), calibrated: calibratedValues(calibrated) };
    const origins = { profile, ...values };
    if (readAll(jsonFlag, flagValues).json) printJson(rowsWithValues(origins));
    else print(joinSections(catalog.map((row) => formatAssumption(row, origins))));
  },
};

function rowsWithValues(origins: Origins): object[] {
  return catalog.map(({ id, question, section, ...rest }) => {
    return { id, question, section, value: origins.assumptions[id], ...originOfValue(id, origins), ...rest };
  });
}

const questionsCommand: Command = {
  name: "questions",
  summary: "Print the open questions of the specification, to send to its vendor.",
  operand: "[report]",
  flags: {},
  examples: [
    ["questions", "all questions, as Markdown"],
    ["questions report.json", "those on which a client relies, from the report of exec --vary --report"],
  ],
  async run({ operands: [file] }) {
    const report = file === undefined ? undefined : escapedData(await readVaryReport(await readTextFile(file), file));
    if (report?.passed === false)
      throw new ValidationError(
        `${escaped(file ?? "")} is the report of a command that failed without any variation, so it does not show on what a client relies. Fix the command and write the report again.`,
      );
    print(formatQuestions(report).trimEnd());
  },
};

export const assumptionCommands = [assumptionsCommand, questionsCommand];

/** Reads the text of a report. Throws ValidationError. */
async function readVaryReport(text: string, file: string): Promise<VaryReport> {
  const { varyReportSchema } = await import("../exec/vary-report.ts");
  const content = parsedJson(text);
  const { data, error } = varyReportSchema.safeParse(content);
  if (data) return data;
  const version = isMembers(content) ? content["version"] : undefined;
  if (typeof version === "number" && version !== 1)
    throw new ValidationError(
      `${escaped(file)} is a report of version ${version}; this version of offering-sandbox reads version 1.`,
    );
  const reason =
    content === undefined ? "it is not JSON" : `invalid at ${error.issues[0]?.path.join(".") || "the top level"}`;
  throw new ValidationError(`${escaped(file)} is not a report that exec --vary --report wrote: ${escaped(reason)}.`);
}

const conventionalValues = assume("conventional");

/** Formats the open questions for the vendor of the specification as Markdown: all, or those a client relies on. */
function formatQuestions(report?: VaryReport): string {
  const rows = catalog.flatMap((row) => {
    const usedRow = report?.rows.find(({ id }) => id === row.id);
    if (report && !usedRow) return [];
    const value = usedRow?.value ?? conventionalValues[row.id];
    const failed = (usedRow?.alternatives ?? []).filter(({ verdict }) => verdict === "fails" || verdict === "flaky");
    return [{ row, value, failed: failed.map((alternative) => alternative.value) }];
  });
  const sortedRows = rows.toSorted((left, right) => Number(right.failed.length > 0) - Number(left.failed.length > 0));
  const intro = "The interface specification leaves these points open. Our client relies on a response to each.";
  const blocks = sortedRows.map(({ row, value, failed: failedValues }, index) => {
    const question = row.letter?.question ?? row.question;
    const failedMeanings = failedValues.map((failedValue) => plainMeaning(row, failedValue)).join("; ");
    const failures = failedValues.length > 0 ? ` Our tests fail with: ${failedMeanings}.` : "";
    return [
      `## ${index + 1}. ${question} (section ${row.section})`,
      "",
      `- **Question:** ${formatQuestion(question, row)}`,
      `- **We assume:** ${plainMeaning(row, value)}`,
      `- **If it is another:** ${row.otherwise}.${failures}`,
      `- **This shows it:** ${row.request.replaceAll("<", "\\<").replaceAll(/(?:GET )?\/\S+[^\s,]/g, "`$&`")}`,
      "",
    ].join("\n");
  });
  const noQuestions = "No response depended on an open point of the specification.\n";
  const content = blocks.length > 0 ? [intro, "", ...blocks] : [noQuestions];
  return ["# Open questions about the interface specification", "", ...content].join("\n");
}

/** Formats `First page's number: (a) counted from 0; (b) counted from 1; (c) something else?` */
function formatQuestion(question: string, row: Row): string {
  const meanings = new Set(Object.keys(row.values).map((value) => plainMeaning(row, value)));
  if (meanings.size === 0) return `${question}: which value?`;
  const choices = [...meanings, "something else"]
    .map((meaning, index) => `(${"abcdefghij"[index]}) ${meaning}`)
    .join("; ");
  return question.endsWith("?") ? `${question} ${choices}` : `${question}: ${choices}?`;
}

/** Returns the meaning of a value for a reader who does not know this program. */
function plainMeaning({ values, letter, accepts }: Row, value: string | number): string {
  const meaning = letter?.values?.[value] ?? values[value] ?? String(value);
  // Only the name 404-path is not a status.
  if (accepts === "order of errors")
    return (values[value] ?? formatOrder(meaning.split(","))).replaceAll("404-path", "404");
  return meaning.startsWith("like:") ? `\`${meaning.slice("like:".length)}\`` : meaning;
}
