import { draftFixture } from "../../src/fixture/complete/complete.ts";
import type { CompletedFixture } from "../../src/fixture/schema.ts";

/** Completes a sparse fixture at once. */
export function complete(...draftArguments: Parameters<typeof draftFixture>): CompletedFixture {
  const { offerings, ...fixture } = draftFixture(...draftArguments);
  const completed = offerings.map((offering) => ({ ...offering, investments: [...offering.investments] }));
  return { ...fixture, offerings: completed };
}
