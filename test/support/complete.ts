import { draftFixture } from "../../src/fixture/complete/complete.ts";
import type { CompletedFixture } from "../../src/fixture/schema.ts";

/** Completes a sparse fixture at once. */
export function complete(...given: Parameters<typeof draftFixture>): CompletedFixture {
  const { offerings, ...fixture } = draftFixture(...given);
  const completed = offerings.map((offering) => ({ ...offering, investments: [...offering.investments] }));
  return { ...fixture, offerings: completed };
}
