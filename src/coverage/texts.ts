import type { BehaviourCoverage, CoverageReport, RiskCoverage } from "../coverage-report.ts";
import { groups } from "./catalogue.ts";
import { type Requirement, unmetIn } from "./requirements.ts";

/** The judgement of a report. */
export interface Verdict {
  readonly report: CoverageReport;
  /** The requirements that it does not meet. */
  readonly missed: readonly Requirement[];
  /** Everything in which it is below an earlier report. */
  readonly fallen: readonly string[];
}

/** The most lines that provoke something. */
const maxMeets = 3;

const note = "This shows what was answered, not what the client made of it.";

/** A report in lines for a terminal. */
export function reportLines({ report, missed, fallen }: Verdict): string[] {
  const { met, of, requests, not_looked_at: lost, environments, risks, excepted } = report;
  const unmet = unmetIn(report);
  const needed = unmet.filter(({ id, group }) => [...missed, ...fallen].some((one) => one === id || one === group));
  const missing = (group: string): string => {
    const names = unmet.filter((one) => one.group === group).map(({ id }) => id.slice(group.length + 1));
    return names.length === 0 ? "" : `   not met: ${names.join(" · ")}`;
  };
  return [
    `Contract coverage: ${met} of ${of} behaviours, ${counted(environments, "environment")}, ${counted(requests, "request")}`,
    ...groups.map((group) => `  ${group.padEnd(12)} ${sharesOf(report, group).padStart(5)}${missing(group)}`),
    ...(lost > 0 ? [`Not looked at: ${counted(lost, "request")}, which the journal had lost.`] : []),
    ...(risks.length > 0 ? ["Risks", ...risks.map(riskLine)] : []),
    ...excepted.map(({ id, reason, count }) => `Excepted: ${id}${count > 0 ? `, met ${count} ×` : ""}: ${reason}`),
    ...needed.slice(0, maxMeets).map(({ id, meet }) => `To meet ${id}:  ${meet}`),
    ...(missed.length > 0 ? [`Required, not met: ${missed.join(", ")}`] : []),
    ...(fallen.length > 0 ? [`Below the earlier report: ${fallen.join(", ")}`] : []),
    note,
  ];
}

/** The same in Markdown, for the summary of a CI run. */
export function reportMarkdown({ report, missed, fallen }: Verdict): string {
  const { met, of, requests, environments, risks, excepted } = report;
  const rows = groups.map((group) => {
    const names = unmetIn(report).filter((one) => one.group === group);
    return `| ${group} | ${sharesOf(report, group)} | ${names.map(({ id }) => `\`${id}\``).join(" ")} |`;
  });
  return [
    `### Contract coverage: ${met} of ${of} behaviours`,
    "",
    `${counted(requests, "request")}, ${counted(environments, "environment")}. ${note}`,
    "",
    "| group | met | not met |",
    "|---|---|---|",
    ...rows,
    ...list(
      "Risks",
      risks.map((risk) => `${risk.sentence}, ${risk.count} ×: \`${risk.id}\`${exampleText(risk)}`),
    ),
    ...list(
      "Excepted",
      excepted.map(({ id, reason }) => `\`${id}\`: ${marked(reason)}`),
    ),
    ...list(
      "Required, not met",
      missed.map((one) => `\`${one}\``),
    ),
    ...list(
      "Below the earlier report",
      fallen.map((one) => `\`${one}\``),
    ),
    "",
  ].join("\n");
}

function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ["", `**${heading}**`, "", ...items.map((item) => `- ${item}`)];
}

/** The same as JUnit's XML: a suite for each group, a case for each behaviour and each risk. */
export function reportJUnit({ report, missed }: Verdict): string {
  const isRequired = ({ id, group }: BehaviourCoverage): boolean => missed.includes(id) || missed.includes(group);
  const excepted = new Map(report.excepted.map(({ id, reason }) => [id, reason]));
  const outcome = (one: BehaviourCoverage): string => {
    const reason = excepted.get(one.id);
    if (one.count > 0) return "";
    if (reason !== undefined) return `<skipped message="${attribute(`excepted: ${reason}`)}"/>`;
    const message = `message="${attribute(`not met; to meet it: ${one.meet}`)}"`;
    return isRequired(one) ? `<failure ${message}/>` : `<skipped ${message}/>`;
  };
  const suites = groups.map((group) =>
    suite(
      group,
      report.behaviours.filter((one) => one.group === group).map((one) => [one.id, outcome(one)]),
    ),
  );
  const isForbidden = (id: string): boolean => missed.some((one) => one === "no-risks" || one === `no-risks.${id}`);
  const found = report.risks.map(({ id, sentence, count }): [string, string] => {
    const message = `message="${attribute(`${sentence}, ${count} times`)}"`;
    return [`risks.${id}`, isForbidden(id) ? `<failure ${message}/>` : `<skipped ${message}/>`];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    ...suites,
    suite("risks", found),
    "</testsuites>\n",
  ].join("\n");
}

function suite(name: string, cases: readonly (readonly [name: string, outcome: string])[]): string {
  const number = (element: string): number => cases.filter(([, outcome]) => outcome.startsWith(`<${element}`)).length;
  const sums = `tests="${cases.length}" failures="${number("failure")}" skipped="${number("skipped")}"`;
  const lines = cases.map(
    ([id, outcome]) => `<testcase classname="coverage.${name}" name="${id}">${outcome}</testcase>`,
  );
  return [`<testsuite name="${name}" ${sums}>`, ...lines, "</testsuite>"].join("\n");
}

/** A text in an attribute; control characters have no place in XML. */
function attribute(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .replaceAll(/\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu, " ")
    .replaceAll(/[&<>"]/g, (one) => entities[one] ?? "");
}

/** A text from outside, which may have Markdown in it. */
function marked(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`);
}

function sharesOf({ behaviours, excepted }: CoverageReport, group: string): string {
  const counting = behaviours.filter((one) => one.group === group && !excepted.some(({ id }) => id === one.id));
  return `${counting.filter(({ count }) => count > 0).length}/${counting.length}`;
}

function riskLine({ sentence, count, examples: [example] }: RiskCoverage): string {
  const where = example ? `   ${example.request}${example.test === null ? "" : `   ${example.test}`}` : "";
  return `  ${sentence}   ${count} ×${where}`;
}

function exampleText({ examples: [example] }: RiskCoverage): string {
  return example ? `, ${marked(`${example.request} ${example.test ?? ""}`.trim())}` : "";
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
