import { type AssumptionId, catalogue } from "../../assumptions/catalogue.ts";
import { shellWord } from "../../text/curl.ts";
import { hidden, isSecretName, looksSecret } from "../../secrets/secrets.ts";
import { commandHere } from "../../package.ts";
import { flagOf } from "../../settings/settings.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";

/** A row with one of its values. */
export interface Reading {
  readonly id: AssumptionId;
  readonly value: string | number;
}

/** The outcome of the runs with a reading. */
export interface Outcome {
  readonly reading: Reading;
  /** `flaky`: failed, then passed. `not met`: passed, but no answer depended on this value. */
  readonly verdict: "passes" | "fails" | "flaky" | "not met";
  readonly seconds: number;
}

/** The flags of `exec` and its command. */
export interface CommandLine {
  readonly given: readonly TextValue[];
  readonly child: readonly string[];
}

interface Question {
  readonly readings: readonly Reading[];
  /** Rows on which no answer depended. */
  readonly unused: readonly string[];
  readonly line: CommandLine;
}

/** The width of a reading in a line. Longer ones, usually templates, shift the rest of their line. */
const maxWidth = 44;

/** `12/17  list.first_page=0   fails     2.1 s` */
export function resultLine({ reading, verdict, seconds }: Outcome, at: number, all: readonly Reading[]): string {
  const width = Math.max(...all.map((one) => nameOf(one).length).filter((length) => length <= maxWidth));
  const place = `${String(at).padStart(String(all.length).length)}/${all.length}`;
  return `${place}  ${nameOf(reading).padEnd(width)}   ${verdict.padEnd(7)}   ${seconds.toFixed(1)} s`;
}

/** The text after all runs: the readings that failed, each with a command that shows it, and how many passed. */
export function summaryLines(outcomes: readonly Outcome[], { readings, unused, line }: Question): string[] {
  const of = (verdict: Outcome["verdict"]): Reading[] =>
    outcomes.filter((one) => one.verdict === verdict).map(({ reading }) => reading);
  const failed = of("fails");
  const again = failed.flatMap((reading) => [
    `${nameOf(reading)}   (${meaningOf(reading)})`,
    `  ${commandLine(reading, line)}`,
  ]);
  return [
    ...(outcomes.length < readings.length ? [`Ended after ${outcomes.length} of ${readings.length} readings.`] : []),
    ...(failed.length > 0 ? ["", "The command fails with each of these alone:", ...again, ""] : []),
    ...listOf("Flaky, failed and then passed", of("flaky").map(nameOf)),
    ...listOf("Not met, no answer rested on these", of("not met").map(nameOf)),
    `Survived ${of("passes").length} of ${outcomes.length} readings.`,
    ...listOf("No answer rested on", unused),
  ];
}

/** A line of names; empty if there are no names. */
function listOf(words: string, names: readonly string[]): string[] {
  return names.length > 0 ? [`${words}: ${names.join(", ")}`] : [];
}

export function nameOf({ id, value }: Reading): string {
  return `${id}=${value}`;
}

/** The section, the question, and the meaning of a value: `8: First page's number; counted from 0`. */
function meaningOf({ id, value }: Reading): string {
  const row = catalogue.find((one) => one.id === id);
  return [`${row?.section}: ${row?.question}`, ...[row?.values[value] ?? []].flat()].join("; ");
}

/**
 * Settings left out of a command to paste: those of the runs, folders that another run would fill, and tokens, which a
 * log would show.
 */
const notPasted = new Set("vary jobs report coverage require casesDir coverageDir adminToken openToken".split(" "));

/** A command line that shows the failure with a reading. */
export function commandLine(reading: Reading, { given, child }: CommandLine): string {
  const kept = given
    .filter(({ setting }) => !notPasted.has(setting))
    .map(({ setting, text }) => `--${flagOf(setting, startSettings[setting as keyof typeof startSettings])}=${text}`);
  const words = ["exec", ...kept, "--assume", nameOf(reading), "--", ...child];
  return [commandHere(), ...words.map(shellWord)].join(" ");
}

/** Conceals each word that looks like a key or contains one, and each that follows a flag such as `--token`. */
export function withoutSecretWords({ given, child }: CommandLine): CommandLine {
  return {
    // An assumption such as errors.www_authenticate only looks like the name of a secret.
    given: given.map((one) => (one.setting === "assumptions" ? one : { ...one, text: concealed(one.text) })),
    child: child.map((word, at) => concealed(word, child[at - 1])),
  };
}

function concealed(word: string, before = ""): string {
  return looksSecret(word) || (/^--?[a-z]/i.test(before) && isSecretName(before)) ? hidden : word;
}
