import type { CoverageReport } from "../coverage-report.ts";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { behaviours, groups } from "./catalogue.ts";
import { risks } from "./risks.ts";

/** Reasons for behaviours and risks that do not count, by their ids. */
export type Exceptions = Readonly<Record<string, string>>;

/** Throws Mistake for an unknown id, with the nearest. */
export function checkExceptions(exceptions: Exceptions): void {
  const ids = [...behaviours, ...risks].map(({ id }) => id);
  for (const id of Object.keys(exceptions)) {
    if (ids.includes(id)) continue;
    throw new Mistake(`coverage.except: there is no behaviour and no risk ${quoted(id)}.${didYouMean(id, ids)}`);
  }
}

/** An id or a group of behaviours, a share such as `80%`, `no-risks`, or `no-risks.` and the id of one. */
export type Requirement = string;

const noRisks = "no-risks";
const share = /^(\d{1,3})%$/;

/** Throws Mistake for an unknown one, with the nearest. */
export function checkRequirements(requirements: readonly Requirement[]): void {
  const words = [...groups, ...behaviours.map(({ id }) => id), noRisks, ...risks.map(({ id }) => `${noRisks}.${id}`)];
  for (const one of requirements) {
    if (words.includes(one) || Number(share.exec(one)?.[1] ?? 101) <= 100) continue;
    throw new Mistake(`--require: there is no behaviour, group or risk ${quoted(one)}.${didYouMean(one, words)}`);
  }
}

/** The requirements that a report does not meet. */
export function missedIn(report: CoverageReport, requirements: readonly Requirement[]): Requirement[] {
  const { met, of, risks: found } = report;
  return requirements.filter((one) => {
    const [, percent] = share.exec(one) ?? [];
    if (percent !== undefined) return met < (of * Number(percent)) / 100;
    if (one === noRisks) return found.length > 0;
    if (one.startsWith(`${noRisks}.`)) return found.some(({ id }) => one === `${noRisks}.${id}`);
    return unmetIn(report).some(({ id, group }) => id === one || group === one);
  });
}

/** The behaviours that count and were not met. */
export function unmetIn({ behaviours: all, excepted }: CoverageReport): CoverageReport["behaviours"] {
  return all.filter(({ id, count }) => count === 0 && !excepted.some((one) => one.id === id));
}

/** Ids of behaviours that an earlier report has met and this one has not, and of risks that are new. */
export function fallenBelow(report: CoverageReport, earlier: CoverageReport): string[] {
  const met = new Set(earlier.behaviours.flatMap(({ id, count }) => (count > 0 ? [id] : [])));
  const known = new Set(earlier.risks.map(({ id }) => id));
  return [
    ...unmetIn(report).flatMap(({ id }) => (met.has(id) ? [id] : [])),
    ...report.risks.flatMap(({ id }) => (known.has(id) ? [] : [`${noRisks}.${id}`])),
  ];
}
