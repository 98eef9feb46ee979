/** A mistake of a client. */
export interface Risk {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
}

export const risks = [
  { id: "too-early", section: "8", sentence: "asked before the time that Retry-After named" },
  { id: "refused-again", section: "5", sentence: "repeated a request after a 401 or 403" },
  { id: "not-found-again", section: "7", sentence: "asked three times for the same thing that is not there" },
  { id: "first-page-only", section: "4", sentence: "read only the first page of several" },
  { id: "page-lost", section: "4", sentence: "left out or repeated a page of a list" },
  { id: "unknown-request", section: "4", sentence: "sent a parameter, path or method that does not exist" },
] as const satisfies readonly Risk[];

export type RiskId = (typeof risks)[number]["id"];
