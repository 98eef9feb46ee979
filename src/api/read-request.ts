import type { StateView } from "../environment/state.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import type { Ledger } from "./ledger.ts";
import type { ParameterValues } from "./parameters.ts";

/** What an answer is made from: a request that nothing speaks against, and the state at its instant. */
export interface ReadRequest {
  readonly key: Key;
  readonly state: StateView;
  readonly ledger: Ledger;
  /** Seeds the shuffles. */
  readonly seed: number;
  readonly values: ParameterValues;
  /** The path of the request from the origin on: `/api/v1/offerings/…/investments`. */
  readonly path: string;
}

/** A request for an offering. */
export interface OfferingRequest extends ReadRequest {
  readonly offering: Offering;
}

/** A request for an investment. */
export interface InvestmentRequest extends ReadRequest {
  readonly investment: Investment;
}
