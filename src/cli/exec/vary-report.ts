import { z } from "zod";
import { type AssumptionId, catalog } from "../../assumptions/catalog.ts";
import { messageOf } from "../../validation/errors.ts";
import { commandHere } from "../../package.ts";
import type { AssumptionUse } from "../../sandbox/exec-settings.ts";
import { hidden, isSecretName, looksSecret } from "../../secrets/secrets.ts";
import { flagOf } from "../../settings/settings.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { shellWord } from "../../text/curl.ts";
import { appendStepSummary, replaceFile } from "../output/files.ts";
import { printError } from "../output/terminal.ts";

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
          id: z.enum(catalog.map(({ id }) => id)),
          section: z.string(),
          question: z.string(),
          value: valueSchema.meta({ description: "The value on which responds depended." }),
          alternatives: z
            .array(
              z.strictObject({
                value: valueSchema,
                verdict: z.enum(["passes", "fails", "flaky", "not used", "not run"]),
                seconds: z.number().nullable(),
                command: z.string().meta({ description: "Runs the command with this value alone." }),
              }),
            )
            .meta({ description: "The alternative values; none for a row that did not vary." }),
        }),
      )
      .meta({ description: "The rows on which responds depended." }),
    unused: z.array(z.string()).meta({ description: "Rows to vary on which no response depended." }),
  })
  .meta({ title: "Report of offering-sandbox exec --vary" });

export type VaryReport = z.output<typeof varyReportSchema>;

/** A row with one of its values. */
export interface Alternative {
  readonly id: AssumptionId;
  readonly value: string | number;
}

/** A finished run. */
export interface Run {
  readonly code: number;
  readonly uses: readonly AssumptionUse[];
}

/** The outcome of the runs with an alternative. */
export interface Outcome {
  readonly alternative: Alternative;
  /** `flaky`: failed, then passed. `not used`: passed, but no response depended on this value. */
  readonly verdict: "passes" | "fails" | "flaky" | "not used";
  readonly seconds: number;
}

/** What is known when the runs end. */
interface Findings {
  /** The run of the command as it is. */
  readonly baseline: Run;
  /** Whether a signal ended that run. */
  readonly isStopped: boolean;
  readonly alternatives: readonly Alternative[];
  /** Rows on which no response depended. */
  readonly unused: readonly AssumptionId[];
  readonly outcomes: readonly Outcome[];
}

/** The flags of `exec` and its command. */
interface CommandLine {
  readonly given: readonly TextValue[];
  readonly child: readonly string[];
}

/** Prints the issues, writes them to the file and to the page of a job, and returns the exit code of `exec`. */
export async function reportIssues(issues: Findings, line: CommandLine, file: string | undefined): Promise<number> {
  const exitCode = exitCodeFor(issues);
  for (const text of summaryLines(issues, line)) printError(text);
  // Others read a report and the page of a job: words of the command that look secret are concealed there.
  const shown = withoutSecretWords(line);
  if (file !== undefined) {
    await replaceFile(file, `${JSON.stringify(reportOf(issues, exitCode, shown), null, 1)}\n`).catch(
      (error: unknown) => {
        if (exitCode === 0) throw error;
        printError(messageOf(error));
      },
    );
  }
  const { outcomes, alternatives } = issues;
  const results = outcomes.map((outcome, index) => resultLine(outcome, index + 1, alternatives));
  await appendStepSummary([...results, ...summaryLines(issues, shown)]);
  return exitCode;
}

/** The exit code of the command as it is; 3 if nothing could vary; 1 if an alternative failed or did not run. */
function exitCodeFor({ baseline: { code, uses }, isStopped, alternatives, outcomes }: Findings): number {
  if (isStopped || code !== 0) return code || 1;
  if (uses.length === 0) return 3;
  const passed = outcomes.filter(({ verdict }) => verdict === "passes" || verdict === "not used");
  return passed.length === alternatives.length ? 0 : 1;
}

function reportOf(issues: Findings, exitCode: number, line: CommandLine): VaryReport {
  const { baseline, isStopped, alternatives, outcomes, unused } = issues;
  const used = new Map(baseline.uses.map(({ id, value }) => [id, value]));
  const described = alternatives.map((alternative) => {
    const outcome = outcomes.find((one) => one.alternative === alternative);
    const { verdict = "not run" as const, seconds = null } = outcome ?? {};
    const rounded = seconds && Number(seconds.toFixed(2));
    return { ...alternative, verdict, seconds: rounded, command: commandLine(alternative, line) };
  });
  const rows = catalog.flatMap(({ id, section, question }) => {
    const value = used.get(id);
    if (value === undefined) return [];
    const own = described.flatMap(({ id: of, ...alternative }) => (of === id ? [alternative] : []));
    return [{ id, section, question, value, alternatives: own }];
  });
  const passed = baseline.code === 0 && !isStopped;
  return { version: 1, command: [...line.child], exit_code: exitCode, passed, rows, unused: [...unused] };
}

/** The width of an alternative in a line. Longer ones, usually templates, shift the rest of their line. */
const maxWidth = 44;

/** `12/17  list.first_page=0   fails     2.1 s` */
export function resultLine(
  { alternative, verdict, seconds }: Outcome,
  at: number,
  all: readonly Alternative[],
): string {
  const width = Math.max(...all.map((one) => nameOf(one).length).filter((length) => length <= maxWidth));
  const place = `${String(at).padStart(String(all.length).length)}/${all.length}`;
  return `${place}  ${nameOf(alternative).padEnd(width)}   ${verdict.padEnd(7)}   ${seconds.toFixed(1)} s`;
}

/** The text after the runs: the alternatives that failed, each with a command that shows it, and how many passed. */
function summaryLines({ baseline, isStopped, alternatives, unused, outcomes }: Findings, line: CommandLine): string[] {
  if (isStopped) return [];
  if (baseline.code !== 0) return ["The command fails without any variation. Fix that first."];
  if (baseline.uses.length === 0) return ["Nothing to vary: no request came whose response depends on an assumption."];
  const of = (wanted: Outcome["verdict"]): Alternative[] =>
    outcomes.flatMap(({ verdict, alternative }) => (verdict === wanted ? [alternative] : []));
  const all = alternatives.length;
  const failed = of("fails").flatMap((alternative) => [
    `${nameOf(alternative)}   (${meaningOf(alternative)})`,
    `  ${commandLine(alternative, line)}`,
  ]);
  return [
    ...(outcomes.length < all ? [`Ended after ${outcomes.length} of ${all} alternative values.`] : []),
    ...(failed.length > 0 ? ["", "The command fails with each of these alone:", ...failed, ""] : []),
    ...listOf("Flaky, failed and then passed", of("flaky").map(nameOf)),
    ...listOf("Not used, no response depended on these", of("not used").map(nameOf)),
    `Passed with ${of("passes").length} of ${outcomes.length} alternative values.`,
    ...listOf("No response depended on", unused),
  ];
}

/** A line of names; empty if there are no names. */
function listOf(words: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${words}: ${names.join(", ")}`] : [];
}

export function nameOf({ id, value }: Alternative): string {
  return `${id}=${value}`;
}

/** The section, the question, and the meaning of a value: `8: First page's number; counted from 0`. */
function meaningOf({ id, value }: Alternative): string {
  const row = catalog.find((one) => one.id === id);
  return [`${row?.section}: ${row?.question}`, ...[row?.values[value] ?? []].flat()].join("; ");
}

/** Not for a command to paste: settings of the runs, folders that another run would fill, and tokens. */
const notPasted = new Set("vary jobs report coverage require snapshotDir coverageDir adminToken openToken".split(" "));

/** A command line that shows the failure with an alternative. */
function commandLine(alternative: Alternative, { given, child }: CommandLine): string {
  const kept = given
    .filter(({ setting }) => !notPasted.has(setting))
    .map(({ setting, text }) => `--${flagOf(setting, startSettings[setting as keyof typeof startSettings])}=${text}`);
  const words = ["exec", ...kept, "--assume", nameOf(alternative), "--", ...child];
  return [commandHere(), ...words.map(shellWord)].join(" ");
}

/** Conceals each word that looks like a key or contains one, and each that follows a flag such as `--token`. */
function withoutSecretWords({ given, child }: CommandLine): CommandLine {
  return {
    // An assumption such as errors.www_authenticate only looks like the name of a secret.
    given: given.map((one) => (one.setting === "assumptions" ? one : { ...one, text: concealed(one.text) })),
    child: child.map((word, at) => concealed(word, child[at - 1])),
  };
}

function concealed(word: string, before = ""): string {
  return looksSecret(word) || (/^--?[a-z]/i.test(before) && isSecretName(before)) ? hidden : word;
}
