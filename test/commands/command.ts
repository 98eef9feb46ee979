import fc from "fast-check";
import { known } from "../support/sandbox.ts";
import type { Environment } from "./model.ts";
import type { Act, World } from "./world.ts";

interface Command<Value> {
  readonly value: fc.Arbitrary<Value>;
  /** How often it is drawn. */
  readonly weight: number;
  readonly act: (value: Value, environment: Environment, world: World) => Act;
}

/** A row of a table of commands. */
export function command<Value>(value: fc.Arbitrary<Value>, act: Command<Value>["act"], weight = 2): Command<unknown> {
  return { value, act, weight } as Command<unknown>;
}

/** Draws what `pick` picks by. */
export const place = fc.nat(5);

/** One of a list; now and then, and from an empty list, a name that nothing has. */
export function pick(ids: readonly string[], at: number): string {
  return (at === 5 ? undefined : ids[at % ids.length]) ?? known.unknown;
}
