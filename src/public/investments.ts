import type { Instant } from "../time/instant.ts";
import type { Count, Uuid } from "./scalars.ts";

/** Selects the investments of a list: those that match every member of the filter. */
export interface InvestmentFilter {
  /** The id or alias of an offering. @default all */
  readonly offering_id?: string | undefined;
  /** Words to find, in any case: in the alias, a name or email of an investor, the number, or the start of the id. */
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  /** Null matches investments without a step: `step=null` in a query, `--step null` on the command line. */
  readonly step?: string | null | undefined;
  /** The earliest creation, inclusive. */
  readonly from?: Instant | undefined;
  /** The latest creation, inclusive. */
  readonly to?: Instant | undefined;
  /** The member to sort by, or `-` and a member for the reverse order. @default "create_date" */
  readonly order?: InvestmentOrder | undefined;
  /** Maximum number of investments, up to 1,000. @default 50 */
  readonly limit?: number | undefined;
  /** The id or alias of the investment after which the page begins: `next` of the page before. */
  readonly after?: string | undefined;
  /** The id or alias of the investment before which the page ends: `previous` of the page after. Excludes `after`. */
  readonly before?: string | undefined;
}

type InvestmentMember = "create_date" | "modify_date" | "number" | "amount" | "status" | "step";

export type InvestmentOrder = InvestmentMember | `-${InvestmentMember}`;

export interface InvestmentPage {
  readonly data: readonly InvestmentSummary[];
  /** Number of investments that match the filter, on all pages. */
  readonly total: Count;
  /** The members in which `search` was looked for; empty without a `search`. */
  readonly searched: readonly string[];
  /** Number of matching investments before the first in `data`. */
  readonly preceding: Count;
  /** The id of the last item in `data`, for `after` of the next page; null at the end, or if the limit is 0. */
  readonly next: string | null;
  /** The id of the first item in `data`, for `before` of the previous page; null at the start, or if the limit is 0. */
  readonly previous: string | null;
}

export interface InvestmentSummary {
  readonly id: Uuid;
  readonly alias: string | null;
  readonly offering_id: Uuid;
  /** The `investment_number`. */
  readonly number: Count;
  readonly status: string;
  readonly step: string | null;
  readonly amount: number;
  readonly create_date: Instant;
  readonly modify_date: Instant;
  readonly investors: readonly { readonly name: string; readonly email: string }[];
}
