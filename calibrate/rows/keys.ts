import type { InvestmentFacts } from "../responses/facts.ts";
import type { Observations } from "./observations.ts";

/** The types of keys (section 5.5); `ungranted` is a partner key without access to personal data. */
export const keyKinds = ["partner", "marketing", "ungranted", "unknown"] as const;

export type KeyKind = (typeof keyKinds)[number];

/** Returns the type of a key, as the investments that it read show. */
function kindShownBy(investments: readonly InvestmentFacts[]): KeyKind {
  const investors = investments.flatMap((investment) => investment.investors);
  const parties = investments.flatMap((investment) => investment.parties);
  if (parties.some(({ hasPhone }) => hasPhone)) return "marketing";
  if (investors.some(({ personal }) => personal === "shown")) return "partner";
  return parties.length > 0 && investors.some(isRedacted) ? "ungranted" : "unknown";
}

/** Returns true for an investor with at least one redacted member. */
export function isRedacted({ personal }: InvestmentFacts["investors"][number]): boolean {
  return personal === "redacted" || personal === "mixed";
}

/** Returns the type of each key, up to the last key that requested an investment. */
export function kindsOfKeys(observations: Observations): readonly KeyKind[] {
  const shapes = observations.all("investment");
  const lastKey = Math.max(-1, ...shapes.map(({ request }) => request.key ?? 0));
  return Array.from({ length: lastKey + 1 }, (_, key) =>
    kindShownBy(
      shapes.flatMap(({ request, investment }) => (investment && (request.key ?? 0) === key ? investment : [])),
    ),
  );
}

export function investorsReadBy(kind: KeyKind, observations: Observations): InvestmentFacts["investors"] {
  return investmentsReadBy(kind, observations).flatMap(({ investors }) => investors);
}

export function investmentsReadBy(kind: KeyKind, observations: Observations): readonly InvestmentFacts[] {
  const kinds = kindsOfKeys(observations);
  const shapes = observations.all("investment").filter(({ request }) => kinds[request.key ?? 0] === kind);
  const repeatedShapes = kind === "marketing" ? observations.all("marketing") : [];
  return [...shapes, ...repeatedShapes].flatMap(({ investment }) => investment ?? []);
}

export function everyInvestment(observations: Observations): readonly InvestmentFacts[] {
  return observations.all("investment").flatMap(({ investment }) => investment ?? []);
}
