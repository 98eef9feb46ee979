import { originOfValue, catalogue } from "../../assumptions/catalogue.ts";
import { formOf, type Row } from "../../assumptions/row.ts";
import { calibratedValues } from "../../settings/assumption-kinds.ts";
import { readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { jsonFlag } from "../connection.ts";
import { print, printJson, style } from "../output/terminal.ts";
import { joinSections, textWidth, wrap } from "../output/text.ts";
import { assumptionSettings, assumptionsInForce, loadSettings } from "../settings/load.ts";

type Origins = Parameters<typeof originOfValue>[1];

/** The column where questions and meanings begin. */
const column = 28;
const valueWidth = column - 6;

/** A question and its answers, with the answer in force marked, and its origin unless that is the profile. */
function block(row: (typeof catalogue)[number], origins: Origins): string[] {
  const inForce = String(origins.assumptions[row.id]);
  const { source, calibrated, confidence } = originOfValue(row.id, origins);
  const origin = source === "profile" ? "" : source === "set" ? "; set" : `; calibrated ${calibrated}, ${confidence}`;
  const [first = "", ...rest] = wrap(`${row.question} (section ${row.section}${origin})`, textWidth - column);
  return [
    style("bold", row.id.padEnd(column)) + first,
    ...rest.map((line) => " ".repeat(column) + line),
    ...answersOf(row, inForce).flatMap(([value, meaning]) => answerLines(value, meaning, value === inForce)),
  ];
}

/** Each value with its meaning, also the value in force if the row does not name it. */
function answersOf({ values, accepts }: Row, inForce: string): [value: string, meaning: string][] {
  const answers = Object.entries(values);
  if (!accepts) return answers;
  if (!Object.hasOwn(values, inForce)) answers.push([inForce, "in force"]);
  answers.push(["…", formOf(accepts).words]);
  return answers;
}

function answerLines(value: string, meaning: string, inForce: boolean): string[] {
  const head = `  ${inForce ? "*" : " "} ${value}`;
  const meanings = wrap(meaning, textWidth - column).map((line) => " ".repeat(column) + line);
  const lines =
    value.length > valueWidth
      ? [head, ...meanings]
      : [head.padEnd(column) + meanings[0]?.trimStart(), ...meanings.slice(1)];
  return inForce ? lines.map((line) => style("green", line)) : lines;
}

export const assumptionsCommand: Command = {
  name: "assumptions",
  summary: "Show the assumptions where the specification is silent.",
  flags: { ...assumptionSettings, ...jsonFlag },
  examples: [
    ["assumptions", "the catalogue, the values in force marked *"],
    ["assumptions --profile minimal", "the same with the profile minimal"],
    ["assumptions --json", "for programs"],
  ],
  async run({ given }) {
    const { settings } = await loadSettings(given);
    const { profile, calibrated } = settings;
    const values = { assumptions: assumptionsInForce(settings), calibrated: calibratedValues(calibrated) };
    const origins = { profile, ...values };
    if (readAll(jsonFlag, given).json) printJson(rowsWithValues(origins));
    else print(joinSections(catalogue.map((row) => block(row, origins))));
  },
};

function rowsWithValues(origins: Origins): object[] {
  return catalogue.map(({ id, question, section, ...rest }) => {
    return { id, question, section, value: origins.assumptions[id], ...originOfValue(id, origins), ...rest };
  });
}
