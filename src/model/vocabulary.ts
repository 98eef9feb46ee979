/** The pairs of event and action in section 6. */
export const shownPairs: readonly string[] = [
  "REGISTRATION COMPLETED",
  "PROFILE SUBMITTED",
  "SUBSCRIPTION SUBMITTED",
  "PAYMENT SUBMITTED",
  "PAYMENT APPROVED",
  "ADDRESS SUBMITTED",
];

/** The statuses of an investment in the specification (section 3). Others depend on `investment.statuses`. */
export const shownStatuses = ["PENDING", "CLOSED"] as const;

export function isShownStatus(status: string): status is (typeof shownStatuses)[number] {
  return (shownStatuses as readonly string[]).includes(status);
}

/** The steps of an investment in the specification (section 3). An investment without a step has null. */
export const shownSteps = ["SIGNERS"] as const;

/** The statuses of an offering in the specification (section 3). */
export const shownOfferingStatuses = ["ACTIVE"] as const;

/** The documents of an investment (section 4). */
export const investmentDocuments = ["investment", "status", "events"] as const;

export type InvestmentDocumentName = (typeof investmentDocuments)[number];

/** The two types of key from the issuer portal (section 5.5). */
export const keyTypes = ["marketing", "partner"] as const;

export type KeyType = (typeof keyTypes)[number];
