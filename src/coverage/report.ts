import type { CoverageReport, RiskCoverage } from "../public/coverage-report.ts";
import { ValidationError } from "../validation/errors.ts";
import { formatCount, didYouMean, escaped, quoted } from "../text/text.ts";
import { behaviors, risks } from "./catalog.ts";
import { distinctRequests } from "./counts.ts";

/** The verdict on a report. */
interface Verdict {
  /** The report and the missed requirements, for a terminal. */
  readonly lines: readonly string[];
  /** 3 for a missed requirement, or without any request. */
  readonly exitCode: 0 | 3;
}

const noRisks = "no-risks";
const noUndecided = "no-undecided";
const groups = [...new Set(behaviors.map(({ group }) => group))];
const shareText = /^(\d{1,3})%$/;

/**
 * Checks requirements, and returns a function that judges a report. A requirement is an id or a group of behaviors, a
 * share (`80%`), `no-risks`, `no-risks.` with the id of a risk, or `no-undecided`. Throws ValidationError for an
 * unknown id.
 */
export function judgeOf(requirements: readonly string[]): (report: CoverageReport) => Verdict {
  const possibleRequirements = [
    ...groups,
    ...behaviors.map(({ id }) => id),
    noUndecided,
    noRisks,
    ...risks.map(({ id }) => `${noRisks}.${id}`),
  ];
  for (const requirement of requirements) {
    if (possibleRequirements.includes(requirement) || Number(shareText.exec(requirement)?.[1] ?? 101) <= 100) continue;
    throw new ValidationError(
      `--require: there is no behavior, group or risk ${quoted(requirement)}.${didYouMean(requirement, possibleRequirements)}`,
    );
  }
  return (report) => {
    const missedRequirements = requirements.filter((requirement) => !isSatisfied(report, requirement));
    const lines = reportLines(report, requirements, missedRequirements).map((line) => escaped(line));
    return { lines, exitCode: missedRequirements.length > 0 || report.requests === 0 ? 3 : 0 };
  };
}

function isSatisfied(
  { covered, total, undecided, risks: coveredRisks, behaviors: behaviorCoverage }: CoverageReport,
  requirement: string,
): boolean {
  const [, percent] = shareText.exec(requirement) ?? [];
  if (percent !== undefined) return covered >= (total * Number(percent)) / 100;
  if (requirement === noUndecided) return undecided === 0;
  if (requirement === noRisks) return coveredRisks.length === 0;
  if (requirement.startsWith(`${noRisks}.`)) return coveredRisks.every(({ id }) => requirement !== `${noRisks}.${id}`);
  return behaviorCoverage.every(({ id, group, count }) => count > 0 || (id !== requirement && group !== requirement));
}

function reportLines(report: CoverageReport, required: readonly string[], missed: readonly string[]): string[] {
  const { covered, total, requests, undecided, environments, behaviors: all, risks: found } = report;
  const uncovered = all.filter(({ count }) => count === 0);
  const neededBehaviors = uncovered.filter(({ id, group }) => missed.includes(id) || missed.includes(group));
  const groupLine = (group: string): string => {
    const size = all.filter((behavior) => behavior.group === group).length;
    const names = uncovered.flatMap((behavior) =>
      behavior.group === group ? [behavior.id.slice(group.length + 1)] : [],
    );
    const notCovered = names.length === 0 ? "" : `   not covered: ${names.join(" · ")}`;
    return `  ${group.padEnd(12)} ${`${size - names.length}/${size}`.padStart(5)}${notCovered}`;
  };
  const formattedPairs = formatCount(undecided, "pair");
  return [
    `Contract coverage: ${covered} of ${total} behaviors, ${formatCount(environments, "environment")}, ${formatCount(requests, "request")}`,
    ...groups.map(groupLine),
    ...(undecided > 0
      ? [`Not decided: ${formattedPairs} of requests. The second may be a reaction to the first, or not.`]
      : []),
    ...(found.length > 0 ? ["Risks", ...found.flatMap(riskLines)] : []),
    ...neededBehaviors.slice(0, 3).map(({ id, snippet }) => `To cover ${id}:  ${snippet}`),
    ...(required.includes(noRisks) && undecided > 0
      ? [
          `${noRisks}: ${formatCount(found.length, "risk")}, and ${formattedPairs} undecided. ${noUndecided} requires that there are none.`,
        ]
      : []),
    ...(missed.length > 0 ? [`Required, not covered: ${missed.join(", ")}`] : []),
    "This shows the responses, not what the client made of them.",
  ];
}

/** Formats a risk, with a line for each different request. */
function riskLines({ sentence, count, examples }: RiskCoverage): string[] {
  const requests = distinctRequests(examples).map(
    ({ request, test }) => `    ${request}${test === null ? "" : `   ${test}`}`,
  );
  return [`  ${sentence}   ${count} ×`, ...requests];
}
