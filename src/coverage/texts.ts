import type { RiskCoverage } from "../public/coverage-report.ts";
import { behaviourGroups } from "./catalogue.ts";
import { countInWords } from "../text/text.ts";
import { noRisks, noUndecided, type Verdict } from "./requirements.ts";
import { differentOf } from "./tally.ts";

/** A judged report in lines for a terminal. */
export function reportLines({ report, required, missed }: Verdict): string[] {
  const { met, of, requests, undecided, environments, behaviours, risks } = report;
  const unmet = behaviours.filter(({ count }) => count === 0);
  const needed = unmet.filter(({ id, group }) => missed.includes(id) || missed.includes(group));
  const groupLine = (group: string): string => {
    const size = behaviours.filter((one) => one.group === group).length;
    const names = unmet.flatMap((one) => (one.group === group ? [one.id.slice(group.length + 1)] : []));
    const words = names.length === 0 ? "" : `   not met: ${names.join(" · ")}`;
    return `  ${group.padEnd(12)} ${`${size - names.length}/${size}`.padStart(5)}${words}`;
  };
  const [pairs, found] = [countInWords(undecided, "pair"), countInWords(risks.length, "risk")];
  return [
    `Contract coverage: ${met} of ${of} behaviours, ${countInWords(environments, "environment")}, ${countInWords(requests, "request")}`,
    ...behaviourGroups.map(groupLine),
    ...(undecided > 0 ? [`Not decided: ${pairs} of requests. The second may be a reaction to the first, or not.`] : []),
    ...(risks.length > 0 ? ["Risks", ...risks.flatMap(riskLines)] : []),
    ...needed.slice(0, 3).map(({ id, meet }) => `To meet ${id}:  ${meet}`),
    ...(required.includes(noRisks) && undecided > 0
      ? [`${noRisks}: ${found}, and ${pairs} undecided. ${noUndecided} requires that there are none.`]
      : []),
    ...(missed.length > 0 ? [`Required, not met: ${missed.join(", ")}`] : []),
    "This shows what was answered, not what the client made of it.",
  ];
}

/** A risk, and below it a line for each different request. */
function riskLines({ sentence, count, examples }: RiskCoverage): string[] {
  const requests = differentOf(examples).map(
    ({ request, test }) => `    ${request}${test === null ? "" : `   ${test}`}`,
  );
  return [`  ${sentence}   ${count} ×`, ...requests];
}
