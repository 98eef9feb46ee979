import type { InvestmentFacts } from "./facts.ts";
import type { Seen } from "./verdict.ts";

/** The type that a key proves to have (section 5.5); `ungranted` is a partner key without access to personal data. */
export type KeyKind = "partner" | "marketing" | "ungranted" | "unknown";

/** Tells a key by the investments that it has read. */
function kindBy(read: readonly InvestmentFacts[]): KeyKind {
  const investors = read.flatMap((investment) => investment.investors);
  const parties = read.flatMap((investment) => investment.parties);
  if (parties.some(({ phone }) => phone)) return "marketing";
  if (investors.some(({ personal }) => personal === "shown")) return "partner";
  return parties.length > 0 && investors.some(isRedacted) ? "ungranted" : "unknown";
}

/** True for an investor with at least one member that is redacted as the specification says. */
export function isRedacted({ personal }: InvestmentFacts["investors"][number]): boolean {
  return personal === "redacted" || personal === "mixed";
}

/** Returns the type of each key that has read an investment, in the order given. */
export function keyKinds(seen: Seen): readonly KeyKind[] {
  const shapes = seen.all("investment");
  const last = Math.max(-1, ...shapes.map(({ asked }) => asked.key ?? 0));
  return Array.from({ length: last + 1 }, (_, key) =>
    kindBy(shapes.flatMap(({ asked, investment }) => (investment && (asked.key ?? 0) === key ? investment : []))),
  );
}

/** Returns the investments that keys of a type have read. */
export function readBy(seen: Seen, kind: KeyKind): readonly InvestmentFacts[] {
  const kinds = keyKinds(seen);
  const read = seen.all("investment").filter(({ asked }) => kinds[asked.key ?? 0] === kind);
  const again = kind === "marketing" ? seen.all("marketing") : [];
  return [...read, ...again].flatMap(({ investment }) => investment ?? []);
}

/** Returns every investment that was read. */
export function everyInvestment(seen: Seen): readonly InvestmentFacts[] {
  return seen.all("investment").flatMap(({ investment }) => investment ?? []);
}
