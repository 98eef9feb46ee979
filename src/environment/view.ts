/* What the emulated service may know of an environment: it cannot write. */

export type { EnvironmentView, IssuedKey } from "./environment.ts";
export { type Coming, idleTime, type NewEntry } from "./journal.ts";
export type { InvestmentList } from "./investment-list.ts";
export { keyStatus } from "./keys.ts";
export type { Hit } from "./limits.ts";
export type { Reading, StateView } from "./state.ts";
