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

/** The report that `exec --vary --report` writes, and `questions` reads. */
export const varyReportSchema = z
  .strictObject({
    version: z.literal(1).meta({ description: "Version of this format." }),
    command: z.array(z.string()).meta({ description: "The command that ran." }),
    exit_code: z.int().meta({ description: "The exit code of exec." }),
    passed: z
      .boolean()
      .meta({ description: "Whether the command passed without any variation. If not, no row varied." }),
    rows: z
      .array(
        z.strictObject({
          id: z.enum(catalog.map(({ id }) => id)),
          section: z.string(),
          question: z.string(),
          value: valueSchema.meta({ description: "The value on which responses depended." }),
          alternatives: z
            .array(
              z.strictObject({
                value: valueSchema,
                verdict: z.enum(["passes", "fails", "flaky", "not used", "not run"]),
                seconds: z.number().nullable(),
                command: z.string().meta({ description: "Runs the command with this value alone." }),
              }),
            )
            .meta({ description: "The alternative values; empty for a row that did not vary." }),
        }),
      )
      .meta({ description: "The rows on which responses depended." }),
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

/** The result of all runs. */
interface VaryResult {
  /** The run of the command without any variation. */
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
  readonly flagValues: readonly TextValue[];
  readonly child: readonly string[];
}

/** Prints the result, writes it to the file and to the page of a job, and returns the exit code of `exec`. */
export async function reportResult(result: VaryResult, line: CommandLine, file: string | undefined): Promise<number> {
  const exitCode = exitCodeFor(result);
  for (const text of formatSummary(result, line)) printError(text);
  // Other people read a report and the page of a job, so words of the command that look secret are concealed there.
  const shownLine = concealSecrets(line);
  if (file !== undefined) {
    await replaceFile(file, `${JSON.stringify(reportOf(result, exitCode, shownLine), null, 1)}\n`).catch(
      (error: unknown) => {
        if (exitCode === 0) throw error;
        printError(messageOf(error));
      },
    );
  }
  const { outcomes, alternatives } = result;
  const results = outcomes.map((outcome, index) => formatOutcome(outcome, index + 1, alternatives));
  await appendStepSummary([...results, ...formatSummary(result, shownLine)]);
  return exitCode;
}

/** Returns the exit code of the baseline unless 0; 3 if nothing could vary; 1 if an alternative failed or is absent. */
function exitCodeFor({ baseline: { code, uses }, isStopped, alternatives, outcomes }: VaryResult): number {
  if (isStopped || code !== 0) return code || 1;
  if (uses.length === 0) return 3;
  const passed = outcomes.filter(({ verdict }) => verdict === "passes" || verdict === "not used");
  return passed.length === alternatives.length ? 0 : 1;
}

function reportOf(result: VaryResult, exitCode: number, line: CommandLine): VaryReport {
  const { baseline, isStopped, alternatives, outcomes, unused } = result;
  const valueById = new Map(baseline.uses.map(({ id, value }) => [id, value]));
  const describedAlternatives = alternatives.map((alternative) => {
    const outcome = outcomes.find((candidate) => candidate.alternative === alternative);
    const { verdict = "not run" as const, seconds = null } = outcome ?? {};
    const roundedSeconds = seconds && Number(seconds.toFixed(2));
    return { ...alternative, verdict, seconds: roundedSeconds, command: formatCommand(alternative, line) };
  });
  const rows = catalog.flatMap(({ id, section, question }) => {
    const value = valueById.get(id);
    if (value === undefined) return [];
    const rowAlternatives = describedAlternatives.flatMap(({ id: rowId, ...alternative }) =>
      rowId === id ? [alternative] : [],
    );
    return [{ id, section, question, value, alternatives: rowAlternatives }];
  });
  const passed = baseline.code === 0 && !isStopped;
  return { version: 1, command: [...line.child], exit_code: exitCode, passed, rows, unused: [...unused] };
}

/** The maximum width of the column of alternatives. Longer ones, usually templates, shift the rest of their line. */
const maxWidth = 44;

/** Formats `12/17  list.first_page=0   fails     2.1 s`. */
export function formatOutcome(
  { alternative, verdict, seconds }: Outcome,
  position: number,
  alternatives: readonly Alternative[],
): string {
  const width = Math.max(
    ...alternatives.map((candidate) => formatAlternative(candidate).length).filter((length) => length <= maxWidth),
  );
  const progress = `${String(position).padStart(String(alternatives.length).length)}/${alternatives.length}`;
  return `${progress}  ${formatAlternative(alternative).padEnd(width)}   ${verdict.padEnd(7)}   ${seconds.toFixed(1)} s`;
}

/** Formats the summary: the failed alternatives, each with a command that shows the failure, and the number passed. */
function formatSummary(
  { baseline, isStopped, alternatives, unused, outcomes }: VaryResult,
  line: CommandLine,
): string[] {
  if (isStopped) return [];
  if (baseline.code !== 0) return ["The command fails without any variation. Fix that first."];
  if (baseline.uses.length === 0) return ["Nothing to vary: no request came whose response depends on an assumption."];
  const alternativesWith = (wantedVerdict: Outcome["verdict"]): Alternative[] =>
    outcomes.flatMap(({ verdict, alternative }) => (verdict === wantedVerdict ? [alternative] : []));
  const alternativeCount = alternatives.length;
  const failureLines = alternativesWith("fails").flatMap((alternative) => [
    `${formatAlternative(alternative)}   (${formatMeaning(alternative)})`,
    `  ${formatCommand(alternative, line)}`,
  ]);
  return [
    ...(outcomes.length < alternativeCount
      ? [`Ended after ${outcomes.length} of ${alternativeCount} alternative values.`]
      : []),
    ...(failureLines.length > 0 ? ["", "The command fails with each of these alone:", ...failureLines, ""] : []),
    ...formatNames("Flaky, failed and then passed", alternativesWith("flaky").map(formatAlternative)),
    ...formatNames("Not used, no response depended on these", alternativesWith("not used").map(formatAlternative)),
    `Passed with ${alternativesWith("passes").length} of ${outcomes.length} alternative values.`,
    ...formatNames("No response depended on", unused),
  ];
}

/** Formats a line of names; empty without names. */
function formatNames(label: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${label}: ${names.join(", ")}`] : [];
}

export function formatAlternative({ id, value }: Alternative): string {
  return `${id}=${value}`;
}

/** Formats section, question and meaning of a value: `8: First page's number; counted from 0`. */
function formatMeaning({ id, value }: Alternative): string {
  const row = catalog.find((assumption) => assumption.id === id);
  const meaning = row?.values[value];
  return `${row?.section}: ${row?.question}${meaning === undefined ? "" : `; ${meaning}`}`;
}

/** Settings that a command to paste omits: those of the runs, folders that another run would fill, and tokens. */
const omittedSettings = new Set(
  "vary jobs report coverage require snapshotDir coverageDir adminToken openToken".split(" "),
);

/** Formats a command line that shows the failure with an alternative. */
function formatCommand(alternative: Alternative, { flagValues, child }: CommandLine): string {
  const flags = flagValues
    .filter(({ setting }) => !omittedSettings.has(setting))
    .map(({ setting, text }) => `--${flagOf(setting, startSettings[setting as keyof typeof startSettings])}=${text}`);
  const words = ["exec", ...flags, "--assume", formatAlternative(alternative), "--", ...child];
  return [commandHere(), ...words.map(shellWord)].join(" ");
}

/** Conceals each word that looks like a key or contains a key, and each word after a flag such as `--token`. */
function concealSecrets({ flagValues, child }: CommandLine): CommandLine {
  return {
    // Assumptions are not secret, although errors.www_authenticate looks like the name of a secret.
    flagValues: flagValues.map((flagValue) =>
      flagValue.setting === "assumptions" ? flagValue : { ...flagValue, text: concealWord(flagValue.text) },
    ),
    child: child.map((word, index) => concealWord(word, child[index - 1])),
  };
}

function concealWord(word: string, previousWord = ""): string {
  return looksSecret(word) || (/^--?[a-z]/i.test(previousWord) && isSecretName(previousWord)) ? hidden : word;
}
