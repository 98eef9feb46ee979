import { Mistake } from "./mistake.ts";

/** What is asked for is well formed, but the state does not admit it: what it names is not there, or is there already. */
export class Impossible extends Mistake {}
