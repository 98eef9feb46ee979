import type { CoverageReport } from "../public/coverage-report.ts";
import { Mistake } from "../mistakes/mistakes.ts";
import { didYouMean, quoted } from "../text/text.ts";
import { behaviours, behaviourGroups, risks } from "./catalogue.ts";

/** An id or a group of behaviours, a share such as `80%`, `no-risks`, `no-risks.` and the id of one, `no-undecided`. */
export type Requirement = string;

/** The judgement of a report. */
export interface Verdict {
  readonly report: CoverageReport;
  readonly required: readonly Requirement[];
  readonly missed: readonly Requirement[];
}

export const noRisks = "no-risks";
export const noUndecided = "no-undecided";
const shareText = /^(\d{1,3})%$/;

/** Checks the requirements, and returns the judge of a report. Throws Mistake for an unknown one, with the nearest. */
export function judgeOf(requirements: readonly Requirement[]): (report: CoverageReport) => Verdict {
  const words = [
    ...behaviourGroups,
    ...behaviours.map(({ id }) => id),
    noUndecided,
    noRisks,
    ...risks.map(({ id }) => `${noRisks}.${id}`),
  ];
  for (const one of requirements) {
    if (words.includes(one) || Number(shareText.exec(one)?.[1] ?? 101) <= 100) continue;
    throw new Mistake(`--require: there is no behaviour, group or risk ${quoted(one)}.${didYouMean(one, words)}`);
  }
  return (report) => ({ report, required: requirements, missed: requirements.filter((one) => !isMet(report, one)) });
}

/** The exit code of a verdict: 3 for a requirement that is not met, and where no request came. */
export function verdictExitCode({ report, missed }: Verdict): 0 | 3 {
  return missed.length > 0 || report.requests === 0 ? 3 : 0;
}

function isMet({ met, of, undecided, risks: found, behaviours: all }: CoverageReport, requirement: Requirement) {
  const [, percent] = shareText.exec(requirement) ?? [];
  if (percent !== undefined) return met >= (of * Number(percent)) / 100;
  if (requirement === noUndecided) return undecided === 0;
  if (requirement === noRisks) return found.length === 0;
  if (requirement.startsWith(`${noRisks}.`)) return found.every(({ id }) => requirement !== `${noRisks}.${id}`);
  return all.every(({ id, group, count }) => count > 0 || (id !== requirement && group !== requirement));
}
