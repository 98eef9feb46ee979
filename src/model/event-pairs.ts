/** The pairs of event and action that section 6 shows. */
export const eventPairs = [
  ["REGISTRATION", "COMPLETED"],
  ["PROFILE", "SUBMITTED"],
  ["SUBSCRIPTION", "SUBMITTED"],
  ["PAYMENT", "SUBMITTED"],
  ["PAYMENT", "APPROVED"],
  ["ADDRESS", "SUBMITTED"],
] as const;

/** Whether the specification shows this pair. */
export function isShownPair(event: string, action: string): boolean {
  return eventPairs.some(([subject, happened]) => subject === event && happened === action);
}
