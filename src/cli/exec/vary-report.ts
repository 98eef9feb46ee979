import { z } from "zod";
import { assume, type AssumptionId, catalogue } from "../../assumptions/catalogue.ts";
import { formatOrder } from "../../assumptions/precedence.ts";
import type { Row } from "../../assumptions/row.ts";
import { parsedJson } from "../../text/json-text.ts";
import { isMembers } from "../../mistakes/members.ts";
import { Mistake } from "../../mistakes/mistakes.ts";
import { escaped } from "../../text/text.ts";
import type { AssumptionUse } from "../../sandbox/exec-settings.ts";
import { nameOf, type Outcome, type Reading } from "./vary-lines.ts";

const valueSchema = z.union([z.string(), z.number()]);

/** What `exec --vary --report` writes, and `questions` reads. */
export const varyReportSchema = z
  .strictObject({
    version: z.literal(1).meta({ description: "Version of this format." }),
    command: z.array(z.string()).meta({ description: "The command that ran." }),
    exit_code: z.int().meta({ description: "The exit code of exec." }),
    passed: z.boolean().meta({ description: "Whether the command passed as it is. If not, no row varied." }),
    rows: z
      .array(
        z.strictObject({
          id: z.enum(catalogue.map(({ id }) => id)),
          section: z.string(),
          question: z.string(),
          value: valueSchema.meta({ description: "The value on which answers depended." }),
          alternatives: z
            .array(
              z.strictObject({
                value: valueSchema,
                verdict: z.enum(["passes", "fails", "flaky", "not met", "not run"]),
                seconds: z.number().nullable(),
                command: z.string().meta({ description: "Runs the command with this value alone." }),
              }),
            )
            .meta({ description: "The alternative values; none for a row that did not vary." }),
        }),
      )
      .meta({ description: "The rows on which answers depended." }),
    unused: z.array(z.string()).meta({ description: "Rows to vary on which no answer depended." }),
  })
  .meta({ title: "Report of offering-sandbox exec --vary" });

export type VaryReport = z.output<typeof varyReportSchema>;

/** What is known when the runs end. */
interface Findings {
  readonly child: readonly string[];
  readonly exitCode: number;
  readonly hasPassed: boolean;
  readonly uses: readonly AssumptionUse[];
  readonly readings: readonly Reading[];
  readonly outcomes: readonly Outcome[];
  readonly unused: readonly AssumptionId[];
  readonly commandOf: (reading: Reading) => string;
}

export function varyReport(findings: Findings): VaryReport {
  const { child, exitCode, hasPassed, uses, readings, outcomes, unused, commandOf } = findings;
  const used = new Map(uses.map(({ id, value }) => [id, value]));
  const outcomeOf = (reading: Reading): Outcome | undefined =>
    outcomes.find((outcome) => nameOf(outcome.reading) === nameOf(reading));
  const rows = catalogue.flatMap(({ id, section, question }) => {
    const value = used.get(id);
    if (value === undefined) return [];
    const alternatives = readings.flatMap((reading) => {
      if (reading.id !== id) return [];
      const { verdict = "not run" as const, seconds = null } = outcomeOf(reading) ?? {};
      return [
        { value: reading.value, verdict, seconds: seconds && Number(seconds.toFixed(2)), command: commandOf(reading) },
      ];
    });
    return [{ id, section, question, value, alternatives }];
  });
  return { version: 1, command: [...child], exit_code: exitCode, passed: hasPassed, rows, unused: [...unused] };
}

/** Reads the text of a report. Throws Mistake. */
export function readVaryReport(text: string, file: string): VaryReport {
  const content = parsedJson(text);
  const { data, error } = varyReportSchema.safeParse(content);
  if (data) return data;
  const version = isMembers(content) ? content["version"] : undefined;
  if (typeof version === "number" && version !== 1)
    throw new Mistake(`${escaped(file)} is a report of version ${version}; this version of offering-sandbox reads 1.`);
  const place =
    content === undefined ? "it is not JSON" : `look at ${error.issues[0]?.path.join(".") || "its members"}`;
  throw new Mistake(`${escaped(file)} is not a report that exec --vary --report wrote: ${escaped(place)}.`);
}

const conventional = assume("conventional");

/** The open questions of the specification as Markdown for its vendor: all, or those on which a client relies. */
export function questionsText(report?: VaryReport): string {
  const rows = catalogue.flatMap((row) => {
    const found = report?.rows.find(({ id }) => id === row.id);
    if (report && !found) return [];
    const value = found?.value ?? conventional[row.id];
    const failed = (found?.alternatives ?? []).filter(({ verdict }) => verdict === "fails" || verdict === "flaky");
    return [{ row, value, failed: failed.map((alternative) => alternative.value) }];
  });
  const sorted = rows.toSorted((left, right) => Number(right.failed.length > 0) - Number(left.failed.length > 0));
  const intro = "The interface specification leaves these points open. Our client relies on an answer to each.";
  const blocks = sorted.map(({ row, value, failed }, index) => {
    const question = row.letter?.question ?? row.question;
    const failures =
      failed.length > 0 ? ` Our tests fail with: ${failed.map((one) => meaningOf(row, one)).join("; ")}.` : "";
    return [
      `## ${index + 1}. ${question} (section ${row.section})`,
      "",
      `- **Question:** ${sentenceOf(question, row)}`,
      `- **We assume:** ${meaningOf(row, value)}`,
      `- **If it is another:** ${row.otherwise}.${failures}`,
      `- **This shows it:** ${row.request.replaceAll("<", "\\<").replaceAll(/(?:GET )?\/\S+[^\s,]/g, "`$&`")}`,
      "",
    ].join("\n");
  });
  const none = "No answer depended on an open point of the specification.\n";
  return [
    "# Open questions about the interface specification",
    "",
    ...(blocks.length > 0 ? [intro, "", ...blocks] : [none]),
  ].join("\n");
}

/** `First page's number: (a) counted from 0; (b) counted from 1; (c) something else?` */
function sentenceOf(question: string, row: Row): string {
  const meanings = new Set(Object.keys(row.values).map((value) => meaningOf(row, value)));
  if (meanings.size === 0) return `${question}: which value?`;
  const answers = [...meanings, "something else"].map((meaning, at) => `(${"abcdefghij"[at]}) ${meaning}`).join("; ");
  return question.endsWith("?") ? `${question} ${answers}` : `${question}: ${answers}?`;
}

/** What a value means for a reader who does not know this program. */
function meaningOf({ values, letter, accepts }: Row, value: string | number): string {
  const meaning = letter?.values?.[value] ?? values[value] ?? String(value);
  // An unknown path is the only error whose name is ours.
  if (accepts === "order of errors")
    return (values[value] ?? formatOrder(meaning.split(","))).replaceAll("404-path", "404");
  return meaning.startsWith("like:") ? `\`${meaning.slice("like:".length)}\`` : meaning;
}
