import type { StateView } from "../environment/view.ts";
import { stableRank } from "../model/order.ts";
import type { Investment, InvestmentEvent, InvestmentHead } from "../model/resources.ts";
import { isShownStatus } from "../model/vocabulary.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Whether `salt` picks an investment: about half of those without a change, so that a test's own are never affected.
 */
function isSampled(salt: number, id: string, state: StateView): boolean {
  return stableRank(salt, id) % 2 === 0 && !state.isChanged(id);
}

/** Whether an investment may show another status under `investment.statuses=unseen`. */
function mayBeUndocumented({ id, status }: InvestmentHead, state: StateView): boolean {
  return status === "PENDING" && isSampled(1, id, state);
}

/** Returns the status that the service shows (section 3), equal in every document. */
export function shownStatus(investment: InvestmentHead, state: StateView, ledger: Ledger): string {
  const { status } = investment;
  const mayDiffer = mayBeUndocumented(investment, state);
  if (isShownStatus(status) && !mayDiffer) return status;
  return ledger.value("investment.statuses") === "unseen" && mayDiffer ? "UNDER_REVIEW" : status;
}

/** Returns the number of an offering's investments whose shown status differs from their own. */
export function undocumentedStatuses(offeringId: string, state: StateView, ledger: Ledger): number {
  const list = state.investmentsOf(offeringId);
  const undocumented = list.once(
    "unseen",
    () => list.byCreation.filter((investment) => mayBeUndocumented(investment, state)).length,
  );
  return undocumented > 0 && ledger.value("investment.statuses") === "unseen" ? undocumented : 0;
}

/**
 * Returns the events that the service shows, in the order of recording; with an unseen pair under `events.kinds=unseen`
 * (section 6).
 */
export function shownEvents(
  { id, events }: Investment,
  state: StateView,
  ledger: Ledger,
  isWithin: (event: InvestmentEvent) => boolean,
): readonly InvestmentEvent[] {
  const own = events.filter(isWithin);
  const [first] = events;
  if (!first || !isWithin(first) || !isSampled(2, id, state) || ledger.value("events.kinds") === "seen") return own;
  const ownId = stableRank(3, first.id).toString(16).padStart(8, "0") + first.id.slice(8);
  const undocumented = { ...first, id: ownId, event: "DOCUMENT", action: "UPLOADED", description: null };
  return own.toSpliced(own.indexOf(first) + 1, 0, undocumented);
}
