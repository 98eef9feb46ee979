/** The pairs of event and action that section 6 shows. */
export const shownPairs: readonly string[] = [
  "REGISTRATION COMPLETED",
  "PROFILE SUBMITTED",
  "SUBSCRIPTION SUBMITTED",
  "PAYMENT SUBMITTED",
  "PAYMENT APPROVED",
  "ADDRESS SUBMITTED",
];

/** The statuses of an investment that the specification shows (section 3). Others rest on `investment.statuses`. */
export const shownStatuses = ["PENDING", "CLOSED"] as const;

export function isShownStatus(status: string): status is (typeof shownStatuses)[number] {
  return (shownStatuses as readonly string[]).includes(status);
}

/** The two types of key that the issuer portal issues (section 5.5). */
export const keyTypes = ["marketing", "partner"] as const;

export type KeyType = (typeof keyTypes)[number];
