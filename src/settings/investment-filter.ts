import type { InvestmentFilter } from "../model/investment-page.ts";
import { instant, oneOf, text, textOrNull, wholeNumber } from "./kinds.ts";
import type { Setting, SettingsFor } from "./settings.ts";

/** The members by which investments can be listed, with those of a fixture file. */
export const investmentOrders = {
  create_date: "create_date",
  modify_date: "modify_date",
  number: "investment_number",
  amount: "amount",
  status: "status",
  step: "step",
} as const;

const orderMembers = Object.keys(investmentOrders) as (keyof typeof investmentOrders)[];

/** Which investments are listed: flags of `investments list`, members of a filter, and parameters of the admin API. */
export const investmentFilter = {
  offering_id: {
    kind: text("alias|id", "an offering's alias or id"),
    flag: "offering",
    words: "only of this offering",
  },
  search: {
    kind: text("words", "words", /^/),
    words: "only with all these words in number, id, alias, or an investor's name or e-mail",
  },
  status: { kind: text("status", "a status such as PENDING"), words: "only with this status" },
  step: {
    kind: textOrNull("step", "a step such as SIGNERS, or null"),
    words: "only at this step; null is none",
  },
  from: { kind: instant, words: "only created from this instant on" },
  to: { kind: instant, words: "only created up to this instant" },
  order: {
    kind: oneOf([...orderMembers, ...orderMembers.map((member) => `-${member}` as const)]),
    defaultInWords: "create_date",
    words: "the member to order by; - before it reverses",
  },
  limit: { kind: wholeNumber(0, 1000), defaultInWords: "50", words: "at most n" },
  after: {
    kind: text("alias|id", "an alias or an id"),
    words: "go on after this investment, or after the page with this next",
  },
  before: {
    kind: text("alias|id", "an alias or an id"),
    words: "end before this investment, or before the page with this previous",
  },
} as const satisfies {
  readonly [Name in keyof Required<InvestmentFilter>]: Setting<InvestmentFilter[Name]>;
} & SettingsFor<Omit<InvestmentFilter, "step">>;
