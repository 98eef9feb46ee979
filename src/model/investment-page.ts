import type { Instant } from "./instant.ts";
import type { Count, Uuid } from "./scalars.ts";

/** Which investments a list has; all members must match. */
export interface InvestmentFilter {
  /** The id or alias of an offering. @default all */
  readonly offering_id?: string | undefined;
  /** Words, in any case. Each is found in the alias or an investor's name or e-mail, begins the id, or is the number. */
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  /** Null: without a step, `step=null` in a query and `--step null` on the command line. */
  readonly step?: string | null | undefined;
  /** Created from this instant on, inclusive. */
  readonly from?: Instant | undefined;
  /** Created up to this instant, inclusive. */
  readonly to?: Instant | undefined;
  /** A member, or `-` and a member for the reverse order. @default "create_date" */
  readonly order?: InvestmentOrder | undefined;
  /** 1,000 at most. @default 50 */
  readonly limit?: number | undefined;
  /** Goes on after an investment, by id or alias: after a page, by its `next`. */
  readonly after?: string | undefined;
  /** Ends before an investment, by id or alias: before a page, by its `previous`. Not beside `after`. */
  readonly before?: string | undefined;
}

type InvestmentMember = "create_date" | "modify_date" | "number" | "amount" | "status" | "step";

export type InvestmentOrder = InvestmentMember | `-${InvestmentMember}`;

export interface InvestmentPage {
  readonly data: readonly InvestmentSummary[];
  /** Number of investments matched by the filter, on all pages. */
  readonly total: Count;
  /** The members searched; none without a `search`. */
  readonly searched: readonly string[];
  /** Number of them before the first of `data`. */
  readonly preceding: Count;
  /** The id of the last of `data`, to go on with as `after`; null at the end of the list, and with a limit of 0. */
  readonly next: string | null;
  /** The id of the first of `data`, to go back with as `before`; null at the beginning of the list, and with a limit of 0. */
  readonly previous: string | null;
}

export interface InvestmentSummary {
  readonly id: Uuid;
  readonly alias: string | null;
  readonly offering_id: Uuid;
  /** Its `investment_number`. */
  readonly number: Count;
  readonly status: string;
  readonly step: string | null;
  readonly amount: number;
  readonly create_date: Instant;
  readonly modify_date: Instant;
  readonly investors: readonly { readonly name: string; readonly email: string }[];
}
