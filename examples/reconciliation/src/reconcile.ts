import type { InvestmentDocument } from "offering-sandbox";
import type { Ledger } from "./ledger.ts";

/** A contradiction in the ledger. */
export interface Difference {
  readonly investment: number | string;
  readonly finding: string;
  readonly expected: number;
  readonly found: number;
}

export interface Reconciliation {
  readonly investments: number;
  readonly differences: readonly Difference[];
}

/** Reads a whole ledger and returns what does not agree. */
export async function reconcile(ledger: Ledger): Promise<Reconciliation> {
  const differences: Difference[] = [];
  let investments = 0;
  for await (const { id, document } of ledger.investments()) {
    investments++;
    if (document) differences.push(...differencesOf(document));
    else differences.push({ investment: id, finding: "listed, but not to be found", expected: 1, found: 0 });
  }
  return { investments, differences };
}

/** Returns what does not agree within an investment. */
export function differencesOf({ data, included }: InvestmentDocument): Difference[] {
  const { investment_number, amount, price, quantity, paid_amount, status } = data.attributes;
  const payments = included.filter((resource) => resource.type === "payments");
  const parties = included.filter((resource) => resource.type === "signing_parties");

  const due = cents(amount);
  const paid = cents(paid_amount);
  const units = cents(price * quantity);
  const received = payments
    .filter(({ attributes }) => attributes.status === "succeeded")
    .reduce((sum, { attributes }) => sum + cents(attributes.amount), 0);
  const unsigned = parties.filter(({ attributes }) => !attributes.signed).length;
  const closed = status === "CLOSED";

  const found: Difference[] = [];
  const note = (finding: string, expected: number, actual: number): void => {
    found.push({ investment: investment_number, finding, expected, found: actual });
  };
  if (due !== units) note("amount is not price × quantity", units / 100, amount);
  if (paid !== received) note("paid amount is not what succeeded", received / 100, paid_amount);
  if (closed && paid < due) note("closed, but not paid in full", amount, paid_amount);
  if (paid > due) note("paid more than its amount", amount, paid_amount);
  if (closed && unsigned > 0) note("closed, but not signed by everybody", 0, unsigned);
  return found;
}

/** Converts to whole cents for sums: 0.1 + 0.2 is not 0.3. */
function cents(amount: number): number {
  return Math.round(amount * 100);
}
