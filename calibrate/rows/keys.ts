import type { InvestmentFacts } from "../responses/facts.ts";
import type { ProbeResponses } from "./seen.ts";

/** The types of keys (section 5.5); `ungranted` is a partner key without access to personal data. */
export const keyKinds = ["partner", "marketing", "ungranted", "unknown"] as const;

export type KeyKind = (typeof keyKinds)[number];

/** Returns the type of a key, which the investments read with it show. */
function kindBy(investments: readonly InvestmentFacts[]): KeyKind {
  const investors = investments.flatMap((investment) => investment.investors);
  const parties = investments.flatMap((investment) => investment.parties);
  if (parties.some(({ phone }) => phone)) return "marketing";
  if (investors.some(({ personal }) => personal === "shown")) return "partner";
  return parties.length > 0 && investors.some(isRedacted) ? "ungranted" : "unknown";
}

/** Returns true for an investor with at least one redacted member. */
export function isRedacted({ personal }: InvestmentFacts["investors"][number]): boolean {
  return personal === "redacted" || personal === "mixed";
}

/** Returns the type of each key, up to the last one that requested an investment. */
export function kindsOfKeys(seen: ProbeResponses): readonly KeyKind[] {
  const shapes = seen.all("investment");
  const last = Math.max(-1, ...shapes.map(({ asked }) => asked.key ?? 0));
  return Array.from({ length: last + 1 }, (_, key) =>
    kindBy(shapes.flatMap(({ asked, investment }) => (investment && (asked.key ?? 0) === key ? investment : []))),
  );
}

export function investorsReadBy(kind: KeyKind, seen: ProbeResponses): InvestmentFacts["investors"] {
  return readBy(kind, seen).flatMap(({ investors }) => investors);
}

export function readBy(kind: KeyKind, seen: ProbeResponses): readonly InvestmentFacts[] {
  const kinds = kindsOfKeys(seen);
  const shapes = seen.all("investment").filter(({ asked }) => kinds[asked.key ?? 0] === kind);
  const repeated = kind === "marketing" ? seen.all("marketing") : [];
  return [...shapes, ...repeated].flatMap(({ investment }) => investment ?? []);
}

export function everyInvestment(seen: ProbeResponses): readonly InvestmentFacts[] {
  return seen.all("investment").flatMap(({ investment }) => investment ?? []);
}
