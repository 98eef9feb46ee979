import type { Row } from "./row.ts";

/** Values in the data. */
export const dataRows = [
  {
    id: "investor.birthdate",
    question: "A birthdate that is not held, partner key",
    section: "2.3",
    values: { absent: "the member is absent", null: "null" },
    conventional: "absent",
  },
  {
    id: "investor.redact_absent",
    question: "A birthdate that is not held, marketing key",
    section: "2.3",
    values: { redacted: "[[redacted]]", absent: "the member is absent" },
    conventional: "redacted",
    minimal: "absent",
  },
  {
    id: "investor.middle_name",
    question: "A middle name that is not held",
    section: "2.3",
    values: { '""': "an empty string", null: "null", absent: "the member is absent" },
    // The specification says string, and not that it may be absent.
    vary: "by name",
    conventional: '""',
  },
  {
    id: "signing_party.status",
    question: "Status of a signing party before signing",
    section: "3",
    values: { pending: "pending" },
    accepts: "text",
    vary: ["pending", "awaiting signature"],
    conventional: "pending",
  },
  {
    id: "payment.statuses",
    question: "Statuses of a payment before and instead of succeeded",
    section: "3",
    values: { "pending,failed": "pending before, failed instead" },
    conventional: "pending,failed",
  },
  {
    id: "investment.statuses",
    question: "Statuses of an investment besides PENDING and CLOSED",
    section: "3",
    values: {
      none: "fixtures and commands with any other are refused; scenarios may set any",
      any: "fixtures, commands and scenarios may set any",
      unseen: "the same; about half of the PENDING that nothing has changed yet show UNDER_REVIEW everywhere",
    },
    vary: ["none", "unseen"],
    conventional: "none",
  },
  {
    id: "events.kinds",
    question: "Events besides the pairs of section 6",
    section: "6",
    values: {
      seen: "none",
      unseen:
        "DOCUMENT UPLOADED too, after the first event of about half of the investments that nothing has changed yet",
    },
    conventional: "seen",
  },
  {
    id: "investment.broker",
    question: "Shape of broker when set",
    section: "2.1",
    values: { null: "never set: {data: null}", reference: '{data:{type:"brokers",id}} for some' },
    conventional: "null",
  },
  {
    id: "money.currency",
    question: "Units of amounts",
    section: "2.1",
    values: { decimal: "decimal units with two places" },
    conventional: "decimal",
  },
] as const satisfies readonly Row[];
