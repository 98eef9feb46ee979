import type { StateView } from "../environment/state.ts";
import type { Key, Offering } from "../model/resources.ts";
import type { Ledger } from "./ledger.ts";
import type { ParameterValues } from "./parameters.ts";

/** What an answer is made from: a request that nothing speaks against, and the state at its instant. */
export interface ReadRequest {
  readonly key: Key;
  /** The key's, about which, or about an investment of which, the request is. */
  readonly offering: Offering;
  readonly state: StateView;
  readonly ledger: Ledger;
  /** Seeds the shuffles. */
  readonly seed: number;
  readonly values: ParameterValues;
  /** Where the API begins: `/api/v1`. */
  readonly basePath: string;
}
