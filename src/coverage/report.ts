import type { BehaviourCoverage, CoverageReport, RiskCoverage } from "../public/coverage-report.ts";
import { type Behaviour, behaviours, onlyIfMet, type Risk, risks } from "./catalogue.ts";
import type { CoverageTally } from "./tally.ts";

export function reportOf(tally: CoverageTally): CoverageReport {
  const { requests, undecided, environments } = tally;
  const all = behaviours.map((one) => behaviourIn(tally, one)).filter(({ id, count }) => id !== onlyIfMet || count > 0);
  return {
    met: all.filter(({ count }) => count > 0).length,
    of: all.length,
    requests,
    undecided,
    environments,
    behaviours: all,
    risks: risks.flatMap((risk) => riskIn(tally, risk)),
  };
}

function behaviourIn(tally: CoverageTally, { remedy, ...behaviour }: Behaviour): BehaviourCoverage {
  const { count = 0, examples = [] } = tally.occurrencesOf(behaviour.id) ?? {};
  return { ...behaviour, count, first: examples[0] ?? null, meet: remedy };
}

function riskIn(tally: CoverageTally, { id, sentence }: Risk): RiskCoverage[] {
  const occurrences = tally.occurrencesOf(id);
  return occurrences ? [{ id, sentence, ...occurrences }] : [];
}
