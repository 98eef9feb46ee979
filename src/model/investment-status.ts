/** The statuses of an investment that the specification shows (section 3). Others rest on `investment.statuses`. */
export const shownStatuses = ["PENDING", "CLOSED"] as const;

/** Whether the specification shows this status. */
export function isShownStatus(status: string): status is (typeof shownStatuses)[number] {
  return (shownStatuses as readonly string[]).includes(status);
}
