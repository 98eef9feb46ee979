import type { Assumptions } from "../assumptions/catalogue.ts";

/** What decides what the service answers. */
export interface Terms {
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
}
