/** The pairs of event and action that section 6 shows. */
export const eventPairs = [
  ["REGISTRATION", "COMPLETED"],
  ["PROFILE", "SUBMITTED"],
  ["SUBSCRIPTION", "SUBMITTED"],
  ["PAYMENT", "SUBMITTED"],
  ["PAYMENT", "APPROVED"],
  ["ADDRESS", "SUBMITTED"],
] as const;

export function isShownPair(event: string, action: string): boolean {
  return eventPairs.some(([shownEvent, shownAction]) => shownEvent === event && shownAction === action);
}

/** The statuses of an investment that the specification shows (section 3). Others rest on `investment.statuses`. */
export const shownStatuses = ["PENDING", "CLOSED"] as const;

export function isShownStatus(status: string): status is (typeof shownStatuses)[number] {
  return (shownStatuses as readonly string[]).includes(status);
}

/** The two types of key that the issuer portal issues (section 5.5). */
export const keyTypes = ["marketing", "partner"] as const;

export type KeyType = (typeof keyTypes)[number];
