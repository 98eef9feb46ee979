/** The pairs of event and action that section 6 shows. */
export const eventPairs = [
  ["REGISTRATION", "COMPLETED"],
  ["PROFILE", "SUBMITTED"],
  ["SUBSCRIPTION", "SUBMITTED"],
  ["PAYMENT", "SUBMITTED"],
  ["PAYMENT", "APPROVED"],
  ["ADDRESS", "SUBMITTED"],
] as const;
