import type { WrittenEffects } from "./schema/effects.ts";

/** An event with all its members. */
export interface SpelledEvent {
  readonly event: string;
  readonly action: string;
  readonly description: string | null;
}

/** The events of a step, however they are written. */
export function spelledEvents(written: NonNullable<WrittenEffects["event"]>): SpelledEvent[] {
  return [written].flat().map((one) => {
    if (typeof one !== "string") return { event: one.event, action: one.action, description: one.description ?? null };
    const [event = "", action = ""] = one.split(" ");
    return { event, action, description: null };
  });
}
