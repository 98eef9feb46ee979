import { dateMistakes, earlyDate, inNoList, type WrittenResource } from "../fixture/mistakes/resources.ts";
import type { Finding } from "../model/finding.ts";
import type { Scenario } from "./scenario.ts";

/** Finds dates before the creation of the investment, if the scenario states that. */
export function* dateWarnings({ investment, steps }: Scenario): Generator<Finding> {
  let create_date = typeof investment === "string" ? undefined : investment.create_date;
  const subject = (): WrittenResource =>
    inNoList("investments", { create_date }, { path: ["investment"], name: "the investment" });
  for (const [index, { trigger, effects }] of steps.entries()) {
    const path = ["steps", index];
    const step = inNoList("steps", "instant" in trigger ? { at: trigger.instant } : {}, { path, name: "the step" });
    yield* earlyDate(step, "at", subject());
    for (const effect of effects) {
      if (!("attributes" in effect)) continue;
      if (effect.kind === "investment") ({ create_date = create_date } = effect.attributes);
      const root = { path: [...path, effect.kind], name: `the ${effect.kind}` };
      yield* dateMistakes(
        inNoList(effect.kind, effect.attributes, root, effect.kind === "offering" ? undefined : subject()),
      );
    }
  }
}
