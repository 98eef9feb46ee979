/** The path at which the service begins. */
export const basePath = "/api/v1";

/** The query parameters of section 4. */
export const parameters = {
  page: { kind: "page", meaning: "Page selector for the investment list." },
  size: { kind: "size", meaning: "Page size for the investment list." },
  "create_date[gte]": { kind: "from", meaning: "Only items created on or after this date." },
  "create_date[lte]": { kind: "until", meaning: "Only items created on or before this date." },
  "modify_date[gte]": { kind: "from", meaning: "Only investments modified on or after this date." },
  "modify_date[lte]": { kind: "until", meaning: "Only investments modified on or before this date." },
} as const;

export type ParameterName = keyof typeof parameters;

/** One operation of section 4. `:id` in its path stands for a UUID. */
export interface Operation {
  readonly id: OperationId;
  /** The path below the base address. */
  readonly path: string;
  /** The type of resource named by `:id`. */
  readonly subject: "offering" | "investment";
  readonly summary: string;
  readonly parameters: readonly ParameterName[];
}

export type OperationId =
  | "getOffering"
  | "listInvestments"
  | "getInvestment"
  | "getInvestmentStatus"
  | "listInvestmentEvents";

export const operations: readonly Operation[] = [
  {
    id: "getOffering",
    path: "/offerings/:id",
    subject: "offering",
    summary: "Retrieve an offering",
    parameters: [],
  },
  {
    id: "listInvestments",
    path: "/offerings/:id/investments",
    subject: "offering",
    summary: "List the investments of an offering",
    parameters: ["page", "size", "create_date[gte]", "create_date[lte]", "modify_date[gte]", "modify_date[lte]"],
  },
  {
    id: "getInvestment",
    path: "/investments/:id",
    subject: "investment",
    summary: "Retrieve one investment with its investors, signing parties, offering and payments",
    parameters: [],
  },
  {
    id: "getInvestmentStatus",
    path: "/investments/:id/status",
    subject: "investment",
    summary: "Retrieve the status of an investment",
    parameters: [],
  },
  {
    id: "listInvestmentEvents",
    path: "/investments/:id/events",
    subject: "investment",
    summary: "Retrieve the events of an investment",
    parameters: ["create_date[gte]", "create_date[lte]"],
  },
];
